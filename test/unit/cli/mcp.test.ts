/** `vicinity mcp`: lines in, lines out, and nothing else on standard output. */
import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { relay } from "#cli/relay.ts";
import { answering, run } from "./support.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const PONG = { jsonrpc: "2.0", id: 1, result: {} };

const lines = (...messages: unknown[]): Readable =>
  Readable.from(
    messages.map((each) => `${typeof each === "string" ? each : JSON.stringify(each)}\n`),
  );

test("a message goes to /mcp with the key, and what it answers is one line", async () => {
  const requested: Request[] = [];
  const ran = await run(["mcp", "--url", "http://127.0.0.1:1"], {
    in: lines(PING, "", "  "),
    fetch: answering([PONG], { requested }),
    variables: { VICINITY_API_KEY: "svc_test_key" },
  });
  assert.deepEqual(ran, { code: 0, out: `${JSON.stringify(PONG)}\n`, err: "" });
  const [request, ...others] = requested;
  assert.equal(others.length, 0);
  assert.equal(request?.url, "http://127.0.0.1:1/mcp");
  assert.equal(request.method, "POST");
  assert.equal(request.headers.get("authorization"), "Bearer svc_test_key");
  assert.equal(request.headers.get("mcp-protocol-version"), null);
  assert.deepEqual(await request.json(), PING);
});

test("a service of its own is started for the host, and ends with the input", async () => {
  const requested: Request[] = [];
  const begun: boolean[] = [];
  let ended = 0;
  const io = {
    fetch: answering([PONG], { requested }),
    openOwn: ({ sandbox }: { sandbox: boolean }) => {
      begun.push(sandbox);
      const close = () => Promise.resolve(void ended++);
      return Promise.resolve({ url: "http://127.0.0.1:7", close });
    },
  };
  for (const option of ["--sandbox", "--live"]) {
    const ran = await run(["mcp", option], { ...io, in: lines(PING) });
    assert.deepEqual(ran, { code: 0, out: `${JSON.stringify(PONG)}\n`, err: "" });
  }
  assert.deepEqual([begun, ended, requested[0]?.url], [[true, false], 2, "http://127.0.0.1:7/mcp"]);
  const both = await run(["mcp", "--live", "--url", "http://127.0.0.1:1"], { in: lines(PING) });
  assert.equal(both.code, 2);
  assert.match(both.err, /--url, --sandbox and --live: expected one of them/);
  const failed = await run(["mcp", "--live"], { in: lines(PING) });
  assert.deepEqual([failed.code, failed.err], [1, "vicinity: no service in this test\n"]);
});

test("the set of tools is part of the address", async () => {
  const requested: Request[] = [];
  await run(["mcp", "--url", "http://127.0.0.1:1", "--tools", "essential"], {
    in: lines(PING),
    fetch: answering([PONG], { requested }),
  });
  assert.equal(requested[0]?.url, "http://127.0.0.1:1/mcp?tools=essential");
});

test("revisions without a handshake have their words repeated in headers", async () => {
  const requested: Request[] = [];
  const params = {
    name: "geocode",
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  };
  await run(["mcp"], {
    in: lines({ ...PING, method: "tools/call", params }),
    fetch: answering([PONG], { requested }),
  });
  const { headers } = requested[0]!;
  assert.equal(headers.get("mcp-protocol-version"), "2026-07-28");
  assert.equal(headers.get("mcp-method"), "tools/call");
  assert.equal(headers.get("mcp-name"), "geocode");
  assert.equal(headers.get("authorization"), null);
});

test("a refusal and a server that is not there are errors of the request", async () => {
  const refusal = { error: { code: "invalid_api_key", message: "the API key is not valid" } };
  const refused = await run(["mcp"], {
    in: lines(PING),
    fetch: answering([refusal], { status: 401 }),
  });
  const { error, id } = JSON.parse(refused.out) as { error: object; id: number };
  assert.equal(id, 1);
  assert.deepEqual(error, {
    code: -32000,
    message: "401 invalid_api_key: the API key is not valid",
    data: { code: "invalid_api_key" },
  });
  const gone = await run(["mcp", "--url", "http://127.0.0.1:1"], { in: lines(PING) });
  assert.match(gone.out, /"message":"no answer from http:\/\/127\.0\.0\.1:1 \(no network/);
  const strange = await run(["mcp"], {
    in: lines(PING),
    fetch: answering(["<html>"], { status: 502 }),
  });
  assert.match(strange.out, /"the server answered 502"/);
});

test("a notification is answered by nothing, whatever becomes of it", async () => {
  const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
  const taken = await run(["mcp"], {
    in: lines(notification),
    fetch: answering([""], { status: 202 }),
  });
  assert.deepEqual(taken, { code: 0, out: "", err: "" });
  const lost = await run(["mcp"], { in: lines(notification) });
  assert.equal(lost.out, "");
  assert.match(lost.err, /^vicinity: no answer from/);
});

test("a request that is called off is not answered, and others are", async () => {
  const waits = new Map<string, () => void>();
  const send: typeof fetch = (_input, init) => {
    const message = JSON.parse(init?.body as string) as { id?: number; method: string };
    if (message.method !== "slow") return answering([{ ...PONG, id: message.id }])(_input, init);
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
      waits.set("slow", () => undefined);
    });
  };
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
  const ran = await run(["mcp"], {
    in: lines({ ...PING, id: 7, method: "slow" }, cancelled, PING),
    fetch: send,
  });
  assert.equal(waits.size, 1);
  const ids = ran.out
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id?: number }).id);
  // Of the notification our stub answered something without an id; a server would not.
  assert.deepEqual(
    ids.filter((id) => id !== undefined),
    [1],
  );
});

test("the messages of an event stream are a line each", async () => {
  const listen = { ...PING, method: "subscriptions/listen", params: { notifications: {} } };
  const noted = { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged" };
  const events = [noted, PONG].map((each) => `event: message\ndata: ${JSON.stringify(each)}\n\n`);
  const headers = { "content-type": "text/event-stream" };
  const fetch = (() => Promise.resolve(new Response(events.join(""), { headers }))) as never;
  const ran = await run(["mcp"], { in: lines(listen), fetch });
  assert.deepEqual(ran.out.trimEnd().split("\n"), [JSON.stringify(noted), JSON.stringify(PONG)]);
});

test("a stream is passed on as it comes, called off by its host, and ended with the input", async () => {
  const encoder = new TextEncoder();
  const noted = { jsonrpc: "2.0", method: "notifications/resources/updated" };
  const input = new PassThrough();
  const ends: string[] = [];
  const received: string[] = [];
  const fetch: typeof globalThis.fetch = (_input, init) => {
    const { id, method } = JSON.parse(init?.body as string) as { id?: number; method: string };
    if (method !== "subscriptions/listen")
      return Promise.resolve(new Response("", { status: 202 }));
    const stream = new ReadableStream({
      start(controller) {
        const text = JSON.stringify({ ...noted, params: { id } });
        // A frame may come in pieces, and comments are no messages.
        for (const piece of [": keepalive\n\nda", `ta: ${text}\n`, "\n"])
          controller.enqueue(encoder.encode(piece));
        init?.signal?.addEventListener("abort", () => {
          ends.push(`${id}`);
          controller.error(new Error("aborted"));
        });
      },
    });
    return Promise.resolve(
      new Response(stream, { headers: { "content-type": "text/event-stream" } }),
    );
  };
  const listen = (id: number) => ({ ...PING, id, method: "subscriptions/listen" });
  const out = new PassThrough().setEncoding("utf8");
  out.on("data", (text: string) => received.push(text));
  const err = new PassThrough();
  const running = relay({
    url: "http://127.0.0.1:1",
    api_key: null,
    io: { in: input, out, err, fetch },
  });
  const say = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
  say(listen(7));
  say(listen(8));
  while (received.length < 2) await new Promise((resolve) => void setImmediate(resolve));
  assert.deepEqual(ends, [], "both go on");
  say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  while (ends.length < 1) await new Promise((resolve) => void setImmediate(resolve));
  assert.deepEqual(ends, ["7"]);
  input.end();
  await running;
  assert.deepEqual([err.read(), ends], [null, ["7", "8"]]);
  const written = received.join("").trim().split("\n");
  assert.deepEqual(
    written.map((line) => (JSON.parse(line) as Notified).params.id),
    [7, 8],
  );
});

type Notified = { params: { id: number } };
