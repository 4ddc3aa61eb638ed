/** The bulkhead: never more inside than there are places, first come first in (reliability 2.4). */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import fc from "fast-check";
import { Bulkhead } from "#upstream/lookup/lookup-limits.ts";
import { forAllAsync } from "../../support/domain.ts";
import { createWatchedClock, turn, type WatchedClock } from "../../support/lookup.ts";

type Way = Awaited<ReturnType<Bulkhead["enter"]>>;

function open(places: number, queue: number) {
  const clock = createWatchedClock();
  const bulkhead = new Bulkhead(clock, { places, queue });
  const entered: string[] = [];
  const knock = (name: string, wait_ms = 100, signal = new AbortController().signal) => {
    const way = bulkhead.enter({ wait_ms, signal });
    void way.then((leave) => entered.push(leave ? name : `not ${name}`));
    return way;
  };
  return { clock, bulkhead, entered, knock };
}

test("waiting callers enter in order, one for each that leaves", async () => {
  const { clock, bulkhead, entered, knock } = open(2, 10);
  const ways = ["a", "b", "c", "d", "e"].map((name) => knock(name));
  await turn();
  assert.deepEqual([entered, bulkhead.inside], [["a", "b"], 2]);
  (await ways[1])![Symbol.dispose]();
  await turn();
  assert.deepEqual([entered, bulkhead.inside], [["a", "b", "c"], 2]);
  for (const way of [ways[0]!, ways[2]!]) (await way)![Symbol.dispose]();
  await turn();
  assert.deepEqual(entered, ["a", "b", "c", "d", "e"]);
  for (const way of [ways[3]!, ways[4]!]) (await way)![Symbol.dispose]();
  assert.deepEqual([bulkhead.inside, clock.pending()], [0, 0]);
});

test("the queue is bounded: a caller beyond it is refused at once", async () => {
  const { bulkhead, entered, knock } = open(1, 2);
  for (const name of ["a", "b", "c", "d"]) knock(name);
  await turn();
  assert.deepEqual([entered, bulkhead.inside], [["a", "not d"], 1]);
});

test("without a queue no caller waits", async () => {
  const { entered, knock } = open(1, 0);
  knock("a");
  knock("b");
  await turn();
  assert.deepEqual(entered, ["a", "not b"]);
});

test("a caller that waits too long, or is gone, leaves the queue, and its place is free again", async () => {
  const { clock, bulkhead, entered, knock } = open(1, 2);
  const first = knock("a");
  const controller = new AbortController();
  knock("b", 100, controller.signal);
  knock("c", 50);
  await clock.advance(50);
  assert.deepEqual(entered, ["a", "not c"]);
  controller.abort();
  await turn();
  assert.deepEqual(entered, ["a", "not c", "not b"]);
  assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
  assert.equal(clock.pending(), 0);
  const next = knock("d", 100, new AbortController().signal);
  (await first)![Symbol.dispose]();
  assert.ok(await next);
  assert.equal(bulkhead.inside, 1);
});

test("a caller gone before it knocks takes no place; one that waits in vain leaves no listener", async () => {
  const { clock, bulkhead, knock } = open(1, 1);
  assert.equal(await knock("gone", 100, AbortSignal.abort()), null);
  assert.equal(bulkhead.inside, 0);
  knock("a");
  const { signal } = new AbortController();
  const waits = knock("b", 100, signal);
  await clock.advance(100);
  assert.equal(await waits, null);
  assert.deepEqual([getEventListeners(signal, "abort").length, clock.pending()], [0, 0]);
});

test("leaving twice frees one place", async () => {
  const { bulkhead, knock } = open(2, 0);
  const way = await knock("a");
  knock("b");
  way![Symbol.dispose]();
  way![Symbol.dispose]();
  assert.equal(bulkhead.inside, 1);
});

test("a place that becomes free goes to a waiting caller, not to one that arrives at that moment", async () => {
  const { bulkhead, entered, knock } = open(1, 5);
  const first = knock("a");
  knock("b");
  const leave = await first;
  leave![Symbol.dispose]();
  knock("c");
  await turn();
  assert.equal(bulkhead.inside, 1);
  assert.deepEqual(entered, ["a", "b"]);
});

type Step =
  | { does: "knock"; wait_ms: number }
  | { does: "leave" | "abort"; which: number }
  | { does: "wait"; ms: number }
  | { does: "turn" };

const which = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("knock"), wait_ms: fc.nat({ max: 20 }) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("leave"), which }) },
  fc.record({ does: fc.constant("abort"), which }),
  fc.record({ does: fc.constant("wait"), ms: fc.nat({ max: 10 }) }),
  fc.record({ does: fc.constant("turn") }),
);

test("random comings and goings: bounded inside and in the queue, in order, nothing left behind", async () => {
  await forAllAsync(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 3 }),
      fc.nat({ max: 4 }),
      play,
    ),
    400,
  );
});

type Guest = { controller: AbortController; leave: Way | undefined; done: boolean };

async function play(steps: readonly Step[], places: number, queue: number): Promise<void> {
  const clock: WatchedClock = createWatchedClock();
  const bulkhead = new Bulkhead(clock, { places, queue });
  const guests: Guest[] = [];
  const inside: number[] = [];
  const order: number[] = [];
  const storedOf = (): number => guests.filter(({ leave, done }) => leave && !done).length;
  for (const each of steps) {
    if (each.does === "knock") {
      const guest: Guest = { controller: new AbortController(), leave: undefined, done: false };
      const number = guests.push(guest) - 1;
      const { signal } = guest.controller;
      void bulkhead.enter({ wait_ms: each.wait_ms, signal }).then((way) => {
        guest.leave = way;
        if (way) order.push(number);
        inside.push(storedOf());
        return null;
      });
    } else if (each.does === "leave") {
      const guest = guests.filter(({ leave, done }) => leave && !done).at(each.which % places);
      if (guest) {
        guest.done = true;
        guest.leave![Symbol.dispose]();
      }
    } else if (each.does === "abort") guests[each.which]?.controller.abort();
    else if (each.does === "wait") await clock.advance(each.ms);
    else await turn();
    assert.ok(bulkhead.inside <= places);
    assert.ok(storedOf() <= places, "more inside than there are places");
    assert.ok(clock.pending() <= queue, "more in the queue than it holds");
  }
  await turn();
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
    "first come, first in",
  );
  assert.ok(inside.every((count) => count <= places));
  assert.equal(bulkhead.inside, storedOf());
  for (const guest of guests) guest.controller.abort();
  await turn();
  for (const guest of guests.filter(({ leave, done }) => leave && !done))
    guest.leave![Symbol.dispose]();
  assert.deepEqual([bulkhead.inside, clock.pending()], [0, 0]);
  for (const { controller } of guests)
    assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
}
