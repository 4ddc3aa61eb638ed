/** Small GTFS feeds as texts, and what the readers make of them without an archive. */
import { createCsvScanner } from "#kit/csv.ts";
import { createFeedReader, type TransitFeed } from "#transit/timetables.ts";
import type { Trail } from "#kit/trail.ts";

export type FeedTexts = Readonly<Record<string, string>>;

/**
 * One metro line with one daily trip in 2026, one station with two platforms and an entrance, one stop
 * without a parent.
 */
export const SMALL: FeedTexts = {
  "agency.txt":
    "agency_id,agency_name,agency_url,agency_timezone\nM,Métro,https://metro.example/,Europe/Paris\n",
  "calendar.txt":
    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,1,1,20260101,20261231\n",
  "routes.txt":
    "route_id,agency_id,route_short_name,route_long_name,route_type,route_color\nR1,M,1,Line one,1,ff0000\n",
  "stops.txt": [
    "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding",
    "S,Central,48.85,2.35,1,,",
    "P1,Central,48.8501,2.3501,0,S,1",
    "P2,Central,48.8502,2.3502,0,S,2",
    "E1,Stairs,48.8503,2.3503,2,S,2",
    "A,Alone,48.86,2.36,,,",
  ].join("\n"),
  "trips.txt": "route_id,service_id,trip_id\nR1,W,T1\n",
  "stop_times.txt": [
    "trip_id,stop_id,stop_sequence,arrival_time,departure_time",
    "T1,P1,1,08:00:00,08:00:00",
    "T1,P2,2,08:05:00,08:05:30",
    "T1,A,3,08:10:00,08:10:00\n",
  ].join("\n"),
};

export type Read =
  | { problem: string }
  | {
      problem: null;
      feed: TransitFeed;
      trail: Trail;
      counts: { stops: number; stop_times: number };
    };

/** Reads the texts in the reader's order; files that are not there are left out. */
export function readTexts(texts: FeedTexts, seed = 1): Read {
  const identity = { feed_id: "f", region: null, fetched_at_ms: 5 };
  const reader = createFeedReader(identity, seed);
  for (const { reader: csv } of reader.files) {
    const text = texts[csv.file];
    if (text === undefined) continue;
    const scanner = createCsvScanner(csv);
    const problem = scanner.push(new TextEncoder().encode(text)) ?? scanner.end();
    if (problem !== null) return { problem };
  }
  const feed = drain(reader.finish());
  return { problem: null, feed, trail: reader.trail(), counts: reader.counts() };
}

/** The same, when it must be readable. */
export function feedOf(texts: FeedTexts): Extract<Read, { problem: null }> {
  const read = readTexts({ ...SMALL, ...texts });
  if (read.problem !== null) throw new Error(read.problem);
  return read;
}

function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
