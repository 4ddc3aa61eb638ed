/** What a replica that was alone owes the store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createDebts } from "#storage/valkey/debts.ts";

const NOW_MS = 1_795_000_000_000;
/** Full again after ten seconds. */
const [A, B] = ["a", "b"].map((key) => ({ key, rate_per_s: 5, burst: 50 })) as [Bucket, Bucket];
type Bucket = { key: string; rate_per_s: number; burst: number };

test("a debt is reported once", () => {
  const debts = createDebts();
  assert.equal(debts.isEmpty(), true);
  debts.note([A, B], NOW_MS);
  debts.note([A], NOW_MS);
  assert.equal(debts.isEmpty(), false);
  assert.deepEqual(debts.take([A, B], NOW_MS), [2, 1]);
  assert.deepEqual(debts.take([A, B], NOW_MS), [0, 0]);
  assert.equal(debts.isEmpty(), true);
});

test("units that would have been refilled since are not owed", () => {
  const debts = createDebts();
  debts.note([A, B], NOW_MS);
  debts.note([B], NOW_MS + 1);
  assert.deepEqual(debts.take([A, B], NOW_MS + 10_001), [0, 2]);
  debts.note([A], NOW_MS);
  debts.note([B], NOW_MS);
  debts.take([{ ...B, key: "c" }], NOW_MS + 600_001);
  assert.equal(debts.isEmpty(), true, "no caller asks for them any more");
});

test("the oldest of very many are forgotten", () => {
  const debts = createDebts();
  for (let i = 0; i < 200_001; i++) debts.note([{ ...A, key: `${i}` }], NOW_MS);
  const taken = [0, 1, 200_000].map((i) => debts.take([{ ...A, key: `${i}` }], NOW_MS)[0]);
  assert.deepEqual(taken, [0, 1, 1]);
});

test("a debt of a caller who does not come back is forgotten while others are noted", () => {
  const debts = createDebts();
  const slow = { ...A, rate_per_s: 0.01 };
  debts.note([slow], NOW_MS);
  debts.note([B], NOW_MS + 300_000);
  debts.note([B], NOW_MS + 600_001);
  assert.deepEqual(debts.take([slow], NOW_MS + 600_001), [0]);
  assert.deepEqual(debts.take([B], NOW_MS + 600_001), [2]);
});
