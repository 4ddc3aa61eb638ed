/**
 * The benchmark's world: systems of a realistic mix, laid out by the production packers. Seeded, so
 * that a run can be repeated; clustered, since cities are.
 */
import { openStatics, openStatus, openVehicles } from "#stations/index.ts";
import {
  packStatics,
  packStatus,
  packVehicles,
  type Shard,
  shardBox,
  type StationInfo,
  type StationStatus,
  type SystemInfo,
  type VehicleInfo,
  type VehicleType,
} from "#stations/shards.ts";
import { createTrail } from "#kit/trail.ts";

export type BenchSystem = {
  id: string;
  lat: number;
  lon: number;
  stations: StationInfo[];
  statuses: Map<string, StationStatus>;
  vehicles: VehicleInfo[];
};

export type Rng = () => number;

/** mulberry32: small, seeded, good enough for places on a map. */
export function createRng(seed: number): Rng {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Six of ten entities are stations, as in the catalogue at large. */
const STATION_SHARE = 0.6;

/** Sizes as the catalogue has them: many small systems, some of a city, a few crowded ones. */
export function benchSize(seed: number): number {
  return seed % 20 === 0 ? 4000 : seed % 4 === 0 ? 700 : 150;
}

/** Seeds of the systems that together hold about `entities` entities. */
export function benchSeeds(entities: number): number[] {
  const seeds: number[] = [];
  for (let stored = 0; stored < entities; stored += benchSize(seeds.length - 1))
    seeds.push(seeds.length);
  return seeds;
}

/** Generates one system around a centre; about a third of its things crowd within 2 km. */
export function benchSystem(seed: number, entities = benchSize(seed)): BenchSystem {
  const rng = createRng(seed);
  const lat = rng() * 110 - 50;
  const lon = rng() * 360 - 180;
  const id = `bench_${seed}`;
  const stationCount = Math.round(entities * STATION_SHARE);
  const stations = Array.from({ length: stationCount }, (_, i) => station(rng, i, { lat, lon }));
  const statuses = new Map(stations.map((each) => [each.id, status(rng, each)]));
  const vehicles = Array.from({ length: entities - stationCount }, (_, i) =>
    vehicle(rng, i, { lat, lon }),
  );
  return { id, lat, lon, stations, statuses, vehicles };
}

/**
 * The same stations as a second source has them: a few metres off, under other keys, with counts
 * that differ at one station in four. No vehicles.
 */
export function benchTwin({ id, ...system }: BenchSystem): BenchSystem {
  const stations = system.stations.map((each, i) => ({
    ...each,
    id: `x${each.id}`,
    lat: each.lat + ((i % 7) - 3) * 1e-5,
    lon: each.lon + 2e-5,
  }));
  const statuses = new Map(
    [...system.statuses.values()].map((each, i) => {
      const vehicles = (each.vehicles ?? 0) + (i % 4 === 0 ? 1 : 0);
      return [`x${each.id}`, { ...each, id: `x${each.id}`, vehicles }];
    }),
  );
  return { ...system, id: `citybikes:${id}`, stations, statuses, vehicles: [] };
}

/** Lays a system out as the ingest does. */
export function benchShard(system: BenchSystem, now_ms: number): Shard {
  const [source, key] = system.id.includes(":") ? system.id.split(":") : ["gbfs", system.id];
  const name = `Network ${key}`;
  const statics = openStatics(
    packStatics(system.stations, {
      source: source!,
      system_id: system.id,
      network: { id: system.id, name },
      // Each is an operator of its own, under the same name at both of its sources.
      system: { ...SYSTEM, name, operator: name },
      types: TYPES,
      mode_hint: null,
      has_vehicle_feed: true,
    }),
  );
  const doc_s = now_ms / 1000 - 5;
  const trail = createTrail();
  const counts = openStatus(packStatus(system.statuses, statics, { doc_s, trail }));
  const { buffer } = packVehicles(system.vehicles, statics, { doc_s, trail });
  const vehicles = openVehicles(buffer);
  const live = { validated_at_ms: now_ms, doc_s, ttl_s: 60 };
  return {
    source_id: system.id,
    box: shardBox(statics, vehicles),
    statics,
    status: { data: counts, live },
    vehicles: { data: vehicles, live },
    alerts: null,
    zones: null,
  };
}

const SYSTEM: SystemInfo = {
  system_id: "bench",
  name: "Bench Bikes",
  short_name: null,
  operator: "Bench Operator",
  url: null,
  timezone: "Europe/Paris",
  languages: ["en"],
  license_id: "CC-BY-4.0",
  license_url: null,
  attribution: null,
  attribution_url: null,
  brand: null,
  opening_hours: null,
  terms_url: null,
};

const TYPES: VehicleType[] = [
  type("bike", "bicycle", "human"),
  type("ebike", "bicycle", "electric_assist"),
  type("scooter", "scooter", "electric"),
];

function type(id: string, mode: VehicleType["mode"], propulsion: string): VehicleType {
  return {
    id,
    mode,
    form_factor: mode,
    propulsion,
    electric: propulsion !== "human",
    name: null,
    make: null,
    model: null,
    max_range_m: 30000,
    reservable: false,
    accessories: [],
    return_constraint: null,
  };
}

/** Degrees from the centre: a crowded core and a wide fringe. */
function offset(rng: Rng): number {
  const reach = rng() < 0.35 ? 0.018 : 0.15;
  return (rng() + rng() - 1) * reach;
}

function place(rng: Rng, centre: { lat: number; lon: number }): { lat: number; lon: number } {
  const lat = centre.lat + offset(rng);
  const lon = centre.lon + offset(rng) / Math.cos((centre.lat * Math.PI) / 180);
  const wrapped = lon >= 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
  return { lat: Number(lat.toFixed(6)), lon: Number(wrapped.toFixed(6)) };
}

const STREETS = ["Rue de la Gare", "Market Street", "Hauptstraße", "Plaza Mayor", "Ulica Długa"];

function station(rng: Rng, i: number, centre: { lat: number; lon: number }): StationInfo {
  const street = STREETS[Math.floor(rng() * STREETS.length)]!;
  const id = `${Math.floor(rng() * 1e9).toString(36)}-${i}`;
  return {
    id,
    name: `${street} ${i}`,
    short_name: String(1000 + i),
    ...place(rng, centre),
    capacity: 10 + Math.floor(rng() * 30),
    vehicle_capacity: [],
    dock_capacity: [],
    is_virtual: false,
    has_area: false,
    is_charging: null,
    address: `${i} ${street}`,
    cross_street: null,
    post_code: null,
    city: null,
    region_id: "1",
    external_id: null,
    legacy_id: null,
    parking_type: null,
    opening_hours: null,
    rental_methods: ["key", "creditcard"],
    rental_uris: {
      android: "https://bench.example/app/android",
      ios: "https://bench.example/app/ios",
    },
  };
}

function status(rng: Rng, of: StationInfo): StationStatus {
  const bikes = Math.floor(rng() * 15);
  const ebikes = Math.floor(rng() * 5);
  return {
    id: of.id,
    vehicles: bikes + ebikes,
    disabled_vehicles: Math.floor(rng() * 3),
    docks: Math.floor(rng() * 20),
    docks_unlimited: false,
    disabled_docks: 0,
    by_type: [
      { type_id: "bike", count: bikes },
      { type_id: "ebike", count: ebikes },
    ],
    dock_type_ids: [],
    electric: null,
    is_installed: true,
    is_renting: rng() > 0.05,
    is_returning: true,
    last_reported_s: 1_790_000_000 + Math.floor(rng() * 600),
    location: null,
  };
}

function vehicle(rng: Rng, i: number, centre: { lat: number; lon: number }): VehicleInfo {
  const id = `${Math.floor(rng() * 2 ** 48).toString(16)}${i.toString(16)}`;
  return {
    id,
    location: place(rng, centre),
    station_id: null,
    home_station_id: null,
    type_id: rng() < 0.6 ? "scooter" : "ebike",
    own_mode: null,
    name: null,
    is_reserved: rng() < 0.05,
    is_disabled: rng() < 0.05,
    last_reported_s: 1_790_000_000 + Math.floor(rng() * 600),
    available_until_s: null,
    range_m: Math.floor(rng() * 30000),
    charge: rng(),
    pricing_plan_id: "standard",
    equipment: [],
    rental_uris: {
      android: `https://bench.example/android?vehicle=${id}`,
      ios: `https://bench.example/ios?vehicle=${id}`,
    },
  };
}
