/** An import for a box: what is asked about stations in it is answered as by the whole feed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "#kit/budget.ts";
import type { Box } from "#kit/geo.ts";
import { importGtfs } from "../../archive/import-archive.ts";
import { isInBox } from "../../gtfs/box-trips.ts";
import { openFeed, type OpenFeed } from "../../schedule/feed-pack.ts";
import { describeUnopened } from "../../schedule/other-version.ts";
import { zipOf } from "../../../../test/support/zip.ts";

const BOX: Box = { south: 48, west: 2, north: 48.05, east: 2.05 };
const OPTIONS = { feed_id: "f", region: null, now_ms: Date.UTC(2026, 5, 3) };
const DAY_MS = 86_400_000;
const SIDE = 10;

/** A grid of stations with two platforms each, of which a quarter is in the box. */
const stations = Array.from({ length: SIDE * SIDE }, (_, i) => ({
  id: `S${i}`,
  lat: 48 + Math.floor(i / SIDE) * 0.0111,
  lon: 2 + (i % SIDE) * 0.0111,
}));

const two = (value: number): string => String(value).padStart(2, "0");
const clockOf = (s: number): string =>
  `${two(Math.floor(s / 3_600))}:${two(Math.floor(s / 60) % 60)}:00`;

/** Lines along rows and columns, in both directions, and rings; some begin after midnight. */
function textsOf({ scattered = false } = {}): Record<string, string> {
  const orders = Array.from({ length: SIDE }, (_, n) => [
    Array.from({ length: SIDE }, (_unused, i) => n * SIDE + i),
    Array.from({ length: SIDE }, (_unused, i) => i * SIDE + n).toReversed(),
    [n, n + 1, n + SIDE + 1, n + SIDE, n].map((at) => at % stations.length),
  ]).flat();
  const trips: string[] = ["trip_id,route_id,service_id,trip_headsign"];
  const calls: string[] = [];
  const frequencies = ["trip_id,start_time,end_time,headway_secs,exact_times"];
  orders.forEach((order, line) => {
    for (const [run, start] of [6, 12.5, 23.8].entries()) {
      const trip = `${line}-${run}`;
      trips.push(`${trip},L${line},${run === 1 ? "W" : "D"},To ${line}`);
      if (line % 7 === 0 && run === 0) frequencies.push(`${trip},06:00:00,09:00:00,600,0`);
      order.forEach((station, n) => {
        const at = clockOf(start * 3_600 + n * 240);
        calls.push(`${trip},${at},${at},S${station}-${n % 2},${n * 3},${n === 4 ? "Via" : ""}`);
      });
    }
  });
  const rows = scattered
    ? calls.toSorted((a, b) => a.split(",")[3]!.localeCompare(b.split(",")[3]!))
    : calls;
  const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;
  return {
    "agency.txt": "agency_name,agency_timezone\nLines,Europe/Paris\n",
    "stops.txt": text([
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code",
      ...stations.flatMap(({ id, lat, lon }) => [
        `${id},Station ${id},${lat},${lon},1,,`,
        // Platforms may lie on the other side of the edge: they belong to their station.
        ...[0, 1].map((n) => `${id}-${n},Station ${id},${lat + n * 0.01},${lon},0,${id},${n}`),
      ]),
    ]),
    "routes.txt": text([
      "route_id,route_type,route_short_name",
      ...orders.map((_, n) => `L${n},3,${n}`),
    ]),
    "calendar.txt": text([
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
      "D,1,1,1,1,1,1,1,20260601,20260630",
      "W,1,1,1,1,1,0,0,20260601,20260630",
    ]),
    "calendar_dates.txt": "service_id,date,exception_type\nW,20260606,1\nD,20260605,2\n",
    "trips.txt": text(trips),
    "frequencies.txt": text(frequencies),
    "transfers.txt": "transfer_type,from_trip_id,to_trip_id\n4,0-0,1-1\n4,2-0,3-0\n",
    "stop_times.txt": text([
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign",
      ...rows,
    ]),
  };
}

async function read(texts: Record<string, string>, box: Box | null) {
  const result = await importGtfs({ bytes: zipOf(texts) }, { ...OPTIONS, box });
  assert.ok(result.ok, result.ok ? "" : result.problem);
  return { ...result, feed: openFeed(result.pack)! };
}

/** All that happens at a station in eleven days. */
function callsAt(feed: OpenFeed, id: string): string[] {
  const timetable = feed.timetable!;
  const { columns } = timetable;
  return (["departures", "arrivals"] as const)
    .flatMap((kind) => {
      const from_ms = Date.UTC(2026, 4, 31);
      const query = { kind, from_ms, to_ms: from_ms + 11 * DAY_MS };
      const budget = new Budget({ looks: Infinity, keeps: Infinity });
      return timetable.list(feed.findStation(id)!, query, budget).map((call) => {
        const { trip, position, pattern, stop, planned_ms, headway_s, day, start_s } = call;
        const { id: trip_id, short_name } = timetable.trip(trip);
        const place = columns.pattern_starts[pattern]! + position;
        return JSON.stringify([
          ...[kind, planned_ms, day, start_s, headway_s, trip_id, short_name, position],
          ...[timetable.headsign(trip, position), timetable.stopId(stop), timetable.platform(stop)],
          ...[columns.pattern_sequences[place], columns.pattern_flags[place]],
          feed.meta.routes[timetable.trip(trip).route]!.id,
        ]);
      });
    })
    .sort();
}

for (const scattered of [false, true])
  test(`stations in the box answer as in the whole feed, others are none${scattered ? " (rows of a stop together)" : ""}`, async () => {
    const texts = textsOf({ scattered });
    const [whole, part] = [await read(texts, null), await read(texts, BOX)];
    let calls = 0;
    for (const { id, lat, lon } of stations) {
      const row = part.feed.findStation(id);
      assert.equal(row !== null, isInBox(BOX, lat, lon), id);
      if (row === null) continue;
      const expected = callsAt(whole.feed, id);
      calls += expected.length;
      assert.deepEqual(callsAt(part.feed, id), expected, id);
      assert.deepEqual(
        part.feed.station(row).routes.map((route) => route.id),
        whole.feed.station(whole.feed.findStation(id)!).routes.map((route) => route.id),
      );
    }
    assert.ok(calls > 1_000, String(calls));
  });

test("the report says how many stations and trips are outside, and the pack is smaller and knows its box", async () => {
  const [whole, part] = [await read(textsOf(), null), await read(textsOf(), BOX)];
  const counts = Object.fromEntries(
    part.report.rejected.map(({ reason, count }) => [reason, count]),
  );
  assert.equal(counts["station_outside_the_box"], 75);
  assert.equal(part.report.stations, 25);
  const { trips } = part.feed.timetable!.meta.counts;
  assert.equal(counts["trip_outside_the_box"], whole.feed.timetable!.meta.counts.trips - trips);
  assert.ok(trips > 0 && part.pack.length < whole.pack.length);
  assert.deepEqual(part.feed.meta.imported_box, BOX);
  assert.equal(whole.feed.meta.imported_box, undefined);
  // The next format finds the box again, with the file.
  assert.deepEqual(describeUnopened(part.pack).imported_box, BOX);
  assert.equal(describeUnopened(whole.pack).imported_box, null);
});

test("a box in which no trip calls is refused in one line", async () => {
  const box = { south: 10, west: 10, north: 11, east: 11 };
  const result = await importGtfs({ bytes: zipOf(textsOf()) }, { ...OPTIONS, box });
  assert.equal(
    result.ok ? "" : result.problem,
    "feed: no station that a trip serves is in the box (300 stops, 750 stop times)",
  );
});

test("edges belong to the box, and one may cross the antimeridian", () => {
  const fiji = { south: -20, west: 175, north: -15, east: -178 };
  for (const [lat, lon, expected] of [
    [-17, 179, true],
    [-17, -179, true],
    [-15, 175, true],
    [-20, -178, true],
    [-17, 174.9, false],
    [-17, -177.9, false],
    [-14.9, 179, false],
    [-20.1, 179, false],
  ] as const)
    assert.equal(isInBox(fiji, lat, lon), expected, `${lat},${lon}`);
});
