/** Timetables and realtime files that unfold to far more than they weigh, for tests, trials and benchmarks. */
import type { Frequency, TransitFeed } from "#transit/timetables.ts";
import { encodeMessage, type Json } from "../../sandbox/gtfs-rt/encode.ts";
import { feedOf, type FeedTexts } from "./gtfs.ts";
import { zipOf } from "./zip.ts";

/** Where their stations lie: `stops` in a row of about a metre each. */
export const HOSTILE_PLACE = { lat: 48.8515, lon: 2.35 };

export type Crowd = {
  /** Within 350 m of the place, called at by each trip. */
  stops: number;
  trips?: number;
  /** Of frequencies.txt, for each trip. */
  rows: number;
  headway_s: number;
};

/** The archives of the review, which ended a process, and which took 257 ms and 180,000 objects a question. */
export const ENDED_THE_PROCESS: Crowd = { stops: 300, rows: 20, headway_s: 1 };
export const UNFOLDED_FOR_LONG: Crowd = { stops: 10, rows: 2_000, headway_s: 1 };
/** As much as an import accepts: each row is another one, and every 30 s. */
export const WITHIN_THE_BOUNDS: Crowd = { stops: 300, trips: 200, rows: 1, headway_s: 30 };

const WHOLE_DAYS = "00:00:00,48:00:00";

/** The files of a timetable whose stops all lie near HOSTILE_PLACE. */
export function textsOf({ stops, trips = 1, rows, headway_s }: Crowd): FeedTexts {
  const table = (head: string, lines: readonly string[]): string =>
    `${[head, ...lines].join("\n")}\n`;
  const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  const at = (i: number): string =>
    `08:${String(Math.floor(i / 60)).padStart(2, "0")}:${String(i % 60).padStart(2, "0")}`;
  const step = 3e-3 / stops;
  return {
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone\na,E,https://e.example/,Europe/Paris\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ns,1,1,1,1,1,1,1,20200101,20991231\n",
    "trips.txt": table(
      "route_id,service_id,trip_id",
      range(trips).map((i) => `r,s,t${i}`),
    ),
    "stops.txt": table(
      "stop_id,stop_name,stop_lat,stop_lon",
      range(stops).map((i) => `${i},S${i},${(48.85 + i * step).toFixed(6)},2.35`),
    ),
    "stop_times.txt": table(
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence",
      range(trips).flatMap((trip) =>
        range(stops).map((i) => `t${trip},${at(i)},${at(i)},${i},${i}`),
      ),
    ),
    "frequencies.txt": table(
      "trip_id,start_time,end_time,headway_secs",
      range(trips).flatMap((trip) => range(rows).map(() => `t${trip},${WHOLE_DAYS},${headway_s}`)),
    ),
  };
}

/** The same as an archive. */
export function archiveOf(crowd: Crowd): Buffer {
  return zipOf(textsOf(crowd));
}

/** The same as an import made it that had no bounds: such packs may be in a store. */
export function unboundedFeed(crowd: Crowd): TransitFeed {
  const { feed } = feedOf(textsOf({ ...crowd, rows: 1, headway_s: 60 }));
  const { trips = 1, rows, headway_s } = crowd;
  const frequencies = Array.from({ length: trips }, (_, trip) =>
    Array.from({ length: rows }, (): Frequency => ({
      trip,
      from_s: 0,
      to_s: 172_800,
      headway_s,
      exact: false,
    })),
  );
  return { ...feed, timetable: { ...feed.timetable!, frequencies: frequencies.flat() } };
}

/** A realtime file of runs that are in no timetable, each with five calls at the first ten stops from a moment on. */
export function additionsOf(runs: number, at_s: number): Uint8Array {
  const header = { gtfsRealtimeVersion: "2.0", timestamp: String(at_s) };
  const chunks: Uint8Array[] = [encodeMessage({ header })];
  for (let first = 0; first < runs; first += 1_000) {
    const entity = Array.from({ length: Math.min(1_000, runs - first) }, (_, i): Json => {
      const run = first + i;
      const stopTimeUpdate = Array.from({ length: 5 }, (__, call): Json => {
        const time = String(at_s + 60 + ((run + call) % 3_000));
        return { stopId: `${(run + call) % 10}`, departure: { time } };
      });
      const trip = { tripId: `+${run}`, routeId: "r", scheduleRelationship: "ADDED" };
      return { id: `${run}`, tripUpdate: { trip, stopTimeUpdate } };
    });
    // Messages that follow each other are one.
    chunks.push(encodeMessage({ entity }));
  }
  return Buffer.concat(chunks);
}
