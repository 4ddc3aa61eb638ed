/**
 * transfers.txt, as far as trips go on as others (in-seat transfers). Ways between stops answer
 * nothing here, and are passed over (docs/design/departures.md, Continuations).
 */
import type { Continuation } from "../timetable/timetable-draft.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { findText, NO_ENTRY } from "./byte-table.ts";
import { digitOf } from "./cell-values.ts";
import { type CsvFile, readCell } from "#kit/csv.ts";
import type { Trips } from "./trip-table.ts";

const COLUMNS = ["transfer_type", "from_trip_id", "to_trip_id"] as const;
const [TYPE, FROM, TO] = [0, 1, 2] as const;
/** Riders may stay in the vehicle, or must leave it. */
const [STAY, LEAVE] = [4, 5] as const;
const MOST_ROWS = 1_000_000;

export type Transfers = {
  /** Each pair once; none that another row forbids. */
  continuations(): Continuation[];
};

export function readTransfers(trips: Trips, trail: TrailRecorder): CsvFile & Transfers {
  const rows: (Continuation & { stays: boolean })[] = [];
  return {
    file: "transfers.txt",
    columns: COLUMNS,
    needed: [],
    onRow(row) {
      const type = digitOf(row, TYPE, LEAVE);
      if (type !== STAY && type !== LEAVE) return;
      const from = findText(trips.ids, row, FROM);
      const to = findText(trips.ids, row, TO);
      const id = readCell(row, FROM) || `line ${row.line}`;
      if (from === NO_ENTRY || to === NO_ENTRY) return trail.drop("transfer_of_unknown_trip", id);
      if (from === to) return trail.drop("transfer_to_itself", id);
      if (rows.length === MOST_ROWS) return trail.drop("too_many_transfers", id);
      rows.push({ from, to, stays: type === STAY });
    },
    continuations() {
      const keyOf = ({ from, to }: Continuation): number => from * trips.ids.count + to;
      const stays = new Map<number, boolean>();
      for (const row of rows) stays.set(keyOf(row), row.stays && stays.get(keyOf(row)) !== false);
      return rows.filter((row) => stays.get(keyOf(row)) === true && stays.delete(keyOf(row)));
    },
  };
}
