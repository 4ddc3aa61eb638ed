/**
 * Files that are small and unpack to much, of every kind, at every import: each is refused in one
 * line, in the same words, after no more than the bounds allow (packages/kit/inflation). Those that take seconds are
 * in large-bombs.test.ts.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import { Bytes } from "../../../sandbox/pbf/bytes.ts";
import { frameBlob, toPbf } from "../../../sandbox/pbf/encode.ts";
import { SMALL } from "../../support/gtfs.ts";
import { writeArchive } from "../../support/pmtiles.ts";
import { type Bomb, IMPORTS, MAX_ROWS, RATIO, repeat, ROW, testBombs } from "./bombs.ts";
import { makeZip, zipOf, type ZipEntry } from "../../support/zip.ts";

const MB = 1024 * 1024;
const zeros = Buffer.alloc(40 * MB);
const rows = Buffer.from(ROW.repeat(1_200));
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
const SIZE = /: unpacks to more than \d+ bytes/;
const STATED = /: unpacks to more than it says/;
const ROWS = new RegExp(`: more than ${MAX_ROWS} rows`);

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
    ["extract", () => Buffer.concat([HEADER, repeat(blockOf(content, content.length), 12)]), RATIO],
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

testBombs(BOMBS);

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

function blank(lines: number): string {
  return "\n".repeat(lines);
}

/** Metadata that compress to a hundredth, which no ratio would refuse. */
function spaced(bytes: number): unknown {
  return { text: Array.from({ length: bytes / 160 }, (_, i) => `${i}${" ".repeat(157)}`).join("") };
}
