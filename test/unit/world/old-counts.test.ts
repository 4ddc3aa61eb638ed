/** An old zero and an old count are treated alike (R7, R9): beyond the age of a report both are unknown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeState } from "#core/nearby/action-state.ts";
import { createWorld } from "#world/world.ts";
import { aShard, aStation, aStatus, HERE, NOW_MS, NOW_S } from "../../support/domain.ts";

type Age = { doc_age_s: number; reported_s: number | null };

/** What a station with this many vehicles and docks lets a rider do. */
function actionsOf(count: number, { doc_age_s, reported_s }: Age) {
  const last_reported_s = reported_s === null ? null : NOW_S - reported_s;
  const world = createWorld();
  world.register({ source_id: "sys", country: null });
  world.put(
    aShard({
      stations: [aStation("a")],
      statuses: [aStatus("a", { vehicles: count, docks: count, last_reported_s })],
      doc_age_s,
    }),
  );
  const circle = { ...HERE, radius_m: 100 };
  const { items } = world.search(world.list(), {
    ...{ circle, modes: 0b1111, stations: true, vehicles: false, now_ms: NOW_MS },
  });
  const { pickup, return: returning } = describeState(items[0]!.state).action_state;
  return [pickup, returning];
}

const HOUR = 3_600;
const OLD: readonly [what: string, age: Age][] = [
  ["a document of two hours", { doc_age_s: 2 * HOUR, reported_s: null }],
  [
    "a document of two hours whose stations spoke then",
    { doc_age_s: 2 * HOUR, reported_s: 2 * HOUR },
  ],
  ["a document of just over an hour", { doc_age_s: HOUR + 1, reported_s: null }],
  ["a station that was silent for more than a day", { doc_age_s: 5, reported_s: 24 * HOUR + 1 }],
  ["both", { doc_age_s: 2 * HOUR, reported_s: 30 * HOUR }],
];

for (const [what, age] of OLD)
  test(`${what}: a zero is as unknown as a count`, () => {
    assert.deepEqual(actionsOf(0, age), ["unknown", "unknown"]);
    assert.deepEqual(actionsOf(14, age), ["unknown", "unknown"]);
  });

test("up to the age both are known", () => {
  for (const age of [
    { doc_age_s: HOUR, reported_s: null },
    { doc_age_s: 5, reported_s: 24 * HOUR },
  ]) {
    assert.deepEqual(actionsOf(0, age), ["unavailable_now", "unavailable_now"]);
    assert.deepEqual(actionsOf(14, age), ["available_now", "available_now"]);
  }
});
