/** One thing that the map has several times is one service (places.md 3). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PlaceKind } from "#core/places/place.ts";
import { distance_m } from "#kit/geo.ts";
import { createNear } from "#providers/openstreetmap/osm-near.ts";
import { elementOf, read, type TagList } from "./support.ts";
import { measureCpu, tries } from "../../../support/size.ts";

const MAIN: Readonly<Record<string, TagList>> = {
  toilets: { amenity: "toilets" },
  parking: { amenity: "parking" },
  water: { amenity: "drinking_water" },
  wifi: { internet_access: "wlan" },
};

type One = readonly [id: string, tags: TagList, north_m: number];
const CASES: readonly [what: string, PlaceKind, one: One, other: One, kept: string[]][] = [
  ["a node in its building", "toilets", ["node/1", {}, 0], ["way/2", {}, 29], ["way/2"]],
  ["too far apart", "toilets", ["node/1", {}, 0], ["way/2", {}, 31], ["node/1", "way/2"]],
  ["two nodes", "toilets", ["node/1", {}, 0], ["node/2", {}, 5], ["node/1", "node/2"]],
  ["two buildings", "toilets", ["way/1", {}, 0], ["way/2", {}, 5], ["way/1", "way/2"]],
  ["a richer node", "toilets", ["node/1", { fee: "no" }, 0], ["way/2", {}, 5], ["way/2"]],
  [
    "same names",
    "toilets",
    ["node/1", { name: "A É" }, 0],
    ["way/2", { name: "a e" }, 5],
    ["way/2"],
  ],
  [
    "two names",
    "toilets",
    ["node/1", { name: "A" }, 0],
    ["way/2", { name: "B" }, 5],
    ["node/1", "way/2"],
  ],
  ["one name", "toilets", ["node/1", {}, 0], ["way/2", { name: "B" }, 5], ["node/1", "way/2"]],
  ["one operator", "toilets", ["node/1", { operator: "A" }, 0], ["way/2", {}, 5], ["way/2"]],
  [
    "two operators",
    "toilets",
    ["node/1", { operator: "A" }, 0],
    ["way/2", { operator: "B" }, 5],
    ["node/1", "way/2"],
  ],
  ["way, relation", "parking", ["way/1", { fee: "no" }, 0], ["relation/2", {}, 5], ["way/1"]],
  ["relation, way", "parking", ["way/1", {}, 0], ["relation/2", { fee: "no" }, 5], ["relation/2"]],
  [
    "above, below",
    "parking",
    ["node/1", { parking: "surface" }, 0],
    ["way/2", { parking: "underground" }, 5],
    ["node/1", "way/2"],
  ],
  [
    "tap, fountain",
    "water",
    ["node/1", {}, 0],
    ["way/2", { amenity: "fountain" }, 5],
    ["node/1", "way/2"],
  ],
  [
    "café, hotel",
    "wifi",
    ["node/1", { amenity: "cafe" }, 0],
    ["way/2", { tourism: "hotel" }, 5],
    ["node/1", "way/2"],
  ],
];

for (const [what, kind, one, other, stored] of CASES)
  test(`${what}: ${stored.length} of them`, () => {
    const elements = [one, other].map(([id, tags, north_m]) =>
      elementOf(id, { ...MAIN[kind], ...tags }, north_m),
    );
    for (const order of [elements, elements.toReversed()]) {
      const { places, reasons } = read(kind, order);
      assert.deepEqual(places.map(({ external_id }) => external_id).sort(), stored);
      assert.deepEqual(reasons, stored.length === 1 ? ["duplicate"] : []);
      if (stored.length > 1) continue;
      const keys = [one[0], other[0]].map((id) => `osm:${id}`);
      assert.deepEqual([...places[0]!.keys].sort(), keys.sort());
    }
  });

test("a node, a way and a relation are one, and it knows both others", () => {
  const trio = ["node/1", "way/2", "relation/3"].map((id, i) =>
    elementOf(id, MAIN.toilets!, i * 9),
  );
  const { places } = read("toilets", trio);
  assert.equal(places.length, 1);
  assert.deepEqual([...places[0]!.keys].sort(), ["osm:node/1", "osm:relation/3", "osm:way/2"]);
});

const entrance = (tags: TagList, north_m: number) =>
  elementOf("node/9", { amenity: "parking_entrance", ...tags }, north_m);

test("an entrance is no car park, and says what its car park does not", () => {
  const area = elementOf("way/1", { ...MAIN.parking, name: "Own" });
  const { places, reasons } = read("parking", [entrance({ name: "Gate", fee: "yes" }, 99), area]);
  assert.deepEqual(reasons, ["entrance_of_another"]);
  assert.deepEqual(
    places.map(({ name }) => name),
    ["Own"],
  );
  assert.deepEqual(places[0]!.keys, ["osm:way/1", "osm:node/9"]);
  assert.deepEqual(places[0]!.attributes["parking"], {
    kind: "parking",
    features: ["paid_parking"],
  });
});

test("an entrance whose car park is not mapped is that car park", () => {
  const surface = elementOf("way/1", { ...MAIN.parking, parking: "surface" });
  const far = elementOf("way/2", { ...MAIN.parking, parking: "underground" }, 220);
  const alone = entrance({ name: "Gate", parking: "underground", fee: "no" }, 20);
  const { places, reasons } = read("parking", [surface, far, alone]);
  assert.deepEqual(reasons, []);
  assert.equal(places.length, 3);
  const gate = places.find(({ name }) => name === "Gate")!;
  assert.deepEqual(gate.attributes["parking"], {
    kind: "garage",
    features: ["free_garage_parking"],
  });
});

test("several entrances without an area are one car park, unless names say that they are two", () => {
  const gate = (id: number, tags: TagList, north_m: number) =>
    elementOf(`node/${id}`, { amenity: "parking_entrance", ...tags }, north_m);
  const gates = [
    gate(1, { name: "North" }, 0),
    gate(2, {}, 90),
    gate(3, { name: "South" }, 95),
    gate(4, { fee: "yes" }, 300),
    gate(5, {}, 380),
  ];
  const { places, reasons } = read("parking", gates);
  assert.deepEqual(reasons, ["entrance_of_another"]);
  assert.deepEqual(
    places.map(({ external_id, keys }) => [external_id, keys]),
    [
      ["node/1", ["osm:node/1", "osm:node/2"]],
      ["node/3", ["osm:node/3"]],
      ["node/4", ["osm:node/4", "osm:node/5"]],
    ],
  );
});

test("a heap of entrances ends, and each is in one car park", () => {
  const heap = Array.from({ length: 300 }, (_, i) =>
    elementOf(`node/${i}`, { amenity: "parking_entrance", name: i % 2 ? "A" : "B" }, (i % 30) * 3),
  );
  const { places } = read("parking", heap);
  const keys = places.flatMap((place) => place.keys);
  assert.equal(new Set(keys).size, 300);
  assert.equal(keys.length, 300);
});

test("a post within thirty metres of a station is a part of it", () => {
  const station = elementOf("node/1", { amenity: "charging_station" });
  const near = elementOf("node/2", { man_made: "charge_point" }, 29);
  const far = elementOf("node/3", { man_made: "charge_point" }, 31);
  const { places, reasons } = read("charging", [near, station, far]);
  assert.deepEqual(
    places.map(({ external_id }) => external_id),
    ["node/1", "node/3"],
  );
  assert.deepEqual(reasons, ["post_of_a_station"]);
});

test("an element that came twice is there once", () => {
  const twice = [elementOf("node/1", MAIN.toilets!), elementOf("node/1", MAIN.toilets!)];
  assert.equal(read("toilets", twice).places.length, 1);
});

test("copies on one spot cost no square of their number", () => {
  const heap = Array.from({ length: 50_000 }, (_, i) =>
    elementOf(`${i % 2 ? "way" : "node"}/${i}`, { ...MAIN.toilets, name: `${i}` }),
  );
  // Of what lies within a metre the first are kept.
  const cpu_ms = measureCpu(() => assert.equal(read("toilets", heap).places.length, 64));
  assert.ok(cpu_ms < 15_000, `${cpu_ms} ms`);
});

test("the grid finds what looking at every point finds, at poles and the seam, too", () => {
  const anywhere = fc.record({
    lat: fc.oneof(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.constantFrom(-90, 0, 60, 89.9995, 90),
    ),
    lon: fc.oneof(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.constantFrom(-180, 0, 179.9999, 180),
    ),
  });
  const offset = fc.double({ min: -0.0015, max: 0.0015, noNaN: true });
  fc.assert(
    fc.property(anywhere, fc.array(fc.tuple(offset, offset), { maxLength: 40 }), (at, offsets) => {
      const squeeze = Math.max(0.01, Math.cos((at.lat * Math.PI) / 180));
      const points = offsets.map(([dlat, dlon]) => ({
        lat: Math.max(-90, Math.min(90, at.lat + dlat)),
        lon: ((at.lon + dlon / squeeze + 540) % 360) - 180,
      }));
      const result = createNear(points, 100)(at).map(({ point }) => point);
      const within = points.filter((p) => distance_m(at.lat, at.lon, p.lat, p.lon) <= 100);
      assert.deepEqual(new Set(result), new Set(within));
    }),
    { numRuns: tries(2_000) },
  );
});
