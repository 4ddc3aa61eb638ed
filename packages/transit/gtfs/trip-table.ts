/** trips.txt and frequencies.txt (mobility.md 3.1): the runs of a line, and those that repeat. */
import type { Frequency } from "../timetable/timetable-draft.ts";
import { widened } from "#kit/growing.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toCount } from "#kit/coerce.ts";
import { NO_ENTRY, addText, createByteTable, findText, type ByteTable } from "./byte-table.ts";
import { type CsvFile, readCell } from "#kit/csv.ts";
import { digitOf, secondsOf } from "./cell-values.ts";
import type { Routes } from "./route-table.ts";

export type Trips = {
  ids: ByteTable;
  /** By trip; NONE: unknown, or not stated. Texts are in `texts`. */
  routeOf: Int32Array;
  serviceOf: Int32Array;
  headsignOf: Int32Array;
  shortNameOf: Int32Array;
  /** 0 unknown, 1 yes, 2 no, as in the file. */
  wheelchair: Uint8Array;
  /** 1: frequencies.txt repeats the trip. */
  frequent: Uint8Array;
};

/** All memory of trips. */
export function columnsOf(trips: Trips): (Int32Array | Uint32Array | Uint8Array)[] {
  const { ids, routeOf, serviceOf, headsignOf, shortNameOf, wheelchair, frequent } = trips;
  const columns = [routeOf, serviceOf, headsignOf, shortNameOf, wheelchair, frequent];
  return [ids.slots, ids.ends, ids.keys, ...columns];
}

/** What trips name, each text once. */
export type TripTables = { routes: Routes; services: ByteTable; texts: ByteTable };

const COLUMNS = [
  "trip_id",
  "route_id",
  "service_id",
  "trip_headsign",
  "trip_short_name",
  "wheelchair_accessible",
] as const;
const [ID, ROUTE, SERVICE, HEADSIGN, SHORT_NAME, WHEELCHAIR] = [0, 1, 2, 3, 4, 5] as const;
const FIRST_TRIPS = 1_024;
/** Of columns that are full: millions of trips have little room that they do not need. */
const GROWTH = 1.4;

export function readTrips(
  { routes, services, texts }: TripTables,
  { seed, trail }: { seed: number; trail: TrailRecorder },
): CsvFile & Trips {
  const trips: CsvFile & Trips = {
    file: "trips.txt",
    columns: COLUMNS,
    needed: ["trip_id", "route_id"],
    ids: createByteTable(seed),
    ...emptyColumns(FIRST_TRIPS),
    onRow(row) {
      const count = trips.ids.count;
      const trip = addText(trips.ids, row, ID);
      if (trip === NO_ENTRY) return trail.drop("trip_without_id", `line ${row.line}`);
      if (trip < count) return trail.drop("duplicate_trip", readCell(row, ID));
      makeRoom(trips, trip + 1);
      const route = findText(routes.ids, row, ROUTE);
      if (route === NO_ENTRY) trail.drop("trip_of_unknown_route", readCell(row, ID));
      trips.routeOf[trip] = route;
      trips.serviceOf[trip] = findText(services, row, SERVICE);
      if (trips.serviceOf[trip] === NO_ENTRY)
        trail.repair("trip_without_service", readCell(row, ID));
      trips.headsignOf[trip] = addText(texts, row, HEADSIGN);
      trips.shortNameOf[trip] = addText(texts, row, SHORT_NAME);
      trips.wheelchair[trip] = digitOf(row, WHEELCHAIR, 2) ?? 0;
    },
  };
  return trips;
}

const FREQUENCY_COLUMNS = [
  "trip_id",
  "start_time",
  "end_time",
  "headway_secs",
  "exact_times",
] as const;

export type Frequencies = { rows: Frequency[] };

/** The fastest metros run every 60 to 80 s: below, a row is a mistake, or an attack. */
const LEAST_HEADWAY_S = 30;
/** Rows of one trip; the most of a recorded feed are 21. */
const MOST_ROWS = 200;
/** Runs that the rows of one trip unfold to: two days of one every 30 s are 5,760. */
const MOST_RUNS = 10_000;
/** The same of a feed: 27,000 trips that run every five minutes for 16 hours. */
const MOST_RUNS_OF_ALL = 5_000_000;

/**
 * Rows of a trip that is known, each once and within bounds; those of no length repeat nothing. A
 * trip whose rows are all left out does not run: its own times are only distances.
 */
export function readFrequencies(trips: Trips, trail: TrailRecorder): CsvFile & Frequencies {
  const rows: Frequency[] = [];
  const byTrip = new Map<number, { rows: Frequency[]; runs: number }>();
  let all = 0;
  return {
    file: "frequencies.txt",
    columns: FREQUENCY_COLUMNS,
    needed: ["trip_id", "start_time", "end_time", "headway_secs"],
    rows,
    onRow(row) {
      const trip = findText(trips.ids, row, 0);
      const drop = (reason: string): void => trail.drop(reason, readCell(row, 0));
      if (trip === NO_ENTRY) return drop("frequency_of_unknown_trip");
      const from_s = secondsOf(row, 1);
      const to_s = secondsOf(row, 2);
      const headway_s = toCount(readCell(row, 3));
      if (from_s === null || to_s === null || !headway_s || from_s >= to_s)
        return drop("frequency_without_times");
      trips.frequent[trip] = 1;
      if (headway_s < LEAST_HEADWAY_S) return drop("frequency_below_30_s");
      const own = byTrip.get(trip) ?? { rows: [], runs: 0 };
      const frequency = { trip, from_s, to_s, headway_s, exact: digitOf(row, 4, 1) === 1 };
      if (own.rows.some((each) => isSame(each, frequency))) return drop("frequency_repeated");
      const runs = Math.ceil((to_s - from_s) / headway_s);
      if (own.rows.length === MOST_ROWS || own.runs + runs > MOST_RUNS)
        return drop("trip_repeated_too_often");
      if (all + runs > MOST_RUNS_OF_ALL) return drop("too_many_repeats");
      byTrip.set(trip, own);
      own.rows.push(frequency);
      own.runs += runs;
      all += runs;
      rows.push(frequency);
    },
  };
}

function isSame(a: Frequency, b: Frequency): boolean {
  return (
    a.from_s === b.from_s && a.to_s === b.to_s && a.headway_s === b.headway_s && a.exact === b.exact
  );
}

function emptyColumns(rows: number) {
  return {
    routeOf: new Int32Array(rows).fill(NO_ENTRY),
    serviceOf: new Int32Array(rows).fill(NO_ENTRY),
    headsignOf: new Int32Array(rows).fill(NO_ENTRY),
    shortNameOf: new Int32Array(rows).fill(NO_ENTRY),
    wheelchair: new Uint8Array(rows),
    frequent: new Uint8Array(rows),
  };
}

function makeRoom(trips: Trips, rows: number): void {
  if (rows <= trips.routeOf.length) return;
  Object.assign(trips, widened(trips, emptyColumns(Math.ceil(trips.routeOf.length * GROWTH))));
}
