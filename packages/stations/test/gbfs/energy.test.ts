/** Charge and range of vehicles: the unit is the feed's, and the impossible is unknown (decisions, Vehicles and docks). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { VehicleType } from "../../entities.ts";
import { createTrail } from "#kit/trail.ts";
import { readVehicles } from "../../gbfs/gbfs-vehicles.ts";

const TYPES = [
  { id: "bike", mode: "bicycle", max_range_m: 20_000 },
  { id: "car", mode: "car", max_range_m: null },
] as unknown as VehicleType[];

type Row = readonly [charge: unknown, range_m?: number, type?: string | undefined];

function read(rows: readonly Row[]) {
  const bikes = rows.map(([current_fuel_percent, current_range_meters, vehicle_type_id], n) => ({
    bike_id: `v${n}`,
    lat: 40,
    lon: 20,
    current_fuel_percent,
    current_range_meters,
    vehicle_type_id,
  }));
  const wire = { last_updated: 1_795_732_554, ttl: 60, version: "2.3", data: { bikes } };
  return readVehicles(wire, { doc_time_s: 1_795_732_554, types: TYPES }, createTrail())!;
}

const CHARGES: readonly [
  name: string,
  rows: readonly Row[],
  charges: readonly (number | null)[],
][] = [
  ["percent", [[97], [64], [1]], [0.97, 0.64, 0.01]],
  ["percent with an empty one", [[50], [0], [1]], [0.5, 0, 0.01]],
  ["fractions", [[0.97], [0.5], [1], [0.01]], [0.97, 0.5, 1, 0.01]],
  ["fractions with a rounding", [[0.4], [1.0001]], [0.4, 1]],
  ["nothing but 0 and 1", [[1], [0], [1]], [null, null, null]],
  ["nothing but 1", [[1], [1]], [null, null]],
  ["nothing but 0", [[0], [0]], [null, null]],
  ["nothing but 0 and 1 as texts", [["1"], ["0"]], [null, null]],
  ["1 and a rounding of it", [[1], [1.0001]], [null, null]],
  ["1, and one that says the unit", [[1], [0], [0.5]], [1, 0, 0.5]],
  [
    "0 and 1 with the ranges",
    [
      [1, 20_000, "bike"],
      [0, 0, "bike"],
    ],
    [1, 0],
  ],
  ["1, one with its range", [[1, 20_000, "bike"], [1], [0]], [1, 1, 0]],
  ["1, one with hardly any range", [[1, 200, "bike"], [1], [0]], [0.01, 0.01, 0]],
  ["1, with ranges that contradict", [[1, 20_000, "bike"], [1, 200, "bike"], [1]], [1, 0.01, null]],
  ["1 and half the range", [[1, 10_000, "bike"]], [null]],
  ["1 and the range of a kind without a most", [[1, 20_000, "car"]], [null]],
  ["both, and no range", [[97], [0.9]], [0.97, null]],
  ["both, and the range says percent", [[97], [0.5, 100, "bike"]], [0.97, 0.005]],
  ["both, and the range says fraction", [[97], [0.9, 18_000, "bike"]], [0.97, 0.9]],
  ["one value of 1, and hardly any range", [[1, 200, "bike"]], [0.01]],
  ["one value of 1, and the whole range", [[1, 20_000, "bike"]], [1]],
  ["text", [["97"], ["1"]], [0.97, 0.01]],
  ["not of this world", [[101], [-1], ["full"], [50]], [null, null, null, 0.5]],
  ["empty with a range", [[0, 5_000, "bike"], [50]], [null, 0.5]],
  ["not stated", [[undefined], [50]], [null, 0.5]],
];

for (const [name, rows, charges] of CHARGES)
  test(`a feed of ${name}`, () => {
    assert.deepEqual(
      read(rows).map(({ charge }) => charge),
      charges,
    );
  });

const RANGES: readonly [range_m: number, type: string | undefined, known: number | null][] = [
  [19_400, "bike", 19_400],
  [25_000, "bike", 25_000],
  [4_095_000, "bike", null],
  [65_535, "bike", null],
  [4_095_000, undefined, null],
  [873_000, "car", 873_000],
  [4_294_967, "car", null],
  [0, "bike", 0],
];

for (const [range_m, type, entry] of RANGES)
  test(`a range of ${range_m} m of a ${type ?? "vehicle"} is ${entry ?? "unknown"}`, () => {
    assert.equal(read([[undefined, range_m, type]])[0]!.range_m, entry);
  });
