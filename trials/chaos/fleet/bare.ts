/**
 * A server that does nothing: node:http sends the same prepared bytes to every caller. Its cost
 * at some load is that of the runtime and the kernel, which no service can avoid. With a shared store
 * it waits before each reply, as a reply to a key must.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { atExit } from "../../../test/support/at-exit.ts";

export type Bare = { index: number; pid: number; port: number; admin_port: number; close(): void };

/** `bytes`: of a reply; `shared_url`: it waits (waits.ts). */
export async function startBare(index: number, bytes: number, shared_url?: string): Promise<Bare> {
  const file = fileURLToPath(new URL("./bare-server.ts", import.meta.url));
  const child = fork(file, [String(bytes), ...(shared_url === undefined ? [] : [shared_url])]);
  const forget = atExit(() => child.kill("SIGKILL"));
  const [port] = (await once(child, "message")) as [number];
  return {
    index,
    pid: child.pid!,
    port,
    admin_port: port,
    close() {
      forget();
      child.disconnect();
    },
  };
}
