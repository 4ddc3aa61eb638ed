/**
 * What a subscriber shows is what a poll of the same moment answers, whatever happened: over drawn
 * schedules of worlds, subscribers and connections. First the judge itself, over the simplest stream
 * there is and over faults planted in it; 10,000 schedules in the trial `whole`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nowhere } from "../../../support/live-hub.ts";
import { LiveHub } from "#app/live/live-hub.ts";
import { createLiveWorld } from "#app/live/live-world.ts";
import { aSchedule, runSchedule, type StartSubject } from "../../../support/live-schedules.ts";
import { NaiveStreams, type Plant } from "../../../support/naive-live.ts";
import { sized } from "../../../support/size.ts";

const naive =
  (plant?: Plant): StartSubject =>
  ({ world, clock }, { known, reasonOf }) => {
    const streams = new NaiveStreams({ now: clock.now, truth: known, reasonOf, plant });
    return {
      streams,
      put: (shard) => world.put(shard),
      settle: async () => streams.note(),
    };
  };

/** The hub as it is wired, over the world of the deployment. */
const hub: StartSubject = ({ world, feeds, clock }) => {
  const faults: unknown[] = [];
  const streams = new LiveHub({
    clock,
    random: () => 0.5,
    world: createLiveWorld({ world, feeds, clock, countries: nowhere }),
    turn: () => Promise.resolve(),
    onFault: (error) => void faults.push(error),
  });
  return {
    streams,
    async put(shard) {
      await world.put(shard);
      streams.noteShown(shard.source_id);
    },
    async settle() {
      await streams.flush();
      await turns();
      assert.deepEqual(faults, []);
    },
    close: () => streams.close(),
  };
};

const turns = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("what a subscriber shows is what a poll of the same moment answers, whatever happened", async () => {
  const property = fc.asyncProperty(aSchedule, (steps) => runSchedule(steps, hub));
  await fc.assert(property, { numRuns: sized(80, 10_000) });
});

test("the simplest stream passes", async () => {
  const property = fc.asyncProperty(aSchedule, (steps) => runSchedule(steps, naive()));
  await fc.assert(property, { numRuns: sized(40, 500) });
});

/** Each in a delta that has something to be wrong about. */
const FAULTS: Readonly<Record<string, Plant>> = {
  "a delta that is lost": (delta, number) => (number === 1 ? null : delta),
  "something that stays though it left": (delta) => ({ ...delta, left: [] }),
  "something that enters twice": (delta) => ({
    ...delta,
    entered: [...delta.entered, ...delta.changed],
    changed: [],
  }),
  "a count that is old": (delta) => ({
    ...delta,
    changed: delta.changed.filter(({ kind }) => kind !== "station"),
  }),
  "a reason that is wrong": (delta) => ({
    ...delta,
    left: delta.left.map(({ id, reason }) => ({
      id,
      reason: reason === "merged" ? "gone" : reason,
    })),
  }),
};

for (const [fault, plant] of Object.entries(FAULTS))
  test(`the judge sees ${fault}`, async () => {
    const property = fc.asyncProperty(aSchedule, (steps) => runSchedule(steps, naive(plant)));
    const found = await fc.check(property, { numRuns: 300, endOnFailure: true });
    assert.ok(found.failed, "no schedule has shown it");
  });
