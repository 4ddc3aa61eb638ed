/**
 * Tiles of the live layer over captured systems: 10,000 of them, at all zooms, each against a loop over all
 * rows. Captures are no part of this repository: where they are missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findSets } from "../../trials/replay/sets.ts";
import { deploy } from "../support/answers.ts";
import { capturedFolder, capturedShard } from "../support/captured.ts";
import { NOW_MS } from "../support/domain.ts";
import {
  type At,
  compareCounts,
  compareThings,
  EDGE,
  drawTile,
  listRows,
  type Row,
  tilesOf,
  toTileNumbers,
} from "../support/live-tiles.ts";
import { sized } from "../support/size.ts";

const { path: SETS, skip } = capturedFolder("gbfs", "LIVE TILES NOT COMPARED");
const ZOOMS = [0, 2, 5, 8, 10, 12, 13, 14, 15, 16, 17, 18];
const TILES = sized(1_000, 10_000);

test(`${TILES} tiles of captured systems equal a loop over all rows`, { skip }, async () => {
  const shards = findSets(SETS).sets.flatMap((set) => capturedShard(set) ?? []);
  const deployment = deploy({
    shards,
    refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
  });
  const rows = listRows(deployment.world, NOW_MS);
  assert.ok(shards.length >= 10 && rows.length > 10_000, `${shards.length}, ${rows.length} rows`);
  const store = tilesOf(deployment);
  let [tiles, objects] = [0, 0];
  for (const z of ZOOMS) {
    const places = [...bucketsOf(rows, z)];
    const most = Math.ceil(TILES / ZOOMS.length);
    // Beyond those that have something, some that have nothing.
    for (let i = 0; i < most; i++) {
      const [key, own] = places[Math.floor((i * places.length) / most)]!;
      const [x, y] = key.split("/").map(Number) as [number, number];
      const isWest = i % 10 === 9 && x > 0;
      const at: At = { z, x: isWest ? x - 1 : x, y };
      const here = isWest ? (new Map(places).get(`${x - 1}/${y}`) ?? []) : own;
      const tile = await drawTile(store, deployment, at);
      const faults = z < 14 ? compareCounts(tile, here, at) : compareThings(tile, here, at);
      assert.deepEqual(faults.slice(0, 5), [], `tile ${z}/${at.x}/${y}`);
      tiles++;
      objects += tile.objects;
    }
  }
  assert.ok(tiles >= TILES && objects > TILES, `${tiles} tiles, ${objects} points`);
});

/** Rows by the tile that they are in; those on an edge are in each that it is an edge of. */
function bucketsOf(rows: readonly Row[], z: number): Map<string, Row[]> {
  const buckets = new Map<string, Row[]>();
  for (const row of rows) {
    const { x, y } = toTileNumbers(row.lat, row.lon, z);
    const numbers = (at: number) => new Set([at - EDGE, at + EDGE].map(Math.floor));
    for (const column of numbers(x))
      for (const line of numbers(y)) {
        const own = buckets.get(`${column}/${line}`) ?? [];
        own.push(row);
        buckets.set(`${column}/${line}`, own);
      }
  }
  return buckets;
}
