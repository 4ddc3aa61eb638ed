/** Counts of 24 hours: gaps are unknown, rings end, and the bound of memory holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CountHistory,
  type Counts,
  SERIES_BYTES,
  SLOTS,
  STEP_MS,
} from "#core/history/count-history.ts";

const START = 1_764_000_000_000;
const at = (step: number, more_ms = 0): number => START + step * STEP_MS + more_ms;
const listed = (history: CountHistory, now: number, id = "a") =>
  history.read(id, now)?.map(({ at_ms, counts }) => [(at_ms - START) / STEP_MS, ...counts]);

test("the first report of ten minutes is kept, with its time; unknown is no sample", () => {
  const history = new CountHistory(SERIES_BYTES);
  assert.equal(history.read("a", at(0)), null);
  history.add("a", at(0, 1), [3, null]);
  history.add("a", at(0, 400_000), [9, 9]);
  history.add("a", at(1), [0, 20]);
  history.add("a", at(2), [null, null]);
  assert.deepEqual(listed(history, at(2)), [
    [0, 3, null],
    [1, 0, 20],
  ]);
});

test("a time without a report is a gap, also where the ring comes round", () => {
  const history = new CountHistory(SERIES_BYTES);
  for (let step = 0; step < SLOTS; step++) history.add("a", at(step), [step, 1]);
  history.add("a", at(SLOTS + 3), [7, 1]);
  const samples = listed(history, at(SLOTS + 3))!;
  assert.deepEqual(samples[0], [4, 4, 1]);
  assert.deepEqual(samples.at(-2), [SLOTS - 1, SLOTS - 1, 1]);
  assert.deepEqual(samples.at(-1), [SLOTS + 3, 7, 1]);
  assert.equal(samples.length, SLOTS - 3);
  history.add("a", at(10 * SLOTS), [2, 2]);
  assert.deepEqual(listed(history, at(10 * SLOTS)), [[10 * SLOTS, 2, 2]]);
  assert.deepEqual(listed(history, at(11 * SLOTS)), []);
});

test("an earlier report than the newest is not mixed in, and large counts stay within 16 bits", () => {
  const history = new CountHistory(SERIES_BYTES);
  history.add("a", at(5), [100_000, 65_535]);
  history.add("a", at(4), [1, 1]);
  assert.deepEqual(listed(history, at(5)), [[5, 65_534, 65_534]]);
});

test("within its bytes, the one whose last report is oldest leaves; none leaves for one of its time", () => {
  const history = new CountHistory(3 * SERIES_BYTES);
  for (const [n, id] of ["a", "b", "c"].entries()) history.add(id, at(n), [n, n]);
  history.add("d", at(2), [4, 4]);
  assert.equal(history.read("a", at(2)), null);
  assert.deepEqual(listed(history, at(2), "d"), [[2, 4, 4]]);
  history.add("e", at(2), [5, 5]);
  history.add("f", at(2), [6, 6]);
  assert.equal(history.read("f", at(2)), null, "all others have a report of these ten minutes");
  assert.deepEqual(history.size, { series: 3, bytes: 3 * SERIES_BYTES });
});

test("many series take no more than their bytes, whatever comes", () => {
  const history = new CountHistory(1_000 * SERIES_BYTES + 100);
  const counts: Counts = [1, 2];
  for (let step = 0; step < 20; step++)
    for (let n = 0; n < 400; n++) history.add(`${(step * 173 + n) % 3_000}`, at(step), counts);
  const { series, bytes } = history.size;
  assert.ok(series <= 1_000 && bytes <= 1_000 * SERIES_BYTES, `${series} ${bytes}`);
  let known = 0;
  for (let n = 0; n < 3_000; n++)
    for (const { counts: read } of history.read(`${n}`, at(20)) ?? []) {
      assert.deepEqual(read, counts);
      known++;
    }
  assert.ok(known > 1_000, String(known));
  const none = new CountHistory(10);
  none.add("a", at(0), counts);
  assert.equal(none.read("a", at(0)), null);
});
