/** Small timetables, and messages about them in protobuf's JSON form, for tests of departures. */
import assert from "node:assert/strict";
import {
  buildLive,
  type Departure,
  type DepartureQuery,
  findDepartures,
  indexFeed,
  type LiveTable,
  openFeed,
  type OpenFeed,
  openLive,
  readLiveMessage,
} from "#transit/index.ts";
import { compareCalls } from "#transit/timetables.ts";
import { encodeMessage, type Json } from "../../sandbox/gtfs-rt/encode.ts";
import { feedOf, type FeedTexts } from "./gtfs.ts";
import { ample } from "./timetables.ts";
import { packFeed } from "./transit.ts";
import { toEnd } from "#kit/steps.ts";

/** Stops A to F in one line; A and F have platforms A1, A2 and F1. Runs on weekdays of 2026. */
const TEXTS: FeedTexts = {
  "agency.txt":
    "agency_id,agency_name,agency_url,agency_timezone\nM,Metro,https://metro.example/,Europe/Paris\n",
  "routes.txt": "route_id,agency_id,route_short_name,route_type\nR1,M,1,3\nR2,M,2,3\n",
  "stops.txt": [
    "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code",
    "A,A,48.80,2.30,1,,",
    "A1,A,48.80,2.30,0,A,1",
    "A2,A,48.80,2.30,0,A,2",
    ...["B", "C", "D", "E"].map((id, i) => `${id},${id},48.8${i + 1},2.30,0,,`),
  ].join("\n"),
  "calendar.txt":
    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,0,0,20260101,20261231\n",
};

/** As `findDepartures`, in order, each with all that is known of it; `cut`: not all were looked at. */
export function listDepartures(
  feed: OpenFeed,
  live: LiveTable | null | undefined,
  query: DepartureQuery,
): { departures: Departure[]; cut: boolean } | null {
  const budget = ample();
  const end = toEnd(findDepartures({ feed, live }, query, budget));
  const departures = end?.sort(compareCalls).map((call) => call.read());
  return departures ? { departures, cut: budget.isSpent } : null;
}

/** `calls` of a trip: `sequence stop arrival departure`, and what else a row has. */
export type TripText = { id: string; calls: readonly string[]; route?: string; service?: string };

/** A feed of these trips; files in `more` replace those above. */
export function timetableOf(trips: readonly TripText[], more: FeedTexts = {}): OpenFeed {
  const { feed } = feedOf({
    ...TEXTS,
    "trips.txt": [
      "route_id,service_id,trip_id,trip_headsign",
      ...trips.map(({ id, route, service }) => `${route ?? "R1"},${service ?? "W"},${id},To E`),
    ].join("\n"),
    "stop_times.txt": [
      "trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type",
      ...trips.flatMap(({ id, calls }) =>
        calls.map((call) => [id, ...call.split(" ")].concat("").slice(0, 6).join(",")),
      ),
    ].join("\n"),
    ...more,
  });
  return openFeed(packFeed(feed))!;
}

/** Epoch ms of a local time in Paris in winter. */
export function at(time: string, day = "2026-11-25"): number {
  return Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}+01:00`);
}

/** The same in seconds. */
export function s(time: string, day?: string): number {
  return at(time, day) / 1000;
}

export type LiveFeedMessage = {
  at_ms: number;
  entities: readonly Json[];
  timestamp?: number | null;
};

/** Entities said at a moment, and fetched then. */
export function tableOf(
  feed: OpenFeed,
  { at_ms, entities, timestamp }: LiveFeedMessage,
): LiveTable {
  const stated = timestamp === undefined ? at_ms / 1000 : timestamp;
  const header = { gtfsRealtimeVersion: "2.0", ...(stated !== null && { timestamp: stated }) };
  const read = readLiveMessage(encodeMessage({ header, entity: [...entities] }));
  assert.ok(read.ok, read.ok ? "" : read.problem);
  const inputs = [{ message: read.message, fetched_ms: at_ms }];
  const table = openLive(buildLive(indexFeed(feed)!, inputs));
  assert.ok(table);
  return table;
}

let made = 0;

/** An update of a trip; `stops` of its calls. */
export function updateOf(trip: Json, stops: readonly Json[] = [], more: object = {}): Json {
  const stopTimeUpdate = [...stops];
  return { id: `e${made++}`, tripUpdate: { trip, stopTimeUpdate, ...more } };
}

/** Departures of a station, or what `query` wants; by default of an hour from the moment on. */
export function listOf(
  feed: OpenFeed,
  live: LiveTable | null | undefined,
  station_id: string,
  query: Partial<DepartureQuery> & { from_ms: number },
): Departure[] {
  const departures = listDepartures(feed, live, {
    station: feed.findStation(station_id)!,
    kind: "departures",
    to_ms: query.from_ms + 3_600_000,
    now_ms: query.from_ms,
    max_age_s: 120,
    ...query,
  });
  assert.ok(departures && !departures.cut);
  return departures.departures;
}

/** `08:10+60 live scheduled T1`: planned (local time), delay, and the rest; `-` where there is none. */
export function shown({ planned_ms, expected_ms, delay_s, realtime, status, trip_id }: Departure) {
  const time = clock(planned_ms);
  const late = delay_s === null ? "" : `${delay_s < 0 ? "" : "+"}${delay_s}`;
  const expected = delay_s === null && expected_ms !== null ? `=${clock(expected_ms)}` : "";
  return `${time}${late}${expected} ${realtime} ${status} ${trip_id}`;
}

function clock(time_ms: number | null): string {
  if (time_ms === null) return "-";
  const local = new Date(time_ms + 3_600_000).toISOString().slice(11, 19);
  return local.endsWith(":00") ? local.slice(0, 5) : local;
}
