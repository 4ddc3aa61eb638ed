/** Tiles of others become ours: classes by the table, names and marks, and nothing of a damaged one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { KINDS } from "#core/base/map/kinds.ts";
import { redrawTile } from "#providers/pmtiles/redraw.ts";
import rules from "#providers/pmtiles/rules.json" with { type: "json" };
import { readMvt } from "../../../support/mvt.ts";
import { foreignTile, type MadeFeature } from "../../../support/pmtiles.ts";

const LINE = [
  [0, 10],
  [500, 900],
] as const;
const RING = [
  [0, 0],
  [100, 0],
  [100, 100],
] as const;
const line = (tags: MadeFeature["tags"]): MadeFeature => ({ type: "line", tags, points: LINE });
const area = (tags: MadeFeature["tags"]): MadeFeature => ({ type: "area", tags, points: RING });
const point = (tags: MadeFeature["tags"]): MadeFeature => ({
  type: "point",
  tags,
  points: [[7, 8]],
});

test("each rule leads to a class that is drawn", () => {
  for (const { layer, class: name } of rules)
    assert.ok(
      KINDS.some((kind) => kind.layer === layer && kind.class === name),
      `${layer}/${name}`,
    );
});

test("the Protomaps basemap: roads with names and structures, water by its shape, places by their people", () => {
  const tile = redrawTile(
    foreignTile({
      roads: [
        line({
          kind: "highway",
          kind_detail: "motorway",
          "name:de": "Ring",
          name: "Ring Road",
          ref: "A1",
          is_tunnel: true,
        }),
        line({ kind: "major_road", kind_detail: "primary", is_link: true, is_bridge: true }),
        line({ kind: "minor_road", kind_detail: "residential" }),
        line({ kind: "rail", kind_detail: "tram" }),
        line({ kind: "something_else" }),
      ],
      water: [area({ kind: "ocean" }), area({ kind: "lake" }), line({ kind: "river" })],
      places: [
        point({ kind: "locality", kind_detail: "city", name: "Bern", population_rank: 9 }),
        point({ kind: "locality", kind_detail: "village", name: "Wil" }),
      ],
      buildings: [area({ kind: "building", height: 12 }), point({ kind: "address" })],
      earth: [area({ kind: "earth" })],
    }),
  )!;
  const layers = readMvt(tile);
  assert.deepEqual([...layers.keys()], ["water", "building", "road", "rail", "place"]);
  assert.deepEqual(
    layers.get("road")!.features.map(({ properties }) => properties),
    [
      { class: "motorway", name: "Ring Road", "name:de": "Ring", ref: "A1", structure: "tunnel" },
      { class: "primary", structure: "bridge", ramp: 1 },
      { class: "minor" },
    ],
  );
  const [first] = layers.get("road")!.features;
  assert.deepEqual(first!.parts, [LINE.map((each) => [...each])]);
  assert.deepEqual(
    layers.get("water")!.features.map(({ type, properties }) => [type, properties["class"]]),
    [
      ["polygon", "ocean"],
      ["polygon", "water"],
      ["line", "river"],
    ],
  );
  assert.deepEqual(
    layers.get("place")!.features.map(({ properties }) => properties),
    [
      { class: "city", name: "Bern", rank: 11 },
      { class: "village", name: "Wil", rank: 63 },
    ],
  );
  assert.equal(layers.get("building")!.features.length, 1);
});

test("OpenMapTiles: the same, and names of roads draw no second line", () => {
  const tile = redrawTile(
    foreignTile(
      {
        transportation: [
          line({ class: "motorway", brunnel: "tunnel", ramp: 1 }),
          line({ class: "path", subclass: "steps" }),
        ],
        transportation_name: [line({ class: "motorway", name: "Ring", ref: "A1" })],
        water: [area({ class: "ocean" }), area({ class: "river" })],
        waterway: [line({ class: "stream" })],
        landuse: [area({ class: "residential" })],
        landcover: [area({ class: "wood" })],
        park: [area({ class: "national_park" })],
        building: [area({ render_height: 5 })],
        boundary: [line({ admin_level: 2, maritime: 1 }), line({ admin_level: 2, maritime: 0 })],
        place: [point({ class: "town", name: "Olten", rank: 12 })],
      },
      512,
    ),
  )!;
  const layers = readMvt(tile);
  assert.equal(layers.get("road")!.extent, 512);
  assert.deepEqual(
    layers.get("road")!.features.map(({ properties }) => properties),
    [
      { class: "motorway", structure: "tunnel", ramp: 1 },
      { class: "steps" },
      { class: "motorway", name: "Ring", ref: "A1", structure: "name" },
    ],
  );
  const classes = (layer: string) =>
    layers.get(layer)!.features.map(({ properties }) => properties["class"]);
  assert.deepEqual(classes("water"), ["ocean", "water", "stream"]);
  assert.deepEqual(classes("landuse"), ["residential", "park"]);
  assert.deepEqual(classes("landcover"), ["wood"]);
  assert.deepEqual(classes("boundary"), ["country"]);
  assert.deepEqual(layers.get("place")!.features[0]!.properties, {
    class: "town",
    name: "Olten",
    rank: 12,
  });
});

test("a tile of which nothing is drawn is none", () => {
  assert.equal(redrawTile(new Uint8Array()), null);
  assert.equal(redrawTile(foreignTile({ satellites: [point({ kind: "moon" })] })), null);
  assert.equal(redrawTile(foreignTile({ roads: [line({ kind: "unheard_of" })] })), null);
});

test("damaged bytes are refused, or make a tile that can be read", () => {
  const whole = foreignTile({
    roads: [line({ kind: "highway", name: "Ring" }), line({ kind: "path" })],
    places: [point({ kind: "locality", name: "Bern" })],
  });
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (at, byte, cuts) => {
      const bytes = Buffer.from(cuts ? whole.subarray(0, at) : whole);
      if (!cuts) bytes[at] = byte;
      let tile: Uint8Array | null = null;
      try {
        tile = redrawTile(bytes);
      } catch (error) {
        assert.match((error as Error).message, /damaged/);
      }
      if (tile !== null) assert.ok(tile.length < 2 * whole.length);
    }),
  );
});
