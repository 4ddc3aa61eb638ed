/** Compressed parts: both sides of each bound, and a line that says which one was exceeded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pipeline } from "node:stream/promises";
import { deflateSync, gzipSync } from "node:zlib";
import { findExcess, Inflation, mostUnpacked } from "../../inflation.ts";
import { describe } from "../../run/run-problem.ts";
import { type PartOptions, unpackGzip, unpackPart } from "../../run/unpack.ts";

const WIDE = { ratio: 1_000, ratio_from_bytes: 10_000, bytes: 1_000_000 };
const BOUNDS = { ratio: 4, ratio_from_bytes: 100, bytes: 1_000 };

/** Text that no packing makes smaller, and one that does. */
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
const unpack = (packed: Uint8Array, options: Partial<PartOptions> = {}): Promise<Uint8Array> =>
  unpackPart(packed, { what: "tile", coding: "gzip", bounds: WIDE, ...options });

const EXCESS: readonly [packed: number, unpacked: number, excess: "ratio" | "bytes" | null][] = [
  [1_000, 1_000, null],
  [1_000, 1_001, "bytes"],
  [1, 100, null],
  [1, 101, "ratio"],
  [100, 400, null],
  [100, 401, "ratio"],
  // Nothing that is packed counts as one byte.
  [0, 100, null],
  [0, 101, "ratio"],
];

test("each bound of sizes, at it and one byte beyond", () => {
  for (const [packed, unpacked, excess] of EXCESS)
    assert.equal(findExcess(BOUNDS, { packed, unpacked }), excess, `${packed} → ${unpacked}`);
  for (const packed of [0, 1, 25, 26, 249, 250, 251, 9_999]) {
    const most = mostUnpacked(BOUNDS, packed);
    assert.equal(findExcess(BOUNDS, { packed, unpacked: most }), null, `${packed}`);
    assert.notEqual(findExcess(BOUNDS, { packed, unpacked: most + 1 }), null, `${packed}`);
  }
});

test("parts count together", () => {
  const file = new Inflation("archive", BOUNDS);
  for (let part = 0; part < 4; part++) file.add({ packed: 100, unpacked: 250 });
  assert.throws(
    () => file.add({ packed: 100, unpacked: 1 }),
    /^Error: archive: unpacks to more than 1000 bytes$/,
  );
  const dense = new Inflation("archive", BOUNDS);
  dense.add({ packed: 10, unpacked: 100 });
  assert.throws(() => dense.add({ packed: 0, unpacked: 1 }), /more than 4 times its size/);
});

const OUTCOMES: readonly [
  name: string,
  packed: Uint8Array,
  options: Partial<PartOptions>,
  expected: number | RegExp,
][] = [
  ["gzip", gzipSync(zeros(500)), {}, 500],
  ["zlib", deflateSync(zeros(500)), { coding: "zlib" }, 500],
  ["nothing", gzipSync(zeros(0)), {}, 0],
  ["as many as are stated", gzipSync(zeros(500)), { stated_bytes: 500 }, 500],
  ["fewer than are stated", gzipSync(zeros(499)), { stated_bytes: 500 }, 499],
  ["one more than is stated", gzipSync(zeros(501)), { stated_bytes: 500 }, /to more than it says/],
  ["nothing is stated", gzipSync(zeros(1_000)), { stated_bytes: 0 }, /to more than it says/],
  ["all that may come", gzipSync(zeros(1_000)), { bounds: { ...BOUNDS, ratio: 99 } }, 1_000],
  [
    "one byte beyond",
    gzipSync(zeros(1_001)),
    { bounds: { ...BOUNDS, ratio: 99 } },
    /more than 1000 bytes/,
  ],
  // The bound is the smaller one of both, and is named.
  [
    "more than the bound, which is below what is stated",
    gzipSync(zeros(5_000)),
    { bounds: { ...BOUNDS, ratio: 99 }, stated_bytes: 6_000 },
    /more than 1000 bytes/,
  ],
  ["a bomb", gzipSync(zeros(900)), { bounds: BOUNDS }, /more than 4 times its size/],
  ["what is no gzip", zeros(40), {}, /damaged compressed data/],
  ["half of it", gzipSync(zeros(5_000)).subarray(0, 12), {}, /damaged compressed data/],
];

for (const [name, packed, options, expected] of OUTCOMES)
  test(`a part: ${name}`, async () => {
    const outcome = await unpack(packed, options).then(
      ({ length }) => length,
      (error: unknown) => describe(error, "tile"),
    );
    if (typeof expected === "number") assert.equal(outcome, expected);
    else assert.match(String(outcome), expected);
  });

test("a stream ends at the first byte beyond its bound", async () => {
  const bounds = { ...WIDE, bytes: 200_000 };
  const count = async (bytes: number): Promise<number> => {
    let seen = 0;
    await pipeline([gzipSync(zeros(bytes))], ...unpackGzip("feed", bounds), async (chunks) => {
      for await (const chunk of chunks as AsyncIterable<Uint8Array>) seen += chunk.length;
    });
    return seen;
  };
  assert.equal(await count(200_000), 200_000);
  await assert.rejects(count(200_001), /feed: unpacks to more than 200000 bytes/);
});
