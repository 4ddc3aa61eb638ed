// What is meant to run in the simulated cities, and what happens to it: fixed by the seed and the time.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { CITIES } from "../../../sandbox/world/cities.ts";
import { listAlerts } from "../../../sandbox/world/transit-alerts.ts";
import { createDays, isHoliday, runsOn } from "../../../sandbox/world/transit-days.ts";
import {
  type CallReport,
  fateOf,
  listReports,
  reportOf,
  type Reported,
} from "../../../sandbox/world/transit-live.ts";
import { createNetwork } from "../../../sandbox/world/transit.ts";
import type { TransitMode } from "../../../sandbox/world/transit-model.ts";
import {
  createTimetable,
  lengthOf,
  listAdded,
  listRuns,
  type Run,
  type Timetable,
  type Way,
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

  test("workdays do not run on holidays, and the festive ones on nothing else", () => {
    const days = Array.from({ length: 400 }, (_, n) => WEDNESDAY + n);
    const on = (service: Parameters<typeof runsOn>[0]): number =>
      days.filter((day) => runsOn(service, day)).length;
    assert.equal(on("daily"), 400);
    assert.equal(on("festive"), days.filter(isHoliday).length);
    assert.ok(on("workdays") > 250 && on("workdays") < 285);
    assert.ok(days.every((day) => !(isHoliday(day) && runsOn("workdays", day))));
    // The night of a Friday and that of a Saturday.
    const friday = dayOf(Date.UTC(2026, 10, 20));
    const nights = [0, 1, 2].map((more) => runsOn("nights", friday + more));
    assert.deepEqual(nights, [true, true, false]);
  });
});

describe("timetables", () => {
  test("same seed, same trips; another seed, other trips", () => {
    const trips = (seed: number) => timetableOf("berlin", seed).ways.map((way) => way.trips);
    assert.deepEqual(trips(7), trips(7));
    assert.notDeepEqual(trips(7), trips(8));
  });

  test("headways are a city's: by day, at night, at weekends", () => {
    const [noon, saturday] = [WEDNESDAY, WEDNESDAY + 3].map((day) => day * 24 * HOUR_MS);
    const headways = (mode: TransitMode, from_h: number, to_h: number, day_ms: number) =>
      all
        .filter(({ network }) => network.city.id !== "mexico-city")
        .flatMap((timetable) =>
          timetable.ways
            .filter(({ line }) => line.mode === mode)
            .map((way) => {
              const begin = timetable.days.start_ms(dayOf(day_ms));
              const runs = listRuns(
                timetable,
                way,
                begin + from_h * HOUR_MS,
                begin + to_h * HOUR_MS,
              );
              return ((to_h - from_h) * 60) / runs.length;
            }),
        );
    const within = (list: number[], low: number, high: number): void =>
      assert.ok(list.length > 0 && list.every((each) => each >= low && each <= high), list.join());
    within(headways("metro", 8, 20, noon!), 3.9, 6.2);
    within(headways("tram", 8, 20, noon!), 7.8, 12.5);
    within(headways("bus", 8, 20, noon!), 9.7, 15.5);
    within(headways("rail", 8, 20, noon!), 19, 31);
    within(headways("rapid_transit", 8, 20, noon!), 14.5, 15.5);
    within(headways("metro", 8, 20, saturday!), 7.8, 12.5);
    within(headways("tram", 21, 24, noon!), 14, 30);
    // An hour, or nothing at all.
    within(headways("bus", 25, 28, noon!), 60, Infinity);
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

  test("one city promises intervals for its metro, and keeps exact ones for its trams", () => {
    const mexico = timetableOf("mexico-city");
    const repeats = (mode: TransitMode): boolean[] =>
      mexico.ways
        .filter(({ line }) => line.mode === mode)
        .flatMap(({ trips }) => trips.flatMap((trip) => trip.repeats))
        .map(({ is_exact }) => is_exact);
    assert.ok(repeats("metro").length > 0 && !repeats("metro").includes(true));
    assert.ok(repeats("tram").length > 0 && !repeats("tram").includes(false));
    const others = all.filter(({ network }) => network.city.id !== "mexico-city");
    assert.ok(others.every(({ ways }) => ways.every((w) => w.trips.every((t) => !t.repeats[0]))));
  });

  test("a run is found in exactly the spans that hold its start", () => {
    const paris = all[0]!;
    const begin = paris.days.start_ms(WEDNESDAY);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: paris.ways.length - 1 }),
        fc.integer({ min: 0, max: 30 * 60 }),
        fc.integer({ min: 0, max: 300 }),
        (way_index, from_min, length_min) => {
          const way = paris.ways[way_index]!;
          const from_ms = begin + from_min * MINUTE_MS;
          const to_ms = from_ms + length_min * MINUTE_MS;
          const whole = listRuns(paris, way, begin - 24 * HOUR_MS, begin + 48 * HOUR_MS);
          const wanted = whole.filter((run) => run.start_ms >= from_ms && run.start_ms < to_ms);
          assert.deepEqual(keys(listRuns(paris, way, from_ms, to_ms)), keys(wanted));
        },
      ),
      { numRuns: 30 },
    );
  });
});

const keys = (runs: readonly Run[]): number[] => inOrder(runs.map(({ key }) => key));
const inOrder = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

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

  test("a feed is silent of some runs, of all that are far off, and of parts of others", () => {
    const runs = day(berlin);
    const speaks = (run: Run, before_min: number) =>
      reportOf(run, berlin.network, habits, run.start_ms - before_min * MINUTE_MS);
    assert.ok(runs.every((run) => speaks(run, 41) === null));
    const silent = runs.filter((run) => speaks(run, 5) === null).length / runs.length;
    assert.ok(silent > 0.06 && silent < 0.14, String(silent));
    const gaps = runs.filter((run) => speaks(run, 5)?.calls.some(({ kind }) => kind === "silent"));
    assert.ok(gaps.length / runs.length > 0.05);
    // Twenty minutes after its end there is nothing left of it.
    const over = (run: Run): number => -(lengthOf(run.way) / 60 + 25 + 20);
    assert.ok(runs.every((run) => speaks(run, over(run)) === null));
  });

  test("once a run has started no forecast changes; before, some do", () => {
    const runs = day(berlin);
    const said = (run: Run, at_ms: number) => reportOf(run, berlin.network, habits, at_ms);
    const delays = (calls: readonly CallReport[] | undefined) =>
      calls?.map((call) => (call.kind === "given" ? call.delay_s : call.kind));
    let changed = 0;
    for (const run of runs) {
      const first = said(run, run.start_ms);
      const later = said(run, run.start_ms + 2 * MINUTE_MS);
      assert.deepEqual(delays(first?.calls), delays(later?.calls));
      const before = said(run, run.start_ms - 12 * MINUTE_MS);
      if (JSON.stringify(before) !== JSON.stringify(first)) changed++;
    }
    assert.ok(changed > runs.length / 3, `${changed} of ${runs.length}`);
  });

  test("some runs are in no timetable, at any hour of the day the same ones", () => {
    const begin = berlin.days.start_ms(WEDNESDAY);
    const added = (way: Way, from_h: number, to_h: number): number[] =>
      keys(listAdded(berlin, way, begin + from_h * HOUR_MS, begin + to_h * HOUR_MS));
    const whole = berlin.ways.flatMap((way) => added(way, 0, 24));
    assert.ok(whole.length > 10, String(whole.length));
    const halves = berlin.ways.flatMap((way) => [...added(way, 0, 12), ...added(way, 12, 24)]);
    assert.deepEqual(inOrder(whole), inOrder(halves));
  });

  test("alerts come and go", () => {
    const ids = Array.from({ length: 24 }, (_, h) =>
      listAlerts(berlin, 0, noon_ms + h * HOUR_MS)
        .map(({ id }) => id)
        .join(),
    );
    assert.ok(new Set(ids).size > 3, ids.join(" | "));
  });
});
