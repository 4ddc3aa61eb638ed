/**
 * What lies next to each other is next to each other wherever it lies: every rule of nearness says of a
 * layout across the antimeridian, near a pole or on the equator what it says of it anywhere else.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { docksCoincide } from "../../identity/coincidence.ts";
import { isDense } from "../../identity/density.ts";
import { resolveObservations } from "../../identity/match-stations.ts";
import type { Feed, Observation } from "../../identity/observed-station.ts";
import { identityColumns } from "../../identity/vehicle-columns.ts";
import { pairVehicles } from "../../identity/vehicle-pairs.ts";
import { boxesTouch, boxOf, METRES_PER_DEGREE, wrapLon } from "#kit/geo.ts";
import { withoutTwins } from "../../gbfs/twins.ts";
import { createTrail } from "#kit/trail.ts";
import { aStation } from "../../../../test/support/domain.ts";

/** Metres north and east of the middle. */
type Spot = readonly [north_m: number, east_m: number];
type Place = { lat: number; lon: number };

function placed({ lat, lon }: Place, [north_m, east_m]: Spot): Place {
  const east = east_m / METRES_PER_DEGREE / Math.cos((lat * Math.PI) / 180);
  return { lat: lat + north_m / METRES_PER_DEGREE, lon: wrapLon(lon + east) };
}

function columns(middle: Place, spots: readonly Spot[]) {
  const places = spots.map((spot) => placed(middle, spot));
  return {
    lat: Float64Array.from(places, ({ lat }) => lat),
    lon: Float64Array.from(places, ({ lon }) => lon),
  };
}

function vehiclesAt(middle: Place, prefix: string, spots: readonly Spot[]) {
  const index = columns(middle, spots);
  const identity = identityColumns(
    index,
    spots.map((_, i) => ({ id: `${prefix}${i}`, modes: 2 })),
  );
  return {
    count: spots.length,
    index,
    state: new Uint32Array(spots.length).fill(2),
    identity,
  };
}

/** On both sides of the middle, at distances below and above 5 m. */
const MINE: readonly Spot[] = [
  [0, -1],
  [200, -3],
  [400, 2],
  [600, -2],
  [800, 0],
];
const THEIRS: readonly Spot[] = [
  [0, 1],
  [200, 3],
  [400, -2.5],
  [603, 1.5],
  [800, 0],
];
const NEXT = [0, -1, 2, 3, 4];

function nearVehicles(middle: Place): unknown {
  const mine = vehiclesAt(middle, "a", MINE);
  const sides = pairVehicles(mine, vehiclesAt(middle, "b", THEIRS));
  return [[...sides!.a.near], [...sides!.b.near]];
}

/** Numbers that each feed counts up: believed since most pairs lie within 500 m. */
function numberedVehicles(middle: Place): unknown {
  const spots = MINE.map(([north_m, east_m]): Spot => [north_m, east_m + 90]);
  const sides = pairVehicles(vehiclesAt(middle, "", MINE), vehiclesAt(middle, "", spots));
  return [...sides!.a.same];
}

const feedOf = (id: string): Feed => ({
  id,
  kind: id === "a" ? "gbfs" : "citybikes",
  system_id: id,
  names: ["Vélocité Testville"],
  urls: [],
});

function stationsAt(middle: Place, feed: number, spots: readonly Spot[]): Observation[] {
  return spots.map((spot, i) => ({
    feed,
    id: `${feed}-${i}`,
    name: `Rue ${["des Lilas", "du Port", "Haute", "Basse", "Neuve"][i]!}`,
    ...placed(middle, spot),
    modes: 1,
    capacity: 20,
    virtual: false,
    keys: {},
  }));
}

const DOCKS: readonly Spot[] = [
  [0, -20],
  [300, -5],
  [600, 10],
  [900, -12],
  [1_200, 4],
];
const PINS = DOCKS.map(([north_m, east_m]): Spot => [north_m + 4, east_m + 25]);

function stations(middle: Place): unknown {
  const observations = [...stationsAt(middle, 0, DOCKS), ...stationsAt(middle, 1, PINS)];
  const { clusters } = resolveObservations([feedOf("a"), feedOf("b")], observations);
  return clusters.map(({ members }) => members.toSorted((x, y) => x - y).join()).toSorted();
}

function coincident(middle: Place): boolean {
  const rows = DOCKS.map((_, i) => i);
  const side = (id: string, spots: readonly Spot[]) => ({
    feed: feedOf(id),
    docks: { ...columns(middle, spots), rows },
  });
  return docksCoincide(side("a", DOCKS), side("b", PINS));
}

function dense(middle: Place): boolean {
  const spots = Array.from({ length: 80 }, (_, i): Spot => [0, (i - 40) / 100]);
  return isDense({ index: columns(middle, spots) as never, count: spots.length });
}

function twins(middle: Place): number {
  const [old, own] = [placed(middle, [0, -2]), placed(middle, [0, 2])];
  const rows = [
    aStation("1", { name: "Kirkegata", ...old }),
    aStation("2", { name: "Kirkegata", ...own, legacy_id: "1" }),
  ];
  return withoutTwins(rows, createTrail()).length;
}

/** Boxes 140 m apart, as identity compares systems. */
function boxes(middle: Place): boolean {
  const west = columns(middle, [
    [0, -900],
    [300, -70],
  ]);
  const east = columns(middle, [
    [0, 70],
    [300, 900],
  ]);
  return boxesTouch(boxOf(west.lat, west.lon)!, boxOf(east.lat, east.lon)!, 0.0025);
}

const RULES: readonly [rule: string, judge: (middle: Place) => unknown, expected: unknown][] = [
  ["vehicles within 5 m", nearVehicles, [NEXT, NEXT]],
  ["vehicles of one number", numberedVehicles, [0, 1, 2, 3, 4]],
  ["stations of two sources", stations, ["0,5", "1,6", "2,7", "3,8", "4,9"]],
  ["docks that confirm a name", coincident, true],
  ["a crowd at one place", dense, true],
  ["one dock under two ids", twins, 1],
  ["systems next to each other", boxes, true],
];

const LONGITUDES = [10, 180, -180, 179.999_99, -179.999_99, 0];
const LATITUDES = [0, 48.85, -16.8, 78.2];

for (const [rule, judge, expected] of RULES)
  test(`across the antimeridian as anywhere: ${rule}`, () => {
    for (const lat of LATITUDES)
      for (const lon of LONGITUDES)
        assert.deepEqual(judge({ lat, lon }), expected, `${rule} at ${lat}, ${lon}`);
  });
