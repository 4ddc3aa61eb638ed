/** Of a base and a file of tiles, which a tile is drawn from. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBaseMaps } from "#upstream/bases/maps.ts";
import { OnePage } from "#upstream/bases/one-page.ts";
import type { Bases } from "#upstream/bases/shelf.ts";
import { PINNED_MAX } from "#upstream/bases/tile-pages.ts";
import { WHOLE } from "#osm/pages/page-cell.ts";
import type { BaseMaps, TileFile } from "#ports/base-maps.ts";
import { mapOf, node } from "../../../support/map-features.ts";
import { readMvt } from "../../../support/mvt.ts";

/** A tile, of which nothing is missing. */
async function draw(maps: BaseMaps, z: number, x: number, y: number): Promise<Uint8Array | null> {
  using pinned = await maps.pin(z, x, y);
  const { bytes, lacks } = await pinned.draw();
  assert.equal(lacks, null);
  return bytes;
}

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
    assert.equal(await draw(maps, z, x, y), null);
  assert.deepEqual(requested, []);
  assert.deepEqual(await draw(maps, 4, 8, 5), Uint8Array.of(1));
  assert.deepEqual(await draw(maps, 14, 8299, 5636), Uint8Array.of(1));
  assert.deepEqual(requested, ["4/8/5", "14/8299/5636"]);
});

test("a tile that the file lacks is the base's, and both are listed", async () => {
  const { maps, requested } = createBoth(SWISS, false);
  assert.equal(await draw(maps, 4, 8, 5), null);
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
  assert.equal(await draw(maps, 4, 8, 5), null);
  assert.equal(maps.covers(46, 7), false);
  assert.deepEqual(maps.list(), []);
});

/** Bases of pages that say what was pinned; those at `failing` cannot be read. */
function createMany(boxes: readonly (readonly number[])[], failing: readonly number[] = []) {
  const pinned: number[] = [];
  const counts = { now: 0, most: 0 };
  const list = boxes.map((map_box, i) => ({
    ...{ id: `b${i}`, version: "1", covers: () => true, map_box },
    pages: {
      ofTile: () => [i],
      pin: (numbers: readonly number[]) => {
        pinned.push(...numbers);
        counts.now += 1;
        counts.most = Math.max(counts.most, counts.now);
        const missing = failing.includes(i) ? [{ number: i, cell: WHOLE, reason: "damaged" }] : [];
        const map = mapOf([node([46.5, 7.5], { place: "country", name: `Base ${i}` })]);
        const pages = missing.length > 0 ? [] : [{ number: i, cell: WHOLE, page: { map } }];
        return Promise.resolve({ pages, missing, [Symbol.dispose]: () => (counts.now -= 1) });
      },
    },
  }));
  const maps = createBaseMaps({ list: () => list } as unknown as Bases);
  return { maps, pinned, counts };
}

const namesOf = (bytes: Uint8Array | null): unknown[] =>
  (bytes &&
    readMvt(bytes)
      .get("place")
      ?.features.map(({ properties }) => properties["name"])) ??
  [];

test("a tile asks only bases whose box touches it, on its margin, too", async () => {
  const { maps, pinned } = createMany([
    [45, 5, 48, 11],
    [45, -20, 48, -10],
    // East of the tile, within its margin; and just beyond it.
    [45, 11.26, 48, 12],
    [45, 11.5, 48, 12],
  ]);
  using tile = await maps.pin(5, 16, 11);
  assert.deepEqual(namesOf((await tile.draw()).bytes), ["Base 0", "Base 2"]);
  assert.deepEqual(pinned, [0, 2]);
});

test("of many bases some are pinned at a time, and all are drawn and let go", async () => {
  const { maps, counts } = createMany(Array.from({ length: 40 }, () => [45, 5, 48, 11]));
  {
    using tile = await maps.pin(4, 8, 5);
    assert.equal(counts.now, PINNED_MAX);
    assert.equal(namesOf((await tile.draw()).bytes).length, 40);
  }
  assert.deepEqual(counts, { now: 0, most: PINNED_MAX });
});

test("a tile says that a page of a base is missing in it, and has the others", async () => {
  const { maps } = createMany(
    Array.from({ length: 20 }, () => [45, 5, 48, 11]),
    [1, 18],
  );
  using tile = await maps.pin(4, 8, 5);
  const { bytes, lacks } = await tile.draw();
  assert.deepEqual([namesOf(bytes).length, lacks], [18, "unreadable"]);
});
