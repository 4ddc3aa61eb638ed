/**
 * pathways.txt: ways within stations, between platforms, entrances, nodes and boarding areas. A row
 * that cannot be used is left out with its reason, and its stations are known to have more ways than
 * are kept. Of a file that cannot be read as a whole nothing is kept: a timetable needs none.
 */
import { Growing, pushRow } from "#kit/growing.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toNumber } from "#kit/coerce.ts";
import { NO_LENGTH, WAY, WAY_FLAG } from "../access/access-draft.ts";
import { addText, createByteTable, findText, NO_ENTRY, textOf } from "./byte-table.ts";
import { digitOf } from "./cell-values.ts";
import { type CsvFile, type CsvRow, readCell } from "#kit/csv.ts";
import { ABSENT, KIND, type Stops } from "./stop-table.ts";

const COLUMNS = [
  "pathway_id",
  "from_stop_id",
  "to_stop_id",
  "pathway_mode",
  "is_bidirectional",
  "length",
  "stair_count",
  "max_slope",
  "min_width",
] as const;
const [ID, FROM, TO, MODE, BOTH, LENGTH, STAIRS, SLOPE, WIDTH] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const;

/** What is steeper or narrower is in doubt, as on streets (packages/osm-base/walk/rules.json). */
const MOST_SLOPE = 0.06;
const LEAST_WIDTH_M = 0.9;
const MOST_LENGTH_M = 100_000;
const FIRST_ROWS = 64;

export type Pathways = {
  readonly count: number;
  id(way: number): string;
  /** Stops, one of WAY, bits of WAY_FLAG, decimetres. */
  from(way: number): number;
  to(way: number): number;
  mode(way: number): number;
  flags(way: number): number;
  length_dm(way: number): number;
  /** Whether a way at the stop was left out. */
  isPartial(stop: number): boolean;
  notePartial(stop: number): void;
  /** Lets all of it go: the file cannot be read to its end. */
  clear(): void;
};

export function readPathways(
  stops: Stops,
  { seed, trail }: { seed: number; trail: TrailRecorder },
): CsvFile & Pathways {
  let ids = createByteTable(seed);
  let columns = emptyColumns();
  let partial = new Uint8Array(0);
  const notePartial = (stop: number): void => {
    if (stop === NO_ENTRY) return;
    if (partial.length === 0) partial = new Uint8Array(stops.ids.count);
    partial[stop] = 1;
  };
  return {
    file: "pathways.txt",
    columns: COLUMNS,
    needed: COLUMNS.slice(0, 5),
    get count() {
      return columns.from.length;
    },
    id: (way) => textOf(ids, way),
    from: (way) => columns.from.at(way),
    to: (way) => columns.to.at(way),
    mode: (way) => columns.mode.at(way),
    flags: (way) => columns.flags.at(way),
    length_dm: (way) => columns.length_dm.at(way),
    isPartial: (stop) => partial[stop] === 1,
    notePartial,
    clear() {
      ids = createByteTable(seed);
      columns = emptyColumns();
      partial = new Uint8Array(0);
    },
    onRow(row) {
      const [from, to] = [findText(stops.ids, row, FROM), findText(stops.ids, row, TO)];
      const way = faultOf(stops, from, to) ?? readWay(row, trail);
      const [count, id] = [ids.count, typeof way === "string" ? NO_ENTRY : addText(ids, row, ID)];
      if (typeof way !== "string" && id === count) return pushRow(columns, { from, to, ...way });
      const fault = typeof way === "string" ? way : "duplicate_pathway";
      trail.drop(fault, readCell(row, ID) || `line ${row.line}`);
      notePartial(from);
      notePartial(to);
    },
  };
}

function emptyColumns() {
  return {
    from: new Growing(Int32Array, FIRST_ROWS),
    to: new Growing(Int32Array, FIRST_ROWS),
    mode: new Growing(Uint8Array, FIRST_ROWS),
    flags: new Growing(Uint8Array, FIRST_ROWS),
    length_dm: new Growing(Uint32Array, FIRST_ROWS),
  };
}

/** null: there is nothing against it. */
function faultOf({ kinds }: Stops, from: number, to: number): string | null {
  if (from === to && from !== NO_ENTRY) return "pathway_to_itself";
  for (const stop of [from, to]) {
    if (stop === NO_ENTRY || kinds[stop] === ABSENT) return "pathway_of_unknown_stop";
    if (kinds[stop] === KIND.station) return "pathway_of_station";
  }
  return null;
}

type Way = { mode: number; flags: number; length_dm: number };

/** What the row says of the way itself, or why it is left out. */
function readWay(row: CsvRow, trail: TrailRecorder): Way | string {
  const id = readCell(row, ID);
  if (id === "") return "pathway_without_id";
  const mode = digitOf(row, MODE, WAY.exit_gate);
  if (mode === null || mode === 0) return "unknown_pathway_mode";
  const both = readCell(row, BOTH);
  if (both !== "0" && both !== "1") return "unknown_pathway_direction";
  // Specification: exit gates must not be bidirectional. The direction that is stated is walked.
  const isTurned = both === "1" && mode === WAY.exit_gate;
  if (isTurned) trail.repair("exit_gate_both_ways", id);
  const is_both = both === "1" && !isTurned ? WAY_FLAG.both : 0;
  const is_doubt = isDoubtful(row, id, trail) ? WAY_FLAG.doubt : 0;
  return { mode, flags: is_both | is_doubt, length_dm: lengthOf(row, id, trail) };
}

/**
 * Whether a way may be none without steps: too steep, too narrow, with steps, or with a value that
 * cannot be read. By the specification an empty cell says that there is no slope, and no narrow place.
 */
function isDoubtful(row: CsvRow, id: string, trail: TrailRecorder): boolean {
  return DOUBTS.some(({ slot, reason, isFine }) => {
    const text = readCell(row, slot);
    if (text === "") return false;
    const value = toNumber(text);
    if (value === null) trail.repair(reason, id);
    return value === null || !isFine(value);
  });
}

const DOUBTS: readonly { slot: number; reason: string; isFine: (value: number) => boolean }[] = [
  { slot: STAIRS, reason: "unreadable_stair_count", isFine: (value) => value === 0 },
  {
    slot: SLOPE,
    reason: "unreadable_max_slope",
    isFine: (value) => Math.abs(value) <= MOST_SLOPE,
  },
  { slot: WIDTH, reason: "unreadable_min_width", isFine: (value) => value >= LEAST_WIDTH_M },
];

function lengthOf(row: CsvRow, id: string, trail: TrailRecorder): number {
  const text = readCell(row, LENGTH);
  if (text === "") return NO_LENGTH;
  const metres = toNumber(text);
  if (metres !== null && metres >= 0 && metres <= MOST_LENGTH_M) return Math.round(metres * 10);
  trail.repair("unreadable_pathway_length", id);
  return NO_LENGTH;
}
