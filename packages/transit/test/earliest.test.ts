/** The next departures of many stations: one budget for all, whole up to the moment at which it ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findEarliest, MOST_CALLS, MOST_OF_CUT, type CallPlace } from "../schedule/earliest.ts";
import type { TransitRoute } from "../schedule/station.ts";
import { openTexts } from "../../../test/support/timetables.ts";
import { toEnd } from "#kit/steps.ts";

const DAY_MS = 86_400_000;
/** 0:00 of a service day in Paris. */
const FROM_MS = Date.UTC(2026, 0, 4, 23);
const WINDOW = { kind: "departures", from_ms: FROM_MS, to_ms: FROM_MS + DAY_MS / 4 } as const;

/** Stops S0, S1 …; `lines`: trips by their stops, which repeat every `headway_s` of a day. */
function placesOf(lines: readonly { stops: readonly number[]; headway_s: number }[]): CallPlace[] {
  const stops = [...new Set(lines.flatMap((line) => line.stops))].sort((a, b) => a - b);
  const feed = openTexts({
    "stops.txt": `stop_id,stop_name,stop_lat,stop_lon\n${stops.map((i) => `S${i},S${i},48.85,${2.35 + i * 1e-5}`).join("\n")}`,
    "routes.txt": `route_id,agency_id,route_short_name,route_type\n${lines.map((_, i) => `R${i},M,${i},3`).join("\n")}`,
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,1,1,20260101,20261231\n",
    "trips.txt": `route_id,service_id,trip_id\n${lines.map((_, i) => `R${i},W,T${i}`).join("\n")}`,
    "stop_times.txt": `trip_id,stop_id,stop_sequence,departure_time\n${lines
      .flatMap(({ stops: calls }, line) =>
        calls.map((stop, i) => `T${line},S${stop},${i + 1},00:00:${String(i).padStart(2, "0")}`),
      )
      .join("\n")}`,
    "frequencies.txt": `trip_id,start_time,end_time,headway_secs\n${lines.map(({ headway_s }, i) => `T${i},00:00:00,24:00:00,${headway_s}`).join("\n")}`,
  });
  const stations = stops.map((i) => feed.findStation(`S${i}`)!);
  return stations.map((station) => ({ feed, live: undefined, station, max_age_s: 0 }));
}

function find(
  places: readonly CallPlace[],
  isWanted: ((route: TransitRoute) => boolean) | null = null,
) {
  const end = toEnd(findEarliest(places, { ...WINDOW, now_ms: FROM_MS, isWanted }));
  const times = end.calls.map((list) => list.map(({ planned_ms }) => planned_ms!));
  return { ...end, times, count: times.flat().length };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test("what fits into the budget is whole", () => {
  const match = find(placesOf([{ stops: range(11), headway_s: 60 }]));
  assert.deepEqual([match.count, match.isCut, match.isNarrowed], [10 * 360, false, false]);
});

test("what does not is whole up to a moment, at all stations, and has a cut", () => {
  // 58 stations × 6 lines × 720 runs; the seventh line has one an hour and leaves from the last two.
  const lines = range(6).map(() => ({ stops: range(59), headway_s: 30 }));
  const places = placesOf([...lines, { stops: [58, 59, 60], headway_s: 3_600 }]);
  const match = find(places);
  assert.equal(match.isCut, true);
  assert.ok(match.count > MOST_OF_CUT / 2 && match.count <= MOST_OF_CUT, `${match.count} calls`);
  const last_ms = Math.max(...match.times.flat());
  // The runs of each station up to then, apart from the last second of some.
  const expected = Math.floor((last_ms - FROM_MS) / 30_000) * 6;
  for (const times of match.times.slice(0, 58))
    assert.ok(times.length >= expected && times.length <= expected + 12, `${times.length}`);
  assert.ok(match.times[59]!.length > 0, "one that has few is not hidden by those that have many");
});

test("a line that is asked for is found whole among more than can be looked at", () => {
  const lines = range(6).map(() => ({ stops: range(59), headway_s: 30 }));
  const places = placesOf([...lines, { stops: [58, 59, 60], headway_s: 3_600 }]);
  const match = find(places, ({ id }) => id === "R6");
  assert.deepEqual([match.count, match.isCut, match.isNarrowed], [2 * 6, false, true]);
});

test("where one second has too much, the nearest stations have theirs", () => {
  const lines = range(500).map(() => ({ stops: range(60), headway_s: 21_600 }));
  const match = find(placesOf(lines));
  assert.equal(match.isCut, true);
  assert.ok(match.count <= MOST_CALLS);
  assert.equal(match.times[0]!.length, 500);
});
