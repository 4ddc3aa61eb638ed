/**
 * The vehicles pack: free-floating vehicles of one system in index order. It is made against a
 * static pack, which knows the types and the stations where vehicles may be.
 */
import { boxOf, wrapLon } from "#core/geo.ts";
import type { Box, Location, Mode, VehicleInfo } from "#core/entities.ts";
import { vehicleId } from "#core/ids.ts";
import { modeMask, tri, withField } from "#core/nearby/bits.ts";
import { createModeResolver, type ModeResolver } from "#core/nearby/modes.ts";
import { type BandIndex, bandOrder, bandStarts } from "#core/shard/band-index.ts";
import {
  type Blob,
  type Chunked,
  createBlobWriter,
  internAll,
  rankAll,
  readText,
  toBlob,
} from "#core/shard/bytes.ts";
import { openFlat, writeFlat } from "#core/shard/flat.ts";
import { originJson } from "#core/shard/origin.ts";
import { type Statics, ZONE } from "#core/shard/statics.ts";
import type { TrailRecorder } from "#core/trail.ts";

const KIND = "vehicles/1";
/** Width of the observation window that a vehicle id of ours lives for (core/ids). */
const WINDOW_S = 3600;
/** Replaces the vehicle's own id in interned extras; no JSON text holds a raw control character. */
const ID_MARK = "\u0001";

type VehiclesMeta = { doc_s: number; box: Box | null; has_expiry: boolean };

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
  /** Row of the type in the statics' header; 0xffff: none. */
  type: Uint16Array;
  /** Rendered start of each item, up to its distance. */
  head: Blob;
  extras: Blob;
  extras_of: Uint32Array;
  bytes: number;
};

const VEHICLE_FIELDS = ["location", "mode", "availability"];

type Placed = { vehicle: VehicleInfo; location: Location; mode: Mode };

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
  const typeRows = new Map(statics.meta.types.map((type, row) => [type.id, row]));
  const head = headBlob(rows, statics, options.doc_s);
  const meta = { doc_s: options.doc_s, box: boxOf(lat, lon), has_expiry, first_band };
  const buffer = writeFlat(KIND, meta, {
    lat,
    lon,
    starts,
    state: Uint32Array.from(rows, (row) => vehicleState(row, modes)),
    until: Float64Array.from(has_expiry ? rows : [], (row) => row.vehicle.available_until_s ?? 0),
    last_reported: Uint32Array.from(rows, (row) => row.vehicle.last_reported_s ?? 0),
    rank: rankAll(rows.map((row) => row.vehicle.id)),
    range_m: Float32Array.from(rows, (row) => row.vehicle.range_m ?? Number.NaN),
    charge: Float32Array.from(rows, (row) => row.vehicle.charge ?? Number.NaN),
    type: Uint16Array.from(rows, (row) => typeRows.get(row.vehicle.type_id ?? "") ?? 0xffff),
    head: head.chunks,
    head_at: head.offsets,
    extras: extrasBlob.bytes,
    extras_at: extrasBlob.offsets,
    extras_of: extras.index,
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
    head: { bytes: column("head"), offsets: column("head_at") },
    extras: { bytes: column("extras"), offsets: column("extras_at") },
    extras_of: column("extras_of"),
    bytes,
  };
}

/** Extras of one row as the publisher's own values. */
export function vehicleExtras(vehicles: Vehicles, row: number, vehicle_id: string): unknown {
  const text = readText(vehicles.extras, vehicles.extras_of[row]!);
  // A function: in a replacement text, the `$` of an id would be a pattern.
  return JSON.parse(text.replaceAll(ID_MARK, () => JSON.stringify(vehicle_id).slice(1, -1)));
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
    placed.push({ vehicle, location, mode });
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
    const name = vehicle.name === null ? "" : `,"name":${JSON.stringify(vehicle.name)}`;
    writer.add(
      `{"source_id":${source_id},"svc_id":"${vehicleId(system_id, vehicle.id, window)}",` +
        `"provenance":[{"entity_id":${id},"source_id":${source_id},${origin}}],"source":{"id":${id}${name},"location":{"lat":${location.lat},"lon":${location.lon}},` +
        `"distance_meters":`,
    );
  }
  return writer.finish();
}

function extrasJson(vehicle: VehicleInfo): string {
  const kept: Record<string, unknown> = {};
  for (const key of EXTRAS) {
    const value = vehicle[key];
    if (value !== null && !(Array.isArray(value) && value.length === 0)) kept[key] = value;
  }
  // Deep links differ from one another by the vehicle's id alone: with a mark in its place they
  // are stored once.
  return JSON.stringify(kept).replaceAll(JSON.stringify(vehicle.id).slice(1, -1), ID_MARK);
}

const EXTRAS = ["equipment", "rental_uris"] as const satisfies readonly (keyof VehicleInfo)[];
