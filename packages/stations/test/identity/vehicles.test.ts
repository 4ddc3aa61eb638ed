/** R11, vehicles: which ids name one, of which brand, and what a comparison costs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { areOneBrand, fleetOf } from "../../identity/vehicle-brand.ts";
import { identityColumns } from "../../identity/vehicle-columns.ts";
import { bareVehicleId, prefixWords, vehicleKey } from "../../identity/vehicle-key.ts";
import { NO_VEHICLE, pairVehicles } from "../../identity/vehicle-pairs.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { judgeVehicles } from "../../../../trials/scorecard/vehicles.ts";
import { measureCpu } from "../../../../test/support/size.ts";
import { sized } from "../../../../test/support/size.ts";

for (const [id, bare] of [
  ["x", "x"],
  ["YGL:Vehicle:x", "x"],
  ["lime_zurich:x", "x"],
  ["dott/x", "x"],
  ["44:Vehicle:x", "x"],
  ["12:34", "12:34"],
  ["YGL|Vehicle|x", "x"],
  ["lime_zurich#x", "x"],
  ["44|Vehicle|x", "x"],
  ["YGL::x", "x"],
  ["urn:ngsi-ld:Vehicle:x", "x"],
  ["https://lime.example/vehicles/x", "x"],
  ["Züri-Velo#x", "x"],
  ["12|34", "12|34"],
  ["12#34", "12#34"],
  ["#12", "#12"],
  ["LIME-x", "x"],
  ["Zürich-x", "x"],
  ["Lime Zürich 12", "12"],
  ["bird 12", "bird 12"],
  ["Lime-x", "x"],
  ["lime_zurich_x", "x"],
  ["vehicle_12", "12"],
  [" 12 ", "12"],
  ["zurich", "zurich"],
  ["lime-", "lime-"],
  ["bird-x", "bird-x"],
  ["8000-12", "8000-12"],
  ["YGL:Vehicle:", "Vehicle:"],
  ["0d1c3f1e-77aa-4b52", "0d1c3f1e-77aa-4b52"],
] as const)
  test(`the id of ${JSON.stringify(id)} is ${bare}`, () => {
    assert.equal(bareVehicleId(id, prefixWords(["Lime", "lime_zurich", "Zürich 8000"])), bare);
  });

/** A fleet of ids, 10 m apart from one another, all at the same places. */
function line(ids: readonly string[], shift_m = 0) {
  const index = {
    lat: Float64Array.from(ids, () => 48 + shift_m / METRES_PER_DEGREE),
    lon: Float64Array.from(ids, (_, i) => 11 + i / 1e4),
  };
  const identity = identityColumns(
    index,
    ids.map((id) => ({ id, modes: 2 })),
  );
  return { count: ids.length, index, state: new Uint32Array(ids.length).fill(2), identity };
}

const LETTERS: readonly [
  what: string,
  a: readonly string[],
  b: readonly string[],
  same: readonly number[],
][] = [
  ["capitals and small letters", ["AB1", "CD2"], ["ab1", "cd2"], [0, 1]],
  ["two mixtures", ["aB1", "Cd2"], ["Ab1", "cD2"], [0, 1]],
  [
    "a UUID",
    ["0D1C3F1E-77AA-4B52-9A51-2F9D3F0C1A01"],
    ["0d1c3f1e-77aa-4b52-9a51-2f9d3f0c1a01"],
    [0],
  ],
  ["the same case goes first", ["aB", "xy"], ["Ab", "aB"], [1, NO_VEHICLE]],
  ["case counts in one feed", ["aB", "Ab"], ["AB", "zz"], [NO_VEHICLE, NO_VEHICLE]],
  ["case counts in both", ["aB", "Ab"], ["Ab", "aB"], [1, 0]],
  ["one of them only in capitals elsewhere", ["aB", "Ab", "cd"], ["aB", "CD"], [0, NO_VEHICLE, 1]],
  ["letters beyond ASCII", ["ÄÖ1"], ["äö1"], [0]],
  ["another id", ["AB1"], ["ab2"], [NO_VEHICLE]],
];

for (const [what, a, b, same] of LETTERS)
  test(`ids that differ in letter case: ${what}`, () => {
    const [one, other] = [line(a), line(b, 20)];
    const match = pairVehicles(one, other);
    assert.deepEqual(match ? Array.from(match.a.same) : a.map(() => NO_VEHICLE), same);
    const turned = pairVehicles(other, one);
    same.forEach((row, i) => row === NO_VEHICLE || assert.equal(turned!.a.same[row], i));
  });

test("short ids that differ in case are believed where half of them are together", () => {
  const ids = Array.from({ length: 10 }, (_, i) => `a${i}`);
  const far = line(
    ids.map((id) => id.toUpperCase()),
    900,
  );
  assert.equal(pairVehicles(line(ids), far), null);
  const long = ids.map((id) => id.padEnd(16, "x"));
  const match = pairVehicles(
    line(long),
    line(
      long.map((id) => id.toUpperCase()),
      900,
    ),
  );
  assert.deepEqual(Array.from(match!.a.same), Array.from(ids.keys()));
});

test("keys of other ids and of other kinds differ", () => {
  const keys = new Set<number>();
  for (let i = 0; i < 20_000; i++)
    for (const modes of [1, 2]) keys.add(vehicleKey(String(i), modes));
  assert.equal(keys.size, 40_000);
  assert.ok([...keys].every((key) => Number.isSafeInteger(key) && key > 0));
});

const fleet = (
  system_id: string,
  names: string[],
  brand: string | null = null,
  urls: string[] = [],
) => fleetOf({ id: `gbfs:${system_id}`, kind: "gbfs", system_id, names, urls }, names[0]!, brand);

for (const [what, a, b, isOne] of [
  ["two cities of a known brand", fleet("lime_bern", ["Lime Bern"]), fleet("lime", ["Lime"]), true],
  [
    "one operator, no brand",
    fleet("a", ["Roll Field", "Roll"]),
    fleet("b", ["Roll City", "Roll"]),
    true,
  ],
  ["one stated brand", fleet("a", ["North"], "Roll"), fleet("b", ["South"], "Roll"), true],
  [
    "one address",
    fleet("a", ["North"], null, ["https://a.example/gbfs.json"]),
    fleet("b", ["South"], null, ["https://a.example/gbfs.json"]),
    true,
  ],
  [
    "two stated brands of one operator",
    fleet("a", ["Roll", "Fleet AG"], "Roll"),
    fleet("b", ["Glide", "Fleet AG"], "Glide"),
    false,
  ],
  [
    "two known brands of one agency",
    fleet("lime_x", ["Lime X", "City"]),
    fleet("bird_x", ["Bird X", "City"]),
    false,
  ],
  ["two names", fleet("a", ["Roll"]), fleet("b", ["Glide"]), false],
] as const)
  test(`one brand: ${what}: ${isOne}`, () => {
    assert.equal(areOneBrand(a, b), isOne);
    assert.equal(areOneBrand(b, a), isOne);
  });

test("the scorecard of vehicles: precision 0.999, recall 0.99 where ids agree", () => {
  for (const seed of [11, 12])
    for (const { form, ids, same, found, wrong } of judgeVehicles(seed)) {
      assert.ok(wrong <= (found + wrong) / 1_000, `${ids} ${form}: ${wrong} wrong`);
      assert.ok(found >= same * 0.99, `${ids} ${form}: ${found} of ${same}`);
    }
});

/** `count` vehicles on a square of `side_m`, with ids of their own feed. */
function crowd(prefix: string, count: number, [width_m, height_m]: readonly [number, number]) {
  const points = Array.from({ length: count }, (_, i) => [(i * 7919) % count, i] as const);
  const index = {
    lat: Float64Array.from(points, ([y]) => 48 + (y / count) * (height_m / METRES_PER_DEGREE)),
    lon: Float64Array.from(points, ([, x]) => 11 + (x / count) * (width_m / METRES_PER_DEGREE)),
  };
  const keyed = points.map((_, i) => ({ id: `${prefix}${i}`, modes: 2 }));
  const identity = identityColumns(index, keyed);
  return { count, index, state: new Uint32Array(count).fill(2), identity };
}

const ROUNDS = sized(3, 10);

for (const [what, size] of [
  ["a square of 500 m", [500, 500]],
  ["one point", [0, 0]],
  ["one meridian", [0, 500]],
  ["one parallel", [500, 0]],
] as const)
  test(`eight times as many vehicles on ${what} take no square of the time`, () => {
    const cost = (count: number): number => {
      // Five thousand within 500 m are the bound of a feed (packages/kit/feed-bounds).
      const side = size.map((metres) => metres * Math.sqrt(count / 5_000)) as [number, number];
      const [a, b] = [crowd("a", count, side), crowd("b", count, side)];
      return measureCpu(() => {
        for (let round = 0; round < ROUNDS; round++) pairVehicles(a, b);
      });
    };
    cost(5_000);
    const [few, many] = [cost(5_000), cost(40_000)];
    // Linear is 8, square is 64.
    assert.ok(many < 32 * Math.max(few, 5), `${few} ms, ${many} ms`);
  });

test("two vehicles of one feed that share an id name no vehicle of another", () => {
  const index = { lat: Float64Array.of(48, 48.01), lon: Float64Array.of(11, 11) };
  const both = identityColumns(index, [
    { id: "x", modes: 2 },
    { id: "x", modes: 2 },
  ]);
  const a = { count: 2, index, state: Uint32Array.of(2, 2), identity: both };
  const one = { lat: Float64Array.of(48), lon: Float64Array.of(11.001) };
  const b = {
    count: 1,
    index: one,
    state: Uint32Array.of(2),
    identity: identityColumns(one, [{ id: "x", modes: 2 }]),
  };
  assert.deepEqual(pairVehicles(a, b)?.a.same.every((row) => row === NO_VEHICLE) ?? true, true);
});
