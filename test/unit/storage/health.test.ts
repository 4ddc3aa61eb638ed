/** Whether writes to a store succeed: one line a reason and outage, and none for what passes at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { METRICS } from "#http/metric-table.ts";
import {
  type Failing,
  type HealthEvent,
  HEALTH_REASONS,
  StoreHealth,
  STORES,
} from "#storage/store-health.ts";
import { createManualClock } from "../../support/manual-clock.ts";

const FULL: Failing = { reason: "full", detail: "database or disk is full" };
const LATE: Failing = { reason: "late", detail: "late" };
const GONE: Failing = { reason: "unreachable", detail: "connect ECONNREFUSED" };

function create() {
  const clock = createManualClock(0);
  const events: HealthEvent[] = [];
  const health = new StoreHealth("folder", { time: clock, onEvent: (each) => events.push(each) });
  const states = (): string[] =>
    events.map((each) => (each.state === "back" ? `back ${each.away_s}` : `away ${each.reason}`));
  return { clock, health, states };
}

test("an outage is one line, each other reason one more, and its end one", async () => {
  const { clock, health, states } = create();
  for (let i = 0; i < 500; i++) health.fail("ledger", FULL);
  assert.deepEqual(states(), ["away full"]);
  assert.deepEqual([health.isUp(), health.failing], [false, FULL]);
  health.fail("ledger", GONE);
  health.fail("ledger", FULL);
  assert.deepEqual(states(), ["away full", "away unreachable"]);
  await clock.advance(5_000);
  health.succeed("ledger");
  await clock.advance(10_000);
  assert.deepEqual(states(), ["away full", "away unreachable", "back 15"]);
  assert.deepEqual([health.isUp(), health.failing], [true, null]);
});

test("a store that fails and succeeds 400 times in fourteen seconds is one outage", async () => {
  const { clock, health, states } = create();
  for (let i = 0; i < 400; i++) {
    health.fail("short", GONE);
    await clock.advance(18);
    health.succeed("short");
    await clock.advance(18);
    assert.equal(health.isUp(), false);
  }
  assert.deepEqual(states(), ["away unreachable"]);
  await clock.advance(10_000);
  assert.deepEqual(states(), ["away unreachable", "back 24"]);
});

test("a store is back when all of its parts are", async () => {
  const { clock, health } = create();
  health.fail("statements", GONE);
  health.fail("writes", { reason: "read_only", detail: "in a read-only transaction" });
  health.succeed("statements");
  await clock.advance(60_000);
  assert.equal(health.isUp(), false, "it answers, and takes no writes");
  assert.equal(health.failing?.reason, "read_only");
  health.succeed("writes");
  await clock.advance(10_000);
  assert.equal(health.isUp(), true);
});

test("one late answer on a busy machine is no outage; answers that stay late are", async () => {
  const { clock, health, states } = create();
  for (let i = 0; i < 20; i++) {
    health.fail("short", LATE);
    await clock.advance(300);
    health.succeed("short");
    await clock.advance(1_000);
  }
  assert.deepEqual(states(), []);
  health.fail("short", LATE);
  await clock.advance(500);
  health.fail("short", LATE);
  assert.deepEqual(states(), ["away late"]);
});

test("the metric has a series for every store and reason that there is", () => {
  const { store, reason } = METRICS.svc_store_failing.labels;
  assert.deepEqual([...store], [...STORES]);
  assert.deepEqual([...reason], [...HEALTH_REASONS]);
});
