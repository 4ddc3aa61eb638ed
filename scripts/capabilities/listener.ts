/** The real listener of the public, with nothing behind /v1/capabilities but a note of what came. */
import type { AddressInfo } from "node:net";
import { stubServer } from "../../test/support/server.ts";
import type { Wish } from "./run.ts";

export async function startListener(): Promise<
  Pick<Wish, "port" | "takeExecuted"> & { close(): Promise<void> }
> {
  let executed: ReturnType<Wish["takeExecuted"]> = null;
  const { app } = stubServer({
    quiet: true,
    capabilities: {
      execute: ({ correlation, freshness_policy, request }) => {
        executed = { correlation, policy: freshness_policy, request };
        return Promise.resolve({ kind: "ok", body: Buffer.from("{}"), free: true });
      },
      isRepeat: () => Promise.resolve(false),
      read: () => Promise.resolve({ kind: "refused", code: "dataset_not_found" }),
    },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    port: (app.server.address() as AddressInfo).port,
    takeExecuted: () => {
      const last = executed;
      executed = null;
      return last;
    },
    close: () => app.close(),
  };
}
