/**
 * The static pack of a system: its stations in index order, with everything that does not change
 * from minute to minute, and the system's own facts in the header.
 */
import type { PriceValue } from "#api/prices.ts";
import { boxOf, wrapLon } from "#kit/geo.ts";
import type { Mode, StationInfo, SystemInfo, VehicleType } from "../entities.ts";
import type { Box } from "#kit/geo.ts";
import { stationId } from "#kit/ids.ts";
import { withField } from "./bits.ts";
import { createModeResolver, stationModeMask, stationTypeIds } from "./shard-modes.ts";
import { toKind } from "./vehicle-type.ts";
import { type BandIndex, bandOrder, bandStarts } from "./band-index.ts";
import {
  type Blob,
  type Chunked,
  createBlobWriter,
  internAll,
  rankAll,
  toBlob,
} from "#kit/bytes.ts";
import { openFlat, writeFlat } from "./flat.ts";
import { membersJson, openRepeats, packRepeats, type RepeatedTexts } from "./shard-repeats.ts";

const KIND = "statics/2";

/** The station's static file names vehicle types, so that its modes are its own (R2). */
export const NAMES_TYPES = 1;
/** A virtual station: a place without smart docks (mobility.md 1.6). */
export const ZONE = 2;

export type StaticsMeta = {
  source: string;
  system_id: string;
  network: { id: string; name: string };
  system: SystemInfo | null;
  /** Addresses the data come from, as published, and where it is: what identity asks of a feed. */
  urls?: readonly string[];
  places?: readonly string[];
  /** Names of its operators in addition to those of `system` and `network`. */
  names?: readonly string[];
  types: VehicleType[];
  /** Pricing plans; absent: none were read. */
  plans?: readonly PriceValue[];
  mode_hint: Mode | null;
  /** A vehicle feed, and no station with docks of its own (R3 `parking`). */
  free_floating_only: boolean;
  box: Box | null;
  /** Some station has opening hours, of its own or of its system; absent: none. */
  has_hours?: true;
};

export type Statics = {
  meta: StaticsMeta;
  count: number;
  index: BandIndex;
  /** State fields known without a status (packages/stations/shard/bits). */
  state: Uint32Array;
  /** NAMES_TYPES | ZONE of each station. */
  flags: Uint8Array;
  /** -1: unknown. */
  capacity: Int32Array;
  /** Place of its `svc_station_` id among those of the pack. */
  rank: Uint32Array;
  /** The publisher's station ids. */
  ids: Blob;
  /** Rendered start of each item, up to its distance. */
  head: Blob;
  /** Links, opening hours and accepted types of each item, after its distance. */
  repeats: RepeatedTexts;
  /** JSON of the keys that identity compares; rows share equal texts. */
  extras: Blob;
  extras_of: Uint32Array;
  bytes: number;
  buffer: SharedArrayBuffer;
};

export function packStatics(
  stations: readonly StationInfo[],
  meta: Omit<StaticsMeta, "box" | "free_floating_only"> & { has_vehicle_feed: boolean },
): SharedArrayBuffer {
  const { has_vehicle_feed, ...rest } = meta;
  const lats = Float64Array.from(stations, (station) => station.lat);
  const lons = Float64Array.from(stations, (station) => wrapLon(station.lon));
  const order = bandOrder(lats, lons);
  const rows = Array.from(order, (i) => stations[i]!);
  const lat = lats.map((_, row) => lats[order[row]!]!);
  const lon = lons.map((_, row) => lons[order[row]!]!);
  const { first_band, starts } = bandStarts(lat);
  const free_floating_only = has_vehicle_feed && stations.every(isZone);
  const header = {
    ...rest,
    free_floating_only,
    box: boxOf(lat, lon),
    first_band,
    ...hoursOf(rows, meta.system),
  };
  const ids = toBlob(rows.map((station) => station.id));
  const own_ids = rows.map(({ id }) => stationId(header.source, header.system_id, id));
  const head = headBlob(rows, own_ids);
  const extras = internAll(rows.map(extrasJson));
  const accepts = createAccepts(header.types);
  const repeats = packRepeats(
    rows.map((row) => ({
      id: row.id,
      members: membersJson(repeatedOf(row, accepts, meta.system)),
    })),
  );
  const extrasBlob = toBlob(extras.unique);
  return writeFlat(KIND, header, {
    lat,
    lon,
    starts,
    state: stationStates(rows, header).map((state, row) =>
      withField(state, "first_text", repeats.of[row] === 0 ? 1 : 0),
    ),
    flags: Uint8Array.from(rows, flagsOf),
    capacity: Int32Array.from(rows, (station) => station.capacity ?? -1),
    rank: rankAll(own_ids),
    ids: ids.bytes,
    ids_at: ids.offsets,
    head: head.chunks,
    head_at: head.offsets,
    ...repeats.columns,
    extras: extrasBlob.bytes,
    extras_at: extrasBlob.offsets,
    extras_of: extras.index,
  });
}

export function openStatics(buffer: SharedArrayBuffer): Statics {
  const { meta, columns, bytes } = openFlat<StaticsMeta & { first_band: number }>(KIND, buffer);
  const column = <T>(name: string): T => columns[name] as T;
  const blob = (name: string): Blob => ({ bytes: column(name), offsets: column(`${name}_at`) });
  const lat = column<Float64Array>("lat");
  return {
    meta,
    count: lat.length,
    index: { lat, lon: column("lon"), first_band: meta.first_band, starts: column("starts") },
    state: column("state"),
    flags: column("flags"),
    capacity: column("capacity"),
    rank: column("rank"),
    ids: blob("ids"),
    head: blob("head"),
    repeats: openRepeats(columns),
    extras: blob("extras"),
    extras_of: column("extras_of"),
    bytes,
    buffer,
  };
}

function hoursOf(
  rows: readonly StationInfo[],
  system: SystemInfo | null,
): Pick<StaticsMeta, "has_hours"> {
  const isStated = system?.opening_hours != null || rows.some((row) => row.opening_hours !== null);
  return isStated ? { has_hours: true } : {};
}

function isZone(station: StationInfo): boolean {
  return station.is_virtual === true || station.has_area;
}

function flagsOf(station: StationInfo): number {
  return (stationTypeIds(station, null).length ? NAMES_TYPES : 0) | (isZone(station) ? ZONE : 0);
}

function stationStates(
  rows: readonly StationInfo[],
  meta: Pick<StaticsMeta, "types" | "mode_hint" | "free_floating_only">,
): Uint32Array {
  const modes = createModeResolver(meta.types, meta.mode_hint);
  return Uint32Array.from(rows, (station) => {
    const typeIds = stationTypeIds(station, null);
    const zone = isZone(station);
    let state = withField(0, "modes", stationModeMask(typeIds, modes));
    state = withField(state, "parking", zone && meta.free_floating_only && !typeIds.length ? 1 : 0);
    state = withField(state, "park", zone || station.capacity !== null ? 1 : 0);
    state = withField(state, "charge", station.is_charging === true ? 1 : 0);
    state = withField(state, "reserve", typeIds.some((id) => modes.reservable(id)) ? 1 : 0);
    return withField(state, "no_status", 1);
  });
}

function headBlob(rows: readonly StationInfo[], own_ids: readonly string[]): Chunked {
  const writer = createBlobWriter(rows.length, 200);
  for (const [row, station] of rows.entries()) {
    writer.add(
      `{"id":"${own_ids[row]}","type":"station","name":${JSON.stringify(station.name)},` +
        `"location":{"lat":${station.lat},"lon":${station.lon}},` +
        `"capacity":${station.capacity}${addressJson(station)},"distance_meters":`,
    );
  }
  return writer.finish();
}

function addressJson({ address }: StationInfo): string {
  return address === null ? "" : `,"address":${JSON.stringify(address)}`;
}

/** Members that are absent where the publisher states nothing. */
function repeatedOf(station: StationInfo, accepts: Accepts, system: SystemInfo | null) {
  const { rental_uris } = station;
  // Those of the system hold where the station has none of its own; world/station-hours reads them here.
  const opening_hours = station.opening_hours ?? system?.opening_hours ?? null;
  const vehicle_types = accepts(stationTypeIds(station, null));
  return {
    ...(opening_hours === null ? {} : { opening_hours }),
    ...(rental_uris === null ? {} : { rental_uris }),
    ...(vehicle_types.length === 0 ? {} : { vehicle_types }),
  };
}

type Accepts = (type_ids: readonly string[]) => { form_factor?: string; propulsion?: string }[];

/** More kinds of vehicle than this are not listed: a station names them with each of its rows. */
const MAX_ACCEPTED = 8;

/** Finds the kinds that types name, each once, in the order of the system's types. */
function createAccepts(types: readonly VehicleType[]): Accepts {
  const kinds = types.map(toKind);
  const places = new Map(types.map((type, place) => [type.id, place]));
  const texts = kinds.map((kind) => JSON.stringify(kind));
  return (type_ids) => {
    const names = [...new Set(type_ids)].flatMap((id) => places.get(id) ?? []);
    const matches = new Map<string, (typeof kinds)[number]>();
    for (const place of names.toSorted((a, b) => a - b)) {
      if (matches.size === MAX_ACCEPTED) break;
      if (texts[place] !== "{}") matches.set(texts[place]!, kinds[place]!);
    }
    return [...matches.values()];
  };
}

function extrasJson(station: StationInfo): string {
  const remaining: Record<string, unknown> = {};
  for (const key of EXTRAS) {
    const value = station[key] ?? null;
    if (value !== null) remaining[key] = value;
  }
  return JSON.stringify(remaining);
}

const EXTRAS = [
  "short_name",
  "external_id",
  "legacy_id",
  "uid",
  "station_id",
  "ref",
  "is_virtual",
] as const satisfies readonly (keyof StationInfo)[];
