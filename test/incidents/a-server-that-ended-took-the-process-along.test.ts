/**
 * The suite `long` failed now and then with `terminating connection due to administrator command`
 * (57P01), which no statement had reported. A PostgreSQL that shuts down says so to each connection. It can
 * come in one packet with the message that the connection is ready: then the pool has just taken its own
 * listener off, and ours is added a turn later, so that the error had no listener, and ended the process.
 * The same holds for a connection that was given up: its listener was gone before it was closed.
 */
import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { loadDriver } from "#storage/postgres/driver.ts";
import { createPool } from "#storage/postgres/pool.ts";

const TYPE = { auth: "R", error: "E", ready: "Z" } as const;

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY = Buffer.concat([
  message(TYPE.auth, Buffer.alloc(4)),
  message(TYPE.ready, Buffer.from("I")),
]);
const ENDED = message(
  TYPE.error,
  Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"),
);

/** A server as far as the first messages go. */
async function serve(t: TestContext, answer: (socket: Socket, packet: number) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let packets = 0;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => answer(socket, packets++));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const driver = await loadDriver();
  assert.ok(!("problem" in driver));
  const faults: unknown[] = [];
  const pool = createPool(
    driver,
    { url: `postgres://vicinity@127.0.0.1:${port}/none`, mode: "live" },
    { onFault: (error) => void faults.push(error), onDefect: assert.ifError },
  );
  t.after(() => pool.close());
  return pool;
}

/** An error event without a listener would fail the test as an uncaught exception. */
const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 50));

test("a server that ends in the packet that says ready costs the statement, and not the process", async (t) => {
  const pool = await serve(t, (socket, packet) => {
    if (packet === 0) socket.end(Buffer.concat([READY, ENDED]));
  });
  await assert.rejects(pool.query("SELECT 1", []));
  await settled();
});

test("a connection that is given up may receive the end of its server afterwards", async (t) => {
  // It answers the statement by its end, and says so once more.
  const pool = await serve(t, (socket, packet) => {
    if (packet === 0) socket.write(READY);
    else socket.write(Buffer.concat([ENDED, ENDED]));
  });
  await assert.rejects(pool.query("SELECT 1"), { code: "57P01" });
  await settled();
});
