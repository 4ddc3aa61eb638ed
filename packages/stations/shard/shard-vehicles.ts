/**
 * The vehicles pack: free-floating vehicles of one system in index order. It is made against a
 * static pack, which knows the types and the stations where vehicles may be.
 */
import { EQUIPMENT } from "#api/tokens.ts";
import { boxOf, wrapLon } from "#kit/geo.ts";
import type { Mode, VehicleInfo, VehicleType } from "../entities.ts";
import type { Box, Location } from "#kit/geo.ts";
import { brandOf } from "../identity/brand-names.ts";
import { vehicleId } from "#kit/ids.ts";
import { bareVehicleId, prefixWords } from "../identity/vehicle-key.ts";
import {
  identityColumns,
  type KeyedVehicle,
  type VehicleColumns,
} from "../identity/vehicle-columns.ts";
import { modeMask, BITS_TEXTS, tri, withField } from "./bits.ts";
import { createModeResolver, type ModeResolver } from "./shard-modes.ts";
import { nameOfVehicle, toDescribedType } from "./vehicle-type.ts";
import { type BandIndex, bandOrder, bandStarts } from "./band-index.ts";
import {
  type Blob,
  type Chunked,
  createBlobWriter,
  internAll,
  rankAll,
  readText,
  toBlob,
} from "#kit/bytes.ts";
import { openFlat, writeFlat } from "./flat.ts";
import { membersJson, openRepeats, packRepeats, type RepeatedTexts } from "./shard-repeats.ts";
import { originJson } from "./shard-origin.ts";
import { type Statics, type StaticsMeta, ZONE } from "./shard-statics.ts";
import type { TrailRecorder } from "#kit/trail.ts";

const KIND = "vehicles/4";
/** Width of the observation window that a vehicle id of ours lives for (packages/kit/ids). */
const WINDOW_S = 3600;

type VehiclesMeta = {
  doc_s: number;
  box: Box | null;
  has_expiry: boolean;
  /** Where in each head the publisher's id begins. */
  id_at: number;
};

export type Vehicles = {
  meta: VehiclesMeta;
  count: number;
  index: BandIndex;
  state: Uint32Array;
  /** available_until, epoch seconds; 0: open-ended. Empty column when no vehicle has one. */
  until: Float64Array;
  /** Epoch seconds; 0: unknown. */
  last_reported: Uint32Array;
  /** Place of its id among those of the pack, by their bytes. */
  rank: Uint32Array;
  /** Metres and 0..1; NaN: unknown. */
  range_m: Float32Array;
  charge: Float32Array;
  /** Row of the type in the statics' header; NO_TYPE: none. */
  type: Uint16Array;
  /** Row of the virtual station where it is parked; -1: none. Empty: none is parked at any. */
  station: Int32Array;
  /** 1: of a station's row, vehicles are parked at it. Empty: none is parked at any. */
  holds: Uint8Array;
  /** Rendered start of each item, up to its distance. */
  head: Blob;
  /** Name, brand, type, pricing plan and links of each item. */
  repeats: RepeatedTexts;
  /** JSON of what only the legacy routes show; rows share equal texts. */
  extras: Blob;
  extras_of: Uint32Array;
  /** See packages/stations/identity/vehicle-pairs. */
  identity: VehicleColumns;
  bytes: number;
};

/** Row of a vehicle's type where the system has no such type. */
const NO_TYPE = 0xffff;
const VEHICLE_FIELDS = ["location", "mode", "availability"];

/** `station`: row of the virtual station where it is parked; -1: none. */
type Placed = { vehicle: VehicleInfo; location: Location; mode: Mode; station: number };

export function packVehicles(
  vehicles: readonly VehicleInfo[],
  statics: Statics,
  options: { doc_s: number; trail: TrailRecorder },
): { buffer: SharedArrayBuffer; accepted: number } {
  const modes = createModeResolver(statics.meta.types, statics.meta.mode_hint);
  const placed = placeAll(vehicles, statics, { modes, trail: options.trail });
  const lats = Float64Array.from(placed, (each) => each.location.lat);
  const lons = Float64Array.from(placed, (each) => wrapLon(each.location.lon));
  const order = bandOrder(lats, lons);
  const rows = Array.from(order, (i) => placed[i]!);
  const lat = lats.map((_, row) => lats[order[row]!]!);
  const lon = lons.map((_, row) => lons[order[row]!]!);
  const { first_band, starts } = bandStarts(lat);
  const has_expiry = rows.some((row) => row.vehicle.available_until_s !== null);
  const extras = internAll(rows.map((row) => extrasJson(row.vehicle)));
  const extrasBlob = toBlob(extras.unique);
  const { types } = statics.meta;
  const typeRows = new Map(types.map((type, row) => [type.id, row]));
  const members = createMembers(statics.meta);
  const repeats = packRepeats(rows.map((row) => ({ id: row.vehicle.id, members: members(row) })));
  const head = headBlob(rows, statics, options.doc_s);
  const id_at = idAt(statics.meta.system_id);
  const meta = { doc_s: options.doc_s, box: boxOf(lat, lon), has_expiry, id_at, first_band };
  const buffer = writeFlat(KIND, meta, {
    lat,
    lon,
    starts,
    state: Uint32Array.from(rows, (row, i) =>
      withField(
        vehicleState(row, modes),
        "text",
        repeats.of[i]! < BITS_TEXTS ? repeats.of[i]! + 1 : 0,
      ),
    ),
    until: Float64Array.from(has_expiry ? rows : [], (row) => row.vehicle.available_until_s ?? 0),
    last_reported: Uint32Array.from(rows, (row) => row.vehicle.last_reported_s ?? 0),
    rank: rankAll(rows.map((row) => row.vehicle.id)),
    range_m: Float32Array.from(rows, (row) => row.vehicle.range_m ?? Number.NaN),
    charge: Float32Array.from(rows, (row) => row.vehicle.charge ?? Number.NaN),
    type: Uint16Array.from(rows, (row) => typeRows.get(row.vehicle.type_id ?? "") ?? NO_TYPE),
    ...standingColumns(rows, statics.count),
    head: head.chunks,
    head_at: head.offsets,
    ...repeats.columns,
    extras: extrasBlob.bytes,
    extras_at: extrasBlob.offsets,
    extras_of: extras.index,
    ...identityColumns({ lat, lon }, rows.map(keyed(statics.meta))),
  });
  return { buffer, accepted: rows.length };
}

export function openVehicles(buffer: SharedArrayBuffer): Vehicles {
  const { meta, columns, bytes } = openFlat<VehiclesMeta & { first_band: number }>(KIND, buffer);
  const column = <T>(name: string): T => columns[name] as T;
  const lat = column<Float64Array>("lat");
  return {
    meta,
    count: lat.length,
    index: { lat, lon: column("lon"), first_band: meta.first_band, starts: column("starts") },
    state: column("state"),
    until: column("until"),
    last_reported: column("last_reported"),
    rank: column("rank"),
    range_m: column("range_m"),
    charge: column("charge"),
    type: column("type"),
    station: column("station"),
    holds: column("holds"),
    head: { bytes: column("head"), offsets: column("head_at") },
    repeats: openRepeats(columns),
    extras: { bytes: column("extras"), offsets: column("extras_at") },
    extras_of: column("extras_of"),
    identity: {
      keys: column("keys"),
      keys_row: column("keys_row"),
      keys_of: column("keys_of"),
      by_place: column("by_place"),
    },
    bytes,
  };
}

/** Returns what the publisher says of the equipment of one row; [] when nothing. */
export function equipmentOf({ extras, extras_of }: Vehicles, row: number): string[] {
  const { equipment } = JSON.parse(readText(extras, extras_of[row]!)) as { equipment?: string[] };
  return equipment ?? [];
}

/** Returns the part of a row's id and kind that another source may know it by. */
function keyed({ system_id, network, system, names = [] }: StaticsMeta) {
  const own = [system?.name, system?.short_name, system?.operator, system?.brand];
  const words = prefixWords(
    [system_id, network.id, network.name, ...own, ...names].filter((name) => name != null),
  );
  return ({ vehicle, mode }: Placed): KeyedVehicle => ({
    id: bareVehicleId(vehicle.id, words),
    modes: modeMask([mode]),
  });
}

/** Where vehicles are parked; both columns are empty where none is parked at a station. */
function standingColumns(
  rows: readonly Placed[],
  stations: number,
): { station: Int32Array; holds: Uint8Array } {
  if (rows.every(({ station }) => station === -1))
    return { station: new Int32Array(0), holds: new Uint8Array(0) };
  const holds = new Uint8Array(stations);
  for (const { station } of rows) if (station !== -1) holds[station] = 1;
  return { station: Int32Array.from(rows, ({ station }) => station), holds };
}

/** R5: a docked vehicle is counted by its station; one without a place takes its virtual station's. */
function placeAll(
  vehicles: readonly VehicleInfo[],
  statics: Statics,
  options: { modes: ModeResolver; trail: TrailRecorder },
): Placed[] {
  const rows = stationRows(vehicles, statics);
  const placed: Placed[] = [];
  for (const vehicle of vehicles) {
    const row = vehicle.station_id === null ? undefined : rows.get(vehicle.station_id);
    const docked = row !== undefined && !(statics.flags[row]! & ZONE);
    if (docked) {
      options.trail.drop("vehicle_docked_at_station", vehicle.id);
      continue;
    }
    const location = vehicle.location ?? (row === undefined ? null : stationLocation(statics, row));
    if (!location) {
      options.trail.drop("vehicle_without_position", vehicle.id);
      continue;
    }
    const mode = vehicle.own_mode ?? options.modes.ofType(vehicle.type_id);
    placed.push({ vehicle, location, mode, station: row ?? -1 });
  }
  return placed;
}

function stationRows(
  vehicles: readonly VehicleInfo[],
  statics: Statics,
): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  if (!vehicles.some((vehicle) => vehicle.station_id !== null)) return rows;
  for (let row = 0; row < statics.count; row++) rows.set(readText(statics.ids, row), row);
  return rows;
}

function stationLocation(statics: Statics, row: number): Location {
  return { lat: statics.index.lat[row]!, lon: statics.index.lon[row]! };
}

function vehicleState({ vehicle, mode }: Placed, modes: ModeResolver): number {
  const reservable = vehicle.type_id !== null && modes.reservable(vehicle.type_id);
  let state = withField(0, "vehicle", 1);
  state = withField(state, "modes", modeMask([mode]));
  state = withField(state, "reserve", reservable ? 1 : 0);
  state = withField(state, "reserved", tri(vehicle.is_reserved));
  return withField(state, "disabled", tri(vehicle.is_disabled));
}

function headBlob(rows: readonly Placed[], statics: Statics, doc_s: number): Chunked {
  const { system_id } = statics.meta;
  const window = Math.floor(doc_s / WINDOW_S);
  const origin = originJson(statics.meta, VEHICLE_FIELDS);
  const writer = createBlobWriter(rows.length, 360);
  for (const { vehicle, location } of rows) {
    const id = JSON.stringify(vehicle.id);
    const source_id = JSON.stringify(`${system_id}:${vehicle.id}`);
    writer.add(
      `{"source_id":${source_id},"svc_id":"${vehicleId(system_id, vehicle.id, window)}",` +
        `"provenance":[{"entity_id":${id},"source_id":${source_id},${origin}}],"source":{"id":${id}${levelJson(vehicle)},"location":{"lat":${location.lat},"lon":${location.lon}},` +
        `"distance_meters":`,
    );
  }
  return writer.finish();
}

/** Bytes of a head before the publisher's id (see `headBlob`). */
function idAt(system_id: string): number {
  const before = `{"source_id":${JSON.stringify(`${system_id}:`).slice(0, -1)}`;
  return new TextEncoder().encode(before).length;
}

/** Whole percent and whole metres; absent where the publisher does not say. */
function levelJson({ charge, range_m }: VehicleInfo): string {
  const battery = charge === null ? "" : `,"battery":${Math.round(charge * 100)}`;
  return range_m === null ? battery : `${battery},"range_m":${Math.round(range_m)}`;
}

/** Name, brand, type, pricing plan and links of vehicles; what is of the type is rendered once. */
function createMembers(meta: StaticsMeta): (placed: Placed) => string {
  const types = new Map(meta.types.map((type) => [type.id, type]));
  const brand = brandName(meta);
  const cache = new Map<string, string>();
  const kindJson = (type: VehicleType | null, mode: Mode, own: string | null): string => {
    const vehicle_type = toDescribedType(type);
    return membersJson({
      name: own ?? nameOfVehicle(brand, type, mode),
      brand,
      ...(vehicle_type === null ? {} : { vehicle_type }),
    });
  };
  return ({ vehicle, mode }) => {
    const type = types.get(vehicle.type_id ?? "") ?? null;
    const key = `${mode} ${type?.id ?? ""}`;
    let kind = vehicle.name === null ? cache.get(key) : kindJson(type, mode, vehicle.name);
    if (kind === undefined) cache.set(key, (kind = kindJson(type, mode, null)));
    const pricing_plan_id = vehicle.pricing_plan_id ?? type?.pricing_plan_id ?? null;
    const { rental_uris } = vehicle;
    const equipment = EQUIPMENT.filter((each) => vehicle.equipment.includes(each));
    const own = {
      ...(equipment.length === 0 ? {} : { equipment }),
      ...(pricing_plan_id === null ? {} : { pricing_plan_id }),
      ...(rental_uris === null ? {} : { rental_uris }),
    };
    return kind + membersJson(own);
  };
}

/** The name under which the public knows whose vehicles these are. */
function brandName({ system, system_id, network }: StaticsMeta): string {
  const name = system?.brand ?? network.name;
  return brandOf({ id: system_id, name })?.name ?? name;
}

function extrasJson({ equipment }: VehicleInfo): string {
  return JSON.stringify(equipment.length === 0 ? {} : { equipment });
}
