/** An opened timetable: calls between two moments, what is known of trips, and how much it looks at. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CALL } from "../../timetable/timetable-draft.ts";
import type { TimetableColumns, TimetableMeta } from "../../timetable/timetable-layout.ts";
import { Budget } from "#kit/budget.ts";
import { isServed, openTimetable, profileOf, type Timetable } from "../../timetable/timetable.ts";
import { SMALL } from "../../../../test/support/gtfs.ts";
import { listCalls, openTexts, runsOnlyOn } from "../../../../test/support/timetables.ts";

const ONE_DAY = runsOnlyOn("20260105");
const trips = (...ids: string[]): string =>
  ["route_id,service_id,trip_id", ...ids.map((id) => `R1,W,${id}`)].join("\n");
const calls = (...rows: string[]): string =>
  ["trip_id,stop_id,stop_sequence,departure_time", ...rows].join("\n");

test("from is inclusive, to is exclusive", () => {
  const open = openTexts(ONE_DAY);
  const at = (from: string, to: string): number =>
    listCalls(open, "S", { from: `2026-01-05T${from}Z`, to: `2026-01-05T${to}Z` }).length;
  // 8:00 in Paris, and 8:05:30.
  assert.equal(at("07:00:00.000", "07:00:00.001"), 1);
  assert.equal(at("06:00:00.000", "07:00:00.000"), 0);
  assert.equal(at("07:00:00.001", "07:05:30.000"), 0);
  assert.equal(at("07:00:00.000", "07:05:30.001"), 2);
  assert.equal(at("07:00:00.000", "07:00:00.000"), 0);
  assert.equal(at("08:00:00.000", "07:00:00.000"), 0);
});

test("the last call is no departure, the first no arrival; an arrival is before the dwell", () => {
  const open = openTexts(ONE_DAY);
  assert.deepEqual(listCalls(open, "S"), [
    "T1 P1 2026-01-05T07:00:00Z",
    "T1 P2 2026-01-05T07:05:30Z",
  ]);
  assert.deepEqual(listCalls(open, "A"), []);
  assert.deepEqual(listCalls(open, "S", { kind: "arrivals" }), ["T1 P2 2026-01-05T07:05:00Z"]);
  assert.deepEqual(listCalls(open, "A", { kind: "arrivals" }), ["T1 A 2026-01-05T07:10:00Z"]);
});

test("trips of one profile are found whatever the order of their rows", () => {
  const starts = ["10:00", "08:00", "11:00", "09:00", "08:30"];
  const open = openTexts({
    ...ONE_DAY,
    "trips.txt": trips(...starts),
    "stop_times.txt": calls(
      ...starts.flatMap((start) => [`${start},P1,1,${start}:00`, `${start},A,2,${start}:00`]),
    ),
  });
  assert.equal(open.timetable!.meta.counts.profiles, 1);
  for (const start of starts) {
    const at_ms = Date.parse(`2026-01-05T${start}:00+01:00`);
    const [from, to] = [at_ms, at_ms + 1_000].map((ms) => new Date(ms).toISOString());
    const result = listCalls(open, "S", { from: from!, to: to! });
    assert.deepEqual(result, [`${start} P1 ${from!.replace(".000Z", "Z")}`]);
  }
});

test("a trip of the day before is still there after midnight, and one of days before", () => {
  const open = openTexts({
    ...ONE_DAY,
    "trips.txt": trips("late", "long"),
    "stop_times.txt": calls(
      "late,P1,1,25:30:00",
      "late,A,2,26:00:00",
      "long,P1,1,1:00:00",
      "long,P1,2,99:00:00",
      "long,A,3,100:00:00",
    ),
  });
  assert.deepEqual(listCalls(open, "S", { from: "2026-01-06T00:00Z", to: "2026-01-06T01:00Z" }), [
    "late P1 2026-01-06T00:30:00Z",
  ]);
  assert.deepEqual(listCalls(open, "S", { from: "2026-01-09T00:00Z", to: "2026-01-10T00:00Z" }), [
    "long P1 2026-01-09T02:00:00Z",
  ]);
});

test("a service day is that of the zone, on the day line, too", () => {
  for (const [zone, at] of [
    ["Pacific/Kiritimati", "2026-01-04T18:00:00Z"],
    ["Pacific/Pago_Pago", "2026-01-05T19:00:00Z"],
  ] as const) {
    const open = openTexts({
      ...ONE_DAY,
      "agency.txt": `agency_name,agency_timezone\nA,${zone}\n`,
    });
    assert.equal(listCalls(open, "S", { from: at, to: "2026-01-06T00:00Z" })[0], `T1 P1 ${at}`);
    assert.equal(
      open.timetable!.list(
        0,
        { kind: "departures", from_ms: 0, to_ms: Date.parse(at) },
        new Budget({ looks: 1_000, keeps: 10 }),
      ).length,
      0,
    );
  }
});

test("without a zone that is known nothing departs", () => {
  for (const zone of ["", "Nowhere/At_All"]) {
    const open = openTexts({
      ...ONE_DAY,
      "agency.txt": `agency_name,agency_timezone\nA,${zone}\n`,
    });
    assert.deepEqual(listCalls(open, "S"), []);
    assert.equal(open.timetable!.dayStart_ms(20_458), null);
  }
});

test("boarding and alighting are apart", () => {
  for (let pickup = 0; pickup < 4; pickup++)
    for (let drop_off = 0; drop_off < 4; drop_off++)
      for (const more of [0, CALL.approximate]) {
        const flags = pickup | (drop_off << CALL.drop_off_shift) | more;
        assert.equal(isServed(flags, "departures"), pickup !== 1);
        assert.equal(isServed(flags, "arrivals"), drop_off !== 1);
      }
});

test("facts of a trip", () => {
  const { timetable } = openTexts({
    "trips.txt":
      "route_id,service_id,trip_id,trip_headsign,trip_short_name,wheelchair_accessible\nR1,W,T1,Nord,IC 1,2\n",
  });
  const row = timetable!.findTrip("T1")!;
  assert.deepEqual(timetable!.trip(row), { id: "T1", route: 0, short_name: "IC 1", wheelchair: 2 });
  assert.equal(timetable!.headsign(row, 0), "Nord");
});

test("a trip is found by its id and by no other text", () => {
  const arbId = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }).map((text) =>
    // What a reader of tables would take for something else.
    text.replaceAll(/[",\r\n\t ]/g, "_"),
  );
  fc.assert(
    fc.property(fc.uniqueArray(arbId, { maxLength: 20 }), arbId, (ids, other) => {
      const { timetable } = openTexts({
        "trips.txt": trips(...ids),
        "stop_times.txt": calls(
          ...ids.flatMap((id) => [`${id},P1,1,8:00:00`, `${id},A,2,9:00:00`]),
        ),
      });
      for (const id of ids) assert.equal(timetable!.trip(timetable!.findTrip(id)!).id, id);
      if (!ids.includes(other)) assert.equal(timetable!.findTrip(other), null);
      for (const id of ids)
        if (!ids.includes(`${id}x`)) assert.equal(timetable!.findTrip(`${id}x`), null);
    }),
    { numRuns: 30 },
  );
});

test("each trip has its profile", () => {
  const ids = Array.from({ length: 30 }, (_, i) => `t${i}`);
  const { timetable } = openTexts({
    "trips.txt": trips(...ids),
    // 1, 2, 3… trips by the same times.
    "stop_times.txt": calls(
      ...ids.flatMap((id, i) => [
        `${id},P1,1,8:00:00`,
        `${id},A,2,9:${String(Math.floor(Math.sqrt(i))).padStart(2, "0")}:00`,
      ]),
    ),
  });
  const { columns } = timetable!;
  assert.equal(columns.profile_trips.length, 7);
  ids.forEach((id, i) => {
    const profile = profileOf(columns, timetable!.findTrip(id)!);
    const last = columns.profile_starts[profile + 1]! - 1;
    assert.equal(columns.profile_departures[last], 3_600 + 60 * Math.floor(Math.sqrt(i)));
  });
});

test("no more calls are kept than the budget allows, and it is spent", () => {
  const daily = Array.from({ length: 60 }, (_, i) => `T${i}`);
  const byTimetable = {
    "trips.txt": trips(...daily),
    "stop_times.txt": calls(...daily.flatMap((id) => [`${id},P1,1,8:00:00`, `${id},A,2,9:00:00`])),
  };
  const byFrequency = {
    "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nT1,0:00:00,10:00:00,30\n",
  };
  for (const texts of [byTimetable, byFrequency]) {
    const open = openTexts(texts);
    const list = (from: string, to: string) => {
      const budget = new Budget({ looks: 1_000_000, keeps: 1_000 });
      const [from_ms, to_ms] = [Date.parse(from), Date.parse(to)];
      const query = { kind: "departures", from_ms, to_ms } as const;
      const match = open.timetable!.list(open.findStation("S")!, query, budget);
      return { count: match.length, isCut: budget.isSpent };
    };
    const all = list("2026-01-01T00:00Z", "2027-01-01T00:00Z");
    assert.equal(all.count, 1_000);
    assert.equal(all.isCut, true);
    assert.equal(list("2026-01-01T00:00Z", "2026-01-01T01:00Z").isCut, false);
  }
});

/** One pattern of two calls; `trips` each on its own profile, or all on one. They run on day 0 only. */
function crowd(count: number, { together }: { together: boolean }): Timetable {
  const profiles = together ? 1 : count;
  const steps = (length: number, step: number): Uint32Array =>
    Uint32Array.from({ length }, (_, i) => i * step);
  const meta: TimetableMeta = {
    time_zone: "UTC",
    max_time_s: 0,
    days: [0, 40_000],
    counts: { calls: 0, trips: count, patterns: 1, profiles },
  };
  const columns: Partial<TimetableColumns> = {
    station_stops: Uint32Array.of(0),
    station_stop_starts: Uint32Array.of(0, 1),
    stop_call_starts: Uint32Array.of(0, 1),
    stop_call_patterns: Uint32Array.of(0),
    stop_call_positions: Uint16Array.of(0),
    pattern_starts: Uint32Array.of(0, 2),
    pattern_flags: Uint8Array.of(0, 0),
    pattern_profiles: Uint32Array.of(0, profiles),
    profile_starts: steps(profiles + 1, 2),
    profile_departures: new Int32Array(2 * profiles),
    profile_dwells: new Uint16Array(2 * profiles),
    profile_frequent: new Uint8Array(profiles),
    profile_trips: together ? Uint32Array.of(0, count) : steps(count + 1, 1),
    trip_starts_s: new Int32Array(count),
    trip_services: new Uint32Array(count),
    service_weekdays: Uint8Array.of(0x7f),
    service_from: Int32Array.of(0),
    service_to: Int32Array.of(0),
    exception_starts: Uint32Array.of(0, 0),
    exceptions: new Int32Array(0),
  };
  return openTimetable(meta, columns as TimetableColumns);
}

test("no more profiles and trips are looked at than the budget allows, and it is spent", () => {
  // A day on which nothing runs: whatever is looked at, nothing is found.
  const from_ms = Date.UTC(2026, 0);
  const query = { kind: "departures", from_ms, to_ms: from_ms + 1 } as const;
  const look = (count: number, options: { together: boolean; looks: number }): boolean => {
    const budget = new Budget({ looks: options.looks, keeps: 1 });
    assert.deepEqual(crowd(count, options).list(0, query, budget), []);
    return budget.isSpent;
  };
  // One call of the stop, and each profile on the two days that may reach into the window, on one
  // of which its trip is looked at.
  assert.equal(look(100, { together: false, looks: 1 + 100 * 3 }), false);
  assert.equal(look(100, { together: false, looks: 100 * 3 }), true);
  assert.equal(look(100, { together: true, looks: 1 + 2 + 100 }), false);
  assert.equal(look(100, { together: true, looks: 2 + 100 }), true);
});

test("of routes that are not wanted nothing is listed", () => {
  const open = openTexts(ONE_DAY);
  const query = { kind: "departures", from_ms: 0, to_ms: Date.UTC(2027, 0) } as const;
  const list = (wanted: number) =>
    open.timetable!.list(
      open.findStation("S")!,
      { ...query, routes: Uint8Array.of(wanted) },
      new Budget({ looks: 1_000, keeps: 10 }),
    ).length;
  assert.deepEqual([list(0), list(1)], [0, 2]);
});

test("a station that nothing departs from has an empty list", () => {
  const open = openTexts({ "stop_times.txt": `${SMALL["stop_times.txt"]}T9,A,1,,\n` });
  assert.deepEqual(listCalls(open, "A"), []);
});
