/**
 * trips.txt and stop_times.txt (mobility.md 3.3): which route calls at which stop. One pass over the
 * largest file of a feed; of it nothing is kept but the distinct pairs.
 */
import { mergeTrails, type Trail, type TrailEntry, type TrailRecorder } from "#core/trail.ts";
import { toId } from "#providers/coerce.ts";
import {
  NONE,
  addText,
  createByteTable,
  findText,
  type ByteTable,
} from "#providers/gtfs/byte-table.ts";
import { type CsvFile, type CsvRow, readCell } from "#providers/gtfs/csv.ts";
import { createPairSet, type PairSet } from "#providers/gtfs/pair-set.ts";
import type { Routes } from "#providers/gtfs/routes.ts";
import { ABSENT, KIND, type Stops } from "#providers/gtfs/stops.ts";

export type Trips = { ids: ByteTable; routeOf: Int32Array };

const TRIP_COLUMNS = ["trip_id", "route_id"] as const;
const CALL_COLUMNS = ["trip_id", "stop_id"] as const;
const FIRST_TRIPS = 1_024;
const MAX_EXAMPLES = 5;

export function readTrips(
  routes: Routes,
  { seed, trail }: { seed: number; trail: TrailRecorder },
): CsvFile & Trips {
  const trips: CsvFile & Trips = {
    file: "trips.txt",
    columns: TRIP_COLUMNS,
    needed: TRIP_COLUMNS,
    ids: createByteTable(seed),
    routeOf: new Int32Array(FIRST_TRIPS),
    onRow(row) {
      const known = trips.ids.count;
      const trip = addText(trips.ids, row, 0);
      if (trip === NONE) return trail.drop("trip_without_id", `line ${row.line}`);
      if (trip < known) return trail.drop("duplicate_trip", readCell(row, 0));
      if (trip === trips.routeOf.length) trips.routeOf = doubled(trips.routeOf);
      const route = findText(routes.ids, row, 1);
      if (route === NONE) trail.drop("trip_of_unknown_route", readCell(row, 0));
      trips.routeOf[trip] = route;
    },
  };
  return trips;
}

export type Calls = {
  count: number;
  /** (stop, route); opened with the first row, when stops and routes are known. */
  pairs(): PairSet;
  trail(): Trail;
};

/** Rows of stop_times. Their faults are counted without a text per row, since there may be millions. */
export function readCalls(trips: Trips, routes: Routes, stops: Stops): CsvFile & Calls {
  const faults = new Map<string, TrailEntry>();
  let pairs: PairSet | undefined;
  /** Per stop the route that called last: most rows only repeat it. */
  let lastRoute = new Int32Array(0);
  const open = (): PairSet => {
    lastRoute = new Int32Array(stops.ids.count).fill(NONE);
    return (pairs ??= createPairSet(Math.max(1, routes.rows.length)));
  };
  const calls: CsvFile & Calls = {
    file: "stop_times.txt",
    columns: CALL_COLUMNS,
    needed: CALL_COLUMNS,
    count: 0,
    onRow(row) {
      calls.count++;
      const trip = findText(trips.ids, row, 0);
      if (trip === NONE) return note(faults, "call_of_unknown_trip", row, 0);
      const route = trips.routeOf[trip]!;
      if (route === NONE) return;
      const stop = findText(stops.ids, row, 1);
      if (stop === NONE || stops.kinds[stop] === ABSENT) return missing(faults, row);
      const set = pairs ?? open();
      if (lastRoute[stop] === route) return;
      if (!callsAt(stops, stop)) return note(faults, "call_at_no_stop", row, 1);
      lastRoute[stop] = route;
      set.add(stop, route);
    },
    pairs: () => pairs ?? open(),
    trail: () => mergeTrails([{ dropped: [...faults.values()], repaired: [] }]),
  };
  return calls;
}

/** Vehicles stop at platforms; feeds without platforms name the station. */
function callsAt({ kinds }: Stops, stop: number): boolean {
  return kinds[stop] !== KIND.entrance && kinds[stop] !== KIND.node;
}

/** Trips on demand call at areas, not at stops: the cell is empty, and nothing is wrong. */
function missing(faults: Map<string, TrailEntry>, row: CsvRow): void {
  if (row.starts[1] !== row.ends[1]) note(faults, "call_at_unknown_stop", row, 1);
}

function note(faults: Map<string, TrailEntry>, reason: string, row: CsvRow, slot: number): void {
  let entry = faults.get(reason);
  if (!entry) faults.set(reason, (entry = { reason, count: 0, examples: [] }));
  entry.count++;
  if (entry.examples.length < MAX_EXAMPLES)
    entry.examples.push(toId(readCell(row, slot)) ?? `line ${row.line}`);
}

function doubled(column: Int32Array): Int32Array {
  const wider = new Int32Array(column.length * 2);
  wider.set(column);
  return wider;
}
