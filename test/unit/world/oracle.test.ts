/**
 * Generated worlds, through packs and search, against a loop over everything: entities at the
 * poles, on the antimeridian, at equal points, of several systems in one circle.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Mode, StationInfo, VehicleInfo } from "#stations/entities.ts";
import { stationId } from "#kit/ids.ts";
import { modeMask } from "#stations/shard/bits.ts";
import { shardBox } from "#stations/shard/shard.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { openStatics, packStatics } from "#stations/shard/shard-statics.ts";
import { openVehicles, packVehicles } from "#stations/shard/shard-vehicles.ts";
import { createTrail } from "#kit/trail.ts";
import { collectHits } from "#world/collect-hits.ts";
import { createHits } from "#world/nearby-hits.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { createWorld } from "#world/world.ts";
import type { Ask, KnownEntity } from "../../../trials/replay/oracle/circle.ts";
import { createGrid, listInside } from "../../../trials/replay/oracle/circle.ts";
import { idsOf } from "../../../trials/replay/oracle/ids.ts";
import { tries } from "../../support/size.ts";

type Point = { lat: number; lon: number };
type GeneratedSystem = { mode: Mode; stations: Point[]; vehicles: Point[] };

const NOW_MS = 1_900_000_000_000;
/** Half the world. Towards the antipode haversine resolves decimetres only: no order to compare. */
const HEMISPHERE_M = 10_100_000;
const ALL_MODES: Mode[] = ["bicycle", "scooter", "moped", "car"];

/** Few anchors, so that points of several systems meet, some of them in the very same place. */
const anchor = fc.constantFrom<Point>(
  { lat: 48.8566, lon: 2.3522 },
  { lat: 0, lon: 0.002 },
  { lat: -17.5, lon: 180 },
  { lat: 64.2, lon: -179.9999 },
  { lat: 71.0, lon: 179.9999 },
  { lat: 90, lon: 12 },
  { lat: -90, lon: -77 },
  { lat: 89.9995, lon: 100 },
  { lat: -89.9999, lon: -179 },
);
const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
const point: fc.Arbitrary<Point> = fc.oneof(
  { weight: 2, arbitrary: anchor },
  {
    weight: 6,
    arbitrary: fc
      .tuple(anchor, degrees(0.004), degrees(0.006))
      .map(([at, north, east]) => ({ lat: clamp(at.lat + north), lon: wrap(at.lon + east) })),
  },
  // At a pole longitudes are free.
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(-1, 1), fc.double({ min: 0, max: 0.003, noNaN: true }), degrees(180))
      .map(([pole, from, lon]) => ({ lat: pole * (90 - from), lon })),
  },
  { weight: 1, arbitrary: fc.record({ lat: degrees(90), lon: degrees(180) }) },
);
const system: fc.Arbitrary<GeneratedSystem> = fc.record({
  mode: fc.constantFrom<Mode>("bicycle", "scooter", "car", "other"),
  stations: fc.array(point, { maxLength: 40 }),
  vehicles: fc.array(point, { maxLength: 40 }),
});
const ask: fc.Arbitrary<Ask> = fc
  .record({
    at: point,
    radius_m: fc.oneof(
      fc.constantFrom(1, 400, HEMISPHERE_M),
      fc.double({ min: 1, max: 700, noNaN: true }),
      fc.double({ min: 700, max: 3_000_000, noNaN: true }),
    ),
    modes: fc.subarray<Mode>(ALL_MODES, { minLength: 1 }),
    kinds: fc.subarray<"station" | "vehicle">(["station", "vehicle"], { minLength: 1 }),
  })
  .map(({ at, ...rest }) => ({ ...at, ...rest }));

test("search over packs equals a loop over everything, in order", () => {
  fc.assert(
    fc.property(
      fc.array(system, { minLength: 1, maxLength: 5 }),
      fc.array(ask, { minLength: 1, maxLength: 12 }),
      (systems, asks) => {
        const world = createWorld();
        const entries = systems.flatMap((each, i) => put(world, `s${i}`, each));
        for (const each of asks) {
          assert.deepEqual(
            search(world, each),
            ids(listInside(entries, each)),
            JSON.stringify(each),
          );
        }
      },
    ),
    { numRuns: tries(400) },
  );
});

test("the oracle's own grid leaves nothing out", () => {
  fc.assert(
    fc.property(
      fc.array(point, { maxLength: 200 }),
      fc.array(ask, { maxLength: 20 }),
      (at, asks) => {
        const entries = at.map((each, i) => knownAt("s", `v${i}`, each, "bicycle"));
        const grid = createGrid(entries);
        for (const each of asks) {
          assert.deepEqual(ids(listInside(grid.near(each), each)), ids(listInside(entries, each)));
        }
      },
    ),
    { numRuns: tries(300) },
  );
});

test("replacing a system's shard moves it: nothing is found where it was", () => {
  fc.assert(
    fc.property(system, system, ask, (before, after, each) => {
      const world = createWorld();
      put(world, "other", before);
      put(world, "s", before);
      search(world, each);
      const entries = [...knownOf("other", before), ...put(world, "s", after)];
      assert.deepEqual(search(world, each), ids(listInside(entries, each)));
    }),
    { numRuns: tries(200) },
  );
});

function search(world: ReturnType<typeof createWorld>, circle: Ask): string[] {
  const systems: SystemEntry[] = [];
  world.covering(circle, systems);
  const hits = createHits();
  collectHits(hits, systems, {
    circle,
    modes: modeMask(circle.modes ?? ALL_MODES),
    stations: circle.kinds?.includes("station") ?? true,
    vehicles: circle.kinds?.includes("vehicle") ?? true,
    now_ms: NOW_MS,
  });
  return idsOf(hits);
}

/** Packs a system as ingest does and puts it into the world; gives what may be listed of it. */
function put(
  world: ReturnType<typeof createWorld>,
  id: string,
  made: GeneratedSystem,
): KnownEntity[] {
  world.register({ source_id: id, country: null });
  world.put(toShard(id, made));
  return knownOf(id, made);
}

function toShard(id: string, made: GeneratedSystem): Shard {
  const statics = openStatics(
    packStatics(
      made.stations.map((at, i) => toStation(`${i}`, at)),
      {
        source: "gbfs",
        system_id: id,
        network: { id, name: id },
        system: null,
        types: [],
        mode_hint: made.mode,
        has_vehicle_feed: true,
      },
    ),
  );
  const vehicles = openVehicles(
    packVehicles(
      made.vehicles.map((at, i) => toVehicle(`v${i}`, at)),
      statics,
      { doc_s: NOW_MS / 1000, trail: createTrail() },
    ).buffer,
  );
  const live = { validated_at_ms: NOW_MS, doc_s: NOW_MS / 1000, ttl_s: 60 };
  return {
    source_id: id,
    box: shardBox(statics, vehicles),
    statics,
    status: null,
    vehicles: { data: vehicles, live },
    alerts: null,
    zones: null,
  };
}

function knownOf(id: string, made: GeneratedSystem): KnownEntity[] {
  return [
    ...made.stations.map((at, i) => ({
      ...knownAt(id, stationId("gbfs", id, `${i}`), at, made.mode),
      kind: "station" as const,
    })),
    ...made.vehicles.map((at, i) => knownAt(id, `${id}:v${i}`, at, made.mode)),
  ];
}

function knownAt(system_id: string, id: string, at: Point, mode: Mode): KnownEntity {
  return { kind: "vehicle", id, system: system_id, ...at, modes: mode === "other" ? [] : [mode] };
}

function ids(entries: readonly KnownEntity[]): string[] {
  return entries.map(({ id }) => id);
}

function toStation(id: string, at: Point): StationInfo {
  return {
    id,
    name: `Station ${id}`,
    short_name: null,
    ...at,
    capacity: null,
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
  };
}

function toVehicle(id: string, at: Point): VehicleInfo {
  return {
    id,
    location: at,
    station_id: null,
    home_station_id: null,
    type_id: null,
    own_mode: null,
    name: null,
    is_reserved: null,
    is_disabled: null,
    last_reported_s: null,
    available_until_s: null,
    range_m: null,
    charge: null,
    pricing_plan_id: null,
    equipment: [],
    rental_uris: null,
  };
}

function clamp(lat: number): number {
  return Math.max(-90, Math.min(90, lat));
}

function wrap(lon: number): number {
  if (lon > 180) return lon - 360;
  return lon < -180 ? lon + 360 : lon;
}
