/** The progress of an import: from 0 to 1, never backwards, and a rate as soon as there is one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type BaseProgress, createProgress } from "../../reader/import-progress.ts";

const COUNTS = { nodes: 3, ways: 2, relations: 1 };

function open(t: { mock: typeof test.mock }, size: number) {
  let now_ms = 10_000;
  t.mock.method(performance, "now", () => now_ms);
  const seen: BaseProgress[] = [];
  const progress = createProgress({ size }, (each) => seen.push(each));
  const blob = (passed_ms: number, bytes: number): BaseProgress => {
    now_ms += passed_ms;
    progress.onBlob("nodes", bytes, COUNTS);
    return seen.at(-1)!;
  };
  return { progress, seen, blob };
}

test("bytes, counts and a fraction of what is read, up to nine tenths", (t) => {
  const { progress, seen, blob } = open(t, 1_000);
  assert.deepEqual(blob(100, 700), {
    ...{ pass: "nodes", fraction: 0.45, bytes: 700, total_bytes: 1_400, counts: COUNTS },
    ...{ bytes_per_s: null, remaining_ms: null },
  });
  assert.equal(blob(0, 700).fraction, 0.9);
  // An extract whose ways are most of it is read more than was expected.
  const more = blob(0, 600);
  assert.deepEqual([more.fraction, more.bytes, more.total_bytes], [0.9, 2_000, 2_000]);
  progress.onPacking();
  progress.onEnd();
  progress.onPacking();
  assert.deepEqual(
    seen.slice(-3).map(({ pass, fraction }) => [pass, fraction]),
    [
      ["packing", 0.9],
      ["packing", 1],
      ["packing", 1],
    ],
  );
});

test("a rate and what is left are known from half a second on", (t) => {
  const { blob } = open(t, 1_000);
  assert.deepEqual(blob(499, 140).bytes_per_s, null);
  const entry = blob(1, 0);
  assert.equal(entry.bytes_per_s, 280);
  assert.ok(Math.abs(entry.remaining_ms! - (500 / 0.09) * 0.91) < 1e-6);
  assert.equal(blob(500, 0).bytes_per_s, 140);
});

test("nothing that is read has no rate, and a report need not be given", (t) => {
  const { blob } = open(t, 1_000);
  assert.equal(blob(5_000, 0).bytes_per_s, null);
  createProgress({ size: 0 }, undefined).onEnd();
});
