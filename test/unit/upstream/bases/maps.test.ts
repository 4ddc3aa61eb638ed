/** Of a base and a file of tiles, which a tile is drawn from. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBaseMaps } from "#upstream/bases/maps.ts";
import { OnePage } from "#upstream/bases/one-page.ts";
import type { Bases } from "#upstream/bases/shelf.ts";
import type { TileFile } from "#ports/base-maps.ts";

type Covers = (lat: number, lon: number) => boolean;

/** A base of an empty map, and a file whose tiles are one byte. */
function createBoth(covers: Covers, has = true) {
  const requested: string[] = [];
  const base = {
    id: "ch",
    version: "1",
    covers,
    map_box: [45, 5, 48, 11],
    pages: new OnePage({ map: { groups: [], kinds: [], readLabel: () => "" } }),
    statement: { data_at: null, attribution: "© Base" },
  };
  const bases = { list: () => [base] } as unknown as Bases;
  const file = {
    name: "world.pmtiles",
    version: "2",
    box: [-85, -180, 85, 180],
    attribution: null,
    covers: (lat: number) => Math.abs(lat) < 85,
    tile: (z: number, x: number, y: number) => {
      requested.push(`${z}/${x}/${y}`);
      return Promise.resolve(has ? Uint8Array.of(1) : null);
    },
  } as unknown as TileFile;
  return { maps: createBaseMaps(bases, file), requested };
}

const SWISS: Covers = (lat, lon) => lat > 45 && lat < 48 && lon > 5 && lon < 11;

test("a base wins where it covers a tile, and the file has the others", async () => {
  const { maps, requested } = createBoth(SWISS);
  // Bern, its cell and a larger tile around it; then a tile of half of Europe, and Paris.
  for (const [z, x, y] of [
    [14, 8529, 5769],
    [12, 2132, 1442],
    [9, 266, 180],
  ] as const)
    assert.equal(await maps.tile(z, x, y), null);
  assert.deepEqual(requested, []);
  assert.deepEqual(await maps.tile(4, 8, 5), Uint8Array.of(1));
  assert.deepEqual(await maps.tile(14, 8299, 5636), Uint8Array.of(1));
  assert.deepEqual(requested, ["4/8/5", "14/8299/5636"]);
});

test("a tile that the file lacks is the base's, and both are listed", async () => {
  const { maps, requested } = createBoth(SWISS, false);
  assert.equal(await maps.tile(4, 8, 5), null);
  assert.deepEqual(requested, ["4/8/5"]);
  assert.deepEqual(
    maps.list().map(({ id, attribution }) => [id, attribution]),
    [
      ["ch", "© Base"],
      ["world.pmtiles", null],
    ],
  );
  assert.ok(maps.covers(0, 0) && !maps.covers(89, 0));
});

test("without a file a base is asked for every tile", async () => {
  const maps = createBaseMaps({ list: () => [] } as unknown as Bases);
  assert.equal(await maps.tile(4, 8, 5), null);
  assert.equal(maps.covers(46, 7), false);
  assert.deepEqual(maps.list(), []);
});
