/** A file of map tiles: what is read of it, what is refused at the start, and what damage costs. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import type { TileFile } from "#ports/base-maps.ts";
import { tileIdOf } from "#providers/pmtiles/pmtiles-archive.ts";
import { openTileFile } from "#upstream/pmtiles/pmtiles-file.ts";
import { readMvt } from "../../../support/mvt.ts";
import { sized } from "../../../support/size.ts";
import {
  type ArchiveOptions,
  type ArchiveTile,
  directory,
  foreignTile,
  hilbertId,
  writeArchive,
} from "../../../support/pmtiles.ts";

const folder = await mkdtemp(join(tmpdir(), "vicinity-pmtiles-"));
after(() => rm(folder, { recursive: true }));

const place = (name: string): Buffer =>
  foreignTile({
    places: [{ type: "point", tags: { kind: "locality", name }, points: [[1, 2]] }],
  });
const SEA = place("Sea");
/** Every tile of zooms 0 to 4; those of the last quarter are all alike. */
const TILES = [0, 1, 2, 3, 4].flatMap((z) =>
  Array.from({ length: 4 ** z }, (_, i): ArchiveTile => {
    const [x, y] = [i % 2 ** z, Math.floor(i / 2 ** z)];
    return { z, x, y, bytes: z === 4 && y >= 12 ? SEA : place(`${z}/${x}/${y}`) };
  }),
);
let files = 0;
const fail = (error: unknown): never => assert.fail(String(error));

async function put(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}.pmtiles`);
  await writeFile(path, bytes);
  return path;
}

async function openOf(options: ArchiveOptions, tiles = TILES): Promise<TileFile> {
  const file = await openTileFile(await put(writeArchive(tiles, options)), fail);
  if ("problem" in file) throw new Error(file.problem);
  return file;
}

async function nameIn(file: TileFile, z: number, x: number, y: number): Promise<unknown> {
  const bytes = await file.tile(z, x, y);
  return bytes && readMvt(bytes).get("place")?.features[0]?.properties["name"];
}

test("a tile has the number that its place on the curve has", () => {
  for (const { z, x, y } of TILES) assert.equal(tileIdOf(z, x, y), hilbertId({ z, x, y }));
  assert.equal(tileIdOf(12, 3423, 1763), 19_078_479);
});

for (const [title, options] of Object.entries<ArchiveOptions>({
  "all in the root": {},
  "not compressed": { gzip: false },
  "leaf directories": { leaf_entries: 7 },
  "directories of directories": { leaf_entries: 7, depth: 3 },
}))
  test(`every tile is found: ${title}`, async () => {
    const file = await openOf(options);
    for (const { z, x, y, bytes } of TILES)
      assert.equal(await nameIn(file, z, x, y), bytes === SEA ? "Sea" : `${z}/${x}/${y}`);
    assert.equal(await file.tile(5, 0, 0), null);
    assert.equal(file.isDamaged(), false);
    await file.close();
  });

test("the file says what it covers, of whom it is, and how much it holds", async () => {
  const file = await openOf({
    bounds: [5, 45, 11, 48],
    zooms: [0, 4],
    metadata: {
      vector_layers: [{ id: "roads" }, { id: "mine" }],
      attribution: '<a href="https://example.org">© Maps</a> & others',
    },
  });
  const { box, tiles, max_zoom, attribution } = file;
  assert.deepEqual([box, tiles, max_zoom], [[45, 5, 48, 11], TILES.length, 4]);
  assert.equal(attribution, "© Maps & others");
  assert.ok(file.covers(46.9, 7.4) && !file.covers(46.9, 12) && !file.covers(49, 7.4));
  await file.close();
});

test("what cannot be served is refused in one line that names the file", async () => {
  const at = (offset: number, byte: number): ArchiveOptions => ({
    header: (header) => (header[offset] = byte),
  });
  const refused: [ArchiveOptions, RegExp][] = [
    [at(0, 0x70), /not a PMTiles file/],
    [at(7, 2), /version 2 of PMTiles, and only version 3/],
    [at(97, 4), /compression of directories is zstd, and only gzip and none/],
    [at(98, 3), /compression of tiles is brotli/],
    [at(98, 0), /compression of tiles is unknown/],
    [at(99, 2), /tiles are PNG, and only vector tiles/],
    [at(99, 77), /tiles are unknown/],
    [at(100, 20), /zooms that there are not/],
    [at(13, 200), /beyond the end of the file/],
    [{ bounds: [5, 48, 11, 45] }, /bounds that are none/],
    [{ metadata: { vector_layers: [{ id: "contours" }] } }, /none of its layers/],
  ];
  for (const [options, words] of refused) {
    const path = await put(writeArchive(TILES, options));
    const file = await openTileFile(path, fail);
    assert.ok("problem" in file, String(words));
    assert.match(file.problem, words);
    assert.ok(file.problem.startsWith(`explorer.pmtiles: ${path}: `) && !/\n/.test(file.problem));
  }
  const none = await openTileFile(join(folder, "none.pmtiles"), fail);
  assert.match("problem" in none ? none.problem : "", /there is no such file$/);
  const dir = await openTileFile(folder, fail);
  assert.match("problem" in dir ? dir.problem : "", /it is a folder$/);
});

test("a tile that unpacks to more than it may is none, and is noted once", async () => {
  const faults: unknown[] = [];
  const bytes = writeArchive([{ z: 0, x: 0, y: 0, bytes: Buffer.alloc(9 * 2 ** 20) }]);
  assert.ok(bytes.length < 20_000);
  const file = await openTileFile(await put(bytes), (error) => faults.push(error));
  assert.ok(!("problem" in file));
  for (let n = 0; n < 3; n += 1) assert.equal(await file.tile(0, 0, 0), null);
  assert.ok(file.isDamaged() && faults.length === 1);
  await file.close();
});

test("directories that lead to one another end", async () => {
  const faults: unknown[] = [];
  const loop = directory([{ id: 0, run: 0, offset: 0, length: 6 }]);
  const bytes = Buffer.from(writeArchive(TILES, { gzip: false, leaf_entries: 400 }));
  // Root and leaves: one entry each, which leads to the first leaf.
  const [root, leaves] = [8, 40].map((at) => Number(bytes.readBigUInt64LE(at)));
  loop.copy(bytes, root);
  loop.copy(bytes, leaves);
  bytes.writeBigUInt64LE(BigInt(loop.length), 16);
  const file = await openTileFile(await put(bytes), (error) => faults.push(error));
  assert.ok(!("problem" in file));
  assert.equal(await file.tile(3, 1, 1), null);
  assert.equal(faults.length, 1);
  await file.close();
});

test("damage is refused at the start, or costs tiles and never throws", async () => {
  const whole = writeArchive(TILES, { leaf_entries: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.nat(255),
      fc.boolean(),
      async (at, byte, cuts) => {
        const bytes = Buffer.from(cuts ? whole.subarray(0, at) : whole);
        if (!cuts) bytes[at] = byte;
        const path = await put(bytes);
        const file = await openTileFile(path, () => undefined);
        if ("problem" in file) return assert.ok(file.problem.length < 300, file.problem);
        for (const { z, x, y } of TILES.slice(0, 60)) await file.tile(z, x, y);
        await file.close();
      },
    ),
    { numRuns: sized(30, 60) },
  );
});

test("a tile whose shape announces points that are not there is as if it were not, and is reported", async () => {
  const lie = Buffer.from(SEA);
  const at = lie.indexOf(Buffer.from([9, 2, 4]));
  assert.ok(at > 0);
  lie.set([0xf9, 0xff, 0xff], at);
  const faults: unknown[] = [];
  const tiles = [...TILES.slice(0, 5), { z: 2, x: 0, y: 0, bytes: lie }];
  const path = await put(writeArchive(tiles));
  const file = await openTileFile(path, (error) => void faults.push(error));
  if ("problem" in file) throw new Error(file.problem);
  assert.equal(await file.tile(2, 0, 0), null);
  assert.equal(await nameIn(file, 0, 0, 0), "0/0/0");
  assert.match(String(faults[0]), /damaged: a shape/);
  assert.deepEqual([faults.length, file.isDamaged()], [1, true]);
  await file.close();
});
