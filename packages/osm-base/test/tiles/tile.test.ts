/** Tiles of features made by hand: what is on them, in which form, and what a full one leaves out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import kinds from "../../tiles/kinds.json" with { type: "json" };
import { isTile } from "../../tiles/grid.ts";
import { makeTile, TILE_BOUNDS } from "../../tiles/tile.ts";
import {
  type Feature,
  mapOf,
  multipolygon,
  node,
  type Place,
  square,
  tileAt,
  way,
} from "../../../../test/support/map-features.ts";
import { judgeTile } from "../../../../test/support/map-judge.ts";
import { listShown } from "../../../../test/support/map-oracle.ts";
import { areaOf, readMvt, type TileFeature } from "../../../../test/support/mvt.ts";
import { anyText } from "../../../../test/support/any-text.ts";

const HOME: Place = [47.1415, 9.5215];
const { z: ZOOM, x: X, y: Y } = tileAt(HOME, 14);

function draw(features: readonly Feature[], zoom = ZOOM): Map<string, TileFeature[]> {
  const { z, x, y } = tileAt(HOME, zoom);
  const bytes = mapOf(features).tile(z, x, y);
  const layers = bytes ? [...readMvt(bytes)] : [];
  return new Map(layers.map(([name, layer]) => [name, layer.features]));
}

const near = (north: number, east: number): Place => [HOME[0] + north, HOME[1] + east];

test("a tile of nothing is none, and so is one out of range", () => {
  const map = mapOf([way([HOME, near(0.001, 0.001)], { highway: "primary" })]);
  assert.ok(map.tile(ZOOM, X, Y));
  assert.equal(map.tile(ZOOM, X + 5, Y), null);
  for (const [z, x, y] of [
    [15, 0, 0],
    [-1, 0, 0],
    [3, 8, 0],
    [3, 0, -1],
    [3.5, 1, 1],
  ] as const) {
    assert.equal(isTile(z, x, y), false);
    assert.equal(map.tile(z, x, y), null);
  }
  assert.equal(mapOf([]).tile(0, 0, 0), null);
  assert.equal(mapOf([]).box, null);
});

test("holes are holes, and each area has its class", () => {
  const lake = multipolygon([square(HOME, 0.01), square(HOME, 0.002).toReversed()], {
    natural: "water",
    name: "Lake",
  });
  const tile = draw([lake]);
  const [water] = tile.get("water")!;
  assert.equal(water?.properties["class"], "water");
  assert.equal(water?.parts.length, 2);
  const [outer, inner] = water.parts.map((ring) => areaOf(ring));
  assert.ok(outer! > 0 && inner! < 0 && Math.abs(inner! / outer! + 0.04) < 0.002);
  const [name] = tile.get("place")!;
  assert.deepEqual(name?.properties, {
    class: "lake",
    rank: name!.properties["rank"]!,
    name: "Lake",
  });
});

test("the way around a relation is not drawn over its holes", () => {
  const ring = square(HOME, 0.01);
  const outline = way(ring, { natural: "water" });
  const relation = multipolygon([ring, square(HOME, 0.002)], { natural: "water" });
  const lake = { ...relation, members: [{ type: "way" as const, id: outline.id, role: "outer" }] };
  assert.equal(draw([outline, lake]).get("water")?.length, 1);
  // Where the relation has no ring, its way is all that is known.
  const torn = { ...lake, rings: [] };
  assert.equal(draw([outline, torn]).get("water")?.length, 1);
  assert.equal(draw([torn]).get("water"), undefined);
});

test("names are given in the page's languages where they differ", () => {
  const tags = {
    highway: "primary",
    name: "Rue A",
    "name:de": "A-Strasse",
    "name:fr": "Rue A",
    "name:ru": "улица",
    ref: "N7;E15",
    bridge: "yes",
  };
  const [road] = draw([way([HOME, near(0.001, 0.001)], tags)]).get("road")!;
  assert.deepEqual(road?.properties, {
    class: "primary",
    structure: "bridge",
    name: "Rue A",
    "name:de": "A-Strasse",
    ref: "N7",
  });
  const long = draw([way([HOME, near(0.001, 0)], { highway: "primary", name: "x".repeat(5000) })]);
  assert.ok(String(long.get("road")![0]!.properties["name"]).length <= 80);
});

test("from far a street of several ways is one line without a name", () => {
  const street = [0, 1, 2, 3].map((i) =>
    way([near(0, i * 0.003), near(0.001, (i + 1) * 0.003)], {
      highway: "primary",
      name: `Part ${i}`,
    }),
  );
  const far = draw(
    street.map((each, i) => ({ ...each, points: flat(i) })),
    10,
  ).get("road")!;
  assert.equal(far.length, 1);
  assert.deepEqual(far[0]?.properties, { class: "primary" });
  assert.equal(draw(street, 14).get("road")?.length, 4);
});

function flat(i: number): Int32Array {
  const [lat, lon] = HOME.map((each) => Math.round(each * 1e7)) as [number, number];
  return Int32Array.of(lat, lon + i * 30_000, lat, lon + (i + 1) * 30_000);
}

test("what cannot be an area is a line, and the other way round", () => {
  const ring = square(HOME, 0.004);
  const classes = (tags: Record<string, string>): string[] =>
    [...draw([way(ring, tags)])].flatMap(([layer, features]) =>
      features.map(({ properties, type }) => `${layer}/${String(properties["class"])}/${type}`),
    );
  assert.deepEqual(classes({ highway: "pedestrian" }), ["road/pedestrian/line"]);
  assert.deepEqual(classes({ highway: "pedestrian", area: "yes" }), ["landuse/pedestrian/polygon"]);
  assert.deepEqual(classes({ leisure: "park", area: "no" }), []);
  assert.deepEqual(classes({ waterway: "river" }), ["water/river/line"]);
  assert.deepEqual(classes({ boundary: "administrative", admin_level: "2" }), [
    "boundary/country/line",
  ]);
  assert.deepEqual(classes({ boundary: "administrative", admin_level: "2", maritime: "yes" }), []);
  assert.deepEqual(classes({ boundary: "administrative", admin_level: "8" }), []);
  assert.deepEqual(classes({ man_made: "pier" }), ["landuse/pier/polygon"]);
});

test("a full tile keeps streets and places, and leaves out the small buildings", () => {
  const houses = Array.from({ length: 30_000 }, (_, i) => {
    const at = near(((i % 170) - 85) * 0.00008, (Math.floor(i / 170) - 85) * 0.0001);
    return way(square(at, i % 2 === 0 ? 0.00006 : 0.00003), { building: "yes" });
  });
  const street = way([near(-0.004, 0), near(0.004, 0.0005)], { highway: "residential", name: "A" });
  const town = node(HOME, { place: "village", name: "V" });
  const map = mapOf([...houses, street, town]);
  const bytes = map.tile(ZOOM, X, Y)!;
  assert.ok(bytes.length < 200_000, `${bytes.length} bytes`);
  assert.deepEqual(map.tile(ZOOM, X, Y), bytes);
  const layers = readMvt(bytes);
  assert.equal(layers.get("road")?.features.length, 1);
  assert.equal(layers.get("place")?.features.length, 1);
  const rings = layers.get("building")!.features.flatMap(({ parts }) => parts);
  assert.ok(rings.length > 5_000 && rings.length < TILE_BOUNDS.features);
  const small = rings.filter((ring) => areaOf(ring) < 100);
  assert.ok(small.length < rings.length / 2, `${small.length} of ${rings.length} are small`);
});

test("two maps are one tile, with each layer once", () => {
  const road = mapOf([way([HOME, near(0.001, 0.001)], { highway: "primary", name: "One" })]);
  const other = mapOf([way([HOME, near(0.001, -0.001)], { highway: "primary", name: "Two" })]);
  const tile = readMvt(makeTile([road, other], ZOOM, X, Y)!);
  assert.deepEqual([...tile.keys()], ["road"]);
  const names = tile.get("road")!.features.map(({ properties }) => properties["name"]);
  assert.deepEqual(names.map(String).toSorted(), ["One", "Two"]);
  assert.equal(makeTile([], ZOOM, X, Y), null);
});

test("the more important of two roads is drawn last, the larger of two areas first", () => {
  const tile = draw([
    way([HOME, near(0.001, 0.001)], { highway: "motorway" }),
    way([HOME, near(0.001, -0.001)], { highway: "residential" }),
    way(square(HOME, 0.001), { leisure: "park" }),
    way(square(HOME, 0.01), { landuse: "residential" }),
  ]);
  const classes = (layer: string) => tile.get(layer)!.map(({ properties }) => properties["class"]);
  assert.deepEqual(classes("road"), ["minor", "motorway"]);
  assert.deepEqual(classes("landuse"), ["residential", "park"]);
});

const tags = fc.constantFrom(
  ...kinds.flatMap(({ tags: each }) =>
    Object.entries<string[] | undefined>(each).flatMap(([key, values]) =>
      (values ?? []).map((value) => ({ [key]: value === "*" ? "yes" : value })),
    ),
  ),
);
const anywhere = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.double({ min: 46.9, max: 47.3 }), fc.double({ min: 9.3, max: 9.7 })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.double({ min: -90, max: 90 }), fc.double({ min: -180, max: 180 })),
  },
);
const places = fc.array(anywhere, { minLength: 1, maxLength: 12 });
const text = fc.option(anyText({ maxLength: 100 }), { nil: undefined });
const feature: fc.Arbitrary<Feature> = fc
  .tuple(fc.constantFrom("node", "way", "ring", "relation", "coast"), places, tags, text)
  .map(([type, points, tag, name]) => {
    const match = {
      ...tag,
      ...(name === undefined ? {} : { name }),
      ...(type === "coast" ? { natural: "coastline" } : {}),
    };
    const ring = [...points, points[0]!] as Place[];
    if (type === "node") return node(ring[0]!, match);
    if (type === "relation") return multipolygon([ring, ring.slice(2), ring.toReversed()], match);
    return way(type === "way" ? points : ring, match);
  });

test("any features make tiles that can be read and that keep to their margin", () => {
  fc.assert(
    fc.property(fc.array(feature, { maxLength: 15 }), (features) => {
      const map = mapOf(features);
      for (const zoom of [0, 5, 9, 12, 13, 14]) {
        const at = tileAt(HOME, zoom);
        const bytes = map.tile(at.z, at.x, at.y);
        if (bytes === null) continue;
        // Crossed rings have no inside to compare; form and margin hold for them too.
        const { faults } = judgeTile(readMvt(bytes), [], at, 1);
        assert.deepEqual(
          faults.filter((each) => !/ is in no (way|area)$/.test(each)),
          [],
        );
      }
    }),
    { numRuns: 60 },
  );
});

/** Rings that do not cross themselves, and lines, all near each other. */
const offset = fc.double({ min: -0.02, max: 0.02, noNaN: true });
const plain: fc.Arbitrary<Feature> = fc
  .tuple(
    fc.constantFrom("line", "ring", "hole"),
    offset,
    offset,
    fc.integer({ min: 3, max: 40 }),
    tags,
  )
  .map(([type, north, east, count, tag]) => {
    const around = (radius: number): Place[] =>
      Array.from({ length: count + 1 }, (_, i) => {
        const turn = (2 * Math.PI * (i % count)) / count;
        const reach = radius * (i % 2 === 0 ? 1 : 0.8);
        return near(north + reach * Math.sin(turn) * 0.7, east + reach * Math.cos(turn));
      });
    const match = { ...tag, name: `${type} ${count}` };
    if (type === "hole") return multipolygon([around(0.01), around(0.004)], match);
    return way(type === "ring" ? around(0.006) : around(0.006).slice(0, -1), match);
  });

test("what is on a tile is what the features say, at three zooms", () => {
  fc.assert(
    fc.property(fc.array(plain, { minLength: 1, maxLength: 12 }), (features) => {
      const map = mapOf(features);
      const listed = listShown({
        nodes: features.filter((each) => each.type === "node"),
        ways: features.filter((each) => each.type === "way"),
        relations: features.filter((each) => each.type === "relation"),
      });
      for (const zoom of [10, 12, 14]) {
        const at = tileAt(HOME, zoom);
        const bytes = map.tile(at.z, at.x, at.y);
        const { faults } = judgeTile(
          bytes ? readMvt(bytes) : new Map(),
          listed,
          at,
          zoom === 14 ? 1 : 5,
        );
        assert.deepEqual(faults, [], `zoom ${zoom}`);
      }
    }),
    { numRuns: 80 },
  );
});
