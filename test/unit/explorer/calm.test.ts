/** The pace of a page that is left alone: its first minutes as before, then rarely, and at once when it is used. */
import assert from "node:assert/strict";
import { test } from "node:test";

const { Calm } = (await import(
  new URL("../../../explorer/data/calm.js", import.meta.url).href
)) as {
  Calm: new () => { next(pace_ms: number): number; end(): boolean };
};

test("a page that is left alone asks twice as late each time, up to five minutes", () => {
  const calm = new Calm();
  const waits = Array.from({ length: 7 }, () => calm.next(15_000) / 1000);
  assert.deepEqual(waits, [15, 30, 60, 120, 240, 300, 300]);
});

test("who uses it again gets the first pace, and learns whether answers had become rare", () => {
  const calm = new Calm();
  calm.next(15_000);
  assert.equal(calm.end(), false);
  for (let n = 0; n < 4; n += 1) calm.next(15_000);
  assert.equal(calm.end(), true);
  assert.equal(calm.end(), false);
  assert.equal(calm.next(15_000), 15_000);
});

test("a pace that is slower already stays as it is", () => {
  const calm = new Calm();
  assert.deepEqual([calm.next(400_000), calm.next(400_000)], [400_000, 400_000]);
});
