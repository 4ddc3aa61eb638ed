/** The stream as the page reads it: events out of pieces, its box, and when it comes again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { tries } from "../../support/size.ts";

type Box = { west: number; south: number; east: number; north: number };
type StreamEvent = { type: string; id: string | null; data: string };
type Condition = { kind: string; message: string };
type Means = {
  open(target: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>;
  wait(ms: number, signal: AbortSignal): Promise<void>;
};
type Feed = { watch(target: string | null): void; pause(): void; resume(): void };

const PAGE = new URL("../../../explorer/live/", import.meta.url);
const load = async <T>(name: string): Promise<T> => (await import(new URL(name, PAGE).href)) as T;
const { EventReader } = await load<{
  EventReader: new () => { push(text: string): StreamEvent[]; last_id: string | null };
}>("events.js");
const { areaOf, grow, has, holds, toText } = await load<{
  areaOf(box: Box): number;
  grow(view: Box): Box | null;
  has(box: Box, point: { lat: number; lon: number }): boolean;
  holds(box: Box, view: Box): boolean;
  toText(box: Box): string;
}>("box.js");
const { Feed: FeedClass } = await load<{
  Feed: new (given: object) => Feed;
}>("feed.js");

test("events are the same in whatever pieces they come", () => {
  const text =
    'retry: 2000\n\nevent: snapshot\nid: a.b.1\ndata: {"at":"é"}\n\n: \n\nevent: delta\r\nid: a.b.2\r\ndata: 1\r\ndata: 2\r\n\r\nid: a.b.3\n\nevent: bye\ndata:x\n\n';
  const wanted = [
    { type: "snapshot", id: "a.b.1", data: '{"at":"é"}' },
    { type: "delta", id: "a.b.2", data: "1\n2" },
    { type: "bye", id: null, data: "x" },
  ];
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const ends = [...cuts.toSorted((a, b) => a - b), text.length];
      const reader = new EventReader();
      const pieces = ends.map((end, n) => text.slice(ends[n - 1] ?? 0, end));
      const events = pieces.flatMap((piece) => reader.push(piece));
      assert.deepEqual(events, wanted);
      assert.equal(reader.last_id, "a.b.2");
    }),
    { numRuns: tries(400) },
  );
  assert.throws(() => {
    const reader = new EventReader();
    for (let n = 0; n < 30; n += 1) reader.push("x".repeat(1_000_000));
  }, RangeError);
});

test("the box of a view has the view and small pans of it, and is no larger than the service takes", () => {
  const view = fc.record({
    lat: fc.double({ min: -80, max: 80, noNaN: true }),
    lon: fc.double({ min: -540, max: 540, noNaN: true }),
    wide_km: fc.double({ min: 0.1, max: 8, noNaN: true }),
    high_km: fc.double({ min: 0.1, max: 8, noNaN: true }),
  });
  fc.assert(
    fc.property(view, ({ lat, lon, wide_km, high_km }) => {
      const high = high_km / 111.2;
      const wide = wide_km / (111.2 * Math.cos((lat * Math.PI) / 180));
      const seen = { west: lon, east: lon + wide, south: lat, north: lat + high };
      const box = grow(seen);
      if (box === null) return assert.ok(areaOf(seen) > 22);
      assert.ok(areaOf(box) <= 25 && holds(box, seen) && has(box, { lat, lon: lon + 360 }));
      const [west = 0, south = 0, east = 0, north = 0] = toText(box).split(",").map(Number);
      assert.ok(south < north && Math.abs(west) <= 180 && Math.abs(east) <= 180);
      assert.equal(
        west > east,
        Math.floor((box.west + 180) / 360) !== Math.floor((box.east + 180) / 360),
      );
      assert.ok(!holds(box, { ...seen, west: lon + wide, east: lon + 2 * wide }));
    }),
    { numRuns: tries(400) },
  );
});

/** A feed whose service and clock the test is. */
function openFeed() {
  const opened: {
    target: string;
    last_id: string | undefined;
    signal: AbortSignal;
    answer(reply: Response): void;
  }[] = [];
  const waits: { ms: number; end(): void }[] = [];
  const seen: string[] = [];
  let now_ms = 0;
  const means: Means = {
    open: (target, headers, signal) =>
      new Promise((resolve, reject) => {
        opened.push({ target, last_id: headers["last-event-id"], signal, answer: resolve });
        signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      }),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        waits.push({ ms, end: () => ((now_ms += ms), resolve()) });
        signal.addEventListener("abort", () => resolve());
      }),
  };
  const listener = {
    snapshot: (_: object, target: string) => seen.push(`snapshot ${target}`),
    delta: () => seen.push("delta"),
    status: () => seen.push("status"),
    condition: ({ kind, message }: Condition) => seen.push(message ? `${kind}: ${message}` : kind),
  };
  const feed = new FeedClass({ means, listener, random: () => 0, now: () => now_ms });
  const rest = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    await new Promise((resolve) => void setImmediate(resolve));
  };
  const take = (): string[] => seen.splice(0);
  return { feed, opened, waits, take, rest };
}

const SNAPSHOT = "event: snapshot\nid: i.s.1\ndata: {}\n\n";

/** A stream that goes on until it is ended. */
function toStream(first: string): { reply: Response; send(text: string): void; end(): void } {
  let control: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (control = given) });
  const send = (text: string): void => control.enqueue(new TextEncoder().encode(text));
  send(first);
  const headers = { "content-type": "text/event-stream" };
  return { reply: new Response(body, { headers }), send, end: () => control.close() };
}

const toRefusal = (status: number, message: string, headers = {}): Response =>
  new Response(JSON.stringify({ error: { message } }), { status, headers });

test("the stream of another box takes the place of the last one when its snapshot has come", async () => {
  const { feed, opened, take, rest } = openFeed();
  feed.watch("a");
  await rest();
  const a = toStream(SNAPSHOT);
  opened[0]!.answer(a.reply);
  await rest();
  assert.deepEqual(take(), ["opening", "snapshot a", "open"]);
  feed.watch("b");
  await rest();
  a.send("event: delta\nid: i.s.2\ndata: {}\n\n");
  await rest();
  assert.deepEqual(take(), ["delta"]);
  assert.equal(opened[0]!.signal.aborted, false);
  opened[1]!.answer(toStream(SNAPSHOT).reply);
  await rest();
  assert.equal(opened[0]!.signal.aborted, true);
  assert.deepEqual(take(), ["snapshot b"]);
  feed.watch(null);
  assert.deepEqual(take(), ["off"]);
  assert.equal(opened[1]!.signal.aborted, true);
});

test("what breaks is tried again, later each time, with the last id; what cannot be read without it", async () => {
  const { feed, opened, waits, take, rest } = openFeed();
  feed.watch("a");
  await rest();
  const a = toStream(SNAPSHOT);
  opened[0]!.answer(a.reply);
  await rest();
  a.end();
  await rest();
  assert.deepEqual(take(), ["opening", "snapshot a", "open", "broken"]);
  for (const ms of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    const wait = waits.pop()!;
    assert.equal(wait.ms, ms);
    wait.end();
    await rest();
    const attempt = opened.at(-1)!;
    assert.equal(attempt.last_id, "i.s.1");
    const broken = toStream("");
    attempt.answer(broken.reply);
    broken.end();
    await rest();
  }
  waits.pop()!.end();
  await rest();
  opened.at(-1)!.answer(toStream("event: delta\nid: i.s.2\ndata: {no\n\n").reply);
  await rest();
  waits.pop()!.end();
  await rest();
  assert.equal(opened.at(-1)!.last_id, undefined);
  feed.watch(null);
});

test("a page out of sight reads nothing, and goes on with the last id", async () => {
  const { feed, opened, take, rest } = openFeed();
  feed.watch("a");
  await rest();
  opened[0]!.answer(toStream(SNAPSHOT).reply);
  await rest();
  feed.pause();
  await rest();
  assert.equal(opened[0]!.signal.aborted, true);
  feed.watch("b");
  await rest();
  assert.equal(opened.length, 1);
  feed.resume();
  await rest();
  assert.deepEqual(
    opened.map(({ target, last_id }) => [target, last_id]),
    [
      ["a", undefined],
      ["b", undefined],
    ],
  );
  feed.pause();
  feed.watch("b");
  opened[1]!.answer(toStream(SNAPSHOT).reply);
  feed.resume();
  await rest();
  opened[2]!.answer(toStream(SNAPSHOT).reply);
  await rest();
  feed.pause();
  feed.resume();
  await rest();
  assert.equal(opened.at(-1)!.last_id, "i.s.1");
  assert.ok(take().includes("snapshot b"));
  feed.watch(null);
});

test("ends and refusals are taken at their word", async () => {
  const cases = [
    { reason: "time", retry_after_s: 1, wait_ms: 1_000, said: "broken" },
    { reason: "shutting_down", retry_after_s: 7, wait_ms: 7_000, said: "broken" },
    { reason: "units", retry_after_s: 600, wait_ms: 600_000, said: "refused: why" },
    { reason: "replaced", retry_after_s: 0, wait_ms: 30_000, said: "refused: why" },
    { reason: "large", retry_after_s: 5, wait_ms: null, said: "refused: why" },
  ];
  for (const { wait_ms, said, ...bye } of cases) {
    const { feed, opened, waits, take, rest } = openFeed();
    feed.watch("a");
    await rest();
    const body = JSON.stringify({ ...bye, message: "why" });
    opened[0]!.answer(toStream(`${SNAPSHOT}event: bye\ndata: ${body}\n\n`).reply);
    await rest();
    assert.deepEqual(take(), ["opening", "snapshot a", "open", said]);
    assert.equal(waits[0]?.ms ?? null, wait_ms, bye.reason);
    feed.watch(null);
  }
  const { feed, opened, waits, take, rest } = openFeed();
  feed.watch("a");
  await rest();
  opened[0]!.answer(toRefusal(429, "too many", { "retry-after": "90" }));
  await rest();
  assert.deepEqual(take(), ["opening", "refused: too many"]);
  assert.equal(waits[0]!.ms, 90_000);
  // Another view does not ask before the service wants it.
  feed.watch("b");
  await rest();
  assert.equal(opened.length, 1);
  assert.equal(waits[1]!.ms, 90_000);
  waits[1]!.end();
  await rest();
  opened[1]!.answer(toRefusal(404, "unknown"));
  await rest();
  feed.watch("c");
  await rest();
  assert.equal(opened.length, 2, "an older service is asked no more");
});
