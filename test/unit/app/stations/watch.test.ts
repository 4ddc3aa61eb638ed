/** The watch over stations: which stream is notified of which change, when, and what bounds it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LookAtStation } from "#app/stations/look.ts";
import type { Stream, StreamEvent } from "#app/stations/station-stream.ts";
import { StationWatch, type WatchBounds } from "#app/stations/watch.ts";
import type { StreamOwner } from "#core/limits/stream-owner.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

const NOW_MS = Date.UTC(2026, 10, 23, 9);
const ANYONE: StreamOwner = { own: "acc_1", block: null };

/** A watch over planted stations; `say` changes what one says, as a new snapshot of its system does. */
function open(
  bounds?: Partial<WatchBounds>,
  onFault: (error: unknown) => void = assert.ifError,
  thrown = new Set<string>(),
) {
  const clock = createManualClock(NOW_MS);
  const reported = new Map<string, string>([
    ["a", "1"],
    ["b", "1"],
    ["c", "1"],
  ]);
  const versions = new Map<string, number>();
  const looks: string[] = [];
  const look: LookAtStation = (id) => {
    looks.push(id);
    if (thrown.has(id)) throw new Error(`a reader of ${id}`);
    const version = versions.get(id);
    return {
      says: reported.get(id) ?? null,
      isCurrent: () => versions.get(id) === version,
      place: null,
    };
  };
  const all = { owner_max: 4, block_max: 8, streams_max: 10, stations_max: 3 };
  const watch = new StationWatch({ clock, look, bounds: { ...all, ...bounds }, onFault });
  const swap = (id: string): void => void versions.set(id, (versions.get(id) ?? 0) + 1);
  const say = (id: string, text: string | null): void => {
    if (text === null) reported.delete(id);
    else reported.set(id, text);
    swap(id);
  };
  const begin = (ids: string[], owner = ANYONE): Stream => {
    const stream = watch.open(ids, owner);
    if (stream === null || typeof stream === "string") return assert.fail(stream ?? "none");
    return stream;
  };
  return { clock, looks, watch, say, swap, begin };
}

/** All that has come for a stream so far, taken as a caller that reads takes it. */
function follow(stream: Stream): StreamEvent[] {
  const events: StreamEvent[] = [];
  const read = async (): Promise<void> => {
    for (;;) {
      const event = await stream.next();
      events.push(event);
      if (event.kind === "ended" || event.kind === "left") return;
    }
  };
  void read();
  return events;
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Moves second by second, as the timer does. */
async function pass(clock: { advance(ms: number): Promise<void> }, seconds: number): Promise<void> {
  for (let s = 0; s < seconds; s++) await clock.advance(1_000);
  await turn();
}

test("a change is passed on to those who watch the station, and to no others", async () => {
  const { clock, say, swap, begin } = open();
  const [first, second] = [follow(begin(["a", "b"])), follow(begin(["b", "c"]))];
  swap("a");
  swap("b");
  await pass(clock, 2);
  assert.deepEqual([first, second], [[], []], "a new report that says the same is no change");
  say("a", "2");
  await pass(clock, 2);
  assert.deepEqual([first, second], [[{ kind: "changed", ids: ["a"] }], []]);
  say("b", "2");
  await pass(clock, 2);
  const changed = { kind: "changed", ids: ["b"] };
  assert.deepEqual([first.slice(1), second], [[changed], [changed]]);
});

test("one station is passed on every five seconds at most, and its last change is not lost", async () => {
  const { clock, say, begin } = open();
  const events = follow(begin(["a"]));
  for (let s = 0; s < 12; s++) {
    say("a", `at ${s}`);
    await pass(clock, 1);
  }
  assert.equal(events.length, 3, "at 1, 6 and 11 s");
  await pass(clock, 5);
  assert.equal(events.length, 4, "what changed at 12 s");
  await pass(clock, 5);
  assert.equal(events.length, 4);
});

test("a station that is gone, and one that is back, are changes", async () => {
  const { clock, say, begin } = open();
  const events = follow(begin(["a"]));
  say("a", null);
  await pass(clock, 2);
  assert.equal(events.length, 1);
  say("a", "1");
  await pass(clock, 60);
  assert.equal(events.filter(({ kind }) => kind === "changed").length, 2);
});

test("a station is looked at when its snapshot is replaced, once for all, and once a minute", async () => {
  const { clock, looks, swap, begin } = open({ owner_max: null });
  const streams = Array.from({ length: 8 }, () => begin(["a", "b"]));
  assert.deepEqual(looks, ["a", "b"]);
  await pass(clock, 30);
  assert.equal(looks.length, 2);
  swap("a");
  await pass(clock, 10);
  assert.deepEqual(looks.slice(2), ["a"]);
  await pass(clock, 60);
  assert.deepEqual(looks.slice(3).toSorted(), ["a", "b"]);
  for (const stream of streams) stream.leave();
});

test("a caller that does not read costs one mark a station, and gets each when it reads", async () => {
  const { clock, say, begin } = open();
  const stream = begin(["a", "b"]);
  for (let s = 0; s < 100; s++) {
    say("a", `at ${s}`);
    say("b", `at ${s}`);
    await pass(clock, 1);
  }
  const first = await stream.next();
  assert.ok(first.kind === "changed");
  assert.deepEqual(first.ids.toSorted(), ["a", "b"]);
  const next = await Promise.race([stream.next(), turn()]);
  assert.equal(next, undefined, "and nothing else waits");
});

test("silence is broken every 15 seconds", async () => {
  const { clock, say, begin } = open();
  const events = follow(begin(["a"]));
  await pass(clock, 46);
  assert.deepEqual(events, [{ kind: "quiet" }, { kind: "quiet" }, { kind: "quiet" }]);
  say("a", "2");
  await pass(clock, 15);
  assert.deepEqual(events.slice(3), [{ kind: "changed", ids: ["a"] }]);
});

test("a stream ends after ten minutes, with what was still to be said before", async () => {
  const { clock, watch, say, begin } = open();
  const stream = begin(["a"]);
  await pass(clock, 598);
  assert.equal(stream.over.aborted, false);
  say("a", "2");
  await pass(clock, 3);
  assert.ok(stream.over.aborted);
  assert.deepEqual(watch.count, { streams: 0, stations: 0 });
  const kinds = [await stream.next(), await stream.next()].map(({ kind }) => kind);
  assert.deepEqual(kinds, ["changed", "ended"]);
});

test("who leaves frees the place, wakes what waits, and stops the timer with the last", async () => {
  const { clock, looks, watch, begin } = open({ owner_max: 1 });
  const stream = begin(["a", "b"]);
  const waiting = stream.next();
  assert.equal(watch.open(["a"], ANYONE), "full");
  stream.leave();
  stream.leave();
  assert.deepEqual(await waiting, { kind: "left" });
  assert.deepEqual(watch.count, { streams: 0, stations: 0 });
  await pass(clock, 70);
  assert.equal(looks.length, 2, "nothing is looked at any more");
  const again = begin(["a"]);
  again.leave();
  assert.equal(watch.count.streams, 0);
});

test("streams are bounded by owner, by block and in all", () => {
  const { watch, begin } = open({ streams_max: 16 });
  const at = (own: string, block: string | null): StreamOwner => ({ own, block });
  const stored = Array.from({ length: 4 }, () => begin(["a"], at("10.0.0.1/32", "10.0.0.0/24")));
  assert.equal(watch.open(["a"], at("10.0.0.1/32", "10.0.0.0/24")), "full");
  for (let i = 0; i < 4; i++) begin(["a"], at("10.0.0.2/32", "10.0.0.0/24"));
  assert.equal(watch.open(["a"], at("10.0.0.3/32", "10.0.0.0/24")), "full", "the block");
  begin(["a"], at("10.1.0.1/32", "10.1.0.0/24"));
  assert.ok(
    stored[0]!.over.aborted,
    "half are for keys; a block that has none gets one of the largest",
  );
  for (let i = 0; i < 16; i++) begin(["a"], at(`acc_${i}`, null));
  assert.equal(watch.open(["a"], at("acc_17", null)), "full", "all, with keys");
  assert.equal(watch.count.streams, 16);
});

test("an owner that ends one stream of several has room for one", () => {
  const { watch, begin } = open({ owner_max: 2 });
  const [first] = [begin(["a"]), begin(["a"])];
  assert.equal(watch.open(["a"], ANYONE), "full");
  first.leave();
  begin(["a"]);
  assert.equal(watch.open(["a"], ANYONE), "full");
});

test("of many stations the first are watched; what is not there is left out", () => {
  const { looks, watch, begin } = open({ stations_max: 3 });
  assert.deepEqual(begin(["x", "b", "b", "a", "c"]).ids, ["b", "a"]);
  assert.equal(watch.open(["x", "y", "z", "a"], ANYONE), null);
  // A search for what is not there costs as much, so those are bounded too.
  assert.deepEqual(looks, ["x", "b", "a", "x", "y", "z"]);
});

test("closing ends every stream at once, and none begins any more", async () => {
  const { watch, begin } = open();
  const streams = [begin(["a"]), begin(["b"])];
  const waiting = streams.map((stream) => stream.next());
  watch.close();
  assert.deepEqual(await Promise.all(waiting), [{ kind: "ended" }, { kind: "ended" }]);
  assert.equal(watch.open(["a"], ANYONE), "closed");
  assert.deepEqual(watch.count, { streams: 0, stations: 0 });
});

test("a stream that throws costs the others nothing, whichever it is, and ends in its time", async () => {
  for (const at of [0, 1, 2]) {
    const faults: unknown[] = [];
    const { clock, watch, say, begin } = open({}, (error) => faults.push(error));
    const streams = ["a", "b", "c"].map((id) => begin([id]));
    const events = streams.map((stream) => follow(stream));
    streams[at]!.advance = () => {
      throw new Error("a defect");
    };
    for (const id of ["a", "b", "c"]) say(id, "2");
    await pass(clock, 3);
    const others = events.filter((_, n) => n !== at);
    assert.ok(others.every(([event]) => event?.kind === "changed"));
    assert.equal(faults.length, 3, "each turn reports it");
    await pass(clock, 600);
    assert.deepEqual(watch.count, { streams: 0, stations: 0 });
  }
});

test("a station whose look throws stays watched, and the others are looked at in the same turn", async () => {
  for (const id of ["a", "b", "c"]) {
    const faults: unknown[] = [];
    const thrown = new Set<string>();
    const { clock, say, begin } = open({}, (error) => faults.push(error), thrown);
    const events = follow(begin(["a", "b", "c"]));
    thrown.add(id);
    for (const each of ["a", "b", "c"]) say(each, "2");
    await pass(clock, 2);
    const others = ["a", "b", "c"].filter((each) => each !== id);
    assert.deepEqual(events, [{ kind: "changed", ids: others }]);
    assert.ok(faults.length > 0);
    thrown.clear();
    await pass(clock, 6);
    assert.deepEqual(events.at(-1), { kind: "changed", ids: [id] }, "it is looked at again");
  }
});
