/** Answers that are sent as they come, over real sockets: one log line, a bounded buffer, an end. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { findOperation } from "#api/operations.ts";
import type { McpReply } from "#app/mcp.ts";
import type { KeyVerdict } from "#app/access/keyring.ts";
import { keyedCaller, ringOf, stubGate } from "../support/gate.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { NOW_MS, type StubOptions, stubServer } from "../support/server.ts";

const BODY = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x" });
const ASK = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

type Frames = (over: AbortSignal) => AsyncGenerator<string>;

/** A server on which every message is answered by these frames. `headers`: of the message. */
async function listen(
  t: TestContext,
  frames: Frames,
  { headers = "", ...options }: StubOptions & { headers?: string } = {},
) {
  const over = new AbortController();
  const left: AbortSignal[] = [];
  const stub = stubServer({
    ...options,
    // Long, so that nothing but the end of the stream cuts one.
    connections: { write_timeout_ms: 600_000 },
    mcp: (_message, { signal }): Promise<McpReply> => {
      left.push(signal);
      const { signal: ends } = over;
      return Promise.resolve({
        ...{ status: 200, type: "stream", frames: frames(ends), over: ends },
        ...{ end: () => over.abort(), operation: findOperation("getNearby") },
      });
    },
  });
  await stub.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = stub.app.server.address() as AddressInfo;
  t.after(() => {
    stub.app.server.closeAllConnections();
    stub.app.server.close();
  });
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {}).pause();
  t.after(() => socket.destroy());
  await once(socket, "connect");
  socket.write(ASK.replace("\r\n\r\n", `\r\n${headers}\r\n`));
  return { ...stub, socket, over, left };
}

async function until(done: () => boolean): Promise<void> {
  for (let wait = 0; !done() && wait < 6_000; wait++)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(done());
}

function collect(socket: Socket): () => string {
  const chunks: string[] = [];
  socket.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  socket.resume();
  return () => chunks.join("");
}

test("frames are sent as they are made, and the request is over with its head", async (t) => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const served = await listen(t, async function* () {
    yield "data: one\n\n";
    await gates[0]!.promise;
    yield "data: two\n\n";
    await gates[1]!.promise;
  });
  const text = collect(served.socket);
  await until(() => text().includes("data: one"));
  assert.match(text(), /^HTTP\/1.1 200 /);
  assert.match(text(), /\r\ntransfer-encoding: chunked\r\n/i);
  assert.doesNotMatch(text(), /\r\ncontent-length:/i);
  assert.match(text(), /\r\ncache-control: no-store\r\n/);
  assert.match(text(), /\r\nx-accel-buffering: no\r\n/);
  assert.equal(served.metrics.inflight.count, 0);
  // Its line comes with its end, and says how long it was and why it ended.
  assert.deepEqual(served.lines, []);
  assert.match(served.metrics.text(), /^svc_streams\{route="\/mcp"\} 1$/m);
  gates[0]!.resolve();
  await until(() => text().includes("data: two"));
  gates[1]!.resolve();
  await until(() => text().endsWith("\r\n0\r\n\r\n") && served.lines.length > 0);
  assert.equal(served.lines.length, 1);
  const { st, bytes, end, open_s } = served.lines[0]!;
  assert.deepEqual([st, bytes, end, open_s], [200, 22, "done", 0]);
  assert.match(served.metrics.text(), /^svc_streams\{route="\/mcp"\} 0$/m);
  // The connection is good for another request.
  served.socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await until(() => text().includes('"status":"ok"'));
});

test("a stream of a key that is revoked meanwhile ends within four seconds, in its own way, and costs nothing", async (t) => {
  const clock = createManualClock(NOW_MS);
  let verdict: KeyVerdict = { ok: true, caller: keyedCaller() };
  const keyring = { ...ringOf(verdict), recall: () => verdict };
  const { deps } = stubGate({ clock, keyring });
  const served = await listen(
    t,
    async function* (over) {
      yield "data: one\n\n";
      await once(over, "abort");
      yield "data: the result\n\n";
    },
    { clock, gate: deps, headers: "Authorization: Bearer any\r\n" },
  );
  const text = collect(served.socket);
  await until(() => text().includes("data: one"));
  await clock.advance(200_000);
  assert.equal(served.over.signal.aborted, false);
  verdict = { ok: false, code: "invalid_api_key" };
  await clock.advance(4_000);
  await until(() => text().endsWith("\r\n0\r\n\r\n"));
  assert.match(text(), /data: the result/);
  assert.equal(deps.quotas.of(keyedCaller(), NOW_MS)!.used, 0);
});

const FRAME = `data: ${"x".repeat(8_000)}\n\n`;

test("a caller that does not read stops the making of frames, and is cut when the stream is over", async (t) => {
  let made = 0;
  let ended = false;
  const served = await listen(t, async function* () {
    try {
      for (;;) {
        made++;
        yield FRAME;
      }
    } finally {
      ended = true;
    }
  });
  let before = -1;
  let quiet = 0;
  await until(() => {
    quiet = made > 0 && made === before ? quiet + 1 : 0;
    before = made;
    return quiet > 40;
  });
  // What the kernels of both ends take, and one buffer of the socket.
  assert.ok(made * FRAME.length < 32 * 1024 * 1024, String(made));
  served.over.abort();
  await until(() => served.left[0]!.aborted && ended);
});

test("when a stream is over, a caller that reads gets the end of it", async (t) => {
  const served = await listen(t, async function* (over) {
    yield "data: one\n\n";
    if (!over.aborted) await once(over, "abort");
    yield "data: last\n\n";
  });
  const text = collect(served.socket);
  await until(() => text().includes("data: one"));
  served.over.abort();
  await until(() => text().endsWith("\r\n0\r\n\r\n"));
  assert.match(text(), /data: last/);
});

test("a caller that leaves is noticed while nothing is sent", async (t) => {
  const served = await listen(t, async function* (over) {
    yield "data: one\n\n";
    await once(over, "abort");
  });
  const text = collect(served.socket);
  await until(() => text().includes("data: one"));
  served.socket.destroy();
  await until(() => served.left[0]!.aborted);
});

test("a defect in the middle cuts the answer off, and is logged", async (t) => {
  const served = await listen(t, async function* () {
    yield "data: one\n\n";
    throw new Error("planted");
  });
  served.socket.resume();
  await once(served.socket, "close");
  await until(() => served.lines.length === 2);
  assert.match(JSON.stringify(served.lines[0]), /planted/);
  assert.equal(served.lines[1]!["end"], "failed");
});
