/** The judgement of a soak: noise is no leak, and a leak is found beneath noise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSoak, slopeOf, type SoakSample } from "../check/soak.ts";
import { assertFound, assertKept } from "./support.ts";

const MB = 1024 * 1024;

/** 21 samples in 10 min: the first fifth is the start, which grows; then noise of 1 MB. */
function samples(change: (sample: SoakSample, at_s: number) => Partial<SoakSample> = () => ({})) {
  return Array.from({ length: 21 }, (_, i): SoakSample => {
    const at_s = i * 30;
    const warm = Math.max(0, 4 - i) * 10;
    const sample = {
      at_s,
      heap_bytes: (80 - warm + (i % 2)) * MB,
      rss_bytes: 300 * MB,
      descriptors: 90 + (i % 3),
      timers: 12 + (i % 2),
      others: 40,
    };
    return { ...sample, ...change(sample, at_s) };
  });
}

test("a start that grows and noise after it are no leak", () => {
  assertKept(checkSoak(samples()), 15);
});

test("found: 1 MB in 10 min beneath noise, and a leak of descriptors or timers", () => {
  const leak = samples(({ heap_bytes }, at_s) => ({ heap_bytes: heap_bytes + (at_s / 600) * MB }));
  assertFound(checkSoak(leak), /heap_mb/);
  const open = samples((_, at_s) => ({ descriptors: 90 + Math.floor(at_s / 60) }));
  assertFound(checkSoak(open), /descriptors/);
  assertFound(checkSoak(samples((_, at_s) => ({ timers: 12 + at_s / 100 }))), /timers/);
});

test("found: too few samples to judge", () => {
  assertFound(checkSoak(samples().slice(10, 14)), /only \d samples/);
});

test("memory of keys that have not come yet is no leak; after that it is", () => {
  const filling = samples(({ heap_bytes }, at_s) => ({
    heap_bytes: heap_bytes + (Math.min(at_s, 300) / 300) * 20 * MB,
  }));
  assertKept(checkSoak(filling, 300));
  assertFound(checkSoak(filling, 200), /heap_mb/);
});

test("a slope is what it says", () => {
  assert.equal(
    slopeOf([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
    2,
  );
  assert.equal(slopeOf([[1, 1]]), 0);
});
