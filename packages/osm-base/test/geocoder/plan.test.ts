/** Which pages of a plan are asked in the end, and when others may have better candidates. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { firstOf, mayBeBetter, needsAll, type PlannedPage } from "../../geocoder/plan-pages.ts";

const page = (number: number, text: number, keys: readonly string[] = []): PlannedPage => ({
  ...{ names: 0, page: number, text, value: text, entries: 1, keys },
});
const planOf = (pages: readonly PlannedPage[], rest = 0) => ({
  ...{ pages, rest, isCut: false, best: [], readings: [] },
});
const found = (explained: number, unexplained: readonly string[] = [], score = explained) => ({
  ...{ explained, unexplained, in_named_place: true, score },
});
const ofOne = (): boolean => true;
const ofOthers = (): boolean => false;

test("the page of a place that is named is asked, where what was found is elsewhere", () => {
  // `Hermsdorfer Strasse, Monaco`: only the page of Monaco knows that Monaco binds.
  const plan = planOf([page(0, 0.83, ["hermsdorfer"]), page(1, 0.38, ["monaco"])]);
  const first = firstOf(plan, ofOne);
  assert.deepEqual(
    first.map((each) => each.page),
    [0],
  );
  assert.ok(needsAll(plan, first, found(0.83, ["monaco"]), ofOne));
  assert.ok(!needsAll(plan, first, found(0.83, ["11a"]), ofOne), "no page is called so");
  assert.ok(!needsAll(plan, first, found(1), ofOne));
});

test("a name with more words than the question is not as good as its words", () => {
  // `Terra`: streets with three words more, and a thing of another page whose name begins with it.
  const plan = planOf([page(0, 1), page(1, 0.6)], 0.9);
  const first = firstOf(plan, ofOne);
  const longer = found(1, [], 0.7);
  assert.ok(needsAll(plan, first, longer, ofOne));
  assert.ok(!needsAll(plan, first, longer, ofOthers), "another base has a list of its own");
  assert.ok(!needsAll(plan, first, found(1), ofOne));
  assert.ok(mayBeBetter(plan, longer));
  assert.ok(!mayBeBetter(plan, found(1)));
  assert.ok(!mayBeBetter(planOf(plan.pages, 0.3), found(0.5, [], -1)), "too little of a question");
});
