/** Entities, systems and places for tests: one plain thing of each kind, changed where it matters. */
import type { PriceValue } from "#api/prices.ts";
import fc from "fast-check";
import { openStatics, openStatus, openVehicles, type Statics } from "#stations/index.ts";
import {
  type Mode,
  openAlerts,
  packAlerts,
  packStatics,
  packStatus,
  packVehicles,
  type ShardPart,
  type Shard,
  shardBox,
  type StationInfo,
  type StationStatus,
  type SystemAlert,
  type SystemInfo,
  type VehicleInfo,
  type VehicleType,
} from "#stations/shards.ts";
import type { Location } from "#kit/geo.ts";
import { METRES_PER_DEGREE, wrapLon } from "#kit/geo.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import { tries } from "./size.ts";

export const NOW_MS = Date.UTC(2026, 8, 21, 13, 46, 40);
export const NOW_S = NOW_MS / 1000;
/** Asymmetric on purpose: lat and lon swapped is another continent. */
export const HERE: Location = { lat: 48.85, lon: 2.35 };

/** The point that is the given metres north and east of another. */
export function moved(from: Location, north_m: number, east_m = 0): Location {
  const lat = from.lat + north_m / METRES_PER_DEGREE;
  const perDegree = METRES_PER_DEGREE * Math.cos((from.lat * Math.PI) / 180);
  return { lat, lon: wrapLon(from.lon + east_m / perDegree) };
}

export function aType(id: string, change: Partial<VehicleType> = {}): VehicleType {
  return {
    id,
    mode: "bicycle",
    form_factor: "bicycle",
    propulsion: "human",
    electric: false,
    name: null,
    make: null,
    model: null,
    max_range_m: null,
    reservable: null,
    accessories: [],
    return_constraint: null,
    ...change,
  };
}

export function aStation(id: string, change: Partial<StationInfo> = {}): StationInfo {
  return {
    id,
    name: `Station ${id}`,
    short_name: null,
    ...HERE,
    capacity: 20,
    vehicle_capacity: [],
    dock_capacity: [],
    is_virtual: null,
    has_area: false,
    is_charging: null,
    address: null,
    cross_street: null,
    post_code: null,
    city: null,
    region_id: null,
    external_id: null,
    legacy_id: null,
    parking_type: null,
    opening_hours: null,
    rental_methods: [],
    rental_uris: null,
    ...change,
  };
}

export function aStatus(id: string, change: Partial<StationStatus> = {}): StationStatus {
  return {
    id,
    vehicles: 5,
    disabled_vehicles: 1,
    docks: 7,
    docks_unlimited: false,
    disabled_docks: 2,
    by_type: [],
    dock_type_ids: [],
    electric: null,
    is_installed: true,
    is_renting: true,
    is_returning: true,
    last_reported_s: NOW_S - 60,
    location: null,
    ...change,
  };
}

export function aVehicle(id: string, change: Partial<VehicleInfo> = {}): VehicleInfo {
  return {
    id,
    location: HERE,
    station_id: null,
    home_station_id: null,
    type_id: null,
    own_mode: null,
    name: null,
    is_reserved: false,
    is_disabled: false,
    last_reported_s: null,
    available_until_s: null,
    range_m: null,
    charge: null,
    pricing_plan_id: null,
    equipment: [],
    rental_uris: null,
    ...change,
  };
}

export function anAlert(id: string, change: Partial<SystemAlert> = {}): SystemAlert {
  return {
    id,
    type: "station_closure",
    station_ids: [],
    region_ids: [],
    summary: "Works",
    description: null,
    url: null,
    times: [],
    last_updated_s: null,
    ...change,
  };
}

/** The members of a system that a test sets; the rest has defaults. */
export type SystemSketch = {
  id?: string;
  /** Provider id; `gbfs` unless given. */
  source?: string;
  /** The name of the operator: systems that share it are of one operator. */
  name?: string;
  /** What its file about itself says; absent: there is none. */
  system?: SystemInfo;
  stations?: readonly StationInfo[];
  /** Absent: one plain status per station; null: the publisher offers no such file. */
  statuses?: readonly StationStatus[] | null;
  /** Absent or null: no vehicle feed. */
  vehicles?: readonly VehicleInfo[] | null;
  types?: readonly VehicleType[];
  plans?: readonly PriceValue[];
  mode_hint?: Mode | null;
  alerts?: readonly SystemAlert[];
  ttl_s?: number;
  /** Age of the documents at NOW_MS, and of our last good fetch of them; 5 s unless given. */
  doc_age_s?: number;
  fetched_age_s?: number;
  trail?: TrailRecorder;
};

export function aStatics(sketch: SystemSketch): Statics {
  const id = sketch.id ?? "sys";
  return openStatics(
    packStatics(sketch.stations ?? [], {
      source: sketch.source ?? "gbfs",
      system_id: id,
      network: { id, name: sketch.name ?? `Network ${id}` },
      system: sketch.system ?? null,
      types: [...(sketch.types ?? [])],
      ...(sketch.plans && { plans: sketch.plans }),
      mode_hint: sketch.mode_hint ?? null,
      has_vehicle_feed: Boolean(sketch.vehicles),
    }),
  );
}

/** A system's snapshot, laid out by the production packers. */
export function aShard(sketch: SystemSketch): Shard {
  const statics = aStatics(sketch);
  const trail = sketch.trail ?? createTrail();
  const doc_s = NOW_S - (sketch.doc_age_s ?? 5);
  const validated_at_ms = NOW_MS - (sketch.fetched_age_s ?? sketch.doc_age_s ?? 5) * 1000;
  const live = { validated_at_ms, doc_s, ttl_s: sketch.ttl_s ?? 60 };
  const part = <T>(data: T): ShardPart<T> => ({ data, live });
  const statuses = sketch.statuses === undefined ? plainStatuses(sketch) : sketch.statuses;
  const rows = new Map(statuses?.map((status) => [status.id, status]));
  const vehicles = sketch.vehicles
    ? openVehicles(packVehicles(sketch.vehicles, statics, { doc_s, trail }).buffer)
    : null;
  return {
    source_id: sketch.id ?? "sys",
    box: shardBox(statics, vehicles),
    statics,
    status: statuses ? part(openStatus(packStatus(rows, statics, { doc_s, trail }))) : null,
    vehicles: vehicles ? part(vehicles) : null,
    alerts: sketch.alerts ? part(openAlerts(packAlerts(sketch.alerts, statics))) : null,
    zones: null,
  };
}

function plainStatuses({ stations }: SystemSketch): StationStatus[] | null {
  return stations?.length ? stations.map(({ id }) => aStatus(id)) : null;
}

// Arbitraries.

/** Anywhere, with the poles, the seam and its neighbourhood well represented. */
export const anyPoint: fc.Arbitrary<Location> = fc.record({
  lat: fc.oneof(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: 89.9, max: 90, noNaN: true }),
    fc.double({ min: -90, max: -89.9, noNaN: true }),
    fc.constantFrom(-90, 0, 90),
  ),
  lon: fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: 179.9, max: 180, noNaN: true }),
    fc.double({ min: -180, max: -179.9, noNaN: true }),
    fc.constantFrom(-180, 0, 180),
  ),
});

/** Ids as publishers write them: quotes, backslashes, dollars, other scripts; no controls. */
export const anyId: fc.Arbitrary<string> = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).map((text) => `${clean(text)}x`),
  fc.constantFrom('a"b', "a\\b", "$&", "$$", "a:b", "ü", "🚲", "true", "id", "e", "\\u0001"),
);

function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "");
}

/** A point within `metres` of another, about evenly by distance. */
export function pointWithin(centre: Location, metres: number): fc.Arbitrary<Location> {
  return fc
    .tuple(
      fc.double({ min: 0, max: metres, noNaN: true }),
      fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
    )
    .map(([r, angle]) => moved(centre, r * Math.cos(angle), r * Math.sin(angle)));
}

/** One seed for every run, so that a red test is red again; FC_SEED=… explores others. */
const SEED = Number(process.env["FC_SEED"] ?? 20_261_121);

export function forAll<T>(property: fc.IRawProperty<T>, numRuns = 300): void {
  fc.assert(property, { seed: SEED, numRuns: tries(numRuns) });
}

export async function forAllAsync<T>(property: fc.IAsyncProperty<T>, numRuns = 60): Promise<void> {
  await fc.assert(property, { seed: SEED, numRuns: tries(numRuns) });
}
