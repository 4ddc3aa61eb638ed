/** A fleet under any order of questions, deaths, absences and lost notices. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RefreshResult } from "#ports.ts";
import { forAllAsync } from "../../support/domain.ts";
import { LEASE_LIFE_MS } from "../../support/memory-exchange.ts";
import { createFleetOf, gapsOf, type Replica, type TestFleet } from "./fleet-support.ts";
import { START_MS, statusesOf } from "./support.ts";

const STATUS = "station_status.json";
const MINUTE_MS = 60_000;
/** Each step is a wish; its target is taken modulo what exists. */
type Step =
  | { kind: "ask"; who: number; after_ms: number }
  | { kind: "wake" | "kill" | "revive"; who: number }
  | { kind: "away" | "muted"; on: boolean }
  | { kind: "wipe" }
  | { kind: "change"; bikes: number }
  | { kind: "fail" }
  | { kind: "pass"; ms: number };

const who = fc.nat({ max: 3 });
const pass = fc.record({
  kind: fc.constant("pass" as const),
  ms: fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 5_000 }), fc.nat({ max: 90_000 })),
});
const wake = fc.record({ kind: fc.constant("wake" as const), who });
const someAsk = fc.record({
  kind: fc.constant("ask" as const),
  who,
  after_ms: fc.constantFrom(0, 1),
});
const change = fc.record({ kind: fc.constant("change" as const), bikes: fc.nat({ max: 20 }) });
const quiet: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: pass, weight: 4 },
  { arbitrary: wake, weight: 3 },
  fc.record({ kind: fc.constant("ask" as const), who, after_ms: fc.constant(0) }),
  change,
);
const wild: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: pass, weight: 6 },
  { arbitrary: wake, weight: 3 },
  { arbitrary: someAsk, weight: 3 },
  change,
  fc.record({ kind: fc.constantFrom("kill" as const, "revive" as const), who }),
  fc.record({ kind: fc.constantFrom("away" as const, "muted" as const), on: fc.boolean() }),
  fc.constant({ kind: "fail" as const }),
);
const lossy = fc.oneof(
  { arbitrary: wild, weight: 20 },
  fc.constant<Step>({ kind: "wipe" as const }),
);

type Question = { replica: Replica; result: Promise<RefreshResult>; over: boolean };

/** Takes the steps; gives the questions that were asked. */
async function play(fleet: TestFleet, steps: readonly Step[]): Promise<Question[]> {
  const { clock, exchange, replicas } = fleet;
  const city = fleet.cities[0]!;
  const questions: Question[] = [];
  const at = (index: number): Replica => replicas[index % replicas.length]!;
  for (const step of steps)
    switch (step.kind) {
      case "pass":
        await clock.advance(step.ms);
        break;
      case "wake":
        at(step.who).feeds.wake("s0");
        break;
      case "ask": {
        const replica = at(step.who);
        const begun_after_ms = step.after_ms && replica.clock.now();
        const result = replica.feeds.refresh("s0", { begun_after_ms });
        const question = { replica, result, over: false };
        void result.then(() => (question.over = true));
        questions.push(question);
        break;
      }
      case "kill":
      case "revive":
        at(step.who)[step.kind]();
        break;
      case "away":
        exchange.setAway(step.on);
        break;
      case "muted":
        exchange.setMuted(step.on);
        break;
      case "wipe":
        exchange.wipe();
        break;
      case "change":
        city.publish("station_status", { stations: statusesOf(3, step.bikes) });
        break;
      case "fail":
        city.fail("station_status", { status: "error", reason: "http_500" });
        break;
    }
  return questions;
}

/** When the status that the replica showed was good, in the order it was shown. */
function agesOf({ puts }: Replica): number[] {
  return puts.flatMap(({ status }) => status?.live?.validated_at_ms ?? []);
}

test("in any order of questions and delays each file is asked for once per time to live", async () => {
  let gaps = 0;
  await forAllAsync(
    fc.asyncProperty(
      fc.array(quiet, { maxLength: 60, size: "max" }),
      fc.record({
        replicas: fc.integer({ min: 1, max: 4 }),
        seed: fc.integer(),
        upstream_ms: fc.constantFrom(0, 10, 400, 3_000),
        exchange_ms: fc.constantFrom(0, 2, 40),
      }),
      async (steps, options) => {
        const fleet = createFleetOf(options);
        await play(fleet, steps);
        await fleet.live(10 * MINUTE_MS);
        for (const file of [STATUS, "free_bike_status.json", "gbfs.json"]) {
          const between = gapsOf(fleet.times(file));
          gaps += between.length;
          for (const gap of between) assert.ok(gap >= 54_000, `${file} after ${gap} ms`);
        }
      },
    ),
    60,
  );
  assert.ok(gaps > 1_000, `${gaps} gaps`);
});

test("whatever happens, questions are answered, no replica goes back in time, and all agree again", async () => {
  let request_count = 0;
  let steady = 0;
  await forAllAsync(
    fc.asyncProperty(
      fc.oneof(...[wild, lossy].map((step) => fc.array(step, { maxLength: 60, size: "max" }))),
      fc.integer({ min: 2, max: 4 }),
      fc.integer(),
      async (steps, replicas, seed) => {
        const fleet = createFleetOf({ replicas, seed });
        const questions = await play(fleet, steps);
        // All is well again.
        fleet.exchange.setAway(false);
        fleet.exchange.setMuted(false);
        for (const replica of fleet.replicas) replica.revive();
        fleet.cities[0]!.publish("station_status", { stations: statusesOf(3, 7) });
        await fleet.clock.advance(LEASE_LIFE_MS + 5_000);
        assert.ok(
          questions.every(({ over }) => over),
          "each question has its answer",
        );
        request_count += questions.length;
        // The longest back-off, and a turn of everybody.
        await fleet.live(8 * MINUTE_MS);
        const [first, ...others] = fleet.replicas.map(({ world }) => world.find("s0")!.shard!);
        assert.deepEqual([...first!.status!.data!.vehicles], [7, 7, 7]);
        for (const other of others) {
          assert.deepEqual(other.status!.data, first!.status!.data);
          assert.deepEqual(other.statics.meta, first!.statics.meta);
        }
        for (const replica of fleet.replicas) {
          // What only the store knew, and lost, may have been newer than what it gets back.
          const ages = steps.some(({ kind }) => kind === "wipe") ? [] : agesOf(replica);
          steady += ages.length;
          assert.deepEqual(
            ages,
            ages.toSorted((x, y) => x - y),
            "never back",
          );
          assert.deepEqual(
            replica.events.filter(({ kind }) => kind === "fault"),
            [],
          );
        }
        const healed = fleet.clock.now() - START_MS;
        await fleet.live(5 * MINUTE_MS);
        const paced = gapsOf(fleet.times(STATUS).filter((at_ms) => at_ms > healed));
        assert.ok(
          paced.every((gap) => gap >= 54_000 && gap <= 68_000),
          paced.join(),
        );
        assert.ok(paced.length >= 3);
      },
    ),
    40,
  );
  assert.ok(request_count > 150, `${request_count} questions`);
  assert.ok(steady > 1_000, `${steady} ages`);
});
