/** The progress of a paged import: from 0 to 1 over its steps, never backwards, and what remains of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BaseProgress } from "../../reader/import-progress.ts";
import { createPagedProgress } from "../../reader/paged-progress.ts";

const COUNTS = { nodes: 3, ways: 2, relations: 1 };

function open(t: { mock: typeof test.mock }) {
  let now_ms = 10_000;
  t.mock.method(performance, "now", () => now_ms);
  const seen: BaseProgress[] = [];
  const progress = createPagedProgress((each) => seen.push(each));
  return { progress, seen, last: () => seen.at(-1)!, pass: (ms: number) => (now_ms += ms) };
}

test("steps follow one another, whichever page is done first", (t) => {
  const { progress, seen, last } = open(t);
  progress.begin(1_000);
  progress.split(0.5, COUNTS);
  progress.split(1, COUNTS);
  const pages = progress.pages(400);
  pages(1, 100);
  pages(0, 20);
  pages(1, 200);
  pages(0, 200);
  progress.names();
  progress.end();
  assert.deepEqual(
    seen.map(({ pass }) => pass),
    ["splitting", "splitting", "pages", "pages", "pages", "pages", "names", "packing"],
  );
  const fractions = seen.map(({ fraction }) => fraction);
  assert.deepEqual(
    fractions,
    fractions.toSorted((a, b) => a - b),
  );
  assert.deepEqual([last().fraction, last().bytes, last().remaining_ms], [1, 1_000, 0]);
  assert.ok(seen.every(({ counts }) => counts.nodes === 3));
});

test("what remains is reckoned by the pace of the step, once it has one", (t) => {
  const { progress, last, pass } = open(t);
  progress.begin(1_000);
  pass(600);
  progress.split(0.001, COUNTS);
  assert.equal(last().remaining_ms, null, "too little to have a pace");
  pass(9_400);
  progress.split(0.5, COUNTS);
  // Half of the split in ten seconds, and the split is a quarter of all.
  assert.ok(Math.abs(last().remaining_ms! - 70_000) < 1, String(last().remaining_ms));
  pass(10_000);
  progress.split(1, COUNTS);
  const pages = progress.pages(100);
  pages(0, 10);
  assert.equal(last().remaining_ms, null, "a step that has just begun has no pace");
  pass(36_000);
  pages(0, 50);
  // Half of the pages in 36 s, which are 72 hundredths of all; 3 are behind them.
  assert.ok(Math.abs(last().remaining_ms! - 39_000) < 1, String(last().remaining_ms));
});

test("an extract without features ends at its end, and needs no listener", (t) => {
  const { progress, last } = open(t);
  progress.begin(0);
  progress.pages(0)(0, 0);
  progress.end();
  assert.equal(last().fraction, 1);
  createPagedProgress(undefined).end();
});
