/** The stream of the client: what it sends, when it comes again, what it gives up on, and that it ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StreamRuntime } from "../client/connection.ts";
import type { LiveEvent, StreamOptions } from "../client/live-event.ts";
import type { ClientOptions } from "../client/reply.ts";
import { openStream } from "../client/stream.ts";
import { LIVE_SNAPSHOT_EXAMPLE, LIVE_STREAM_EXAMPLE } from "../live-examples.ts";

const QUERY = { bbox: "2.345,48.852,2.36,48.862", modes: ["bicycle", "scooter"] };
const EVENTS = { headers: { "content-type": "text/event-stream; charset=utf-8" } };
const encoder = new TextEncoder();
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Timers that a test moves; chance is always the middle. */
function createRuntime() {
  let now_ms = 1_000_000;
  const timers = new Set<{ at_ms: number; task: () => void }>();
  const runtime: StreamRuntime = {
    now: () => now_ms,
    random: () => 0.5,
    schedule(ms, task) {
      const timer = { at_ms: now_ms + ms, task };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const advance = async (ms: number): Promise<void> => {
    now_ms += ms;
    for (const timer of [...timers]) {
      if (timer.at_ms > now_ms || !timers.delete(timer)) continue;
      timer.task();
    }
    await turn();
    await turn();
  };
  return { runtime, advance, timers };
}

/** A body that says what was read of it, and whether it was left. */
function body(...pieces: (string | Error)[]) {
  const state = { pulls: 0, is_cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[state.pulls++];
        if (piece instanceof Error) controller.error(piece);
        else if (piece !== undefined) controller.enqueue(encoder.encode(piece));
        // It stays open.
        else return new Promise(() => {});
      },
      cancel() {
        state.is_cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, state };
}

type Answer = () => Response | Error | Promise<Response>;

function open(answers: readonly Answer[], more: StreamOptions & Partial<ClientOptions> = {}) {
  const { signal, last_event_id, ...options } = more;
  const sent: { url: URL; headers: Record<string, string>; signal: AbortSignal }[] = [];
  const clock = createRuntime();
  const send: typeof fetch = async (url, init) => {
    const headers = init!.headers as Record<string, string>;
    sent.push({ url: url as URL, headers, signal: init!.signal! });
    const answer = await (answers[sent.length - 1] ?? (() => new Response("", EVENTS)))();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const events = openStream(
    { url: "http://vicinity.test/", fetch: send, ...options },
    QUERY,
    { ...(signal ? { signal } : {}), ...(last_event_id === undefined ? {} : { last_event_id }) },
    clock.runtime,
  );
  return { ...clock, sent, events };
}

const SNAPSHOT = `id: i.s.1\nevent: snapshot\ndata: ${JSON.stringify(LIVE_SNAPSHOT_EXAMPLE)}\n\n`;
const delta = (id: string, more: object = {}): string =>
  `id: ${id}\nevent: delta\ndata: ${JSON.stringify({ at: "2026-11-28T09:30:31Z", entered: [], changed: [], left: [], ...more })}\n\n`;
const bye = (reason: string, retry_after_s: number): string =>
  `event: bye\ndata: ${JSON.stringify({ reason, message: "later", retry_after_s })}\n\n`;
const streaming =
  (...pieces: (string | Error)[]): Answer =>
  () =>
    new Response(body(...pieces).stream, EVENTS);
const refusing =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ error: { code, message: "no" } }, { status, headers });

type Events = AsyncGenerator<LiveEvent, void, undefined>;

async function take(events: Events, count: number): Promise<LiveEvent[]> {
  const taken: LiveEvent[] = [];
  for (let i = 0; i < count; i++) {
    const { done, value } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

const kinds = (events: readonly LiveEvent[]): string[] => events.map(({ kind }) => kind);

test("it asks for the box with the key, and yields what the description shows", async () => {
  const { events, sent } = open([streaming(LIVE_STREAM_EXAMPLE)], { api_key: "svc_test" });
  const [first, second] = await take(events, 2);
  assert.ok(first?.kind === "snapshot" && second?.kind === "delta");
  assert.deepEqual(first.body, LIVE_SNAPSHOT_EXAMPLE);
  assert.deepEqual([first.id, second.id], ["3kq8.7d1f.412", "3kq8.7d1f.413"]);
  assert.deepEqual(second.body.left, [{ id: "example-scooters:4f1a", reason: "gone" }]);
  const { url, headers } = sent[0]!;
  assert.equal(url.pathname, "/v1/nearby/stream");
  assert.equal(url.searchParams.get("bbox"), QUERY.bbox);
  assert.equal(url.searchParams.get("modes"), "bicycle,scooter");
  assert.deepEqual(headers, { accept: "text/event-stream", authorization: "Bearer svc_test" });
  await events.return();
  assert.equal(sent[0]!.signal.aborted, true);
});

test("a connection that ends is made again, from the last event, after the pause of the server", async () => {
  const cut = new TypeError("terminated", { cause: { code: "ECONNRESET" } });
  const first = streaming(`retry: 4000\n\n${SNAPSHOT}`, delta("i.s.2"), cut);
  const { events, sent, advance } = open([first, streaming(delta("i.s.3"))]);
  const [, , interrupted] = await take(events, 3);
  // Half of four seconds, and half of the other half.
  const expected = { kind: "interrupted", reason: "ECONNRESET", status: null };
  assert.deepEqual(interrupted, { ...expected, retry_after_ms: 3_000 });
  const next = events.next();
  await advance(2_999);
  assert.equal(sent.length, 1);
  await advance(1);
  assert.equal(sent[1]!.headers["last-event-id"], "i.s.2");
  assert.deepEqual(kinds([(await next).value!]), ["delta"]);
  await events.return();
});

test("pauses grow from failure to failure up to 30 s, and begin again after a good connection", async () => {
  const gone: Answer = () => new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
  const late = body(SNAPSHOT);
  const answers = [
    ...Array.from({ length: 7 }, () => gone),
    () => new Response(late.stream, EVENTS),
  ];
  const { events, advance } = open(answers);
  const pauses: number[] = [];
  for (let i = 0; i < 7; i++) {
    const next = events.next();
    await advance(pauses.at(-1) ?? 0);
    const event = (await next).value!;
    assert.ok(event.kind === "interrupted" && event.reason === "ECONNREFUSED");
    pauses.push(event.retry_after_ms);
  }
  assert.deepEqual(pauses, [1_500, 3_000, 6_000, 12_000, 22_500, 22_500, 22_500]);
  const next = events.next();
  await advance(22_500);
  assert.equal((await next).value!.kind, "snapshot");
  const silent = events.next();
  await advance(45_000);
  const event = (await silent).value!;
  assert.deepEqual(event, {
    ...{ kind: "interrupted", reason: "silence", status: null, retry_after_ms: 1_500 },
  });
  assert.equal(late.state.is_cancelled, true);
  await events.return();
});

test("a server that drops each connection at once is not asked in a circle", async () => {
  const dropped = Array.from({ length: 4 }, () => () => new Response(SNAPSHOT, EVENTS));
  const { events, advance } = open(dropped);
  const pauses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const next = events.next();
    await advance(pauses.at(-1) ?? 0);
    assert.equal((await next).value!.kind, "snapshot");
    const event = (await events.next()).value!;
    assert.ok(event.kind === "interrupted" && event.reason === "ended");
    pauses.push(event.retry_after_ms);
  }
  assert.deepEqual(pauses, [1_500, 3_000, 6_000, 12_000]);
});

test("bye says when to come again, and is no interruption", async () => {
  const { events, sent, advance } = open([
    streaming(SNAPSHOT + bye("shutting_down", 20)),
    streaming(delta("i.s.2")),
  ]);
  assert.deepEqual(kinds(await take(events, 2)), ["snapshot", "bye"]);
  const next = events.next();
  await turn();
  await advance(19_999);
  assert.equal(sent.length, 1);
  await advance(1_001);
  assert.equal(sent[1]?.headers["last-event-id"], "i.s.1");
  assert.equal((await next).value!.kind, "delta");
  await events.return();
});

test("429 and 503 are asked again when they say so, by seconds or by date; so is any other fault of a server", async () => {
  const at = new Date(1_000_000 + 60_000 + 40_500).toUTCString();
  const answers = [
    refusing(429, "rate_limited", { "retry-after": "60" }),
    refusing(503, "overloaded", { "retry-after": at }),
    () => new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }),
  ];
  const { events, advance, sent } = open(answers);
  const reasons: unknown[] = [];
  let pause = 0;
  for (let i = 0; i < 3; i++) {
    const next = events.next();
    await advance(pause);
    const event = (await next).value!;
    assert.ok(event.kind === "interrupted");
    pause = event.retry_after_ms;
    reasons.push([event.reason, event.status, pause]);
  }
  // The date is of whole seconds; what is added spreads those who were refused together.
  assert.deepEqual(reasons, [
    ["rate_limited", 429, 60_500],
    ["overloaded", 503, 40_500],
    ["http_502", 502, 6_000],
  ]);
  assert.equal(sent.length, 3);
  await events.return();
});

test("any other refusal is the last event; so is what is not this service", async () => {
  for (const [status, code] of [
    [400, "invalid_request"],
    [401, "invalid_api_key"],
    [402, "quota_exhausted"],
    [403, "insufficient_scope"],
    [404, "not_found"],
  ] as const) {
    const { events, sent } = open([refusing(status, code, { "retry-after": "5" })]);
    assert.deepEqual(await take(events, 5), [{ kind: "refused", status, code, message: "no" }]);
    assert.equal(sent.length, 1);
  }
  const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const { events } = open([page]);
  assert.deepEqual(await take(events, 5), [
    { kind: "stranger", status: 200, content_type: "text/html" },
  ]);
  const nowhere = open([], { url: "no address" });
  assert.deepEqual(await take(nowhere.events, 5), [{ kind: "unreachable", reason: "invalid_url" }]);
});

test("aborting ends it, wherever it is: before, while it connects, reads or waits", async () => {
  const connecting: Answer = () => new Promise<Response>(() => {});
  const stages: [string, Answer, number][] = [
    ["connects", connecting, 0],
    ["reads", streaming(SNAPSHOT), 1],
    ["waits", refusing(503, "overloaded", { "retry-after": "3000" }), 1],
  ];
  for (const [name, answer, before] of stages) {
    const stop = new AbortController();
    const { events, timers } = open([answer], { signal: stop.signal });
    assert.equal((await take(events, before)).length, before, name);
    const next = events.next();
    await turn();
    stop.abort();
    assert.deepEqual(await next, { done: true, value: undefined }, name);
    assert.equal(timers.size, 0, name);
  }
  const { events, sent } = open([connecting], { signal: AbortSignal.abort() });
  assert.deepEqual(await take(events, 1), []);
  assert.equal(sent.length, 0);
});

test("a connection that is not had in time is given up and made again", async () => {
  const { events, sent, advance } = open([() => new Promise<Response>(() => {})], {
    timeout_ms: 5_000,
  });
  const next = events.next();
  await turn();
  await advance(5_000);
  const event = (await next).value!;
  assert.ok(event.kind === "interrupted" && event.reason === "timeout");
  assert.equal(sent[0]!.signal.aborted, true);
  await events.return();
});

test("what is not taken is not read: the stream waits at its server", async () => {
  const pieces = Array.from({ length: 50 }, (_, i) => delta(`i.s.${i}`));
  const { stream, state } = body(SNAPSHOT, ...pieces);
  const { events, timers, advance } = open([() => new Response(stream, EVENTS)]);
  await take(events, 3);
  for (let i = 0; i < 10; i++) await turn();
  assert.equal(state.pulls, 3);
  // A reader that takes its time is no silence of the server.
  assert.equal(timers.size, 0);
  await advance(3_600_000);
  assert.deepEqual(kinds(await take(events, 2)), ["delta", "delta"]);
  await events.return();
  assert.equal(state.is_cancelled, true);
});

test("an event that cannot be read, or is too large, is never built on", async () => {
  const wrong = [
    "event: delta\ndata: {\n\n",
    `event: delta\ndata: ${JSON.stringify({ entered: [], changed: [null], left: [] })}\n\n`,
    `event: delta\ndata: ${JSON.stringify({ entered: [], left: [] })}\n\n`,
    `event: status\ndata: ${JSON.stringify({ sources: [{}] })}\n\n`,
    `event: bye\ndata: {"retry_after_s":"soon"}\n\n`,
    `event: snapshot\ndata: []\n\n`,
  ];
  for (const text of wrong) {
    const { events, sent, advance } = open([streaming(SNAPSHOT + text), streaming(SNAPSHOT)]);
    const [, event] = await take(events, 2);
    assert.ok(event?.kind === "interrupted" && event.reason === "malformed", text);
    const next = events.next();
    await advance(event.retry_after_ms);
    assert.equal((await next).value!.kind, "snapshot");
    assert.equal(sent[1]!.headers["last-event-id"], undefined);
    await events.return();
  }
  const large = streaming(SNAPSHOT, `data: ${"x".repeat(1 << 20)}\n`.repeat(17));
  const { events } = open([large]);
  const [, event] = await take(events, 2);
  assert.ok(event?.kind === "interrupted" && event.reason === "too_large");
  await events.return();
});

test("events of a later version are passed over, and an id that is no header is not sent", async () => {
  const { events, sent } = open([streaming(`event: news\ndata: 1\n\n${SNAPSHOT}`)], {
    last_event_id: "ü\n",
  });
  assert.deepEqual(kinds(await take(events, 1)), ["snapshot"]);
  assert.equal(sent[0]!.headers["last-event-id"], undefined);
  await events.return();
  const resumed = open([streaming(SNAPSHOT)], { last_event_id: "i.s.9" });
  await take(resumed.events, 1);
  assert.equal(resumed.sent[0]!.headers["last-event-id"], "i.s.9");
  await resumed.events.return();
});
