/** Passwords of PostgreSQL and Valkey that are asked for, and are wrong. */
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { runSql } from "../../../test/support/engines.ts";
import type { ServiceNode } from "../node.ts";
import type { Stage } from "../stage.ts";

/** The server asks `app` for its password from now on; the next start of this node has another one. */
export async function useWrongPassword({ store }: Stage, node: ServiceNode): Promise<void> {
  const [row] = await runSql(store!.url, "SHOW hba_file");
  const file = String(row!["hba_file"]);
  const text = readFileSync(file, "utf8");
  const rule = "host all app 127.0.0.1/32 scram-sha-256\n";
  if (!text.startsWith(rule)) writeFileSync(file, rule + text);
  await runSql(store!.url, "SELECT pg_reload_conf()");
  const wrong = new URL(store!.app_url);
  wrong.password = "another password";
  node.variables["VICINITY_STORE_URL"] = wrong.href;
}

/** Commands to Valkey by a connection of its own, one after the other; its replies. */
export function sendValkey({ shared }: Stage, ...commands: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let message = "";
    const socket = connect({ port: shared!.port, host: "127.0.0.1" }, () =>
      socket.end([...commands, "QUIT", ""].join("\r\n")),
    );
    socket.on("data", (chunk: Buffer) => (message += chunk.toString()));
    socket.once("close", () =>
      /^-/m.test(message) ? reject(new Error(message)) : resolve(message),
    );
    socket.once("error", reject);
  });
}
