/** From files to calls: one rule of mobility.md 3.1 per test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CALL } from "../../timetable/timetable-draft.ts";
import type { OpenFeed } from "../../schedule/feed-pack.ts";
import type { TrailEntry } from "#kit/trail.ts";
import { feedOf, SMALL, type FeedTexts } from "../../../../test/support/gtfs.ts";
import { sized } from "../../../../test/support/size.ts";
import { ample, listCalls, openTexts, runsOnlyOn } from "../../../../test/support/timetables.ts";

const ONE_DAY = runsOnlyOn("20260105");
const COLUMNS = "trip_id,stop_id,stop_sequence,arrival_time,departure_time";
const calls = (...rows: string[]): FeedTexts => ({
  "stop_times.txt": [COLUMNS, ...rows].join("\n"),
});
const reasons = (entries: readonly TrailEntry[]): Record<string, number> =>
  Object.fromEntries(entries.map(({ reason, count }) => [reason, count]));

/** Times of P1, P2 (both of S) and A, in UTC; departures and arrivals. */
function timesOf(texts: FeedTexts): { departures: string[]; arrivals: string[] } {
  const open = openTexts({ ...ONE_DAY, ...texts });
  const list = (kind: "departures" | "arrivals"): string[] =>
    ["S", "A"]
      .filter((id) => open.findStation(id) !== null)
      .flatMap((id) => listCalls(open, id, { kind }))
      .map((text) => text.replace(/^T1 (.*) 2026-01-05T(.*)Z$/, "$1 $2"));
  return { departures: list("departures"), arrivals: list("arrivals") };
}

test("one of two times is both; an arrival after the departure is no dwell", () => {
  const { departures, arrivals } = timesOf(
    calls(
      "T1,A,1,,08:00:00",
      "T1,P1,2,08:10:00,",
      "T1,P2,3,,08:20:00",
      "T1,P1,4,08:35:00,08:30:00",
      "T1,P2,5,08:40:00,08:45:00",
      "T1,A,6,09:00:00,",
    ),
  );
  assert.deepEqual(departures, [
    "P1 07:10:00",
    "P2 07:20:00",
    "P1 07:30:00",
    "P2 07:45:00",
    "A 07:00:00",
  ]);
  assert.deepEqual(arrivals, [
    "P1 07:10:00",
    "P2 07:20:00",
    "P1 07:30:00",
    "P2 07:40:00",
    "A 08:00:00",
  ]);
});

test("one time that is stated is exact", () => {
  const texts = calls("T1,P1,1,,08:00:00", "T1,P2,2,08:10:00,", "T1,A,3,,", "T1,P1,4,08:20:00,x");
  const { columns } = openTexts({ ...ONE_DAY, ...texts }).timetable!;
  const approximate = Array.from(columns.pattern_flags, (bits) => bits & CALL.approximate);
  assert.deepEqual(approximate.map(Boolean), [false, false, true, false]);
});

test("calls without times are spread from the departure before to the arrival after, and are approximate", () => {
  const texts = calls(
    "T1,P1,1,07:59:00,08:00:00",
    "T1,P2,2,,",
    "T1,P1,3,,",
    "T1,P2,4,08:10:00,08:40:00",
    "T1,A,5,09:00:00,09:00:00",
  );
  const { departures } = timesOf(texts);
  assert.deepEqual(departures, ["P1 07:00:00", "P2 07:03:20", "P1 07:06:40", "P2 07:40:00"]);
  const { columns } = openTexts({ ...ONE_DAY, ...texts }).timetable!;
  const approximate = Array.from(columns.pattern_flags, (bits) => bits & CALL.approximate);
  assert.deepEqual(approximate.map(Boolean), [false, true, true, false, false]);
});

test("spread calls are whole seconds, half up", () => {
  const { departures } = timesOf(
    calls(
      "T1,P1,1,,8:00:00",
      "T1,P2,2,,",
      "T1,P1,3,,",
      "T1,P2,4,,",
      "T1,A,5,8:00:02,",
      "T1,A,6,9:00:00,",
    ),
  );
  assert.deepEqual(departures, [
    "P1 07:00:00",
    "P1 07:00:01",
    "P2 07:00:01",
    "P2 07:00:02",
    "A 07:00:02",
  ]);
});

test("calls before the first and after the last time are not listed, and take no one's place", () => {
  const { departures, arrivals } = timesOf(
    calls("T1,P1,1,,", "T1,P2,2,08:00:00,08:00:00", "T1,A,3,08:10:00,08:10:00", "T1,P1,4,,"),
  );
  // Neither is the first or the last of its trip: there is a call before, and one behind.
  assert.deepEqual(departures, ["P2 07:00:00", "A 07:10:00"]);
  assert.deepEqual(arrivals, ["P2 07:00:00", "A 07:10:00"]);
});

test("a trip without any time is left out, and reported", () => {
  const { trail, feed } = feedOf({ ...ONE_DAY, ...calls("T1,P1,1,,", "T1,A,2,soon,8:5:00") });
  assert.deepEqual(reasons(trail.dropped), { trip_without_times: 1 });
  assert.deepEqual(reasons(trail.repaired), { unreadable_time: 2 });
  assert.equal(feed.stations.length, 2, "its stations are served");
});

test("timepoint 0 is approximate; 1, nothing and what is unreadable are not", () => {
  const rows = ["0", "1", "", "x"].map((timepoint, i) => `T1,P1,${i},8:00:00,8:00:00,${timepoint}`);
  const texts = { "stop_times.txt": [`${COLUMNS},timepoint`, ...rows].join("\n") };
  const { columns } = openTexts({ ...ONE_DAY, ...texts }).timetable!;
  const approximate = Array.from(columns.pattern_flags, (bits) => bits & CALL.approximate);
  assert.deepEqual(approximate.map(Boolean), [true, false, false, false]);
});

test("trips of two patterns, whose times differ, keep apart", () => {
  const open = openTexts({
    ...ONE_DAY,
    "trips.txt": "route_id,service_id,trip_id\nR1,W,T1\nR1,W,T2\nR1,W,T3\nR1,W,T4\n",
    ...calls(
      "T1,P1,1,,8:00:00",
      "T1,A,2,,8:10:00",
      "T2,P2,1,,8:01:00",
      "T2,A,2,,8:10:00",
      "T3,P1,1,,8:02:00",
      "T3,A,2,,8:11:00",
      "T4,P2,1,,8:03:00",
      "T4,A,2,,8:20:00",
    ),
  });
  assert.deepEqual(listCalls(open, "S"), [
    "T1 P1 2026-01-05T07:00:00Z",
    "T2 P2 2026-01-05T07:01:00Z",
    "T3 P1 2026-01-05T07:02:00Z",
    "T4 P2 2026-01-05T07:03:00Z",
  ]);
  assert.deepEqual(open.timetable!.meta.counts, { calls: 8, trips: 4, patterns: 2, profiles: 4 });
});

test("times beyond 24 hours belong to the day before", () => {
  const open = openTexts({
    ...ONE_DAY,
    ...calls("T1,P1,1,,24:00:00", "T1,P2,2,,47:59:59", "T1,A,3,48:00:00,"),
  });
  assert.deepEqual(listCalls(open, "S"), [
    "T1 P1 2026-01-05T23:00:00Z",
    "T1 P2 2026-01-06T22:59:59Z",
  ]);
  assert.deepEqual(listCalls(open, "A", { kind: "arrivals" }), ["T1 A 2026-01-06T23:00:00Z"]);
});

test("without boarding a call is no departure, without alighting no arrival", () => {
  const header = `${COLUMNS},pickup_type,drop_off_type`;
  const times = "08:00:00,08:00:00";
  const rows = [
    `T1,A,1,${times},,`,
    ...["0,1", "1,0", "2,3", "1,1", ",", "9,x"].map(
      (types, i) => `T1,P1,${i + 2},0${i + 1}:00:00,,${types}`,
    ),
    `T1,A,9,${times},,`,
  ];
  const { departures, arrivals } = timesOf({ "stop_times.txt": [header, ...rows].join("\n") });
  const hours = (texts: string[]): string[] =>
    texts.filter((text) => text.startsWith("P1")).map((text) => text.slice(3, 5));
  // 01:00 in Paris is midnight: 0,1 is row 0.
  assert.deepEqual(hours(departures), ["00", "02", "04", "05"]);
  assert.deepEqual(hours(arrivals), ["01", "02", "04", "05"]);
});

test("a call's headsign is its own, else the trip's, else unknown", () => {
  const open = openTexts({
    ...ONE_DAY,
    "trips.txt": "route_id,service_id,trip_id,trip_headsign\nR1,W,T1,Nord\nR1,W,T2,\n",
    "stop_times.txt": [
      `${COLUMNS},stop_headsign`,
      "T1,P1,1,8:00:00,,Süd",
      'T1,P2,2,8:01:00,,"West, über ""Ost"""',
      "T1,A,3,8:02:00,,",
      "T2,P1,1,8:00:00,,",
      "T2,P2,2,8:01:00,,",
    ].join("\n"),
  });
  const { headsign, findTrip } = open.timetable!;
  const of = (trip: string): unknown[] => [0, 1, 2].map((at) => headsign(findTrip(trip)!, at));
  assert.deepEqual(of("T1"), ["Süd", 'West, über "Ost"', "Nord"]);
  assert.deepEqual(of("T2").slice(0, 2), [null, null]);
});

test("platforms have their codes, or none", () => {
  const open = openTexts({
    ...ONE_DAY,
    "stops.txt":
      "stop_id,stop_lat,stop_lon,location_type,parent_station,platform_code\nS,1,1,1,,\nP1,1,1,0,S,4 b\nP2,1,1,0,S,\nA,2,2,,,\n",
  });
  const { list, platform, stopId } = open.timetable!;
  const query = { kind: "departures", from_ms: 0, to_ms: Date.UTC(2199, 0) } as const;
  const matches = list(open.findStation("S")!, query, ample()).map(({ stop }) => [
    stopId(stop),
    platform(stop),
  ]);
  assert.deepEqual(matches, [
    ["P1", "4 b"],
    ["P2", null],
  ]);
});

test("frequencies: whole headways from the start, below the end, with a promise or without one", () => {
  const open = openTexts({
    ...ONE_DAY,
    "frequencies.txt": [
      "trip_id,start_time,end_time,headway_secs,exact_times",
      "T1,06:00:00,06:30:00,600,0",
      "T1,23:50:00,24:20:00,1200,1",
    ].join("\n"),
  });
  const { list, stopId } = open.timetable!;
  const query = { kind: "departures", from_ms: 0, to_ms: Date.UTC(2199, 0) } as const;
  const rows = list(open.findStation("S")!, query, ample())
    .toSorted((a, b) => a.planned_ms - b.planned_ms)
    .map(({ stop, start_s, planned_ms, headway_s, day }) => {
      assert.equal(day, Date.UTC(2026, 0, 5) / 86_400_000);
      return [
        stopId(stop),
        start_s / 60,
        new Date(planned_ms).toISOString().slice(8, 19),
        headway_s,
      ];
    });
  assert.deepEqual(rows, [
    ["P1", 360, "05T05:00:00", 600],
    ["P2", 360, "05T05:05:30", 600],
    ["P1", 370, "05T05:10:00", 600],
    ["P2", 370, "05T05:15:30", 600],
    ["P1", 380, "05T05:20:00", 600],
    ["P2", 380, "05T05:25:30", 600],
    ["P1", 1_430, "05T22:50:00", null],
    ["P2", 1_430, "05T22:55:30", null],
    ["P1", 1_450, "05T23:10:00", null],
    ["P2", 1_450, "05T23:15:30", null],
  ]);
});

test("a window within the frequencies has just the runs in it", () => {
  const open = openTexts({
    ...ONE_DAY,
    "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,10:00:00,600\n",
  });
  const at = (from: string, to: string): string[] =>
    listCalls(open, "S", { from: `2026-01-05T${from}Z`, to: `2026-01-05T${to}Z` });
  assert.deepEqual(at("07:10:00", "07:20:00"), [
    "T1 P1 2026-01-05T07:10:00Z",
    "T1 P2 2026-01-05T07:15:30Z",
  ]);
  assert.deepEqual(at("07:10:01", "07:15:30"), []);
  assert.deepEqual(at("08:55:30", "12:00:00"), ["T1 P2 2026-01-05T08:55:30Z"]);
});

test("rows of frequencies that repeat nothing are dropped, and the trip runs as it says", () => {
  const rows = [
    "T1,06:00:00,06:00:00,600",
    "T1,07:00:00,06:00:00,600",
    "T1,06:00:00,07:00:00,0",
    "T1,06:00:00,07:00:00,-5",
    "T1,06:00:00,07:00:00,",
    "T1,soon,07:00:00,600",
  ];
  const texts = {
    ...ONE_DAY,
    "frequencies.txt": [
      "trip_id,start_time,end_time,headway_secs",
      ...rows,
      "T9,06:00:00,07:00:00,600",
    ].join("\n"),
  };
  const { trail } = feedOf(texts);
  assert.deepEqual(reasons(trail.dropped), {
    frequency_of_unknown_trip: 1,
    frequency_without_times: 6,
  });
  assert.equal(listCalls(openTexts(texts), "S").length, 2);
});

test("rows of frequencies below 30 s, equal ones and too many are left out, each with its reason", () => {
  const read = (rows: readonly string[]) => {
    const texts = {
      ...ONE_DAY,
      "frequencies.txt": ["trip_id,start_time,end_time,headway_secs", ...rows].join("\n"),
    };
    const { trail } = feedOf(texts);
    return { dropped: reasons(trail.dropped), calls: listCalls(openTexts(texts), "S").length };
  };
  // Its own times are no departures of a trip that repeats.
  assert.deepEqual(read(["T1,06:00:00,07:00:00,29"]), {
    dropped: { frequency_below_30_s: 1 },
    calls: 0,
  });
  assert.deepEqual(read(Array.from({ length: 20 }, () => "T1,06:00:00,07:00:00,600")), {
    dropped: { frequency_repeated: 19 },
    calls: 2 * 6,
  });
  const many = Array.from({ length: 300 }, (_, i) => `T1,06:00:00,07:00:00,${600 + i}`);
  assert.deepEqual(read(many).dropped, { trip_repeated_too_often: 100 });
  const long = ["30", "31", "32"].map((headway) => `T1,00:00:00,40:00:00,${headway}`);
  assert.deepEqual(read(long).dropped, { trip_repeated_too_often: 1 });
});

/** What a feed says of T1, T2 and T3. */
function dump(open: OpenFeed): unknown {
  const { timetable } = open;
  const { columns, findTrip, headsign } = timetable!;
  const trips = ["T1", "T2", "T3"].map((id) => findTrip(id));
  const ids = Array.from({ length: open.count }, (_, row) => open.station(row).source.source_id);
  const lists = ids
    .toSorted()
    .map((id) => [
      id,
      listCalls(open, id).toSorted(),
      listCalls(open, id, { kind: "arrivals" }).toSorted(),
    ]);
  const sequences = trips.map((trip) => {
    if (trip === null) return null;
    const profile = columns.profile_trips.findLastIndex((first) => first <= trip);
    const pattern = columns.profile_patterns[profile]!;
    const [from, to] = [columns.pattern_starts[pattern]!, columns.pattern_starts[pattern + 1]!];
    return Array.from({ length: to - from }, (_, i) => [
      columns.pattern_sequences[from + i],
      columns.pattern_flags[from + i],
      headsign(trip, i),
    ]);
  });
  return { lists, sequences, counts: timetable!.meta.counts };
}

test("rows of trips may be mixed, in any order: the same comes of them", () => {
  const arbTime = fc.oneof(
    fc.constant(""),
    fc
      .nat(30 * 60)
      .map((minute) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}:00`),
  );
  const arbCall = fc.record({
    stop: fc.constantFrom("P1", "P2", "A"),
    arrival: arbTime,
    departure: arbTime,
    pickup: fc.constantFrom("", "1", "3"),
    headsign: fc.constantFrom("", "Via"),
  });
  const arbTrip = fc.array(arbCall, { maxLength: 6 });
  const header = `${COLUMNS},pickup_type,stop_headsign`;
  fc.assert(
    fc.property(fc.tuple(arbTrip, arbTrip, arbTrip), fc.infiniteStream(fc.nat()), (trips, keys) => {
      const rows = trips.flatMap((each, trip) =>
        each.map(
          ({ stop, arrival, departure, pickup, headsign }, i) =>
            `T${trip + 1},${stop},${i * 2},${arrival},${departure},${pickup},${headsign}`,
        ),
      );
      const mixed = rows
        .map((row) => ({ row, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ row }) => row);
      const open = (lines: readonly string[]): OpenFeed =>
        openTexts({
          ...ONE_DAY,
          "trips.txt": "route_id,service_id,trip_id\nR1,W,T1\nR1,W,T2\nR1,W,T3\n",
          "stop_times.txt": [header, ...lines].join("\n"),
        });
      assert.deepEqual(dump(open(mixed)), dump(open(rows)));
    }),
    { numRuns: sized(40, 100) },
  );
});

test("mixed rows without a sequence count in the order of their trip", () => {
  const rows = ["T1,P1,8:00:00", "T2,P1,8:00:00", "T1,P2,8:10:00", "T2,A,8:20:00", "T1,A,8:30:00"];
  const open = (lines: readonly string[]): OpenFeed =>
    openTexts({
      ...ONE_DAY,
      "trips.txt": "route_id,service_id,trip_id\nR1,W,T1\nR1,W,T2\n",
      "stop_times.txt": ["trip_id,stop_id,departure_time", ...lines].join("\n"),
    });
  const byTrip = rows.toSorted((a, b) => a.slice(0, 2).localeCompare(b.slice(0, 2)));
  assert.deepEqual(dump(open(rows)), dump(open(byTrip)));
  assert.deepEqual(
    open(rows).timetable!.columns.pattern_sequences.toSorted(),
    Uint32Array.of(0, 0, 1, 1, 2),
  );
});

test("times that come after other trips' rows are not too late", () => {
  const rows = [
    "T1,P1,1,,",
    "T2,P1,1,9:00:00,",
    "T1,P2,2,8:00:00,",
    "T2,A,2,9:10:00,",
    "T1,A,3,8:10:00,",
  ];
  const texts = {
    ...ONE_DAY,
    "trips.txt": "route_id,service_id,trip_id\nR1,W,T1\nR1,W,T2\n",
    ...calls(...rows),
  };
  assert.deepEqual(reasons(feedOf(texts).trail.dropped), {});
  assert.deepEqual(listCalls(openTexts(texts), "S"), [
    "T1 P2 2026-01-05T07:00:00Z",
    "T2 P1 2026-01-05T08:00:00Z",
  ]);
});

test("a trip of too many calls is dropped once, whatever order its rows are in; 5,000 are not", () => {
  const many = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `T1,P1,${i},8:00:00,`);
  const other = ["T2,P1,1,9:00:00,", "T2,A,2,9:00:00,"];
  const read = (...rows: string[]) => {
    const texts = {
      ...ONE_DAY,
      "trips.txt": "route_id,service_id,trip_id\nR1,W,T1\nR1,W,T2\n",
      ...calls(...rows),
    };
    const open = openTexts(texts);
    return {
      dropped: reasons(feedOf(texts).trail.dropped),
      departures: listCalls(open, "S").length,
    };
  };
  assert.deepEqual(read(...many(5_000), ...other), { dropped: {}, departures: 5_000 });
  const dropped = { trip_with_too_many_calls: 1 };
  assert.deepEqual(read(...many(5_001), ...other), { dropped, departures: 1 });
  assert.deepEqual(read(...many(5_001), ...other, ...many(3)), { dropped, departures: 1 });
  assert.deepEqual(read(...many(3_000), ...other, ...many(3_000)), { dropped, departures: 1 });
});

test("days: exceptions only, a week with exceptions, and both of one day", () => {
  const week = "service_id,start_date,end_date,monday,tuesday\n";
  const dates = "service_id,date,exception_type\n";
  const days = (calendar: string | null, exceptions: string): string[] => {
    const { "calendar.txt": _, ...small } = SMALL;
    const texts = { ...small, ...(calendar !== null && { "calendar.txt": week + calendar }) };
    const open = openTexts({
      "calendar.txt": "service_id,start_date,end_date\n",
      ...texts,
      "calendar_dates.txt": dates + exceptions,
    });
    return listCalls(open, "S")
      .filter((text) => text.includes("P1"))
      .map((text) => text.slice(6, 16));
  };
  assert.deepEqual(days(null, "W,20240229,1\nW,20240301,1\nW,20240302,2\n"), [
    "2024-02-29",
    "2024-03-01",
  ]);
  assert.deepEqual(days("W,20260105,20260112,1,0\n", "W,20260105,2\nW,20260107,1\n"), [
    "2026-01-07",
    "2026-01-12",
  ]);
  assert.deepEqual(days("W,20260105,20260105,1,0\n", "W,20260105,1\nW,20260105,2\n"), [
    "2026-01-05",
  ]);
  assert.deepEqual(days("W,20260105,20260105,1,0\n", "W,20260105,2\nW,20260105,1\n"), [
    "2026-01-05",
  ]);
  assert.deepEqual(days("W,20260105,20260106,1,1\nW,20260101,20261231,1,1\n", ""), [
    "2026-01-05",
    "2026-01-06",
  ]);
  assert.deepEqual(days("W,20260106,20260105,1,1\n", ""), [], "ends before it begins");
});

test("what is no date is dropped, and the service has the rest", () => {
  const { trail } = feedOf({
    "calendar.txt":
      "service_id,start_date,end_date\nW,20260230,20260301\nX,20260101,tomorrow\n,20260101,20260102\n",
    "calendar_dates.txt":
      "service_id,date,exception_type\nW,19691231,1\nW,20260101,3\nW,20260101,\n,20260101,1\nW,20260102,1\n",
  });
  assert.deepEqual(reasons(trail.dropped), {
    service_without_dates: 2,
    service_without_id: 1,
    unreadable_exception: 4,
  });
});

test("a trip of a service that is nowhere never runs, and is reported", () => {
  const texts = { "trips.txt": "route_id,service_id,trip_id\nR1,GONE,T1\n" };
  assert.deepEqual(reasons(feedOf(texts).trail.repaired), { trip_without_service: 1 });
  const open = openTexts(texts);
  assert.deepEqual(listCalls(open, "S"), []);
  assert.equal(open.timetable!.findTrip("T1"), null);
  assert.deepEqual(open.timetable!.meta.days, null);
});

test("whatever the cells say, a feed is read and its lists are of the feed", () => {
  const arbCell = fc.oneof(
    fc.constantFrom(
      "T1",
      "T2",
      "P1",
      "P2",
      "A",
      "S",
      "W",
      "R1",
      "",
      "0",
      "1",
      "2",
      "999999999",
      "-1",
    ),
    fc.constantFrom("8:00:00", "240:00:00", "00:00:00", "20260105", "21991231", "1e9", "Nord"),
    fc.string({ maxLength: 8 }).map((text) => text.replaceAll(/["\r\n,]/g, "_")),
  );
  const table = (header: string, first = "") =>
    fc
      .array(fc.array(arbCell, { minLength: header.split(",").length, maxLength: 9 }), {
        maxLength: 8,
      })
      .map((rows) =>
        [header, ...(first ? [first] : []), ...rows.map((row) => row.join(","))].join("\n"),
      );
  const arbFeed = fc.record({
    "calendar.txt": table("service_id,start_date,end_date,monday", "W,20260101,20261231,1"),
    "calendar_dates.txt": table("service_id,date,exception_type"),
    "trips.txt": table("route_id,service_id,trip_id,trip_headsign", "R1,W,T1,Nord"),
    "frequencies.txt": table("trip_id,start_time,end_time,headway_secs,exact_times"),
    "stop_times.txt": table(COLUMNS, "T1,P1,1,8:00:00,8:00:00\nT1,A,2,9:00:00,9:00:00"),
  });
  fc.assert(
    fc.property(arbFeed, (texts) => {
      const open = openTexts(texts);
      for (let row = 0; row < open.count; row++)
        for (const kind of ["departures", "arrivals"] as const) {
          const query = { kind, from_ms: Date.UTC(2026, 0), to_ms: Date.UTC(2026, 1) };
          for (const call of open.timetable!.list(row, query, ample())) {
            assert.ok(call.planned_ms >= query.from_ms && call.planned_ms < query.to_ms);
            const { id, route } = open.timetable!.trip(call.trip);
            assert.equal(open.timetable!.findTrip(id), call.trip);
            assert.ok(open.meta.routes[route]);
            assert.ok(call.headway_s === null || call.headway_s > 0);
          }
        }
    }),
  );
});
