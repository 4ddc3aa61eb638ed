import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Budget } from "../budget.ts";

test("a budget gives exactly what it has, and says when it refused", () => {
  const budget = new Budget({ looks: 3, keeps: 1 });
  assert.equal(budget.look(2), true);
  assert.equal(budget.look(2), false);
  assert.equal(budget.looksLeft, 1);
  assert.equal(budget.isSpent, true);
  assert.equal(budget.keep(), true);
  assert.equal(budget.keep(), false);
});

test("no order of questions takes more than the bounds", () => {
  const takes = fc.array(fc.record({ isLook: fc.boolean(), n: fc.nat(20) }), { maxLength: 60 });
  fc.assert(
    fc.property(takes, fc.nat(50), fc.nat(50), (list, looks, keeps) => {
      const budget = new Budget({ looks, keeps });
      const taken = { looks: 0, keeps: 0 };
      let refused = false;
      for (const { isLook, n } of list) {
        const isGiven = isLook ? budget.look(n) : budget.keep(n);
        if (!isGiven) refused = true;
        else if (isLook) taken.looks += n;
        else taken.keeps += n;
      }
      assert.ok(taken.looks <= looks && taken.keeps <= keeps);
      assert.equal(budget.isSpent, refused);
      assert.equal(budget.looksLeft, looks - taken.looks);
    }),
  );
});
