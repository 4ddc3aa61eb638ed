/** Geofencing: points in polygons with holes, distances, and which rule wins (mobility.md 1.9). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GeofencingZones, ZoneRule } from "#stations/entities.ts";
import { openZones, packZones } from "#stations/shard/shard-zones.ts";
import { findZones, rulesAt } from "#core/zones.ts";
import { exceededZones } from "#stations/gbfs/gbfs-zones.ts";
import { HERE, moved } from "../../support/domain.ts";

type Ring = number[][];

/** A square around a point, `clockwise` or not, with sides of 2 × `half_m`. */
function square(at: typeof HERE, half_m: number, clockwise = false): Ring {
  const corner = (north: number, east: number) => {
    const { lat, lon } = moved(at, north * half_m, east * half_m);
    return [lon, lat];
  };
  const ring = [corner(-1, -1), corner(-1, 1), corner(1, 1), corner(1, -1), corner(-1, -1)];
  return clockwise ? ring.toReversed() : ring;
}

function rule(change: Partial<ZoneRule> = {}): ZoneRule {
  return {
    type_ids: [],
    ride_start_allowed: null,
    ride_end_allowed: null,
    ride_through_allowed: null,
    maximum_speed_kph: null,
    station_parking: null,
    ...change,
  };
}

function pack(zones: GeofencingZones["zones"], global_rules: ZoneRule[] = []) {
  return openZones(packZones({ zones, global_rules }));
}

const circle = (at = HERE, radius_m = 100) => ({ ...at, radius_m });

test("a point in a hole is outside, whichever way round the rings are written", () => {
  for (const outer of [true, false])
    for (const inner of [true, false]) {
      const rings = [square(HERE, 500, outer), square(HERE, 50, inner)];
      const zones = pack([{ name: "ring", rules: [], polygons: [rings] }]);
      const [hit] = findZones(zones, circle());
      assert.equal(hit?.contains, false);
      assert.ok(Math.abs(hit.distance_m - 50) < 0.5, `${hit.distance_m}`);
      const [inside] = findZones(zones, circle(moved(HERE, 100)));
      assert.deepEqual([inside?.contains, inside?.distance_m], [true, 0]);
    }
});

test("polygons of one zone that overlap are one area", () => {
  const polygons = [[square(HERE, 100)], [square(moved(HERE, 50), 100)]];
  const [hit] = findZones(pack([{ name: null, rules: [], polygons }]), circle());
  assert.equal(hit?.contains, true);
});

test("a zone beyond the circle is none; one across the antimeridian is found from both sides", () => {
  const far = pack([{ name: null, rules: [], polygons: [[square(moved(HERE, 700), 500)]] }]);
  assert.deepEqual(findZones(far, circle()), []);
  const [near] = findZones(far, circle(HERE, 250));
  assert.ok(near && !near.contains && Math.abs(near.distance_m - 200) < 1);
  const ring = [
    [179.99, -17],
    [180.01, -17],
    [180.01, -16.9],
    [179.99, -16.9],
    [179.99, -17],
  ];
  const across = pack([{ name: null, rules: [], polygons: [[ring]] }]);
  for (const lon of [179.995, -179.995])
    assert.equal(findZones(across, circle({ lat: -16.95, lon }))[0]?.contains, true, `${lon}`);
});

test("the first zone with a rule for the type wins, within it the first rule; global rules fill in", () => {
  const here = [[square(HERE, 100)]];
  const zones = pack(
    [
      {
        name: "scooters",
        rules: [
          rule({ type_ids: ["scooter"], maximum_speed_kph: 6 }),
          rule({ type_ids: ["scooter"], maximum_speed_kph: 20 }),
        ],
        polygons: here,
      },
      { name: "elsewhere", rules: [rule()], polygons: [[square(moved(HERE, 5000), 100)]] },
      {
        name: null,
        rules: [rule({ type_ids: ["bike"], ride_end_allowed: false })],
        polygons: here,
      },
    ],
    [rule({ ride_through_allowed: false })],
  );
  const at = (point: typeof HERE) =>
    rulesAt(zones, findZones(zones, circle(point)), ["scooter", "bike", "car"]).map(
      ({ zone, type_ids, rule: { maximum_speed_kph } }) => [zone, type_ids, maximum_speed_kph],
    );
  assert.deepEqual(at(HERE), [
    ["scooters", ["scooter"], 6],
    ["", ["bike"], null],
    [null, ["car"], null],
  ]);
  assert.deepEqual(at(moved(HERE, 1000)), [[null, ["scooter", "bike", "car"], null]]);
});

test("without global rules nothing holds where no zone is", () => {
  const zones = pack([{ name: null, rules: [rule()], polygons: [[square(HERE, 100)]] }]);
  const far = findZones(zones, circle(moved(HERE, 1000)));
  assert.deepEqual(rulesAt(zones, far, ["scooter"]), []);
});

test("more zones, corners, rules or types than a feed may have are an error of the file", () => {
  const zone = (change: Partial<GeofencingZones["zones"][number]>) => ({
    name: null,
    rules: [],
    polygons: [],
    ...change,
  });
  const fill = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
  const beyond: GeofencingZones["zones"][] = [
    fill(5_001, zone({})),
    [zone({ polygons: [[fill(200_001, [0, 0])]] })],
    [zone({ rules: fill(20_001, rule()) })],
    [zone({ rules: [rule({ type_ids: fill(100_001, "t") })] })],
  ];
  for (const zones of beyond)
    assert.equal(exceededZones({ zones, global_rules: [] }), "too_many_zones");
  assert.equal(exceededZones({ zones: fill(5_000, zone({})), global_rules: [] }), null);
});
