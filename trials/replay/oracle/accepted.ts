/**
 * What a system's documents hold once the normalisers have read them, and which of it an answer
 * may list. The packs, the index and the world take no part: they are what is being judged.
 */
import {
  modeOfNames,
  readEnvelope,
  readStations,
  readStatus,
  readSystem,
  readVehicles,
  readVehicleTypes,
} from "#stations/readers.ts";
import type {
  Mode,
  StationInfo,
  StationStatus,
  VehicleInfo,
  VehicleType,
} from "#stations/shards.ts";
import { stationId } from "#kit/ids.ts";
import { createTrail } from "#kit/trail.ts";
import type { KnownEntity } from "./circle.ts";

/** A GBFS document by name: its text, or null where the system has none. */
export type ReadDocument = (name: string) => string | null;

export type Accepted = {
  /** Everything an answer may list. */
  known: KnownEntity[];
  /** Accepted by the normaliser, and why it is never listed. */
  unlisted: { station_not_installed: number; mode_other: number; too_old: number };
  stations: number;
  vehicles: number;
};

/** R6: a vehicle is gone an hour after its document was written. */
const GONE_S = 3600;
const CLOCK_SKEW_S = 60;

type Doc = { wire: unknown; version: string | null; time_s: number };

/** `name`: as the system is configured, which may say what it rents. */
export function readAccepted(
  system: string,
  document: ReadDocument,
  options: { fetched_ms: number; now_ms: number; name?: string },
): Accepted {
  const open = (...names: string[]): Doc | null => openFirst(document, names, options.fetched_ms);
  const published = readTypes(open("vehicle_types"));
  const types =
    published.length > 0
      ? published
      : typesOfNames([options.name, system], open("system_information"));
  const statuses = readStatuses(open("station_status"));
  const stations = readInfos(open("station_information"), statuses);
  const vehicleDoc = open("vehicle_status", "free_bike_status");
  const vehicles = placeVehicles(vehicleDoc, stations);
  const made = {
    stations: stations.map((info) =>
      stationOf(system, info, { status: statuses.get(info.id), types }),
    ),
    vehicles: vehicles.map((vehicle) => vehicleOf(system, vehicle, types)),
  };
  const gone = vehicleDoc !== null && options.now_ms / 1000 - vehicleDoc.time_s > GONE_S;
  const hidden = new Set(
    stations
      .filter(({ id }) => statuses.get(id)?.is_installed === false)
      .map(({ id }) => idOf(system, id)),
  );
  const visible = made.stations.filter(({ id }) => !hidden.has(id));
  const all = [...visible, ...(gone ? [] : made.vehicles)];
  const known = all.filter(({ modes }) => modes.length > 0);
  return {
    known,
    unlisted: {
      station_not_installed: hidden.size,
      mode_other: all.length - known.length,
      too_old: gone ? made.vehicles.length : 0,
    },
    stations: stations.length,
    vehicles: vehicles.length,
  };
}

function openFirst(document: ReadDocument, names: string[], fetched_ms: number): Doc | null {
  const text = names.map(document).find((each) => each !== null);
  if (text === undefined || text === null) return null;
  const wire: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  const envelope = readEnvelope(wire);
  if (!envelope) return null;
  const { last_updated_s, version } = envelope;
  const fetched_s = fetched_ms / 1000;
  const usable = last_updated_s !== null && last_updated_s <= fetched_s + CLOCK_SKEW_S;
  return { wire, version, time_s: usable ? last_updated_s : fetched_s };
}

function readTypes(doc: Doc | null): VehicleType[] {
  return (doc && readVehicleTypes(doc.wire, createTrail())) ?? [];
}

/** Without types, a system offers what its names say (R1); [] where they say nothing. */
function typesOfNames(configured: (string | undefined)[], doc: Doc | null): VehicleType[] {
  const info = doc && readSystem(doc.wire);
  const own = [info?.system_id, info?.name, info?.short_name, info?.operator, info?.brand];
  const mode = modeOfNames([...configured, ...own]);
  return mode === null ? [] : [{ id: "", mode } as VehicleType];
}

function readStatuses(doc: Doc | null): ReadonlyMap<string, StationStatus> {
  const options = { version: doc?.version ?? null, doc_time_s: doc?.time_s ?? 0 };
  return (doc && readStatus(doc.wire, options, createTrail())) ?? new Map();
}

function readInfos(doc: Doc | null, status: ReadonlyMap<string, StationStatus>): StationInfo[] {
  if (!doc) return [];
  return (
    readStations(doc.wire, { languages: [], version: doc.version, status }, createTrail()) ?? []
  );
}

/** R5: a vehicle at a station with docks is counted there; one without a place is at its station. */
function placeVehicles(doc: Doc | null, stations: readonly StationInfo[]): VehicleInfo[] {
  const byId = new Map(stations.map((station) => [station.id, station]));
  const rows = (doc && readVehicles(doc.wire, { doc_time_s: doc.time_s }, createTrail())) ?? [];
  return rows.flatMap((vehicle) => {
    const station = vehicle.station_id === null ? undefined : byId.get(vehicle.station_id);
    if (station && station.is_virtual !== true && !station.has_area) return [];
    const location = vehicle.location ?? station ?? null;
    return location ? [{ ...vehicle, location: { lat: location.lat, lon: location.lon } }] : [];
  });
}

function stationOf(
  system: string,
  info: StationInfo,
  { status, types }: { status: StationStatus | undefined; types: readonly VehicleType[] },
): KnownEntity {
  const names = [
    ...(status?.by_type ?? []).map(({ type_id }) => type_id),
    ...(status?.dock_type_ids ?? []),
    ...[...info.vehicle_capacity, ...info.dock_capacity].flatMap(({ type_ids }) => type_ids),
  ];
  const modes = names.length > 0 ? names.map((id) => modeOf(id, types)) : modesOfSystem(types);
  return {
    kind: "station",
    id: idOf(system, info.id),
    system,
    lat: info.lat,
    lon: info.lon,
    modes: listed(modes),
  };
}

function vehicleOf(
  system: string,
  vehicle: VehicleInfo,
  types: readonly VehicleType[],
): KnownEntity {
  return {
    kind: "vehicle",
    id: `${system}:${vehicle.id}`,
    system,
    ...vehicle.location!,
    modes: listed([vehicle.own_mode ?? modeOf(vehicle.type_id, types)]),
  };
}

/** R1: an unknown type is of the system's only mode, or of none that is listed. */
function modeOf(type_id: string | null, types: readonly VehicleType[]): Mode {
  const modes = modesOfSystem(types);
  const mode = types.find((type) => type.id === type_id)?.mode;
  return mode ?? (modes.length === 1 ? modes[0]! : "other");
}

/** Without vehicle types every vehicle is a bicycle (mobility.md 1.5). */
function modesOfSystem(types: readonly VehicleType[]): Mode[] {
  return types.length > 0 ? [...new Set(types.map((type) => type.mode))] : ["bicycle"];
}

function listed(modes: readonly Mode[]): Mode[] {
  return [...new Set(modes)].filter((mode) => mode !== "other");
}

function idOf(system: string, station: string): string {
  return stationId("gbfs", system, station);
}
