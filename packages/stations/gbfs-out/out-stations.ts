/**
 * Stations of a system in GBFS 3.0 and 2.3. The format has no word for "unknown": a station is published
 * where it is known whether it rents and takes vehicles back, what it holds and of which kind that is.
 */
import { readText } from "#kit/bytes.ts";
import type { RentalUris, VehicleType } from "../entities.ts";
import {
  CLASS,
  CLOSED_BIT,
  COUNT,
  getField,
  MODES_MASK,
  modeMask,
  TRI,
  UNKNOWN_BIT,
} from "../shard/bits.ts";
import { type StatusPack, UNKNOWN_COUNT } from "../shard/shard-status.ts";
import { type Statics, ZONE } from "../shard/shard-statics.ts";
import { type OutRow, type OutVersion, timeValue, type ToText } from "./out-envelope.ts";
import { isListed } from "./out-types.ts";

/** What was read of a station, as it is shown now. */
export type ReadStation = {
  id: string;
  name: string;
  location: { lat: number; lon: number };
  capacity: number | null;
  address?: string;
  opening_hours?: string;
  rental_uris?: RentalUris;
};

export type StationSubject = {
  read: ReadStation;
  /** With the fields that time sets (shard/bits). */
  state: number;
  /** Whose it is. */
  statics: Statics;
  row: number;
  /** Whose counts are shown; null: none. */
  live: { statics: Statics; status: StatusPack; row: number; doc_s: number } | null;
  /** Observations that it is made of: `<system>:<key>`. */
  sources: readonly string[];
};

export type OutStation = Omit<StationSubject, "live" | "state"> & {
  live: NonNullable<StationSubject["live"]>;
  vehicles: number;
  /** null: without a limit. */
  docks: number | null;
  is_installed: boolean;
  is_renting: boolean;
  is_returning: boolean;
  /** null: not stated. */
  by_type: readonly { type: VehicleType; count: number }[] | null;
};

/** Why something is not in a file. */
export type LeftOut = "unknown_state" | "unknown_counts" | "unknown_type";

const BICYCLES = modeMask(["bicycle"]);

/** Decides whether a station can be published, and returns why not. */
export function toOutStation(subject: StationSubject): OutStation | LeftOut {
  const { live, state, statics } = subject;
  const flags = flagsOf(state);
  if (live === null || flags === null) return "unknown_state";
  const { status, row } = live;
  const vehicles = status.vehicles[row]!;
  const isUnlimited = status.docks[row]! < 0 && getField(state, "docks") === COUNT.some;
  const docks = isUnlimited ? null : status.docks[row]!;
  if (vehicles <= UNKNOWN_COUNT || docks === UNKNOWN_COUNT) return "unknown_counts";
  const by_type = live.statics === statics ? typedCounts(live, vehicles) : null;
  const named = by_type?.map(({ type }) => type) ?? statics.meta.types.filter(isListed);
  const declared = named.length === 0 ? BICYCLES : modeMask(named.map(({ mode }) => mode));
  if ((state & MODES_MASK & declared) === 0) return "unknown_type";
  return { ...subject, live, vehicles, docks, ...flags, by_type };
}

type Flags = Pick<OutStation, "is_installed" | "is_renting" | "is_returning">;

/** null: one of them is not known, or too old to say. */
function flagsOf(state: number): Flags | null {
  const renting = getField(state, "renting");
  const returning = getField(state, "returning");
  // What rents is there.
  const isInstalled = getField(state, "installed") === TRI.yes || renting === TRI.yes;
  if (!isInstalled) return null;
  if (state & CLOSED_BIT) return { is_installed: true, is_renting: false, is_returning: false };
  if (state & UNKNOWN_BIT || getField(state, "data_class") === CLASS.static) return null;
  if (renting === TRI.unknown || returning === TRI.unknown) return null;
  return {
    is_installed: true,
    is_renting: renting === TRI.yes,
    is_returning: returning === TRI.yes,
  };
}

/** null: the source states none, or they do not add up, or one is of a type that is not listed. */
function typedCounts(
  { statics, status, row }: OutStation["live"],
  vehicles: number,
): OutStation["by_type"] {
  const counts: { type: VehicleType; count: number }[] = [];
  let sum = 0;
  for (let i = status.types_at[row]!; i < status.types_at[row + 1]!; i++) {
    const type = statics.meta.types[status.types[i]!]!;
    const count = status.type_counts[i]!;
    if (!isListed(type)) return null;
    counts.push({ type, count });
    sum += count;
  }
  return counts.length > 0 && sum === vehicles ? counts : null;
}

/** A row of station_information. */
export function informationRow(station: OutStation, version: OutVersion, toText: ToText): OutRow {
  const { read, statics, row, sources } = station;
  const { short_name, is_virtual } = extrasOf(statics, row);
  const is_virtual_station = (statics.flags[row]! & ZONE) !== 0 ? true : is_virtual;
  const { opening_hours } = read;
  const isOwn = opening_hours !== undefined && opening_hours !== statics.meta.system?.opening_hours;
  return {
    station_id: read.id,
    name: toText(read.name),
    ...(short_name === undefined ? {} : { short_name: toText(short_name) }),
    ...read.location,
    ...(read.address === undefined ? {} : { address: read.address }),
    ...(read.capacity === null ? {} : { capacity: read.capacity }),
    ...(is_virtual_station === undefined ? {} : { is_virtual_station }),
    ...(getField(statics.state[row]!, "charge") === 1 ? { is_charging_station: true } : {}),
    ...(version === "3.0" && isOwn ? { station_opening_hours: opening_hours } : {}),
    ...(read.rental_uris === undefined ? {} : { rental_uris: read.rental_uris }),
    _vicinity: { sources },
  };
}

function extrasOf({ extras, extras_of }: Statics, row: number) {
  return JSON.parse(readText(extras, extras_of[row]!)) as {
    short_name?: string;
    is_virtual?: boolean;
  };
}

/** A row of station_status. */
export function statusRow(station: OutStation, version: OutVersion): OutRow {
  const { read, live, vehicles, docks, by_type, is_installed, is_renting, is_returning } = station;
  const { status, row } = live;
  const { disabled_vehicles, disabled_docks } = disabledOf(status, row);
  const word = version === "3.0" ? "vehicles" : "bikes";
  return {
    station_id: read.id,
    [`num_${word}_available`]: vehicles,
    ...(by_type === null
      ? {}
      : {
          vehicle_types_available: by_type.map(({ type, count }) => ({
            vehicle_type_id: type.id,
            count,
          })),
        }),
    ...(disabled_vehicles === null ? {} : { [`num_${word}_disabled`]: disabled_vehicles }),
    ...(docks === null ? {} : { num_docks_available: docks }),
    ...(disabled_docks === null ? {} : { num_docks_disabled: disabled_docks }),
    ...{ is_installed, is_renting, is_returning },
    // A source that gives no time of the station speaks of it with its document.
    last_reported: timeValue(status.last_reported[row]! || live.doc_s, version),
  };
}

type Disabled = { disabled_vehicles: number | null; disabled_docks: number | null };

const AVAILABILITY = `,"availability":`;
const PROVENANCE = `,"provenance":[`;

/** Read where the status pack has it rendered. */
function disabledOf({ middle }: StatusPack, row: number): Disabled {
  const text = readText(middle, row);
  return JSON.parse(text.slice(AVAILABILITY.length, text.indexOf(PROVENANCE))) as Disabled;
}
