/** Bounds of a feed as a pack: at each of them it is taken, one more row or byte is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import type { Blob } from "#kit/bytes.ts";
import { BAND_DEG, type BandIndex } from "../shard/band-index.ts";
import { exceededByPack } from "../shard/shard-bounds.ts";
import type { RepeatedTexts } from "../shard/shard-repeats.ts";

/** A pack whose part that is JSON has this length. */
function packOf(facts_bytes: number): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(8);
  new Uint32Array(buffer)[1] = facts_bytes;
  return buffer;
}
const pieces = (...lengths: number[]): Blob => {
  const offsets = [0];
  for (const length of lengths) offsets.push(offsets.at(-1)! + length);
  return { bytes: new Uint8Array(0), offsets: Uint32Array.from(offsets) };
};
const NONE: BandIndex = { lat: [], lon: [], starts: [0] } as unknown as BandIndex;

function judge({ facts = 0, extras = 0, texts = 0, index = NONE }): string | null {
  return exceededByPack(packOf(facts), {
    extras: pieces(1, extras),
    repeats: { texts: pieces(texts, 1) } as unknown as RepeatedTexts,
    index,
  });
}

test("the part that is JSON", () => {
  assert.equal(judge({ facts: FEED_BOUNDS.facts_bytes }), null);
  assert.equal(judge({ facts: FEED_BOUNDS.facts_bytes + 1 }), "too_many_facts");
});

test("the largest piece of a row, its own or one that repeats", () => {
  const most = FEED_BOUNDS.extras_bytes;
  assert.equal(judge({ extras: most, texts: most }), null);
  assert.equal(judge({ extras: most + 1 }), "row_too_large");
  assert.equal(judge({ texts: most + 1 }), "row_too_large");
});

/** One band with these rows, evenly along a multiple of the width of a band at the equator. */
function bandOf(rows: number, wide: number, lat: number): BandIndex {
  const lon = Float64Array.from({ length: rows }, (_, i) => (i / (rows - 1)) * wide * BAND_DEG);
  return {
    ...{ lat: new Float64Array(rows).fill(lat), lon },
    starts: Uint32Array.of(0, 0, rows),
  } as unknown as BandIndex;
}

test("rows in a square as high as a band, which is wider in degrees far from the equator", () => {
  const most = FEED_BOUNDS.dense_rows;
  for (const [rows, wide, lat, expected] of [
    [most, 0, 0, null],
    [most + 1, 0, 0, "too_dense"],
    [most + 1, 0.99, 0, "too_dense"],
    [most + 1, 1.01, 0, null],
    [most + 1, 1.99, 60, "too_dense"],
    [most + 1, 2.01, 60, null],
    [most + 1, 1.99, -60, "too_dense"],
  ] as const)
    assert.equal(judge({ index: bandOf(rows, wide, lat) }), expected, `${rows} ${wide} ${lat}`);
});
