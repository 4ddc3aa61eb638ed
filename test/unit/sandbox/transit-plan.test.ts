// What is meant to run in the simulated cities, and what happens to it: fixed by the seed and the time.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CITIES } from "../../../sandbox/world/cities.ts";
import { createDays } from "../../../sandbox/world/transit-days.ts";
import { fateOf, listReports, type Reported } from "../../../sandbox/world/transit-live.ts";
import { createNetwork } from "../../../sandbox/world/transit.ts";
import {
  createTimetable,
  listRuns,
  type Run,
  type Timetable,
} from "../../../sandbox/world/transit-runs.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const cityOf = (id: string) => CITIES.find((city) => city.id === id)!;
const timetableOf = (id: string, seed = 1): Timetable =>
  createTimetable(createNetwork(cityOf(id), seed));
const all = CITIES.map(({ id }) => timetableOf(id));
/** A Wednesday that is no holiday, at noon in Paris. */
const WEDNESDAY = Date.UTC(2026, 10, 18) / (24 * HOUR_MS);
const dayOf = (at_ms: number): number => Math.floor(at_ms / (24 * HOUR_MS));

describe("service days", () => {
  test("they begin twelve hours before noon, also where clocks are changed", () => {
    const paris = createDays("Europe/Paris");
    const at = (iso: string): number => dayOf(Date.parse(`${iso}T00:00:00Z`));
    const start = (iso: string): string => new Date(paris.start_ms(at(iso))).toISOString();
    assert.equal(start("2026-01-15"), "2026-01-14T23:00:00.000Z");
    assert.equal(start("2026-07-15"), "2026-07-14T22:00:00.000Z");
    // In these nights an hour is missing, or there twice.
    assert.equal(start("2026-03-29"), "2026-03-28T22:00:00.000Z");
    assert.equal(start("2026-10-25"), "2026-10-24T23:00:00.000Z");
  });
});

describe("timetables", () => {
  test("same seed, same trips; another seed, other trips", () => {
    const trips = (seed: number) => timetableOf("berlin", seed).ways.map((way) => way.trips);
    assert.deepEqual(trips(7), trips(7));
    assert.notDeepEqual(trips(7), trips(8));
  });

  test("trips run past midnight, and nowhere is a station left before it was reached", () => {
    for (const { ways, network } of all)
      for (const way of ways) {
        assert.equal(way.departs_s.length, way.calls.length, network.city.id);
        for (const [n, at_s] of way.departs_s.entries()) {
          const arrives_s = at_s - way.dwells_s[n]!;
          assert.ok(n === 0 || arrives_s >= way.departs_s[n - 1]! + 60);
        }
      }
    const late = all.filter(({ ways }) =>
      ways.some((way) => way.trips.some(({ start_s }) => start_s >= 25 * 3600)),
    );
    assert.equal(late.length, all.length);
  });
});

describe("what happens", () => {
  const berlin = timetableOf("berlin");
  const noon_ms = berlin.days.start_ms(WEDNESDAY) + 12 * HOUR_MS;
  const habits = { part: 0, drops: false } as const;
  const day = (timetable: Timetable): Run[] => {
    const begin = timetable.days.start_ms(WEDNESDAY);
    return timetable.ways.flatMap((way) =>
      listRuns(timetable, way, begin + 5 * HOUR_MS, begin + 25 * HOUR_MS),
    );
  };

  test("the same minute says the same on every start", () => {
    const again = timetableOf("berlin");
    const minute = (timetable: Timetable): Reported[] =>
      listReports(timetable, habits, noon_ms + 7 * MINUTE_MS);
    assert.ok(minute(berlin).length > 50);
    assert.deepEqual(minute(berlin), minute(again));
    assert.notDeepEqual(minute(berlin), minute(timetableOf("berlin", 2)));
  });

  test("delays grow and shrink along a trip, some are early, and no vehicle overtakes itself", () => {
    const seen = { grew: 0, shrank: 0, early: 0, late: 0, cancelled: 0, skipped: 0, moved: 0 };
    const runs = day(berlin);
    for (const run of runs) {
      const { delays_s, cancelled, skipped, moved } = fateOf(run, berlin.network);
      const steps = delays_s.slice(1).map((delay_s, n) => delay_s - delays_s[n]!);
      if (steps.some((step) => step > 0)) seen.grew++;
      if (steps.some((step) => step < 0)) seen.shrank++;
      if (delays_s.some((delay_s) => delay_s < 0)) seen.early++;
      if (delays_s[0]! > 300) seen.late++;
      if (cancelled) seen.cancelled++;
      if (skipped !== null) seen.skipped++;
      if (moved !== null) seen.moved++;
      for (const [n, step] of steps.entries()) {
        const hop_s = run.way.departs_s[n + 1]! - run.way.departs_s[n]!;
        assert.ok(hop_s + step >= 0, `${hop_s} ${step}`);
      }
    }
    const share = (name: keyof typeof seen): number => seen[name] / runs.length;
    assert.ok(share("grew") > 0.4 && share("shrank") > 0.2, JSON.stringify(seen));
    assert.ok(share("early") > 0.05 && share("late") > 0.1, JSON.stringify(seen));
    for (const name of ["cancelled", "skipped", "moved"] as const)
      assert.ok(share(name) > 0.015 && share(name) < 0.12, `${name} ${JSON.stringify(seen)}`);
  });
});
