/**
 * A server that does nothing: node:http sends the same prepared bytes to whoever asks. What it costs at
 * some load is what the runtime and the kernel cost there, of which no service can be rid. With a
 * shared store it waits before each reply, for what no reply with a key may leave without.
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
