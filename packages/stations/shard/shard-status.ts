/**
 * The status pack: live counts of the stations of one static pack, row by row. It belongs to that
 * pack alone: when the static part changes, it is rebuilt.
 */
import type { StationStatus } from "../entities.ts";
import {
  COUNT,
  countClass,
  type Field,
  getField,
  modesOf,
  NO_STATUS_BIT,
  TRI,
  tri,
  withField,
} from "./bits.ts";
import { createKindCounter, type KindCount } from "./kind-counts.ts";
import { createModeResolver, type ModeResolver, stationModeMask } from "./shard-modes.ts";
import { type Blob, createBlobWriter, readText } from "#kit/bytes.ts";
import { openFlat, writeFlat } from "./flat.ts";
import { NAMES_TYPES, type Statics, ZONE } from "./shard-statics.ts";
import { createTimestamps, toRfc3339 } from "#kit/time.ts";
import type { TrailRecorder } from "#kit/trail.ts";

const KIND = "status/2";
/** Dock count that means "no limit" in the column (2.0+: absent means unlimited). */
const UNLIMITED = -2;
export const UNKNOWN_COUNT = -1;

type StatusMeta = {
  /** Time of the document: the publisher's, or ours of the fetch when theirs is missing or ahead. */
  doc_s: number;
  rows: number;
};

export type StatusPack = {
  meta: StatusMeta;
  /** Rendered middle of each item: availability and the start of its provenance; empty: no row. */
  middle: Blob;
  state: Uint32Array;
  /** Epoch seconds; 0: unknown. */
  last_reported: Uint32Array;
  vehicles: Int32Array;
  docks: Int32Array;
  /** Counts by type of row i: types_at[i] to types_at[i + 1]; none: the source states none. */
  types_at: Uint32Array;
  /** Places in the types of the static pack. */
  types: Uint16Array;
  type_counts: Uint32Array;
  bytes: number;
};

export function packStatus(
  statuses: ReadonlyMap<string, StationStatus>,
  statics: Statics,
  options: { doc_s: number; trail: TrailRecorder },
): SharedArrayBuffer {
  const modes = createModeResolver(statics.meta.types, statics.meta.mode_hint);
  const writer = createBlobWriter(statics.count, 320);
  const of = {
    ...{ modes, toKinds: createKindCounter(statics.meta.types) },
    ...{ toText: createTimestamps(), observed_at: toRfc3339(options.doc_s) },
  };
  const state = new Uint32Array(statics.count);
  const last_reported = new Uint32Array(statics.count);
  const vehicles = new Int32Array(statics.count).fill(UNKNOWN_COUNT);
  const docks = new Int32Array(statics.count).fill(UNKNOWN_COUNT);
  const typed = new TypedCounts(statics);
  let rows = 0;
  for (let row = 0; row < statics.count; row++) {
    const id = readText(statics.ids, row);
    const status = statuses.get(id);
    typed.add(row, status?.by_type ?? []);
    if (!status) {
      writer.add("");
      state[row] = statics.state[row]!;
      continue;
    }
    rows++;
    const own = stationState(status, statics, row, modes);
    state[row] = own;
    const availability = availabilityOf(status, own, of);
    writer.add(middleOf(JSON.stringify(availability), id, statics.meta.system_id));
    last_reported[row] = status.last_reported_s ?? 0;
    vehicles[row] = status.vehicles ?? UNKNOWN_COUNT;
    docks[row] = status.docks_unlimited ? UNLIMITED : (status.docks ?? UNKNOWN_COUNT);
  }
  recordOrphans(statuses, statics, rows, options.trail);
  const middle = writer.finish();
  return writeFlat(KIND, { doc_s: options.doc_s, rows } satisfies StatusMeta, {
    middle: middle.chunks,
    middle_at: middle.offsets,
    state,
    last_reported,
    vehicles,
    docks,
    ...typed.columns(),
  });
}

/** Counts by type, row by row. */
class TypedCounts {
  readonly #places: ReadonlyMap<string, number>;
  readonly #at: Uint32Array;
  readonly #types: number[] = [];
  readonly #counts: number[] = [];

  constructor({ meta, count }: Statics) {
    this.#places = new Map(meta.types.map(({ id }, place) => [id, place]));
    this.#at = new Uint32Array(count + 1);
  }

  /** Keeps nothing of a row that names a type which the system does not have. */
  add(row: number, by_type: StationStatus["by_type"]): void {
    const places = by_type.flatMap(({ type_id }) => this.#places.get(type_id) ?? []);
    if (places.length === by_type.length) {
      this.#types.push(...places);
      this.#counts.push(...by_type.map(({ count }) => count));
    }
    this.#at[row + 1] = this.#types.length;
  }

  columns() {
    return {
      types_at: this.#at,
      types: Uint16Array.from(this.#types),
      type_counts: Uint32Array.from(this.#counts),
    };
  }
}

export function openStatus(buffer: SharedArrayBuffer): StatusPack {
  const { meta, columns, bytes } = openFlat<StatusMeta>(KIND, buffer);
  return {
    meta,
    middle: {
      bytes: columns["middle"] as Uint8Array,
      offsets: columns["middle_at"] as Uint32Array,
    },
    state: columns["state"] as Uint32Array,
    last_reported: columns["last_reported"] as Uint32Array,
    vehicles: columns["vehicles"] as Int32Array,
    docks: columns["docks"] as Int32Array,
    types_at: columns["types_at"] as Uint32Array,
    types: columns["types"] as Uint16Array,
    type_counts: columns["type_counts"] as Uint32Array,
    bytes,
  };
}

/** With fewer docks than this, an empty system is nothing unusual. */
const MIN_DOCKS = 5;

/**
 * Reports whether a system has anything to rent at its docks. false: none rents, or all of many are
 * empty. null: it does not say, or not enough. Ends at the first dock that has.
 */
export function rentsOf(status: StatusPack | null): boolean | null {
  let docks = 0;
  let open = 0;
  for (const state of status?.state ?? []) {
    if (state & NO_STATUS_BIT) continue;
    docks++;
    if (getField(state, "installed") === TRI.no || getField(state, "renting") === TRI.no) continue;
    open++;
    const vehicles = getField(state, "vehicles");
    if (vehicles === COUNT.some) return true;
    if (vehicles === COUNT.unknown) return null;
  }
  return docks > 0 && (open === 0 || docks >= MIN_DOCKS) ? false : null;
}

/**
 * Whether each dock rents, by row (TRI): what is not installed does not. What a source does not say of
 * a dock is unknown.
 */
export function dockStates({ state }: StatusPack): Uint8Array {
  return Uint8Array.from(state, (each) => {
    if (each & NO_STATUS_BIT) return TRI.unknown;
    if (getField(each, "installed") === TRI.no) return TRI.no;
    return getField(each, "renting");
  });
}

/** What is the same for the rows of one document. */
type Rendering = {
  modes: ModeResolver;
  toKinds: ReturnType<typeof createKindCounter>;
  toText: (epoch_s: number) => string;
  observed_at: string;
};

/** `availability` (decisions, Global nearby); unknown is null, never 0 (R4). */
function availabilityOf(
  status: StationStatus,
  state: number,
  { modes, toKinds, toText, observed_at }: Rendering,
): Record<keyof typeof UNKNOWN_AVAILABILITY, unknown> & { by_type?: readonly KindCount[] } {
  const by_type = toKinds(status);
  return {
    vehicles: status.vehicles,
    docks: status.docks,
    disabled_vehicles: status.disabled_vehicles,
    disabled_docks: status.disabled_docks,
    by_mode: countByMode(status, modes, getField(state, "modes")),
    electric: electricCount(status, modes),
    is_installed: status.is_installed,
    is_renting: status.is_renting,
    is_returning: status.is_returning,
    last_reported: status.last_reported_s === null ? null : toText(status.last_reported_s),
    observed_at,
    ...(by_type === null ? {} : { by_type }),
  };
}

/** The middle of an item: what follows its distance, up to the shared rest of its provenance. */
export function middleOf(availability: string, station_id: string, system_id: string): string {
  const source_id = JSON.stringify(`${system_id}:${station_id}`);
  return (
    `,"availability":${availability},"provenance":[{"entity_id":${JSON.stringify(station_id)},` +
    `"source_id":${source_id}`
  );
}

/** Availability of a station whose counts no source reports. */
export const UNKNOWN_AVAILABILITY = {
  vehicles: null,
  docks: null,
  disabled_vehicles: null,
  disabled_docks: null,
  by_mode: null,
  electric: null,
  is_installed: null,
  is_renting: null,
  is_returning: null,
  last_reported: null,
  observed_at: null,
} as const;

function stationState(
  status: StationStatus,
  statics: Statics,
  row: number,
  modes: ModeResolver,
): number {
  const fields = {
    ...typedFields(status, statics, row, modes),
    ...liveFields(status, statics, row),
  };
  let state = withField(statics.state[row]!, "no_status", 0);
  for (const [field, value] of Object.entries(fields))
    state = withField(state, field as Field, value);
  return state;
}

/** What the types named by the status add to those of the static file (R2, R3, R8 reserve). */
function typedFields(
  status: StationStatus,
  statics: Statics,
  row: number,
  modes: ModeResolver,
): Partial<Record<Field, number>> {
  const available = [
    ...status.by_type.map((entry) => entry.type_id),
    ...(status.uncounted_type_ids ?? []),
  ];
  const names = [...available, ...status.dock_type_ids];
  if (!names.length) return {};
  const base = statics.state[row]!;
  const own = statics.flags[row]! & NAMES_TYPES ? getField(base, "modes") : 0;
  const reservable = names.some((id) => modes.reservable(id));
  return {
    modes: own | stationModeMask(names, modes),
    reserve: reservable ? 1 : getField(base, "reserve"),
    ...(available.length ? { parking: 0 } : {}),
  };
}

function liveFields(
  status: StationStatus,
  statics: Statics,
  row: number,
): Partial<Record<Field, number>> {
  const zone = (statics.flags[row]! & ZONE) !== 0;
  const unlimited = status.docks === null && (status.docks_unlimited || zone);
  return {
    ...(status.docks === null ? {} : { park: 1 }),
    // Without flags, an old zero says as little as any other old count.
    vehicles: isOld(status, status.is_renting) ? COUNT.unknown : countClass(status.vehicles),
    docks: unlimited
      ? COUNT.some
      : isOld(status, status.is_returning)
        ? COUNT.unknown
        : countClass(status.docks),
    installed: tri(status.is_installed),
    renting: tri(status.is_renting ?? rentsByCount(status)),
    returning: tri(status.is_returning),
    hidden: status.is_installed === false ? 1 : 0,
  };
}

function isOld({ counts }: StationStatus, flag: boolean | null): boolean {
  return flag === null && counts === "old";
}

/** R9: a station without flags rents while it has vehicles and has just spoken. */
function rentsByCount({ counts, vehicles }: StationStatus): true | null {
  return counts === "fresh" && vehicles !== null && vehicles > 0 ? true : null;
}

/** Counts by mode where types say, or where there is only one mode to say it of; else null. */
function countByMode(
  status: StationStatus,
  modes: ModeResolver,
  ownMask: number,
): Record<string, number> | null {
  if (status.by_type.length) {
    const counts: Record<string, number> = {};
    for (const { type_id, count } of status.by_type) {
      const mode = modes.ofType(type_id);
      counts[mode] = (counts[mode] ?? 0) + count;
    }
    const sum = Object.values(counts).reduce((a, b) => a + b, 0);
    // Violation 7: types that do not add up to the total say nothing about modes, unless one mode
    // is all there is.
    if (sum === status.vehicles) return counts;
  }
  const own = modes.system.length === 1 ? modes.system : modesOf(ownMask);
  return status.vehicles === null || own.length !== 1 ? null : { [own[0]!]: status.vehicles };
}

function electricCount(status: StationStatus, modes: ModeResolver): number | null {
  if (status.electric !== null) return status.electric;
  if (!status.by_type.length) return null;
  let total = 0;
  let sum = 0;
  for (const { type_id, count } of status.by_type) {
    const electric = modes.electric(type_id);
    if (electric === null) return null;
    sum += count;
    if (electric) total += count;
  }
  return sum === status.vehicles ? total : null;
}

/** Violation 15: a status without a station is dropped, and said. */
function recordOrphans(
  statuses: ReadonlyMap<string, StationStatus>,
  statics: Statics,
  matched: number,
  trail: TrailRecorder,
): void {
  if (matched === statuses.size) return;
  const entries = new Set<string>();
  for (let row = 0; row < statics.count; row++) entries.add(readText(statics.ids, row));
  for (const id of statuses.keys()) if (!entries.has(id)) trail.drop("status_without_station", id);
}
