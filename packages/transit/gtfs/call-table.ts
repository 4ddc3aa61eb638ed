/**
 * stop_times.txt (mobility.md 3.1, 3.3): which trip calls where, and when. One pass over the largest
 * file of a feed; of it distinct patterns, distinct times and the trips that follow them are kept.
 */
import { NO_PLACE } from "../timetable/timetable-draft.ts";
import { UNTIMED } from "../timetable/timetable-layout.ts";
import { mergeTrails, type Trail, type TrailEntry } from "#kit/trail.ts";
import { toId } from "#kit/coerce.ts";
import { addText, findAgain, findText, type ByteTable } from "./byte-table.ts";
import { digitOf, secondsOf, wholeOf } from "./cell-values.ts";
import { type CsvFile, type CsvRow, readCell } from "#kit/csv.ts";
import { ABSENT, KIND, type Stops } from "./stop-table.ts";
import { TripCalls, type TripTimes } from "./trip-calls.ts";
import type { Trips } from "./trip-table.ts";

const COLUMNS = [
  "trip_id",
  "stop_id",
  "stop_sequence",
  "arrival_time",
  "departure_time",
  "pickup_type",
  "drop_off_type",
  "stop_headsign",
  "timepoint",
] as const;
const [TRIP, STOP, SEQUENCE, ARRIVAL, DEPARTURE, PICKUP, DROP_OFF, HEADSIGN, TIMEPOINT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const;
const MAX_EXAMPLES = 5;
const MOST_TYPE = 3;

export type Calls = {
  count: number;
  /** Patterns and times of the trips, once all rows were read; in steps. */
  finish(): Generator<void, TripTimes>;
  trail(): Trail;
};

/** Tables that stop_times refers to; `texts` takes the headsigns of calls. */
export type CallTables = { trips: Trips; stops: Stops; texts: ByteTable };

/** Rows of stop_times. Their faults are counted without a text per row, since there may be millions. */
export function readCalls({ trips, stops, texts }: CallTables, seed: number): CsvFile & Calls {
  const faults = new Map<string, TrailEntry>();
  const repairs = new Map<string, TrailEntry>();
  const times = new TripCalls(trips, seed);
  /** A cell that is not empty and no time is counted, and says nothing. */
  function timeOf(row: CsvRow, slot: number): number {
    const time = secondsOf(row, slot);
    if (time === null && row.starts[slot] !== row.ends[slot])
      note(repairs, "unreadable_time", row, slot);
    return time ?? UNTIMED;
  }

  /** The values of one row, until they are taken: a row needs no object of its own. */
  const call = {
    arrival: 0,
    departure: 0,
    pickup: 0,
    drop_off: 0,
    isApproximate: false,
    headsign: 0,
  };

  function takeTimes(row: CsvRow, trip: number, stop: number): void {
    call.arrival = timeOf(row, ARRIVAL);
    call.departure = timeOf(row, DEPARTURE);
    call.isApproximate = row.starts[TIMEPOINT] !== row.ends[TIMEPOINT] && isZero(row, TIMEPOINT);
    call.pickup = digitOf(row, PICKUP, MOST_TYPE) ?? 0;
    call.drop_off = digitOf(row, DROP_OFF, MOST_TYPE) ?? 0;
    call.headsign = addText(texts, row, HEADSIGN);
    times.add(trip, stop, wholeOf(row, SEQUENCE), call);
  }

  const calls: CsvFile & Calls = {
    file: "stop_times.txt",
    columns: COLUMNS,
    needed: ["trip_id", "stop_id"],
    count: 0,
    onRow(row) {
      calls.count++;
      const trip = findAgain(trips.ids, row, TRIP);
      if (trip === NO_PLACE) return note(faults, "call_of_unknown_trip", row, TRIP);
      if (trips.routeOf[trip] === NO_PLACE) return;
      const stop = findText(stops.ids, row, STOP);
      if (stop === NO_PLACE || stops.kinds[stop] === ABSENT) return missing(faults, row);
      if (!callsAt(stops, stop)) return note(faults, "call_at_no_stop", row, STOP);
      takeTimes(row, trip, stop);
    },
    finish: () => times.finish(),
    trail: () =>
      mergeTrails([
        { dropped: [...faults.values()], repaired: [...repairs.values()] },
        times.trail(),
      ]),
  };
  return calls;
}

/** Vehicles stop at platforms; feeds without platforms name the station. */
function callsAt({ kinds }: Stops, stop: number): boolean {
  return kinds[stop] !== KIND.entrance && kinds[stop] !== KIND.node;
}

function isZero(row: CsvRow, slot: number): boolean {
  return digitOf(row, slot, 1) === 0;
}

/** Trips on demand call at areas, not at stops: the cell is empty, and nothing is wrong. */
function missing(faults: Map<string, TrailEntry>, row: CsvRow): void {
  if (row.starts[STOP] !== row.ends[STOP]) note(faults, "call_at_unknown_stop", row, STOP);
}

function note(faults: Map<string, TrailEntry>, reason: string, row: CsvRow, slot: number): void {
  let entry = faults.get(reason);
  if (!entry) faults.set(reason, (entry = { reason, count: 0, examples: [] }));
  entry.count++;
  if (entry.examples.length < MAX_EXAMPLES)
    entry.examples.push(toId(readCell(row, slot)) ?? `line ${row.line}`);
}
