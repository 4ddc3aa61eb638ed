/** More live data about one place than any has: what is beyond the bound goes, the rest of the file lives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_ADDED_AT_STATION, MOST_AT_STATION } from "../../live/live-events.ts";
import type { Json } from "../../../../sandbox/gtfs-rt/encode.ts";
import {
  at,
  listOf,
  s,
  shown,
  tableOf,
  timetableOf,
  updateOf,
} from "../../../../test/support/live.ts";

const NOW_MS = at("08:00");
const TRIP = { id: "T1", calls: ["1 A1 08:00:00 08:10:00", "2 B 08:20:00 08:20:00"] };

function addedRun(i: number, stops: readonly string[]): Json {
  const trip = { tripId: `+${i}`, routeId: "R1", scheduleRelationship: "ADDED" };
  const time = s("08:15") + (i % 600);
  return updateOf(
    trip,
    stops.map((stopId) => ({ stopId, arrival: { time }, departure: { time } })),
  );
}

const late = updateOf({ tripId: "T1", startDate: "20261125" }, [
  { stopSequence: 1, departure: { delay: 60 } },
]);

test("additions at one station beyond the bound are dropped and counted; the others are shown", () => {
  const feed = timetableOf([
    TRIP,
    { id: "T2", calls: ["1 C 08:00:00 08:00:00", "2 D 09:00:00 09:00:00"] },
  ]);
  const many = Array.from({ length: 5_000 }, (_, i) => addedRun(i, ["A1", "B"]));
  const entities = [...many, late, addedRun(9_999, ["C", "D"])];
  const table = tableOf(feed, { at_ms: NOW_MS, entities });
  const dropped = table.meta.trail.dropped.find(({ reason }) => reason === "too_many_additions");
  assert.equal(dropped?.count, 5_000 - MOST_ADDED_AT_STATION);
  assert.equal(table.meta.counts.events, 2 * MOST_ADDED_AT_STATION + 2 + 2);
  const matches = listOf(feed, table, "A", { from_ms: NOW_MS }).map(shown);
  assert.equal(matches.length, MOST_ADDED_AT_STATION + 1);
  assert.ok(matches.includes("08:10+60 live scheduled T1"));
  assert.equal(listOf(feed, table, "C", { from_ms: NOW_MS }).length, 2);
});

test("one run that calls a thousand times at one station is dropped whole", () => {
  const feed = timetableOf([TRIP]);
  const stops = Array.from({ length: MOST_ADDED_AT_STATION + 1 }, () => "A1");
  const table = tableOf(feed, { at_ms: NOW_MS, entities: [addedRun(0, stops), late] });
  assert.equal(table.meta.counts.events, 2);
});

test("runs of the timetable have a bound of their own", () => {
  const frequencies = "trip_id,start_time,end_time,headway_secs\nT1,00:00:00,24:00:00,600\n";
  const feed = timetableOf([TRIP], { "frequencies.txt": frequencies });
  // Any start is a run, where only a headway is promised.
  const entities = Array.from({ length: MOST_AT_STATION + 500 }, (_, i) => {
    const startTime = new Date(i * 1_000).toISOString().slice(11, 19);
    return updateOf({ tripId: "T1", startDate: "20261125", startTime }, [
      { stopSequence: 1, departure: { time: s("00:10") + i } },
    ]);
  });
  const table = tableOf(feed, { at_ms: at("00:00"), entities });
  const dropped = table.meta.trail.dropped.find(({ reason }) => reason === "too_many_events");
  assert.equal(dropped?.count, 500);
});

test("the place of a planned run is found among all runs that a feed states of its trip", () => {
  const frequencies = "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,12:00:00,600\n";
  const feed = timetableOf([TRIP], { "frequencies.txt": frequencies });
  const start = (time: string, relation = "CANCELED"): Json =>
    updateOf({
      tripId: "T1",
      startDate: "20261125",
      startTime: time,
      scheduleRelationship: relation,
    });
  const entities = ["06:00:00", "08:00:00", "08:10:30", "11:50:00"].map((time) => start(time));
  const table = tableOf(feed, { at_ms: NOW_MS, entities });
  const match = listOf(feed, table, "A", { from_ms: NOW_MS });
  assert.deepEqual(
    match.slice(0, 3).map(({ status }) => status),
    ["cancelled", "cancelled", "scheduled"],
  );
});

test("of the periods of an alert those are kept that have not ended, the first ones", () => {
  const feed = timetableOf([TRIP]);
  const periods = Array.from({ length: 100 }, (_, i): Json => {
    const start = s("08:00") + (i - 50) * 60;
    return { start: String(start), end: String(start + 60) };
  });
  const alert = { informedEntity: [{ stopId: "A" }], activePeriod: periods.toReversed() };
  const table = tableOf(feed, { at_ms: NOW_MS, entities: [{ id: "a", alert }] });
  const remaining = table.findAlert("a")!.periods;
  assert.deepEqual([remaining.length, remaining[0]!.from_s], [20, s("08:00")]);
  assert.deepEqual(listOf(feed, table, "A", { from_ms: NOW_MS })[0]!.alerts, ["a"]);
});

test("an alert of an agency with more routes than there is room for is left out, and no other", () => {
  const routes = Array.from({ length: 2_000 }, (_, i) => `L${i},M,${i},3`);
  const trips = routes.map((_, i) => ({ ...TRIP, id: `X${i}`, route: `L${i}` }));
  const feed = timetableOf(trips, {
    "routes.txt": ["route_id,agency_id,route_short_name,route_type", ...routes].join("\n"),
  });
  const wide = { informedEntity: Array.from({ length: 300 }, () => ({ agencyId: "M" })) };
  const one = { informedEntity: [{ stopId: "B" }] };
  const table = tableOf(feed, {
    at_ms: NOW_MS,
    entities: [
      { id: "wide", alert: wide },
      { id: "z", alert: one },
    ],
  });
  assert.ok(table.columns.selector_kinds.length <= 500_000);
  const dropped = table.meta.trail.dropped.find(({ reason }) => reason === "too_many_selectors");
  assert.ok(dropped!.count >= 50);
});
