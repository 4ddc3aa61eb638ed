import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { editSteps, findNearest } from "../nearest.ts";

test("a typing error finds its word, another word finds nothing", () => {
  const entries = ["serve", "sandbox", "nearby", "doctor", "openapi"];
  assert.equal(findNearest("nearbt", entries), "nearby");
  assert.equal(findNearest("SERVE", entries), "serve");
  assert.equal(findNearest("docotr", entries), "doctor");
  assert.equal(findNearest("weather", entries), undefined);
  assert.equal(findNearest("near", entries), "nearby", "the beginning of one");
  assert.equal(findNearest("ne", entries), undefined, "too short");
  assert.equal(findNearest("ser", ["serve", "services"]), undefined, "the beginning of two");
});

test("steps are a distance: zero only for equals, the same both ways, never above the longer", () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const steps = editSteps(a, b);
      assert.equal(steps === 0, a === b);
      assert.equal(steps, editSteps(b, a));
      assert.ok(steps <= Math.max(a.length, b.length));
    }),
  );
});
