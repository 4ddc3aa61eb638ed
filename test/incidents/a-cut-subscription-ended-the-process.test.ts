/**
 * Incident: in long trials a replica was gone for a minute without an injected fault. While notices
 * were cut every 50 ms, a connection could be cut again just as the driver, by itself, subscribed to
 * its channels once more; the rejection was not handled, and Node ended the process with 1.
 */
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { loadDriver } from "#storage/valkey/driver.ts";
import { createSubscriber } from "#storage/valkey/subscriber.ts";
import { HANG_MS } from "../support/size.ts";
import { noFault } from "../support/faults.ts";

/** Grants what is subscribed to on every other connection; cuts the others as soon as they ask. */
async function startStore(t: TestContext) {
  const state = { connections: 0, cut: 0, granted: 0, sockets: new Set<Socket>() };
  const server = createServer((socket) => {
    state.connections += 1;
    state.sockets.add(socket);
    const grants = state.connections % 2 === 1;
    socket.on("error", () => undefined);
    socket.on("close", () => state.sockets.delete(socket));
    socket.on("data", (bytes) => {
      for (const name of namesOf(bytes.toString())) {
        if (name !== "subscribe") socket.write(REPLIES[name] ?? "+OK\r\n");
        else if (grants) {
          state.granted += 1;
          socket.write("*3\r\n$9\r\nsubscribe\r\n$5\r\nfeeds\r\n:1\r\n");
        } else {
          state.cut += 1;
          socket.destroy();
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return { state, port: (server.address() as AddressInfo).port };
}

const INFO = "loading:0\r\n";
const REPLIES: Record<string, string> = { info: `$${INFO.length}\r\n${INFO}\r\n` };

/** The first word of each command, as the driver sends them. */
function namesOf(text: string): string[] {
  return [...text.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)].map(([, name]) => name!.toLowerCase());
}

test("a connection that is cut while it subscribes is reopened, and nothing else happens", async (t) => {
  const driver = await loadDriver();
  assert.ok(!("problem" in driver));
  const { state, port } = await startStore(t);
  const lost: unknown[] = [];
  const note = (reason: unknown): void => void lost.push(reason);
  process.on("unhandledRejection", note);
  t.after(() => process.off("unhandledRejection", note));
  const nodes = [{ host: "127.0.0.1", port }];
  const address = {
    nodes,
    cluster: false,
    database: 0,
    tls: false,
    username: null,
    password: null,
  };
  const subscriber = createSubscriber(driver, address, {
    channels: ["feeds"],
    onFault: (error) => noFault("subscriber", error),
  });
  t.after(() => subscriber.close());
  await subscriber.settled(5_000);
  for (let turn = 1; turn <= 3; turn++) {
    for (const socket of state.sockets) socket.destroy();
    await t.waitFor(() => assert.ok(state.granted > turn), { timeout: HANG_MS, interval: 10 });
  }
  assert.ok(state.cut >= 3, `${state.cut} were cut`);
  assert.deepEqual(lost, []);
});
