/** The plans of a running service: an account on none of them is seen, and never silently `free`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SHIPPED_PLANS } from "#config/plans.ts";
import { createMetrics } from "#http/metrics.ts";
import { PlanBook } from "../../../src/main/access/plan-book.ts";

const plans = Object.fromEntries(SHIPPED_PLANS.map((plan) => [plan.name, plan]));

function openBook() {
  const lines: { plan: string; account: string }[] = [];
  const log = {
    error: (members: { plan: string; account: string }) => void lines.push(members),
  } as unknown as ConstructorParameters<typeof PlanBook>[1];
  return { book: new PlanBook(plans, log), lines };
}

test("an unknown plan is the least one, with one line for the plan and a count", async (t) => {
  const { book, lines } = openBook();
  const metrics = createMetrics();
  t.after(() => metrics.close());
  book.watch(metrics);
  const count = async (): Promise<string> =>
    /^svc_unknown_plans (\d+)$/m.exec(await metrics.registry.metrics())?.[1] ?? "absent";
  assert.equal(book.find("developer", "acc_1").name, "developer");
  assert.deepEqual([lines, await count()], [[], "0"]);
  for (const account of ["acc_1", "acc_2"]) assert.equal(book.find("lim", account), plans["free"]);
  book.find("old", "acc_3");
  assert.deepEqual(
    lines.map(({ plan, account }) => [plan, account]),
    [
      ["lim", "acc_1"],
      ["old", "acc_3"],
    ],
  );
  assert.equal(await count(), "2");
  book.replace({ ...plans, lim: { ...plans["developer"]!, name: "lim" } });
  assert.equal(book.find("lim", "acc_1").name, "lim");
  assert.equal(await count(), "0");
});

test("plans that are replaced count at once, for anonymous callers too", () => {
  const { book } = openBook();
  const free = { ...plans["free"]!, rate_per_s: 1 };
  book.replace({ ...plans, free });
  assert.equal(book.anonymous, free);
  assert.equal(book.all["free"], free);
});
