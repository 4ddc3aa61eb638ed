/**
 * `npm run bench -- base-map [FILE.osm.pbf] [--rounds 5]`: milliseconds of processor time and bytes per
 * tile at zooms 6, 10, 12 and 14, and what the map adds to a base. Without a file it takes the largest
 * extract of ../shared/data. Every tile that is not empty is made once a round, at most 2,000 of a
 * zoom, in an order that is not that of their places.
 */
import { globSync, statSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { openPack } from "#osm/imports.ts";
import { type BaseMap, createMapSection, importBase, type MapMeta, openMap } from "#osm/index.ts";
import { print, quantile } from "./children.ts";

const ZOOMS = [6, 10, 12, 14];
const TILES_MAX = 2_000;
/** A prime, so that every tile comes once. */
const STEP = 7_919;
const EXTRACTS = new URL("../../shared/data/osm/*/*.osm.pbf", import.meta.url).pathname;

const { values: options, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "5" } },
  allowPositionals: true,
});
const file = positionals[0] ?? findLargest();
if (file === undefined) {
  print("NO EXTRACT: name a file");
  process.exit(1);
}

const sections = [createMapSection()];
const done = await importBase(file, { id: "bench", region: null, now_ms: 0, sections });
if (!done.ok) throw new Error(done.problem);
const bytes = new Uint8Array(new SharedArrayBuffer(done.pack.length));
bytes.set(done.pack);
const begun_ms = performance.now();
const { meta, columns } = openPack(bytes)!;
const map = openMap(columns, meta.sections["map"] as MapMeta);
const opened_ms = performance.now() - begun_ms;
const { file_bytes, pack_bytes, elapsed_ms } = done.report;
print(
  `${basename(file)}: ${toKb(file_bytes)} kB, pack ${toKb(pack_bytes)} kB, ` +
    `import ${elapsed_ms.toFixed(0)} ms, open ${opened_ms.toFixed(1)} ms, ` +
    JSON.stringify(meta.section_counts["map"]),
);
for (const zoom of ZOOMS) measure(zoom);

function measure(zoom: number): void {
  const tiles = listTiles(map, zoom);
  const sizes = tiles.map(([x, y]) => map.tile(zoom, x, y)!.length);
  const packed = tiles.map(([x, y]) => gzipSync(map.tile(zoom, x, y)!).length);
  const times: number[] = [];
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [x, y] of tiles) {
      const start = process.threadCpuUsage();
      map.tile(zoom, x, y);
      const { user, system } = process.threadCpuUsage(start);
      times.push((user + system) / 1000);
    }
  const show = (values: readonly number[], digits: number): string =>
    [0.5, 0.9, 0.99, 1].map((q) => quantile(values, q).toFixed(digits)).join(" / ");
  print(
    `zoom ${zoom}: ${tiles.length} tiles; median / 90 % / 99 % / most: ${show(times, 2)} ms, ` +
      `${show(sizes, 0)} bytes, ${show(packed, 0)} with gzip`,
  );
}

function listTiles({ box }: BaseMap, zoom: number): [x: number, y: number][] {
  const [south, west, north, east] = box!;
  const side = 2 ** zoom;
  const toX = (lon: number): number => Math.min(side - 1, Math.floor((lon / 360 + 0.5) * side));
  const toY = (lat: number): number => {
    const angle = Math.PI / 4 + (lat * Math.PI) / 360;
    return Math.floor((0.5 - Math.log(Math.tan(angle)) / (2 * Math.PI)) * side);
  };
  const tiles: [number, number][] = [];
  for (let x = toX(west); x <= toX(east); x++)
    for (let y = toY(north); y <= toY(south); y++)
      if (map.tile(zoom, x, y) !== null) tiles.push([x, y]);
  const mixed = tiles.map((_, i) => tiles[(i * STEP) % tiles.length]!);
  return tiles.length % STEP === 0 ? tiles : mixed.slice(0, TILES_MAX);
}

function findLargest(): string | undefined {
  const size = (path: string): number => statSync(path).size;
  return globSync(EXTRACTS).toSorted((a, b) => size(b) - size(a))[0];
}

function toKb(count: number): string {
  return (count / 1000).toFixed(0);
}
