/** GET /v1/nearby/stream over real sockets: its head, its frames, its price, its end. */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import type { KeyVerdict } from "#app/access/keyring.ts";
import { LIVE_SNAPSHOT_EXAMPLE } from "#api/live-examples.ts";
import { STREAM_PARAMETERS } from "#api/live.ts";
import { drain, followSockets } from "#http/drain.ts";
import type { GateDeps } from "#http/gate.ts";
import { type Ask, askEvents, until } from "../support/event-socket.ts";
import { FakeLive, type FakeStream } from "../support/fake-live.ts";
import { keyedCaller, PAID, ringOf, stubGate } from "../support/gate.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { FREE, NOW_MS, stubServer, type StubOptions } from "../support/server.ts";

const BBOX = STREAM_PARAMETERS.bbox.example;
const TARGET = `/v1/nearby/stream?bbox=${BBOX}`;
const KEYED: Ask = { headers: { authorization: "Bearer any" } };

type Options = Omit<StubOptions, "gate"> & { gate?: Partial<GateDeps>; verdict?: KeyVerdict };

async function listen(t: TestContext, { gate: change = {}, verdict, ...options }: Options = {}) {
  const clock = createManualClock(NOW_MS);
  const live = new FakeLive();
  const keyring = ringOf(verdict ?? { ok: true, caller: keyedCaller() });
  const { deps, usage } = stubGate({ clock, keyring, ...change });
  const stub = stubServer({ live, clock, gate: deps, ...options });
  await stub.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = stub.app.server.address() as AddressInfo;
  t.after(() => {
    stub.app.server.closeAllConnections();
    stub.app.server.close();
  });
  const ask = async (target = TARGET, more: Ask = {}) => {
    const client = await askEvents(port, target, more);
    t.after(() => client.socket.destroy());
    return client;
  };
  /** A stream whose first frame has arrived. */
  const follow = async (more: Ask = {}, target = TARGET) => {
    const before = live.streams.length;
    const client = await ask(target, more);
    await until(() => live.streams.length > before || client.status >= 400);
    const stream = live.streams[before]!;
    await until(() => client.status === 200);
    return { client, stream };
  };
  const units = (id = "acc_1") => deps.quotas.of(keyedCaller({ account_id: id }), NOW_MS)!.used;
  return { ...stub, live, clock, deps, usage, port, ask, follow, units, keyring };
}

test("a caller that accepts gzip is sent small frames, each as soon as it is there", async (t) => {
  const served = await listen(t);
  const response = await fetch(`http://127.0.0.1:${served.port}${TARGET}`, {
    headers: { "accept-encoding": "gzip" },
  });
  assert.equal(response.headers.get("content-encoding"), "gzip");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const [stream] = served.live.streams;
  const long = { at: "the same again ".repeat(5000) };
  stream!.send("snapshot", long);
  // While a thread works on the first one, the others wait behind it; the end as well.
  stream!.send("delta", { at: "1" });
  setImmediate(resolve);
  await sent;
  let text = "";
  while (!text.includes("delta")) text += (await reader.read()).value ?? "";
  assert.ok(text.indexOf('"the same again') < text.indexOf("delta"));
  stream!.send("delta", long);
  stream!.end("time");
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  assert.equal(text.split("the same again").length, 10_001);
  assert.match(text, /event: bye/);
  await until(() => served.lines.some(({ end }) => end === "time"));
});

const toAnonymous = { kind: "anonymous", plan: FREE } as const;

test("a stream begins with its head, and is no request under way any more", async (t) => {
  const served = await listen(t);
  const { client, stream } = await served.follow();
  assert.equal(client.headers["content-type"], "text/event-stream");
  assert.equal(client.headers["cache-control"], "no-store");
  assert.equal(client.headers["x-accel-buffering"], "no");
  assert.equal(client.headers["access-control-allow-origin"], "*");
  assert.equal(client.headers["vary"], "Accept-Encoding, Authorization, Accept");
  assert.equal(client.headers["content-encoding"], undefined);
  assert.match(client.headers["ratelimit"]!, /burst/);
  assert.deepEqual(served.metrics.inflight, { count: 0, keyed: 0 });
  assert.ok(stream.send("snapshot", LIVE_SNAPSHOT_EXAMPLE));
  assert.ok(stream.send("delta", { at: "x" }));
  await until(() => client.events.length === 2);
  assert.deepEqual(
    client.events.map(({ event }) => event),
    ["snapshot", "delta"],
  );
  assert.deepEqual(client.events[0]!.data, LIVE_SNAPSHOT_EXAMPLE);
  assert.deepEqual(stream.request.scope, {
    box: { west: 2.345, south: 48.852, east: 2.36, north: 48.862 },
    ...{ modes: 0b1111, stations: true, vehicles: true },
  });
  assert.deepEqual(stream.request.owner, { own: "127.0.0.1/32", block: "127.0.0.0/24" });
  assert.equal(stream.request.last_event_id, null);
});

test("the scope is what was asked for, and the last event is passed on", async (t) => {
  const served = await listen(t);
  const more = { headers: { ...KEYED.headers, "last-event-id": "abc.def.12" } };
  const { stream } = await served.follow(more, `${TARGET}&modes=scooter,car&include=vehicles`);
  const { scope, owner, last_event_id } = stream.request;
  assert.deepEqual([scope.modes, scope.stations, scope.vehicles], [0b1010, false, true]);
  assert.deepEqual(owner, { own: "acc_1", block: null });
  assert.equal(last_event_id, "abc.def.12");
  const long = await served.follow({ headers: { "last-event-id": "x".repeat(129) } });
  assert.equal(long.stream.request.last_event_id, null);
});

test("what happens before the head has left follows it, once", async (t) => {
  const served = await listen(t);
  served.live.onOpen = (stream) => {
    stream.send("snapshot", { n: 1 });
    stream.onResume = () => void stream.send("delta", { n: 2 });
  };
  const { client, stream } = await served.follow();
  await until(() => client.events.length === 2);
  assert.deepEqual(stream.taken, [false, true]);
  assert.deepEqual(
    client.events.map(({ data }) => data),
    [{ n: 1 }, { n: 2 }],
  );
});

test("a box that is none is refused by its name, and costs nothing", async (t) => {
  const served = await listen(t);
  const client = await served.ask("/v1/nearby/stream?bbox=2,48,3,49", KEYED);
  await until(() => client.body.endsWith("}"));
  assert.equal(client.status, 400);
  const { error } = JSON.parse(client.body) as { error: { code: string; message: string } };
  assert.equal(error.code, "invalid_request");
  assert.match(
    error.message,
    /^bbox must have an area of at most 25 km²; this one has 8\d{3} km²$/,
  );
  assert.equal(served.live.streams.length, 0);
  assert.deepEqual([served.units(), served.deps.quotas.ownerOf(keyedCaller()).reserved], [0, 0]);
});

test("a stream that gets no place is refused as the bound has it, and costs nothing", async (t) => {
  const served = await listen(t);
  for (const [refuses, status, code, after] of [
    ["full", 429, "rate_limited", "15"],
    ["busy", 503, "overloaded", "15"],
    ["closed", 503, "shutting_down", "1"],
    ["large", 400, "invalid_request", undefined],
  ] as const) {
    served.live.refuses = refuses;
    const client = await served.ask(TARGET, KEYED);
    await until(() => client.body.endsWith("}"));
    assert.equal(client.status, status);
    assert.match(client.body, new RegExp(`"code":"${code}"`));
    assert.equal(client.headers["retry-after"], after);
  }
  assert.deepEqual([served.units(), served.deps.quotas.ownerOf(keyedCaller()).reserved], [0, 0]);
});

test("once, or where JSON alone is accepted, the snapshot is one answer", async (t) => {
  const served = await listen(t);
  for (const [target, headers] of [
    [`${TARGET}&once=true`, {}],
    [TARGET, { accept: "application/json" }],
    [TARGET, { accept: "application/json, text/plain, */*" }],
  ] as const) {
    const client = await served.ask(target, { headers: { ...KEYED.headers, ...headers } });
    await until(() => client.body.endsWith("}"));
    assert.deepEqual(JSON.parse(client.body), LIVE_SNAPSHOT_EXAMPLE);
    assert.match(client.headers["content-type"]!, /^application\/json/);
    assert.equal(client.headers["cache-control"], "no-store");
  }
  assert.equal(served.units(), 3);
  assert.equal(served.live.streams.length, 0);
  assert.equal(served.live.reads[0]!.deadline_ms, NOW_MS + 2_000);
  const both = { accept: "application/json;q=0.5, text/event-stream" };
  await served.follow({ headers: { ...KEYED.headers, ...both } });
  served.live.snapshot = "large";
  const large = await served.ask(`${TARGET}&once=true`, KEYED);
  await until(() => large.body.endsWith("}"));
  assert.equal(large.status, 400);
});

test("HEAD is the head alone, and opens no stream", async (t) => {
  const served = await listen(t);
  const client = await served.ask(TARGET, { ...KEYED, method: "HEAD" });
  await until(() => client.text.endsWith("\r\n\r\n"));
  assert.equal(client.status, 200);
  assert.equal(client.headers["content-type"], "text/event-stream");
  assert.equal(client.headers["content-encoding"], undefined);
  assert.equal(served.live.streams.length, 0);
  assert.equal(served.lines.length, 1);
  const headers = { ...KEYED.headers, "accept-encoding": "gzip" };
  const coded = await served.ask(TARGET, { headers, method: "HEAD" });
  await until(() => coded.text.endsWith("\r\n\r\n"));
  assert.equal(coded.headers["content-encoding"], "gzip");
  // The connection is good for another request.
  client.socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await until(() => client.text.includes('"status":"ok"'));
});

test("OPTIONS lets pages of others name the last event", async (t) => {
  const served = await listen(t);
  const client = await served.ask(TARGET, { method: "OPTIONS" });
  await until(() => client.text.includes("\r\n\r\n"));
  assert.equal(client.status, 204);
  assert.match(client.headers["access-control-allow-headers"]!, /\bLast-Event-ID\b/);
});

test("a unit is charged for each minute that has begun, and none after the end", async (t) => {
  const served = await listen(t);
  const { client, stream } = await served.follow(KEYED);
  const used = async (after_ms: number) => {
    await served.clock.advance(after_ms);
    await settled();
    return served.units();
  };
  assert.equal(await used(0), 1);
  assert.equal(await used(59_000), 1);
  assert.equal(await used(6_000), 2);
  assert.equal(await used(54_000), 2);
  assert.equal(await used(6_000), 3);
  stream.end("time");
  await until(() => client.hasEnded);
  assert.equal(await used(600_000), 3);
  // Nothing waits for a stream that is over.
  const other = await served.follow(KEYED);
  assert.equal(await used(0), 4);
  other.client.socket.destroy();
  await until(() => other.stream.calls.includes("leave"));
  assert.equal(await used(600_000), 4);
  assert.equal(served.deps.quotas.ownerOf(keyedCaller()).reserved, 0);
});

test("an address pays as a key does", async (t) => {
  const served = await listen(t);
  await served.follow();
  const address = { narrow: "127.0.0.1/32", wide: "127.0.0.0/24" };
  const used = () => served.deps.quotas.of({ ...toAnonymous, address }, NOW_MS)!.used;
  for (let second = 0; second < 130; second += 5) {
    await served.clock.advance(5_000);
    await settled();
  }
  assert.equal(used(), 3);
});

test("where no units are left the stream says so, and when there are some again", async (t) => {
  const caller = keyedCaller({ plan: { ...PAID, units: 2 } });
  const served = await listen(t, { verdict: { ok: true, caller } });
  const { client } = await served.follow(KEYED);
  await served.clock.advance(66_000);
  await settled();
  assert.equal(client.hasEnded, false);
  await served.clock.advance(66_000);
  await until(() => client.hasEnded);
  const { event, data } = client.events.at(-1)!;
  const { reason, retry_after_s } = data as { reason: string; retry_after_s: number };
  assert.deepEqual([event, reason], ["bye", "units"]);
  // Until the month ends.
  assert.ok(retry_after_s > 86_400, String(retry_after_s));
  assert.equal(served.units(), 2);
});

test("a key that is revoked, or an account that is suspended, ends its streams within four seconds", async (t) => {
  let verdict: KeyVerdict = { ok: true, caller: keyedCaller() };
  const keyring = { ...ringOf(verdict), recall: () => verdict };
  const served = await listen(t, { gate: { keyring } });
  for (const [i, next] of (
    [
      { ok: false, code: "invalid_api_key" },
      { ok: false, code: "expired_api_key" },
      { ok: true, caller: keyedCaller({ standing: "suspended" }) },
      { ok: true, caller: keyedCaller({ scopes: ["journey:read"] }) },
    ] as const satisfies KeyVerdict[]
  ).entries()) {
    verdict = { ok: true, caller: keyedCaller() };
    const { client } = await served.follow(KEYED);
    await served.clock.advance(5_200 + 700 * i);
    assert.equal(client.hasEnded, false);
    verdict = next;
    // A replica learns within a second what another has written, and five are promised.
    await served.clock.advance(4_000);
    await until(() => client.hasEnded);
    assert.deepEqual((client.events.at(-1)!.data as { reason: string }).reason, "refused");
  }
  assert.equal(served.units(), 4);
});

test("a key of a store that is away ends its streams as a failure of ours", async (t) => {
  let isAway = false;
  const keyring = { ...ringOf({ ok: true, caller: keyedCaller() }) };
  const away = { ok: false, code: "store_unavailable" } as const;
  const digest = new Uint8Array(32);
  const known = keyring.recall;
  keyring.recall = (key) => (isAway ? digest : known(key));
  keyring.lookUp = () => Promise.resolve(away);
  const served = await listen(t, { gate: { keyring } });
  const { client } = await served.follow(KEYED);
  isAway = true;
  await served.clock.advance(6_000);
  await until(() => client.hasEnded);
  assert.deepEqual((client.events.at(-1)!.data as { reason: string }).reason, "failed");
});

test("a first minute that cannot be written down leaves no stream behind", async (t) => {
  const meter = { record: () => Promise.resolve(false) };
  const served = await listen(t, { gate: { meter } });
  served.live.onOpen = (stream) => void stream.send("snapshot");
  const client = await served.ask(TARGET, KEYED);
  await until(() => client.body.endsWith("}"));
  assert.equal(client.status, 503);
  assert.match(client.body, /store_unavailable/);
  assert.deepEqual(served.live.streams[0]!.calls, ["leave"]);
  assert.doesNotMatch(client.text, /snapshot/);
});

test("the line of a stream comes with its end, and says how it went", async (t) => {
  const served = await listen(t);
  const { client, stream } = await served.follow(KEYED);
  stream.send("snapshot", "{}");
  await until(() => client.events.length === 1);
  assert.deepEqual(served.lines, []);
  assert.match(served.metrics.text(), /^svc_streams\{route="\/v1\/nearby\/stream"\} 1$/m);
  client.socket.destroy();
  await until(() => served.lines.length === 1);
  const { st, key, bytes, end } = served.lines[0]!;
  const length = "event: snapshot\ndata: {}\n\n".length;
  assert.deepEqual([st, key, bytes, end], [200, "key_1", length, "left"]);
  const text = served.metrics.text();
  const name = 'route="/v1/nearby/stream"';
  assert.ok(text.includes(`svc_streams{${name}} 0\n`));
  assert.ok(text.includes(`svc_stream_ends_total{${name},reason="left"} 1\n`));
  assert.ok(text.includes(`svc_stream_bytes_total{${name}} ${length}\n`));
});

const LARGE = JSON.stringify("x".repeat(100_000));

/** Sends until the caller does not take it any more. */
function fill(stream: FakeStream): number {
  let sent = 0;
  while (stream.send("delta", LARGE)) sent++;
  return sent;
}

test("nothing is queued for a caller that does not read, and reading it goes on", async (t) => {
  const served = await listen(t);
  const { client, stream } = await served.follow();
  client.socket.pause();
  let sent = 0;
  // The kernels of both ends take some, and say when they have.
  stream.onResume = () => void (sent += fill(stream));
  sent += fill(stream);
  let before = -1;
  let quiet = 0;
  await until(() => {
    quiet = sent === before ? quiet + 1 : 0;
    before = sent;
    return quiet > 20;
  });
  const socket = [...stream.calls].length;
  stream.onResume = () => undefined;
  client.socket.resume();
  await until(() => stream.calls.length > socket);
  stream.end("time");
  await until(() => client.hasEnded);
  const deltas = client.events.filter(({ event }) => event === "delta").length;
  // Each that was taken or was the one behind arrives whole; none is lost.
  assert.equal(deltas, stream.taken.length - 1);
});

test("a caller that takes nothing is ended after the write timeout, a silent stream is not", async (t) => {
  const served = await listen(t, { connections: { write_timeout_ms: 2_000 } });
  const quiet = await served.follow();
  const slow = await served.follow();
  slow.client.socket.pause();
  slow.stream.onResume = () => void fill(slow.stream);
  fill(slow.stream);
  await until(() => slow.stream.calls.includes("leave"));
  assert.deepEqual(quiet.stream.calls, []);
  assert.ok(quiet.stream.send("delta", "{}"));
  await until(() => quiet.client.events.length === 1);
  assert.match(
    served.metrics.text(),
    /^svc_http_connections_ended_total\{reason="write_timeout"\} 1$/m,
  );
});

test("one who hangs up, by half or by a reset, is forgotten at once", async (t) => {
  const served = await listen(t);
  const half = await served.follow();
  half.client.socket.end();
  await until(() => half.stream.calls.includes("leave"));
  const reset = await served.follow();
  reset.client.socket.resetAndDestroy();
  await until(() => reset.stream.calls.includes("leave"));
  assert.equal(reset.stream.send("delta"), false);
  assert.match(served.metrics.text(), /^svc_streams\{route="\/v1\/nearby\/stream"\} 0$/m);
});

test("what one stream throws costs that stream, and is logged", async (t) => {
  const served = await listen(t);
  served.live.onOpen = (stream) => {
    stream.send("snapshot", "{}");
    stream.onResume = () => {
      throw new Error("planted");
    };
  };
  const bad = await served.follow();
  await until(() => bad.client.isClosed);
  assert.ok(served.lines.some(({ err }) => JSON.stringify(err ?? "").includes("planted")));
  assert.equal(bad.client.hasEnded, false);
  served.live.onOpen = () => undefined;
  const good = await served.follow();
  good.stream.send("delta", "{}");
  await until(() => good.client.events.length === 1);
});

test("two hundred subscribers get their own bytes, each of its own box", async (t) => {
  const served = await listen(t, { quiet: true, gate: { enforced: false } });
  const boxes = Array.from({ length: 200 }, (_, i) => [i / 100, 48, i / 100 + 0.01, 48.01]);
  const clients = await Promise.all(
    boxes.map((box) => served.ask(`/v1/nearby/stream?bbox=${box.join(",")}`)),
  );
  await until(() => served.live.streams.length === 200 && clients.every((c) => c.status === 200));
  for (let round = 0; round < 5; round++)
    for (const stream of served.live.streams) {
      const { west } = stream.request.scope.box;
      stream.send("delta", { west, round });
    }
  for (const stream of served.live.streams) stream.end("time");
  await until(() => clients.every((client) => client.hasEnded));
  clients.forEach(({ events }, i) => {
    const deltas = events.filter(({ event }) => event === "delta").map(({ data }) => data);
    const west = boxes[i]![0];
    assert.deepEqual(
      deltas,
      Array.from({ length: 5 }, (_, round) => ({ west, round })),
    );
  });
});

test("a shutdown waits for no stream, whether it is read or not", async (t) => {
  const served = await listen(t);
  const sockets = followSockets(served.app.server);
  const read = await served.follow();
  const unread = await served.follow();
  unread.client.socket.pause();
  unread.stream.onResume = () => void fill(unread.stream);
  fill(unread.stream);
  for (const stream of served.live.streams) stream.end("shutting_down");
  const waits: number[] = [];
  await drain(
    served.drain,
    { app: served.app, sockets },
    {
      delay_ms: 0,
      timeout_ms: 5_000,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      onWait: (connections) => waits.push(connections),
    },
  );
  assert.deepEqual(waits, []);
  await until(() => read.client.hasEnded);
  assert.deepEqual((read.client.events.at(-1)!.data as { reason: string }).reason, "shutting_down");
});

test("no timeout of requests cuts a stream that goes on", async (t) => {
  const served = await listen(t);
  const { app } = served;
  // What Node checks every second, at its shortest.
  app.server.requestTimeout = 1_500;
  app.server.headersTimeout = 1_000;
  app.server.keepAliveTimeout = 1_000;
  const { client, stream } = await served.follow();
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  assert.ok(stream.send("delta", "{}"));
  await until(() => client.events.length === 1);
  assert.equal(client.isClosed, false);
});

/** What the meter writes at the end of a pass of the loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
