/** Requests in request: one call for all that ask the same, aborted when nothing waits any more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fault } from "#upstream/fault.ts";
import { createInFlight, type GoesOn, type InFlightRequests } from "#upstream/lookup/in-flight.ts";
import { forAllAsync } from "../../support/domain.ts";
import { turn } from "../../support/lookup.ts";
import { noFault } from "../../support/faults.ts";

const DEPS = {
  waiters: { count: 0 },
  onFault: (error: unknown): void => noFault("request", error),
};

/** Never leaves. */
const STAYS = new AbortController().signal;

type AbortCode = "ABORTED" | "DEADLINE";

/** What a waiter gets that leaves for this reason. */
const LEFT = {
  ABORTED: { status: "timeout", reason: "aborted" },
  DEADLINE: { status: "timeout", reason: "deadline" },
} as const;

type Begun = { signal: AbortSignal; land: (value: number) => void };

function begin(requests: InFlightRequests<number>, keys: string[], goes_on: GoesOn, now_ms = 0) {
  const begun = {} as Begun;
  const request = requests.start(keys, { now_ms, goes_on }, (signal) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    Object.assign(begun, { signal, land: resolve });
    return promise;
  });
  return { request, begun };
}

/** Waits, and can leave. */
function waiter(): { left: AbortSignal; leave: (why: AbortCode) => void } {
  const controller = new AbortController();
  return { left: controller.signal, leave: (why) => controller.abort(fault(why)) };
}

test("a hundred waiters for the same share one request; each of its keys leads to it", async () => {
  const requests = createInFlight<number>(DEPS);
  const { request, begun } = begin(requests, ["a", "b"], "never");
  const waits = Array.from({ length: 100 }, (_, i) => {
    const match = requests.find(i % 2 ? "a" : "b", 0);
    assert.equal(match, request);
    return match.wait(STAYS);
  });
  assert.equal(requests.size(), 1);
  begun.land(7);
  for (const landed of await Promise.all(waits)) assert.equal(landed, 7);
  assert.equal(requests.size(), 0);
  assert.equal(begun.signal.aborted, false);
});

test("a waiter after the landing starts a new request; one that needs a younger request does not join", async () => {
  const requests = createInFlight<number>(DEPS);
  const { begun } = begin(requests, ["a"], "never", 100);
  assert.equal(requests.find("a", 101), undefined);
  assert.ok(requests.find("a", 100));
  begun.land(1);
  await turn();
  assert.equal(requests.find("a", 0), undefined);
});

test("the landing of an old request leaves the younger one under its key", async () => {
  const requests = createInFlight<number>(DEPS);
  const old = begin(requests, ["a", "b"], "never", 1);
  const young = begin(requests, ["a"], "never", 2);
  assert.equal(requests.size(), 2);
  old.begun.land(1);
  await turn();
  assert.equal(requests.find("a", 0), young.request);
  assert.equal(requests.find("b", 0), undefined);
  young.begun.land(2);
  await turn();
  assert.equal(requests.size(), 0);
});

test("with 99 of 100 gone the last still gets its answer; when it goes too, the request is aborted", async () => {
  for (const stays of [true, false]) {
    const requests = createInFlight<number>(DEPS);
    const { request, begun } = begin(requests, ["a"], "never");
    const people = Array.from({ length: 100 }, waiter);
    const waits = people.map(({ left }) => request.wait(left));
    for (const { leave } of people.slice(1)) leave("ABORTED");
    await turn();
    assert.equal(begun.signal.aborted, false);
    assert.ok(requests.find("a", 0), "others may still join");
    if (stays) begun.land(7);
    else people[0]!.leave("ABORTED");
    // Within the same tick: no timer and no turn of the loop lies between.
    for (let i = 0; i < 10; i++) await Promise.resolve();
    assert.equal(begun.signal.aborted, !stays);
    assert.deepEqual(await waits[0], stays ? 7 : LEFT.ABORTED);
    assert.equal(requests.size(), 0);
    assert.equal(requests.find("a", 0), undefined);
  }
});

const GOES_ON: readonly [GoesOn, AbortCode, boolean][] = [
  ["never", "ABORTED", true],
  ["never", "DEADLINE", true],
  ["after_deadline", "ABORTED", true],
  ["after_deadline", "DEADLINE", false],
  ["always", "ABORTED", false],
  ["always", "DEADLINE", false],
];

for (const [goes_on, why, off] of GOES_ON)
  test(`a request that goes on ${goes_on} is ${off ? "" : "not "}aborted when the last leaves by ${why}`, async () => {
    const requests = createInFlight<number>(DEPS);
    const { request, begun } = begin(requests, ["a"], goes_on);
    const { left, leave } = waiter();
    const wait = request.wait(left);
    leave(why);
    assert.deepEqual(await wait, LEFT[why]);
    assert.equal(begun.signal.aborted, off);
    assert.equal(requests.size(), off ? 0 : 1);
    if (off) assert.equal((begun.signal.reason as { code: string }).code, why);
    begun.land(3);
    await turn();
    assert.equal(requests.size(), 0);
    assert.equal(await request.result, 3);
  });

test("a request without waiters lands by itself", async () => {
  const requests = createInFlight<number>(DEPS);
  const { begun } = begin(requests, ["a"], "always");
  await turn();
  assert.equal(begun.signal.aborted, false);
  begun.land(1);
  await turn();
  assert.equal(requests.size(), 0);
});

type Step = { who: number; does: "join" | "abort" | "give up" | "land" };

test("whatever the order of coming, leaving and landing: those who stay get the answer, and the last to leave aborts", async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    who: fc.nat({ max: 5 }),
    does: fc.constantFrom("join", "join", "abort", "give up", "land"),
  });
  await forAllAsync(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.constantFrom<GoesOn>("never", "after_deadline", "always"),
      async (steps, goes_on) => {
        const requests = createInFlight<number>(DEPS);
        let current: ReturnType<typeof begin> | null = null;
        let number = 0;
        const landed = new Map<Begun, number>();
        type Person = ReturnType<typeof waiter> & {
          wait: Promise<unknown>;
          of: Begun;
          left_by: AbortCode | null;
        };
        const people = new Map<number, Person>();
        const gone: Person[] = [];
        for (const { who, does } of steps) {
          const person = people.get(who);
          if (does === "join" && !person) {
            const known_request = requests.find("a", 0);
            if (!known_request) current = begin(requests, ["a"], goes_on);
            const { left, leave } = waiter();
            const { request, begun } = current!;
            people.set(who, { left, leave, of: begun, wait: request.wait(left), left_by: null });
          } else if (person && (does === "abort" || does === "give up")) {
            person.left_by = does === "abort" ? "ABORTED" : "DEADLINE";
            person.leave(person.left_by);
            people.delete(who);
            gone.push(person);
            await turn();
            const others = [...people.values()].filter(({ of }) => of === person.of);
            const goesOn =
              goes_on === "always" || (goes_on === "after_deadline" && does === "give up");
            assert.equal(person.of.signal.aborted, others.length === 0 && !goesOn);
          } else if (does === "land" && requests.size() > 0) {
            landed.set(current!.begun, ++number);
            current!.begun.land(number);
            await turn();
            assert.equal(requests.size(), 0);
            for (const [key, each] of people) {
              assert.deepEqual(await each.wait, landed.get(each.of));
              people.delete(key);
            }
          }
        }
        for (const each of gone) assert.deepEqual(await each.wait, LEFT[each.left_by!]);
      },
    ),
    150,
  );
});
