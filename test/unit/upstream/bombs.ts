/** Files that are small and unpack to much: how they are imported, and what is to become of each. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createGeocoderSection } from "#osm/geocoder/geocoder-section.ts";
import { importAddresses } from "#osm/reader/address-files.ts";
import { importBase } from "#osm/reader/import-extract.ts";
import { importGtfs } from "#transit/archive/import-archive.ts";
import { openTileFile } from "#upstream/pmtiles/pmtiles-file.ts";
import { collect } from "../../support/base.ts";

const folder = await mkdtemp(join(tmpdir(), "bombs-"));
after(() => rm(folder, { recursive: true }));

const MB = 1024 * 1024;
export const MAX_ROWS = 5_000;
const COMMON = { id: "x", region: null, now_ms: 1 };

/** Each takes a path and returns the refusal, or null where it imports. */
export const IMPORTS = {
  gtfs: async (path: string) => {
    const bounds = { rows: MAX_ROWS, bytes: 512 * MB };
    const names = ["agency", "feed_info", "attributions", "routes", "stops", "calendar"];
    const others = ["calendar_dates", "frequencies", "transfers", "trips", "stop_times"];
    const all = Object.fromEntries([...names, ...others].map((name) => [`${name}.txt`, bounds]));
    return problemOf(await importGtfs({ path }, { ...COMMON, feed_id: "x", bounds: all }));
  },
  addresses: async (path: string) => {
    const input = { ...COMMON, format: "bano", section: createGeocoderSection() } as const;
    return problemOf(await importAddresses(path, { ...input, max_rows: MAX_ROWS }));
  },
  extract: async (path: string) => {
    const { section } = collect({ node: ["name"] });
    return problemOf(await importBase(path, { ...COMMON, sections: [section] }));
  },
  tiles: async (path: string) => {
    const faults: unknown[] = [];
    const file = await openTileFile(path, (error) => faults.push(error));
    if ("problem" in file) return file.problem;
    const tile = await file.tile(0, 0, 0);
    await file.close();
    return tile === null ? (faults[0] as Error).message : null;
  },
} as const;
type Import = keyof typeof IMPORTS;

function problemOf(result: { ok: true } | { ok: false; problem: string }): string | null {
  return result.ok ? null : result.problem;
}

export type Bomb = [of: Import, make: () => Uint8Array, expected: RegExp, name?: string];

export function testBombs(all: Readonly<Record<string, readonly Bomb[]>>): void {
  for (const [kind, bombs] of Object.entries(all))
    for (const [i, [of, make, expected, name = "x"]] of bombs.entries())
      test(`${of}: ${kind} is refused in one line (${i})`, async () => {
        const path = join(folder, name);
        await writeFile(path, make());
        const problem = await IMPORTS[of](path);
        assert.match(problem ?? "imported", expected);
        assert.ok(!/[\r\n]/.test(problem!) && problem!.length < 300, problem!);
        await rm(path);
      });
}

export function repeat(bytes: Buffer, count: number): Buffer {
  return Buffer.alloc(bytes.length * count, bytes);
}

/** Of an address each, and of very much space. */
export const ROW = `1,7,Rue,99002,V,OSM,47.2,2.6,${" ".repeat(60_000)}\n`;
export const RATIO = /: unpacks to more than (50|100|200) times its size/;
