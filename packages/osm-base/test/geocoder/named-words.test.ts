/** Places that a question names, found within a budget: a word that thousands of places have costs no more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Budget } from "#kit/budget.ts";
import { aNode, type Feature, geocoderOf } from "../../../../test/support/geocoder.ts";

/** As many hamlets whose names begin with one word, and a village that is called so alone. */
const HAMLETS = 2_000;
const FEATURES: readonly Feature[] = [
  ...Array.from({ length: HAMLETS }, (_, n) =>
    aNode(n + 1, [47 + n / 1e4, 9], {
      place: "hamlet",
      name: `Linden ${"abcdefghij"[n % 10]}${n}`,
    }),
  ),
  aNode(9_000, [47.5, 9.5], { place: "village", name: "Linden" }),
];

test("a place that is named is found, and what was looked at is counted", () => {
  const budget = new Budget({ looks: 10_000, keeps: 10_000 });
  const { namedWords } = geocoderOf(FEATURES);
  assert.deepEqual(namedWords!("Dorfstrasse 3, Linden", budget), [["linden"]]);
  assert.equal(budget.looksLeft, 10_000 - HAMLETS - 1);
  assert.equal(budget.isSpent, false);
});

test("beyond the budget nothing is looked at, and that is said", () => {
  const { namedWords } = geocoderOf(FEATURES);
  for (const bounds of [
    { looks: HAMLETS, keeps: 10_000 },
    { looks: 10_000, keeps: 100 },
  ]) {
    const budget = new Budget(bounds);
    assert.deepEqual(namedWords!("Dorfstrasse 3, Linden", budget), []);
    assert.equal(budget.isSpent, true);
  }
});
