/**
 * Files that are small and unpack to much, of every kind, at every import: each is refused in one
 * line, in the same words, after no more than the bounds allow (core/inflation).
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import { createGeocoderSection } from "#core/base/geocoder/section.ts";
import { importAddresses } from "#upstream/base/addresses.ts";
import { importBase } from "#upstream/base/import.ts";
import { importGtfs } from "#upstream/gtfs/import.ts";
import { openTileFile } from "#upstream/pmtiles/file.ts";
import { Bytes } from "../../../sandbox/pbf/bytes.ts";
import { frame, frameBlob, toPbf } from "../../../sandbox/pbf/encode.ts";
import { collect } from "../../support/base.ts";
import { SMALL } from "../../support/gtfs.ts";
import { writeArchive } from "../../support/pmtiles.ts";
import { makeZip, zipOf, type ZipEntry } from "../../support/zip.ts";

const folder = await mkdtemp(join(tmpdir(), "bombs-"));
after(() => rm(folder, { recursive: true }));

const MB = 1024 * 1024;
const MAX_ROWS = 5_000;
const COMMON = { id: "x", region: null, now_ms: 1 };

/** Each takes a path and returns the refusal, or null where it imports. */
const IMPORTS = {
  gtfs: async (path: string) => {
    const bounds = { rows: MAX_ROWS, bytes: 512 * MB };
    const names = ["agency", "feed_info", "attributions", "routes", "stops", "calendar"];
    const others = ["calendar_dates", "frequencies", "transfers", "trips", "stop_times"];
    const all = Object.fromEntries([...names, ...others].map((name) => [`${name}.txt`, bounds]));
    return problemOf(await importGtfs({ path }, { ...COMMON, feed_id: "x", bounds: all }));
  },
  addresses: async (path: string) => {
    const given = { ...COMMON, format: "bano", section: createGeocoderSection() } as const;
    return problemOf(await importAddresses(path, { ...given, max_rows: MAX_ROWS }));
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

const zeros = Buffer.alloc(40 * MB);
/** Rows of an address each, and of very much space. */
const row = `1,7,Rue,99002,V,OSM,47.2,2.6,${" ".repeat(60_000)}\n`;
const rows = Buffer.from(row.repeat(1_200));
const HEADER = toPbf([]);
const ENTRIES: readonly ZipEntry[] = Object.entries(SMALL).map(([name, data]) => ({ name, data }));
const changed = (name: string, change: Partial<ZipEntry>): Buffer =>
  makeZip(ENTRIES.map((entry) => (entry.name === name ? { ...entry, ...change } : entry)));

/** A block of an extract that has nothing but a field which no reader knows. */
function blockOf(content: Uint8Array, states: number): Buffer {
  const blob = new Bytes();
  blob.number(2, states);
  blob.bytes(3, deflateSync(content, { level: 9 }));
  return Buffer.concat([...frameBlob("OSMData", blob.done())]);
}

const content = fieldOf(30 * MB);
const TILE = { z: 0, x: 0, y: 0, bytes: Buffer.alloc(10) };

/** The bound of one tile is met first. */
const MOST = /: unpacks to more than 4194304 bytes/;
const RATIO = /: unpacks to more than (50|100|200) times its size/;
const SIZE = /: unpacks to more than \d+ bytes/;
const STATED = /: unpacks to more than it says/;
const ROWS = new RegExp(`: more than ${MAX_ROWS} rows`);

type Bomb = [of: Import, make: () => Uint8Array, expected: RegExp, name?: string];

const BOMBS: Readonly<Record<string, readonly Bomb[]>> = {
  "one part that unpacks a thousandfold": [
    ["gtfs", () => zipOf({ ...SMALL, "stops.txt": zeros }), RATIO],
    ["addresses", () => gzipSync(rows), RATIO, "x.csv.gz"],
    ["extract", () => Buffer.concat([HEADER, blockOf(zeros, 32 * MB)]), STATED],
    ["tiles", () => writeArchive([{ z: 0, x: 0, y: 0, bytes: zeros.subarray(0, 9 * MB) }]), MOST],
  ],
  "a part that is larger than it may be, with an honest ratio": [
    ["tiles", () => writeArchive([TILE], { metadata: spaced(9 * MB) }), SIZE],
  ],
  "a part that states a smaller size": [
    ["gtfs", () => changed("stops.txt", { size: 20 }), STATED],
    ["gtfs", () => changed("stop_times.txt", { data: zeros, size: 40 }), /says|line 1: /],
    ["extract", () => Buffer.concat([HEADER, blockOf(zeros, 1000)]), STATED],
  ],
  "many parts, each below the bounds": [
    [
      "gtfs",
      () =>
        makeZip([...ENTRIES, ...times(30, (i) => ({ name: `${i}`, data: zeros.subarray(0, MB) }))]),
      RATIO,
    ],
    ["gtfs", () => makeZip(times(2_001, (i) => ({ name: `${i}`, data: "" }))), /more than 2000/],
    ["addresses", () => repeat(gzipSync(row.repeat(32)), 50), RATIO, "x.csv.gz"],
    ["extract", () => Buffer.concat([HEADER, repeat(blockOf(content, content.length), 12)]), RATIO],
    [
      "extract",
      () =>
        Buffer.concat([
          HEADER,
          repeat(Buffer.concat([...frame("OSMData", zeros.subarray(0, 0))]), 1_000_000),
        ]),
      /: more than 1000000 blocks/,
    ],
  ],
  "blank lines": [
    ["gtfs", () => zipOf({ ...SMALL, "stops.txt": `${SMALL["stops.txt"]}${blank(6_000)}` }), ROWS],
    ["gtfs", () => zipOf({ ...SMALL, "stops.txt": `${blank(6_000)}${SMALL["stops.txt"]}` }), ROWS],
    ["addresses", () => Buffer.from(blank(6_000)), ROWS],
    ["addresses", () => Buffer.from(blank(500_000)), ROWS],
    ["addresses", () => gzipSync(blank(5_000_000)), ROWS, "x.csv.gz"],
  ],
  "one endless line": [
    ["gtfs", () => zipOf({ ...SMALL, "stops.txt": "x".repeat(2 * MB) }), /a row above/],
    ["addresses", () => Buffer.from("x".repeat(MB)), /^addresses: /],
    ["addresses", () => Buffer.from(`"${"\n".repeat(MB)}`), /^addresses: /],
    ["addresses", () => gzipSync(Buffer.alloc(20 * MB, "x")), /^addresses: /, "x.csv.gz"],
  ],
};

for (const [kind, bombs] of Object.entries(BOMBS))
  for (const [i, [of, make, expected, name = "x"]] of bombs.entries())
    test(`${of}: ${kind} is refused in one line (${i})`, async () => {
      const path = join(folder, name);
      await writeFile(path, make());
      const problem = await IMPORTS[of](path);
      assert.match(problem ?? "imported", expected);
      assert.ok(!/[\r\n]/.test(problem!) && problem!.length < 300, problem!);
      await rm(path);
    });

test("every import has a bomb that unpacks a thousandfold", () => {
  const [first = []] = Object.values(BOMBS);
  assert.deepEqual(new Set(first.map(([of]) => of)), new Set(Object.keys(IMPORTS)));
});

function fieldOf(bytes: number): Uint8Array {
  const message = new Bytes();
  message.bytes(15, Buffer.alloc(bytes));
  return message.done();
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function repeat(bytes: Buffer, count: number): Buffer {
  return Buffer.alloc(bytes.length * count, bytes);
}

function blank(lines: number): string {
  return "\n".repeat(lines);
}

/** Metadata that compress to a hundredth, which no ratio would refuse. */
function spaced(bytes: number): unknown {
  return { text: Array.from({ length: bytes / 160 }, (_, i) => `${i}${" ".repeat(157)}`).join("") };
}
