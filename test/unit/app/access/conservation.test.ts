/**
 * Units are conserved (docs/decisions/0031-reserve-before-the-work.md): whatever the order of
 * arrivals, prices, failures, retries, kills and period ends, over one replica and over two that share
 * a store, no more is granted than the quota and the bound that docs/accounts.md states, what is
 * charged was answered, and nothing is refused while units remain beyond what is reserved.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runSchedule } from "../../../support/money/schedule.ts";
import { sized } from "../../../support/size.ts";

const SCHEDULES = sized(60, 1_000);

for (const replicas of [1, 2] as const)
  test(`${replicas} replicas conserve units in any schedule`, async (t) => {
    const sum = { answered: 0, refused: 0, repeats: 0, lost: 0, overrun: 0 };
    for (let seed = 0; seed < SCHEDULES; seed++) {
      const { violations, counts } = await runSchedule({ replicas, seed });
      assert.deepEqual(violations, [], `seed ${seed}`);
      sum.overrun = Math.max(sum.overrun, counts.overrun);
      for (const name of ["answered", "refused", "repeats", "lost"] as const)
        sum[name] += counts[name];
    }
    t.diagnostic(`${SCHEDULES} schedules: ${JSON.stringify(sum)}`);
    assert.ok(sum.answered > SCHEDULES && sum.refused > SCHEDULES && sum.repeats > SCHEDULES);
  });
