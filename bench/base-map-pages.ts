/**
 * `npm run bench -- base-map-pages [FILE.osm.pbf …] [--page-bytes 262144]`: how many tiles of an extract's
 * map in pages are those of its map in one, byte for byte, at zooms 0 to 14; and what the pages have
 * together, of one. Without files it takes all extracts of ../shared/data.
 */
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { openBlobs, openPack, readRun, splitExtract } from "#osm/imports.ts";
import {
  type BaseMap,
  type BaseSection,
  createMapSection,
  importBase,
  isWithinCell,
  levelOfZoom,
  type MapMeta,
  openMap,
  PAGE_LEVELS,
  type PageCell,
  type PageLevel,
} from "#osm/index.ts";
import { columnName } from "#osm/sections.ts";
import type { Columns } from "#kit/pack.ts";
import { toEnd } from "#kit/steps.ts";
import { print } from "./children.ts";

type Page = { level: PageLevel; cell: PageCell; map: BaseMap; bytes: number };

const EXTRACTS = new URL("../../shared/data/osm/*/*.osm.pbf", import.meta.url).pathname;
const MEMORY = 256 * 1024 ** 2;
const SHOWN = 5;

const { values: options, positionals } = parseArgs({
  options: { "page-bytes": { type: "string", default: "262144" } },
  allowPositionals: true,
});
const files = positionals.length > 0 ? positionals : globSync(EXTRACTS);
if (files.length === 0) print("NO EXTRACT: name a file");
for (const file of files) await compare(file);

async function compare(file: string): Promise<void> {
  const whole = await openWhole(file);
  const pages = await openPages(file);
  const rows: string[] = [];
  const differing: string[] = [];
  let all = 0;
  for (let z = 0; z <= PAGE_LEVELS.ground.map.to; z++)
    for (const [x, y] of listTiles(whole.map, z)) {
      const [one, other] = [
        whole.map.tile(z, x, y),
        pageOf(pages, z, x, y)?.map.tile(z, x, y) ?? null,
      ];
      if (one === null && other === null) continue;
      all += 1;
      const isSame = one !== null && other !== null && Buffer.compare(one, other) === 0;
      if (!isSame) differing.push(`${z}/${x}/${y}`);
    }
  for (const level of Object.keys(PAGE_LEVELS)) {
    const own = pages.filter((page) => page.level === level && page.bytes > 0);
    rows.push(`${own.length} ${level}`);
  }
  const bytes = pages.reduce((sum, page) => sum + page.bytes, 0);
  print(
    `${basename(file)}: ${all - differing.length} of ${all} tiles are equal; pages: ${rows.join(", ")}; ` +
      `${(bytes / whole.bytes).toFixed(2)} times the bytes of one` +
      (differing.length > 0 ? `; first that differ: ${differing.slice(0, SHOWN).join(" ")}` : ""),
  );
}

async function openWhole(file: string): Promise<{ map: BaseMap; bytes: number }> {
  const sections = [createMapSection()];
  const done = await importBase(file, { id: "bench", region: null, now_ms: 0, sections });
  if (!done.ok) throw new Error(done.problem);
  const { meta, columns } = openPack(done.pack)!;
  return { map: openMap(columns, meta.sections["map"] as MapMeta), bytes: bytesOf(columns) };
}

async function openPages(path: string): Promise<Page[]> {
  const folder = await mkdtemp(join(tmpdir(), "map-pages-"));
  const file = await openBlobs(path, { byte: null });
  try {
    const { runs, map } = await splitExtract(file, {
      ...{ folder, page_bytes: Number(options["page-bytes"]), memory_bytes: MEMORY },
      sections: [createMapSection()],
    });
    return runs.map((run) => {
      const { level, cell } = run;
      const section = createMapSection(map && { level, cell, facts: map });
      for (const { feature } of readRun(run))
        if (feature.type === "node") section.node(feature);
        else if (feature.type === "way") section.way(feature);
        else section.relation(feature);
      return { level, cell, ...toMap(section) };
    });
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
}

function toMap(section: BaseSection): { map: BaseMap; bytes: number } {
  const { columns, meta } = toEnd(section.finish());
  const named: Columns = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [columnName("map", name), column]),
  );
  const features = Object.keys(columns).some((name) => name.endsWith(".index"));
  return { map: openMap(named, meta as MapMeta), bytes: features ? bytesOf(named) : 0 };
}

function pageOf(pages: readonly Page[], z: number, x: number, y: number): Page | undefined {
  const level = pages.length === 1 ? pages[0]!.level : levelOfZoom(z);
  return pages.find((page) => page.level === level && isWithinCell({ z, x, y }, page.cell));
}

/** All of the zoom in the box of the map, and those next to it. */
function* listTiles({ box }: BaseMap, z: number): Generator<[x: number, y: number]> {
  const [south, west, north, east] = box!;
  const toX = (lon: number): number => Math.floor((lon / 360 + 0.5) * 2 ** z);
  const toY = (lat: number): number => {
    const angle = Math.PI / 4 + (lat * Math.PI) / 360;
    return Math.floor((0.5 - Math.log(Math.tan(angle)) / (2 * Math.PI)) * 2 ** z);
  };
  for (let x = toX(west) - 1; x <= toX(east) + 1; x++)
    for (let y = toY(north) - 1; y <= toY(south) + 1; y++) yield [x, y];
}

function bytesOf(columns: Columns): number {
  return Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0);
}
