/** The plans of a running service: an account on none of them is seen, and never silently `free`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { createMetrics } from "#http/metrics.ts";
import { PlanBook } from "#http/plan-book.ts";
import { PlanWatch } from "#http/plan-watch.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createMemoryAccounts } from "../../support/memory.ts";

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
    /^svc_unknown_plans (\d+)$/m.exec(metrics.text())?.[1] ?? "absent";
  assert.equal(await count(), "absent", "not looked yet");
  book.count([]);
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
  assert.equal(await count(), "1", "old is missing still");
  book.count([{ plan: "lim", account_id: "acc_1" }]);
  assert.equal(await count(), "0", "no account is on it any more");
});

test("plans that are replaced count at once, for anonymous callers too", () => {
  const { book } = openBook();
  const free = { ...plans["free"]!, rate_per_s: 1 };
  book.replace({ ...plans, free });
  assert.equal(book.anonymous, free);
  assert.equal(book.all["free"], free);
});

test("plans are counted at the start, after a reload and when accounts have changed, without a request", async (t) => {
  const { book, lines } = openBook();
  const metrics = createMetrics();
  t.after(() => metrics.close());
  book.watch(metrics);
  const count = async (): Promise<string> =>
    /^svc_unknown_plans (\d+)$/m.exec(metrics.text())?.[1] ?? "absent";
  const accounts = createMemoryAccounts();
  const add = (id: string, plan: string): void =>
    accounts.createAccount({ id, name: id, plan, standing: "active", created_at_ms: 1 });
  add("acc_1", "lim");
  add("acc_2", "developer");
  let lists = 0;
  let isAway = true;
  const clock = createManualClock(0);
  const watch = new PlanWatch({
    accounts: {
      version: () => (isAway ? assert.fail("the store is silent") : accounts.version()),
      listPlans() {
        lists += 1;
        return accounts.listPlans();
      },
    },
    plans: book,
    clock,
    onFault: assert.ifError,
  });
  t.after(() => watch.close());
  await watch.start();
  assert.deepEqual([await count(), lists], ["absent", 0], "a store that is away says nothing");
  isAway = false;
  await clock.advance(5_000);
  assert.deepEqual([await count(), lists], ["1", 1]);
  assert.deepEqual(lines, [{ plan: "lim", account: "acc_1", served_as: "free" }]);
  await clock.advance(60_000);
  assert.equal(lists, 1, "accounts that have not changed are not looked through again");
  book.replace({ ...plans, lim: { ...plans["developer"]!, name: "lim" } });
  assert.equal(await count(), "0", "at once, after a reload");
  const { developer: _, ...fewer } = plans;
  book.replace(fewer);
  assert.equal(await count(), "2", "and so is what a reload took away");
  assert.equal(lines.length, 3);
  accounts.setAccount("acc_1", { plan: "free" });
  await clock.advance(5_000);
  assert.equal(await count(), "1");
});
