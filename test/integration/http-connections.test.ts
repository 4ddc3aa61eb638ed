/** Bounds on connections, over real sockets: per address, in total, and for clients that do not read. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import {
  type ConnectionBounds,
  Connections,
  guardConnections,
  sendParts,
} from "#http/connections.ts";
import { stubServer } from "../support/server.ts";

const MB = 1024 * 1024;
const ASK = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

async function listen(t: TestContext, bounds: Partial<ConnectionBounds>, length = 64 * MB) {
  const connections = new Connections({
    max_connections: 100,
    max_connections_per_address: null,
    write_timeout_ms: 4_000,
    trusted_proxies: [],
    ...bounds,
  });
  const body = Buffer.alloc(length);
  const server = createServer((_request, response) => {
    response.setHeader("content-length", length);
    sendParts(response, body);
  });
  // The test sweeps by itself.
  const never = (): void => undefined;
  const refuse = (): never => assert.fail("refused");
  guardConnections(server, { connections, refuse, every: () => never });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { connections, port: (server.address() as AddressInfo).port };
}

/** Reads nothing unless asked to, and so does not notice that it was closed either. */
async function open(t: TestContext, port: number, from = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {}).pause();
  t.after(() => socket.destroy());
  // One that is refused may be reset before.
  await once(socket, "connect").catch(() => []);
  return socket;
}

async function until(done: () => boolean): Promise<void> {
  for (let wait = 0; !done() && wait < 2000; wait++)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

test("a connection whose client takes nothing of an answer is ended after the write timeout", async (t) => {
  const { connections, port } = await listen(t, {});
  const idle = await open(t, port);
  const socket = await open(t, port);
  socket.write(ASK);
  // Fills the buffer of the socket once.
  await once(socket, "readable");
  let sweeps = 0;
  // The kernels between the two ends take some of it first.
  await until(() => {
    connections.sweep();
    sweeps++;
    return connections.ended.write_timeout > 0;
  });
  assert.ok(sweeps > 4, `${sweeps} sweeps`);
  await until(() => connections.count === 1);
  assert.deepEqual([connections.count, connections.ended.write_timeout], [1, 1]);
  idle.write(ASK);
  await once(idle.resume(), "data");
});

test("a client that reads slowly keeps its connection until it has everything", async (t) => {
  const { connections, port } = await listen(t, {});
  const socket = await open(t, port);
  socket.write(ASK);
  let read = 0;
  for (let turn = 0; read < 64 * MB; turn++) {
    const before = read;
    while (read - before < 4 * MB && read < 64 * MB) {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) await once(socket, "readable");
      else read += chunk.length;
    }
    connections.sweep();
    assert.ok(turn < 100);
  }
  assert.equal(connections.ended.write_timeout, 0);
});

test("pipelined long answers arrive whole, without a warning", async (t) => {
  const { port } = await listen(t, {}, 300_000);
  const warnings: string[] = [];
  const warn = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", warn);
  t.after(() => process.off("warning", warn));
  const socket = await open(t, port);
  socket.write(ASK.repeat(30));
  let read = 0;
  socket.on("data", (chunk: Buffer) => (read += chunk.length)).resume();
  await until(() => read > 30 * 300_000);
  assert.ok(read > 30 * 300_000, `${read} bytes`);
  assert.deepEqual(warnings, []);
});

test("an address has no more than its connections, a block four times as many, others theirs", async (t) => {
  const { connections, port } = await listen(t, { max_connections_per_address: 2 });
  const sockets: Socket[] = [];
  for (const [from, expected] of [
    ["127.7.0.1", 2],
    ["127.7.0.2", 4],
    ["127.7.0.3", 6],
    ["127.7.0.4", 8],
    ["127.7.0.5", 8],
    ["127.8.0.1", 10],
  ] as const) {
    for (let each = 0; each < 4; each++) sockets.push(await open(t, port, from));
    await until(() => connections.count + connections.ended.address === sockets.length);
    assert.equal(connections.count, expected, from);
  }
  assert.equal(connections.ended.address, 14);
  sockets[0]!.destroy();
  await until(() => connections.count === 9);
  await open(t, port, "127.7.0.5");
  await until(() => connections.count === 10);
  assert.equal(connections.count, 10, "room again");
});

test("a trusted proxy has any number of connections", async (t) => {
  const bounds = { max_connections_per_address: 2, trusted_proxies: ["127.7.0.1/32"] };
  const { connections, port } = await listen(t, bounds);
  for (let each = 0; each < 10; each++) await open(t, port, "127.7.0.1");
  for (let each = 0; each < 10; each++) await open(t, port, "127.7.0.2");
  await until(() => connections.count + connections.ended.address === 20);
  assert.deepEqual([connections.count, connections.ended.address], [12, 8]);
});

test("where all connections are taken, the oldest of the largest block ends for another block", async (t) => {
  const { connections, port } = await listen(t, {
    max_connections: 10,
    max_connections_per_address: 50,
  });
  const mine: Socket[] = [];
  for (let each = 0; each < 12; each++) mine.push(await open(t, port, "127.1.0.1"));
  await until(() => connections.ended.displaced === 3);
  assert.equal(connections.count, 9, "a tenth is for connections with a key");
  const other = await open(t, port, "127.2.0.1");
  other.resume().write(ASK);
  await once(other, "data");
  await until(() => mine[0]!.resume().destroyed);
  assert.ok(mine[0]!.destroyed, "the oldest of those that hold most");
  assert.equal(connections.count, 9);
  assert.equal(connections.ended.displaced, 4);
});

test("the server has the configured bounds, and says how many connections it ended", async (t) => {
  const { app, metrics } = stubServer({
    connections: { max_connections: 20, max_connections_per_address: 2 },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  // Some more, while those that end for others are closing.
  assert.equal(app.server.maxConnections, 84);
  for (let each = 0; each < 5; each++) await open(t, port);
  let text = "";
  for (let turn = 0; turn < 400 && !/reason="address"} 3$/m.test(text); turn++)
    text = metrics.text();
  assert.match(text, /^svc_http_connections 2$/m);
  assert.match(text, /^svc_http_connections_ended_total{reason="address"} 3$/m);
});
