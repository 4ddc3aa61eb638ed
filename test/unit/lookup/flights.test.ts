/** Flights: one call for all who ask the same, called off when nobody waits any more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  createFlights,
  type Flights,
  type Leave,
  type Outlives,
} from "#upstream/lookup/flights.ts";
import { forAllAsync } from "../../support/domain.ts";
import { turn } from "../../support/lookup.ts";

/** Never leaves. */
const STAYS = new Promise<Leave>(() => {});

type Begun = { signal: AbortSignal; land: (value: number) => void };

function begin(flights: Flights<number>, keys: string[], outlives: Outlives, now_ms = 0) {
  const begun = {} as Begun;
  const flight = flights.start(keys, { now_ms, outlives }, (signal) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    Object.assign(begun, { signal, land: resolve });
    return promise;
  });
  return { flight, begun };
}

/** Somebody who waits, and can leave. */
function waiter(): { left: Promise<Leave>; leave: (why: Leave) => void } {
  const { promise, resolve } = Promise.withResolvers<Leave>();
  return { left: promise, leave: resolve };
}

test("a hundred who ask the same share one flight; each key of it leads to it", async () => {
  const flights = createFlights<number>();
  const { flight, begun } = begin(flights, ["a", "b"], "nobody");
  const waits = Array.from({ length: 100 }, (_, i) => {
    const found = flights.find(i % 2 ? "a" : "b", 0);
    assert.equal(found, flight);
    return found.wait(STAYS);
  });
  assert.equal(flights.size(), 1);
  begun.land(7);
  for (const landed of await Promise.all(waits)) assert.deepEqual(landed, { landed: 7 });
  assert.equal(flights.size(), 0);
  assert.equal(begun.signal.aborted, false);
});

test("who comes after the landing begins anew; who needs a younger flight does not join", async () => {
  const flights = createFlights<number>();
  const { begun } = begin(flights, ["a"], "nobody", 100);
  assert.equal(flights.find("a", 101), undefined);
  assert.ok(flights.find("a", 100));
  begun.land(1);
  await turn();
  assert.equal(flights.find("a", 0), undefined);
});

test("the landing of an old flight leaves the younger one under its key", async () => {
  const flights = createFlights<number>();
  const old = begin(flights, ["a", "b"], "nobody", 1);
  const young = begin(flights, ["a"], "nobody", 2);
  assert.equal(flights.size(), 2);
  old.begun.land(1);
  await turn();
  assert.equal(flights.find("a", 0), young.flight);
  assert.equal(flights.find("b", 0), undefined);
  young.begun.land(2);
  await turn();
  assert.equal(flights.size(), 0);
});

test("with 99 of 100 gone the last still gets its answer; when he goes too, it is called off", async () => {
  for (const stays of [true, false]) {
    const flights = createFlights<number>();
    const { flight, begun } = begin(flights, ["a"], "nobody");
    const people = Array.from({ length: 100 }, waiter);
    const waits = people.map(({ left }) => flight.wait(left));
    for (const { leave } of people.slice(1)) leave("ABORTED");
    await turn();
    assert.equal(begun.signal.aborted, false);
    assert.ok(flights.find("a", 0), "others may still join");
    if (stays) begun.land(7);
    else people[0]!.leave("ABORTED");
    // Within the same tick: no timer and no turn of the loop lies between.
    for (let i = 0; i < 10; i++) await Promise.resolve();
    assert.equal(begun.signal.aborted, !stays);
    assert.deepEqual(await waits[0], stays ? { landed: 7 } : { left: "ABORTED" });
    assert.equal(flights.size(), 0);
    assert.equal(flights.find("a", 0), undefined);
  }
});

const OUTLIVES: readonly [Outlives, Leave, boolean][] = [
  ["nobody", "ABORTED", true],
  ["nobody", "DEADLINE", true],
  ["deadlines", "ABORTED", true],
  ["deadlines", "DEADLINE", false],
  ["everybody", "ABORTED", false],
  ["everybody", "DEADLINE", false],
];

for (const [outlives, why, off] of OUTLIVES)
  test(`what outlives ${outlives} is ${off ? "" : "not "}called off when the last leaves by ${why}`, async () => {
    const flights = createFlights<number>();
    const { flight, begun } = begin(flights, ["a"], outlives);
    const { left, leave } = waiter();
    const wait = flight.wait(left);
    leave(why);
    assert.deepEqual(await wait, { left: why });
    assert.equal(begun.signal.aborted, off);
    assert.equal(flights.size(), off ? 0 : 1);
    if (off) assert.equal((begun.signal.reason as { code: string }).code, why);
    begun.land(3);
    await turn();
    assert.equal(flights.size(), 0);
    assert.equal(await flight.result, 3);
  });

test("a flight that nobody ever waited for lands by itself", async () => {
  const flights = createFlights<number>();
  const { begun } = begin(flights, ["a"], "everybody");
  await turn();
  assert.equal(begun.signal.aborted, false);
  begun.land(1);
  await turn();
  assert.equal(flights.size(), 0);
});

type Step = { who: number; does: "join" | "abort" | "give up" | "land" };

test("whatever the order of coming, leaving and landing: who stays hears, who is alone is heard", async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    who: fc.nat({ max: 5 }),
    does: fc.constantFrom("join", "join", "abort", "give up", "land"),
  });
  await forAllAsync(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.constantFrom<Outlives>("nobody", "deadlines", "everybody"),
      async (steps, outlives) => {
        const flights = createFlights<number>();
        let current: ReturnType<typeof begin> | null = null;
        let number = 0;
        const landed = new Map<Begun, number>();
        type Person = ReturnType<typeof waiter> & {
          wait: Promise<unknown>;
          of: Begun;
          told: Leave | null;
        };
        const people = new Map<number, Person>();
        const told: Person[] = [];
        for (const { who, does } of steps) {
          const person = people.get(who);
          if (does === "join" && !person) {
            const known = flights.find("a", 0);
            if (!known) current = begin(flights, ["a"], outlives);
            const { left, leave } = waiter();
            const { flight, begun } = current!;
            people.set(who, { left, leave, of: begun, wait: flight.wait(left), told: null });
          } else if (person && (does === "abort" || does === "give up")) {
            person.told = does === "abort" ? "ABORTED" : "DEADLINE";
            person.leave(person.told);
            people.delete(who);
            told.push(person);
            await turn();
            const others = [...people.values()].filter(({ of }) => of === person.of);
            const goesOn =
              outlives === "everybody" || (outlives === "deadlines" && does === "give up");
            assert.equal(person.of.signal.aborted, others.length === 0 && !goesOn);
          } else if (does === "land" && flights.size() > 0) {
            landed.set(current!.begun, ++number);
            current!.begun.land(number);
            await turn();
            assert.equal(flights.size(), 0);
            for (const [key, each] of people) {
              assert.deepEqual(await each.wait, { landed: landed.get(each.of) });
              people.delete(key);
            }
          }
        }
        for (const each of told) assert.deepEqual(await each.wait, { left: each.told });
      },
    ),
    150,
  );
});
