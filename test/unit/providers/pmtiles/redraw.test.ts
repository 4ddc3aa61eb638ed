/** Tiles of others become ours: classes by the table, names and marks, and nothing of a damaged one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { KINDS } from "#osm/tiles/tile-kinds.ts";
import { TILE_BOUNDS } from "#osm/tiles/tile.ts";
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

/** Buildings and then, at the end, roads with names of their own: thousands of each. */
function crowdedTile(thousands: number): Buffer {
  const building = area({ kind: "building" });
  const buildings = foreignTile({ buildings: Array.from({ length: 1_000 }, () => building) });
  const roads = foreignTile({
    roads: Array.from({ length: 1_000 }, (_, n) =>
      line({ kind: "minor_road", kind_detail: "residential", name: `Road ${n}` }),
    ),
    places: [point({ kind: "locality", kind_detail: "city", name: "Bern" })],
  });
  const times = (each: Buffer): Buffer[] => Array.from({ length: thousands }, () => each);
  return Buffer.concat([...times(buildings), ...times(roads)]);
}

test("a tile of others has the bounds of one of a base: the important is kept, the rest left out", () => {
  const tile = redrawTile(crowdedTile(20))!;
  assert.ok(tile.length > 100_000 && tile.length <= TILE_BOUNDS.bytes + 4_096, `${tile.length}`);
  const layers = readMvt(tile);
  assert.equal(layers.get("place")!.features.length, 20);
  const drawn = [...layers.values()].reduce((sum, { features }) => sum + features.length, 0);
  assert.ok(drawn <= TILE_BOUNDS.features);
  assert.ok((layers.get("road")?.features.length ?? 0) > 1_000);
});

test("one shape that would fill the tile alone is left out, and the others are not", () => {
  const points = Array.from({ length: 100_000 }, (_, n) => [n % 4_096, (n * 7) % 4_096] as const);
  const huge = { type: "line", tags: { kind: "minor_road" }, points } as const;
  const match = line({ kind: "minor_road", kind_detail: "residential", name: "Small" });
  const tile = redrawTile(foreignTile({ roads: [huge, match] }))!;
  assert.ok(tile.length < 1_000);
  assert.equal(readMvt(tile).get("road")!.features[0]!.properties["name"], "Small");
});

test("a shape that announces more points than it has, or other commands, damages its tile", () => {
  const good = foreignTile({ places: [point({ kind: "locality", name: "Here" })] });
  // The command to move, once, by (7, 8).
  const at = good.indexOf(Buffer.from([9, 14, 16]));
  assert.ok(at > 0 && redrawTile(good) !== null);
  for (const command of [
    [0xf9, 0xff, 0xff], // MoveTo, many times.
    [9, 14, 0x90], // A number that does not end.
    [15, 23, 15], // ClosePath, twice at once.
    [11, 14, 16], // No command of a shape.
    [0x12, 14, 16], // Two points, one of which is there.
  ]) {
    const bad = Buffer.from(good);
    bad.set(command, at);
    assert.throws(() => redrawTile(bad), /damaged/, String(command));
  }
});

test("every shape that is written is read, whatever its points", () => {
  const points = fc.array(fc.tuple(fc.integer({ min: -64, max: 4_160 }), fc.nat(4_160)), {
    minLength: 3,
    maxLength: 50,
  });
  fc.assert(
    fc.property(
      points,
      fc.constantFrom<MadeFeature["type"]>("point", "line", "area"),
      (list, type) => {
        const feature: MadeFeature = {
          type,
          tags: { kind: type === "point" ? "locality" : "ocean" },
          points: type === "point" ? list.slice(0, 1) : list,
        };
        const layer = type === "point" ? "places" : "water";
        redrawTile(foreignTile({ [layer]: [feature] }));
      },
    ),
  );
});
