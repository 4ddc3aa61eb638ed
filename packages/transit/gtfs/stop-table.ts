/**
 * stops.txt as columns (mobility.md 3.1): stations, platforms, entrances, nodes and boarding areas in
 * one numbering, in which a parent may be named before, after or without a row of its own.
 */
import { isTimeZone } from "#kit/time-zones.ts";
import { MOST_ZONES } from "#kit/stated-zones.ts";
import type { Wheelchair } from "../schedule/station.ts";
import { stationLocation } from "../schedule/schedule-stations.ts";
import { widened } from "#kit/growing.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toNumber } from "#kit/coerce.ts";
import { NO_ENTRY, addText, createByteTable, textOf, type ByteTable } from "./byte-table.ts";
import { digitOf } from "./cell-values.ts";
import { type CsvFile, type CsvRow, readCell } from "#kit/csv.ts";

/** location_type; ABSENT: named as a parent, but not in the file. */
export const KIND = { platform: 0, station: 1, entrance: 2, node: 3, boarding: 4 } as const;
export const ABSENT = 255;

export type Stops = {
  /** Stop ids and the parents they name; a number of it is a place in every column. */
  ids: ByteTable;
  names: ByteTable;
  /** Rows of the file that were taken. */
  count: number;
  kinds: Uint8Array;
  /** NaN where the coordinates say nothing. */
  lats: Float64Array;
  lons: Float64Array;
  /** NONE without a parent. */
  parents: Int32Array;
  /** In `names`; NONE without a name. */
  named: Int32Array;
  /** 0 unknown, 1 yes, 2 no, as in the file. */
  wheelchair: Uint8Array;
  /** In `texts`; NONE: not stated. */
  platforms: Int32Array;
  /** In `zone_names`; NONE: not stated. */
  zones: Int32Array;
  zone_names: ByteTable;
  /** Numbers of levels (levels.ts); NONE: not stated. */
  levels: Int32Array;
};

const COLUMNS = [
  "stop_id",
  "stop_name",
  "stop_lat",
  "stop_lon",
  "location_type",
  "parent_station",
  "wheelchair_boarding",
  "platform_code",
  "stop_timezone",
  "level_id",
] as const;
const [ID, NAME, LAT, LON, KIND_, PARENT, WHEELCHAIR, PLATFORM, ZONE, LEVEL] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;
const FIRST_ROWS = 1_024;

const WHEELCHAIR_OF: readonly Wheelchair[] = ["unknown", "yes", "no"];

/** Returns what the row of a stop itself says. */
export function ownWheelchair({ wheelchair }: Stops, stop: number): Wheelchair {
  return WHEELCHAIR_OF[wheelchair[stop]!]!;
}

/**
 * Finds the zone whose clocks are shown at a stop: its station's where it is part of one, else its own
 * (mobility.md 3.1). null: none is stated, or none that there is.
 */
export function createZoneOf(stops: Stops, trail: TrailRecorder): (stop: number) => string | null {
  const { zone_names, zones, parents } = stops;
  const names: (string | null)[] = [];
  for (let zone = 0; zone < Math.min(MOST_ZONES, zone_names.count); zone++) {
    const name = textOf(zone_names, zone).trim();
    const isKnown = isTimeZone(name);
    if (!isKnown) trail.repair("unknown_time_zone", name);
    names.push(isKnown ? name : null);
  }
  const nameOf = (stop: number): string | null => names[zones[stop]!] ?? null;
  return (stop) => (parents[stop] === NO_ENTRY ? null : nameOf(parents[stop]!)) ?? nameOf(stop);
}

/** `texts` takes the codes of platforms, `level_ids` the levels that are named. */
export function readStops(
  { texts, level_ids }: { texts: ByteTable; level_ids: ByteTable },
  { seed, trail }: { seed: number; trail: TrailRecorder },
): CsvFile & Stops {
  const stops: CsvFile & Stops = {
    file: "stops.txt",
    columns: COLUMNS,
    needed: ["stop_id", "stop_lat", "stop_lon"],
    ids: createByteTable(seed),
    names: createByteTable(seed),
    zone_names: createByteTable(seed),
    count: 0,
    ...emptyColumns(FIRST_ROWS),
    onRow: (row) => takeRow(stops, row, { texts, level_ids, trail }),
  };
  return stops;
}

function takeRow(
  stops: Stops,
  row: CsvRow,
  { texts, level_ids, trail }: { texts: ByteTable; level_ids: ByteTable; trail: TrailRecorder },
): void {
  const id = toId(readCell(row, ID));
  if (id === null) return trail.drop("stop_without_id", `line ${row.line}`);
  const stop = addText(stops.ids, row, ID);
  const parent = addText(stops.ids, row, PARENT);
  makeRoom(stops, stops.ids.count);
  if (stops.kinds[stop] !== ABSENT) return trail.drop("duplicate_stop", id);
  stops.count++;
  stops.kinds[stop] = kindOf(row, id, trail);
  stops.parents[stop] = parent;
  stops.named[stop] = addText(stops.names, row, NAME);
  stops.wheelchair[stop] = digitOf(row, WHEELCHAIR, 2) ?? 0;
  stops.platforms[stop] = addText(texts, row, PLATFORM);
  stops.zones[stop] = addText(stops.zone_names, row, ZONE);
  stops.levels[stop] = addText(level_ids, row, LEVEL);
  const location = stationLocation(toNumber(readCell(row, LAT)), toNumber(readCell(row, LON)));
  stops.lats[stop] = location?.lat ?? NaN;
  stops.lons[stop] = location?.lon ?? NaN;
}

/** Empty is a stop or platform; so is an undefined value. */
function kindOf(row: CsvRow, id: string, trail: TrailRecorder): number {
  const kind = digitOf(row, KIND_, KIND.boarding);
  if (kind === null) trail.repair("unknown_location_type", id);
  return kind ?? KIND.platform;
}

function emptyColumns(rows: number) {
  return {
    kinds: new Uint8Array(rows).fill(ABSENT),
    lats: new Float64Array(rows),
    lons: new Float64Array(rows),
    parents: new Int32Array(rows).fill(NO_ENTRY),
    named: new Int32Array(rows).fill(NO_ENTRY),
    wheelchair: new Uint8Array(rows),
    platforms: new Int32Array(rows).fill(NO_ENTRY),
    zones: new Int32Array(rows).fill(NO_ENTRY),
    levels: new Int32Array(rows).fill(NO_ENTRY),
  };
}

function makeRoom(stops: Stops, rows: number): void {
  if (rows <= stops.kinds.length) return;
  Object.assign(stops, widened(stops, emptyColumns(Math.max(rows, stops.kinds.length * 2))));
}
