/** What an import needs, by the size of its file: arithmetic beyond 2^31 and 2^32, and the lines. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkPagedNeeds,
  findLack,
  fitsOnePage,
  threadsFor,
  UNKNOWN_CAPACITY,
} from "../base/needs.ts";
import { MAX_PACK_BYTES, packBytesOf } from "#kit/pack.ts";

const GIB = 2 ** 30;

test("the size of a pack is exact beyond 2^31, and refused beyond what its prefix can state", () => {
  const prefix = 24;
  for (const bytes of [2 ** 31 - 8, 2 ** 31, 2 ** 31 + 1, 3 * GIB, 2 ** 32 - 64])
    assert.equal(packBytesOf(8, [bytes]), prefix + 8 + Math.ceil(bytes / 8) * 8);
  assert.equal(packBytesOf(0, [MAX_PACK_BYTES - prefix]), MAX_PACK_BYTES);
  assert.equal(packBytesOf(0, [1, 1, 1]), prefix + 24);
  for (const columns of [[2 ** 32], [2 ** 32 + 9], [2 * GIB, 2 * GIB], [2 ** 40]])
    assert.throws(() => packBytesOf(0, columns), { code: "IMPORT_PROBLEM" });
});

test("an extract whose base could not be written is refused, whatever the machine has", () => {
  const most = Math.floor(MAX_PACK_BYTES / 4.8);
  assert.equal(findLack("extract", most, UNKNOWN_CAPACITY), null);
  assert.match(findLack("extract", most + 1, UNKNOWN_CAPACITY)!, /^895 MB can become/);
  for (const size of [2 ** 31, 2 ** 31 + 1, 2 ** 32, 2 ** 32 + 1, 86e9])
    assert.match(
      findLack("extract", size, { memory_bytes: 2 ** 50, disk_bytes: 2 ** 50 })!,
      /^[\d.]+ GB can become a base of [\d.]+ GB, and a base has at most 4\.29 GB: import without ways on foot \(--without walk\), or a smaller extract, of at most 894 MB$/,
    );
});

test("memory and disk that are not there are said with both figures", () => {
  const capacity = { memory_bytes: 8e9, disk_bytes: 2e9 };
  assert.equal(
    findLack("extract", 0.89e9, { ...capacity, disk_bytes: null }),
    "needs 8.01 GB to 15.13 GB of memory, and this machine has 8 GB: import without ways on foot (--without walk), or a smaller extract, or on a larger machine",
  );
  assert.equal(
    findLack("extract", 0.5e9, capacity),
    "needs up to 2.4 GB of disk, and 2 GB are free: make room, or import without ways on foot (--without walk), or a smaller extract",
  );
  assert.equal(findLack("extract", 0.4e9, capacity), null);
  assert.equal(findLack("extract without ways", 0.6e9, capacity), null);
  assert.match(findLack("extract without ways", 0.7e9, capacity)!, /or import a smaller extract$/);
  assert.equal(findLack("extract", 0.8e9, UNKNOWN_CAPACITY), null);
});

test("a list of addresses has figures of its own, packed or plain", () => {
  assert.match(findLack("list", 6e9, UNKNOWN_CAPACITY)!, /^6 GB can become .* a part of the list/);
  assert.equal(findLack("list", 4e9, UNKNOWN_CAPACITY), null);
  assert.match(findLack("packed list", 1e9, UNKNOWN_CAPACITY)!, /^1 GB can become/);
  assert.match(
    findLack("packed list", 2e8, { memory_bytes: 4e9, disk_bytes: null })!,
    /^needs 9 GB/,
  );
});

test("an extract of any size needs the same memory, and disk by its size", () => {
  const lackOf = (size: number, memory_bytes: number | null, disk_bytes: number | null): string => {
    try {
      checkPagedNeeds("extract", "extract", size, { memory_bytes, disk_bytes });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const size of [20e6, 2 ** 31, 2 ** 32 + 1, 86e9]) {
    assert.equal(lackOf(size, 1e9, 9 * size), "");
    assert.equal(lackOf(size, null, null), "");
    assert.equal(
      lackOf(size, 0.8e9, 9 * size),
      "extract: needs 900 MB of memory, whatever its size, and this machine has 800 MB: import on a larger machine",
    );
  }
  assert.equal(
    lackOf(86e9, 4e9, 500e9),
    "extract: needs up to 713.8 GB of disk, 301 GB of them until it ends, and 500 GB are free: make room, or import without ways on foot (--without walk), or a smaller extract",
  );
});

test("what fits one page is not split, and threads are as many as cores and memory allow", () => {
  const page = 64 * 2 ** 20;
  assert.deepEqual(
    [10e6, 21e6, 22e6, 2 ** 32].map((size) => fitsOnePage("extract", size, page)),
    [true, true, false, false],
  );
  assert.ok(fitsOnePage("extract without ways", 30e6, page));
  const of = (cores: number, memory_bytes: number | null): number =>
    threadsFor(cores, { memory_bytes, disk_bytes: null });
  assert.deepEqual(
    [of(2, 24e9), of(16, 2e9), of(8, 0.9e9), of(8, 1e8), of(8, null)],
    [2, 3, 1, 1, 8],
  );
});
