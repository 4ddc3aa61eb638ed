/**
 * Tiles of real extracts against a second reading of the same features: whatever is on a tile is in
 * the extract, and the other way round. Extracts are no part of this repository: where they are
 * missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { type BaseMap, openMap } from "../../tiles/open-tiles.ts";
import { createMapSection, type MapMeta } from "../../tiles/tiles-section.ts";
import { importBase, openPack } from "../../reader/import-extract.ts";
import { tileAt } from "../../../../test/support/map-features.ts";
import { judgeTile } from "../../../../test/support/map-judge.ts";
import { createRecorder, listShown, type MapFeature } from "../../../../test/support/map-oracle.ts";
import { sized } from "../../../../test/support/size.ts";
import { readMvt, type TileLayer } from "../../../../test/support/mvt.ts";

const DATA = new URL("../../../../../shared/data/osm/", import.meta.url);
const EXTRACTS = ["monaco-2023", ...sized([], ["helsinki-centre-2019", "andorra-2018"])];
/** Zoom and the units by which a point may be off: copies for far zooms are simplified twice. */
const ZOOMS = { 10: 5, 12: 5, 14: 1 } as const;

type Opened = { map: BaseMap; shown: MapFeature[] };
type Tile = { at: { z: number; x: number; y: number }; layers: Map<string, TileLayer> };

async function open(name: string): Promise<Opened> {
  const section = createMapSection();
  const recorder = createRecorder(section);
  const file = new URL(`${name}/${name}.osm.pbf`, DATA).pathname;
  const sections = [section, recorder.section];
  const done = await importBase(file, { id: name, region: null, now_ms: 0, sections });
  assert.ok(done.ok, "problem" in done ? done.problem : "");
  // Shared memory, as a service has it.
  const bytes = new Uint8Array(new SharedArrayBuffer(done.pack.length));
  bytes.set(done.pack);
  const { meta, columns } = openPack(bytes)!;
  const map = openMap(columns, meta.sections["map"] as MapMeta);
  return { map, shown: listShown(recorder.features) };
}

/** The tiles with the most in them, from the middle of the extract. */
function listTiles(map: BaseMap, z: number): Tile[] {
  const [south, west, north, east] = map.box!;
  const first = tileAt([north, west], z);
  const last = tileAt([south, east], z);
  const tiles: { at: Tile["at"]; bytes: Uint8Array }[] = [];
  for (let x = first.x; x <= last.x; x++)
    for (let y = first.y; y <= last.y; y++) {
      const bytes = map.tile(z, x, y);
      if (bytes !== null) tiles.push({ at: { z, x, y }, bytes });
    }
  const fullest = tiles.sort((a, b) => b.bytes.length - a.bytes.length).slice(0, 12);
  return fullest.map(({ at, bytes }) => {
    assert.ok(bytes.length < 200_000, `${bytes.length} bytes`);
    return { at, layers: readMvt(bytes) };
  });
}

for (const name of EXTRACTS) {
  const present = existsSync(new URL(`${name}/${name}.osm.pbf`, DATA));
  const skip = present ? false : `NO REAL EXTRACT: ../shared/data/osm/${name} is missing`;

  test(
    `${name}: what is on a tile is in the extract, and the other way round`,
    { skip },
    async () => {
      const { map, shown } = await open(name);
      for (const [zoom, tolerance] of Object.entries(ZOOMS)) {
        let compared = 0;
        for (const { at, layers } of listTiles(map, Number(zoom))) {
          const judged = judgeTile(layers, shown, at, tolerance);
          assert.deepEqual(judged.faults, [], JSON.stringify(at));
          compared += judged.compared;
        }
        assert.ok(compared > 100, `${compared} features at zoom ${zoom}`);
      }
    },
  );
}

/** Faults that are planted into a tile, each of which must be seen. */
const PLANTS: Readonly<Record<string, (layers: Map<string, TileLayer>) => void>> = {
  "a hole that is filled": (layers) => {
    const match = [...layers.values()]
      .flatMap(({ features }) => features)
      .filter(({ properties, parts }) => properties["class"] !== "ocean" && parts.length > 1)
      .filter(({ type }) => type === "polygon")
      .sort((a, b) => b.parts[1]!.length - a.parts[1]!.length);
    for (const each of match) each.parts.splice(1);
  },
  "a ring that turns wrongly": (layers) => {
    layers.get("building")!.features[0]!.parts[0]!.reverse();
  },
  "a street that is missing": (layers) => {
    const { features } = layers.get("road")!;
    const longest = features.reduce((a, b) => (a.parts[0]!.length > b.parts[0]!.length ? a : b));
    features.splice(features.indexOf(longest), 1);
  },
  "a street of another name": (layers) => {
    const street = layers.get("road")!.features.find(({ properties }) => properties["name"])!;
    street.properties["name"] = "Elsewhere";
  },
  "a building that is a few metres off": (layers) => {
    const [building] = layers.get("building")!.features;
    for (const ring of building!.parts) for (const point of ring) point[0] += 12;
  },
  "a place that is missing": (layers) => {
    layers.get("place")!.features = [];
  },
  "a point outside the margin": (layers) => {
    layers.get("road")!.features[0]!.parts[0]![0]![0] = -200;
  },
};

test(
  "the comparison sees each fault that is planted",
  { skip: existsSync(new URL("monaco-2023/", DATA)) ? false : "NO REAL EXTRACT" },
  async (t) => {
    const { map, shown } = await open("monaco-2023");
    for (const [name, plant] of Object.entries(PLANTS))
      await t.test(name, () => {
        const tiles = listTiles(map, 14).slice(0, 4);
        for (const { layers } of tiles) if (layers.has("building")) plant(layers);
        const faults = tiles.flatMap(({ at, layers }) => judgeTile(layers, shown, at, 1).faults);
        assert.ok(faults.length > 0, "not seen");
      });
  },
);
