/** What only real sockets show: framing errors, pipelining, and when a pooled body is released. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { okReply, stubServer, type StubOptions } from "../support/server.ts";

async function listen(t: TestContext, options: StubOptions = {}) {
  const server = stubServer(options);
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  t.after(() => server.app.close());
  return { ...server, port: (server.app.server.address() as AddressInfo).port };
}

/** Writes the text and reads until the server closes the connection. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(text);
  return readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close").catch(() => []);
  return Buffer.concat(chunks).toString("latin1");
}

const HEAD = "Host: x\r\nConnection: close\r\n\r\n";
const QUESTION = "GET /v1/nearby?lat=1&lon=2 HTTP/1.1\r\n";

async function until(done: () => boolean): Promise<void> {
  for (let wait = 0; !done() && wait < 400; wait++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const FRAMING: [name: string, text: string, status: number, code: string][] = [
  ["nonsense", "nonsense\r\n\r\n", 400, "invalid_request"],
  ["an unknown method", `FOO /health HTTP/1.1\r\n${HEAD}`, 400, "invalid_request"],
  ["no Host", "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "invalid_request"],
  ["two Hosts", `GET /health HTTP/1.1\r\nhost: y\r\n${HEAD}`, 400, "invalid_request"],
  [
    "two Hosts of HTTP/1.0",
    `GET /v1/nearby?lat=1&lon=2 HTTP/1.0\r\nHOST: y\r\n${HEAD}`,
    400,
    "invalid_request",
  ],
  [
    "two lengths",
    `POST /health HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${HEAD}`,
    400,
    "invalid_request",
  ],
  [
    "length and chunks",
    `POST /health HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${HEAD}`,
    400,
    "invalid_request",
  ],
  [
    "too many header bytes",
    `GET /health HTTP/1.1\r\nX: ${"a".repeat(20_000)}\r\n${HEAD}`,
    431,
    "headers_too_large",
  ],
  ["a long target", `GET /health?${"a".repeat(9000)} HTTP/1.1\r\n${HEAD}`, 414, "uri_too_long"],
];

for (const [name, text, status, code] of FRAMING) {
  test(`framing: ${name} is ${status} with the error body`, async (t) => {
    const { port } = await listen(t);
    const answer = await talk(port, text);
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(answer, new RegExp(`{"error":{"code":"${code}","message":".+"}}$`));
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    const headers = headersOf(head);
    assert.match(headers["x-request-id"] ?? "", /^[\w-]+$/);
    assert.equal(headers["content-type"], "application/json; charset=utf-8");
    assert.equal(headers["content-length"], String(Buffer.byteLength(body, "latin1")));
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(headers["connection"], "close");
    assert.equal(headers["access-control-allow-origin"], "*");
    for (const [field, value] of Object.entries(headers))
      assert.match(value, /^(?!undefined$)./, field);
  });
}

/** Of the head of a reply; one that comes twice fails. */
function headersOf(head: string): Record<string, string> {
  const lines = head.split("\r\n").slice(1);
  const headers = lines.map((line) => /^([!-9;-~]+): (.*)$/.exec(line)!.slice(1, 3));
  const names = headers.map(([name]) => name!.toLowerCase());
  assert.equal(new Set(names).size, names.length, head);
  return Object.fromEntries(headers.map(([name, value]) => [name!.toLowerCase(), value!]));
}

test("absolute-form targets, HTTP/1.0 and Expect are ordinary requests", async (t) => {
  const { port } = await listen(t);
  for (const text of [
    `GET http://x/v1/nearby?lat=1&lon=2 HTTP/1.1\r\n${HEAD}`,
    "GET /v1/nearby?lat=1&lon=2 HTTP/1.0\r\n\r\n",
    `${QUESTION}Expect: something\r\n${HEAD}`,
    `${QUESTION}Upgrade: websocket\r\n${HEAD}`,
    `${QUESTION}Content-Length: 2\r\nContent-Type: application/json\r\n${HEAD}{}`,
  ]) {
    assert.match(await talk(port, text), /^HTTP\/1.1 200 OK\r\n[^]*{"status":"empty"}$/, text);
  }
  const posted = await talk(port, `POST http://x/v1/nearby HTTP/1.1\r\n${HEAD}`);
  assert.match(posted, /^HTTP\/1.1 405 /);
});

const BIG = JSON.stringify({ filler: "é".repeat(300_000) });

test("a body that may be overwritten after it was sent arrives whole, time after time", async (t) => {
  const { port } = await listen(t, { nearby: () => okReply(Buffer.from(BIG)) });
  for (let round = 0; round < 3; round++) {
    const answer = await talk(port, `${QUESTION}${HEAD}`);
    assert.ok(Buffer.from(answer, "latin1").toString().endsWith(BIG));
  }
});

test("a slow reader gets the bytes of its own answer", async (t) => {
  const size = 16 * 1024 * 1024;
  const nearby = (input: { question: { lat: number } }) =>
    okReply(Buffer.alloc(size, String(input.question.lat)));
  const { port } = await listen(t, { nearby });
  for (let lat = 1; lat < 3; lat++) {
    const socket = connect(port, "127.0.0.1");
    socket.end(`GET /v1/nearby?lat=${lat}&lon=2 HTTP/1.1\r\n${HEAD}`);
    // More than the kernel buffers, so that most of it is written only once we read.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const answer = await readAll(socket);
    assert.ok(answer.endsWith(`\r\n\r\n${String(lat).repeat(size)}`), `lat ${lat}`);
  }
});

test("pipelined requests are answered in order with their own bodies", async (t) => {
  const nearby = (input: { question: { lat: number } }) =>
    okReply(Buffer.alloc(50_000, String(input.question.lat % 10)));
  const { port } = await listen(t, { nearby });
  const ask = (lat: number) => `GET /v1/nearby?lat=${lat}&lon=2 HTTP/1.1\r\nHost: x\r\n\r\n`;
  const texts = Array.from({ length: 20 }, (_, lat) => ask(lat));
  const answer = await talk(port, `${texts.join("")}GET /health HTTP/1.1\r\n${HEAD}`);
  const bodies = answer.split(/HTTP\/1.1 200 OK\r\n[^]*?\r\n\r\n/).slice(1, 21);
  assert.deepEqual(
    bodies,
    texts.map((_, lat) => String(lat % 10).repeat(50_000)),
  );
});

for (const [when, delay_ms] of [
  ["while the answer is written", 0],
  ["before the answer is there", 50],
] as const) {
  test(`a caller that leaves ${when} does not stay in flight`, async (t) => {
    const nearby = async () => {
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
      return okReply(Buffer.from(BIG.repeat(20)));
    };
    const { port, lines, metrics } = await listen(t, { nearby });
    for (let round = 0; round < 5; round++) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      // Pipelined, so that some answers are still queued when the connection goes.
      socket.write(`${QUESTION}Host: x\r\n\r\n`.repeat(3));
      if (delay_ms === 0) await once(socket, "data");
      else await new Promise((resolve) => setTimeout(resolve, 20));
      socket.resetAndDestroy();
    }
    await until(() => lines.length === 15);
    assert.deepEqual([lines.length, metrics.inflight.count], [15, 0]);
  });
}

/** Reads nothing until it is asked to. */
function unreadable(t: TestContext, port: number): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.pause();
  t.after(() => socket.destroy());
  return socket;
}

test("an answer that the client does not read is not in flight", async (t) => {
  const nearby = () => okReply(Buffer.from(BIG.repeat(40)));
  const { port, metrics, lines } = await listen(t, { nearby });
  const socket = unreadable(t, port);
  socket.write(`${QUESTION}Host: x\r\n\r\n`);
  await until(() => lines.length === 1);
  assert.deepEqual([lines.length, metrics.inflight.count], [1, 0]);
});

test("a request whose body does not arrive is not in flight", async (t) => {
  const { port, metrics, lines } = await listen(t);
  const socket = unreadable(t, port);
  const fields = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 10";
  socket.write(`POST /v1/capabilities HTTP/1.1\r\n${fields}\r\n\r\n{`);
  // Whatever was sent before has been read when this is answered.
  assert.match(await talk(port, `${QUESTION}${HEAD}`), /^HTTP\/1.1 200 /);
  assert.equal(metrics.inflight.count, 0);
  socket.destroy();
  const isLogged = (): boolean => lines.some(({ route }) => route === "/v1/capabilities");
  await until(isLogged);
  assert.deepEqual([isLogged(), metrics.inflight.count], [true, 0]);
});

test("of requests in a pipeline 32 are answered, the next is refused, and the connection ends", async (t) => {
  const { port, lines, metrics } = await listen(t);
  const answer = await talk(port, `${QUESTION}Host: x\r\n\r\n`.repeat(100));
  const statuses = [...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(statuses, [...Array<string>(32).fill("200"), "429"]);
  assert.match(answer, /connection: close\r\n[^]*{"error":{"code":"overloaded",".*}}$/i);
  assert.deepEqual([lines.length, metrics.inflight.count], [33, 0]);
});

test("a client that keeps a few requests under way is never refused", async (t) => {
  const { port } = await listen(t, { quiet: true });
  const socket = connect(port, "127.0.0.1");
  t.after(() => socket.destroy());
  let text = "";
  let sent = 0;
  let answered = 0;
  const ask = (count: number): void => {
    sent += count;
    socket.write(`${QUESTION}Host: x\r\n\r\n`.repeat(count));
  };
  ask(8);
  for await (const chunk of socket) {
    text += String(chunk);
    const parts = text.split('{"status":"empty"}');
    text = parts.pop() as string;
    answered += parts.length;
    if (answered >= 500) break;
    // Before the last one is answered, so that there always is one.
    if (sent - answered < 8) ask(8 - (sent - answered));
  }
  assert.ok(answered >= 500, `${answered} of ${sent}: ${text}`);
});

test("HEAD sends the length and no bytes, for big bodies too", async (t) => {
  const { port } = await listen(t, { nearby: () => okReply(Buffer.from(BIG)) });
  const answer = await talk(port, `HEAD /v1/nearby?lat=1&lon=2 HTTP/1.1\r\n${HEAD}`);
  assert.match(answer, new RegExp(`content-length: ${Buffer.byteLength(BIG)}\r\n`));
  assert.ok(answer.endsWith("\r\n\r\n"));
});
