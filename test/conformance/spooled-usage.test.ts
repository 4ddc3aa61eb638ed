/** Usage over a ledger that can be away: all that every Usage holds, and what only it can suffer. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createManualClock } from "../support/manual-clock.ts";
import type { UsageEvent } from "#ports.ts";
import { openSpool, type Spool } from "#storage/embedded/spool.ts";
import { createUsage, type SpooledUsage } from "#storage/usage.ts";
import { createMemoryLedger, type MemoryLedger } from "../support/memory-ledger.ts";
import { usageSuite } from "./usage.ts";

usageSuite("spooled", { open: openSpooled, runs: 30 });

type Opened = {
  usage: SpooledUsage;
  ledger: MemoryLedger;
  clock: ReturnType<typeof createManualClock>;
  faults: string[];
  reopen(): Promise<SpooledUsage>;
};

function openSpooled(t: TestContext, wrap: (spool: Spool) => Spool = (spool) => spool): Opened {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-spool-"));
  const ledger = createMemoryLedger();
  const clock = createManualClock(Date.UTC(2026, 10, 21));
  const faults: string[] = [];
  const open = () => {
    const spool = wrap(openSpool(folder));
    const usage = createUsage({ spool, ledger, time: clock, onFault: (what) => faults.push(what) });
    void usage.start();
    return usage;
  };
  let current = open();
  t.after(async () => {
    await current.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const reopen = async (): Promise<SpooledUsage> => {
    await current.close();
    current = open();
    return current;
  };
  return { usage: current, ledger, clock, faults, reopen };
}

function event(id: number): UsageEvent {
  const caller = { account_id: "acc", key_id: "key", operation: "geocode" };
  return { event_id: `event ${id}`, ...caller, units: 1, at_ms: Date.UTC(2026, 10, 21) };
}

const MONTH = { month: "2026-11" };

test("while the ledger is away replies are durable, units count, and nothing is lost", async (t) => {
  const { usage, ledger, clock, faults } = openSpooled(t);
  ledger.state = "away";
  for (let i = 0; i < 200; i++) assert.equal(await usage.record(event(i)), "durable");
  for (let i = 0; i < 600; i++) await clock.advance(100);
  assert.equal(usage.unitsOf("acc", "2026-11"), 200);
  assert.equal(usage.depth(), 200);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 0);
  assert.ok(faults.length > 5 && faults.length < 60, `${faults.length} attempts in a minute`);
  ledger.state = "here";
  await usage.listUsage(MONTH);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 200);
  assert.equal(usage.unitsOf("acc", "2026-11"), 200);
  assert.equal(usage.depth(), 0);
});

test("an answer of the ledger that was lost counts nothing twice", async (t) => {
  const { usage, ledger } = openSpooled(t);
  ledger.state = "lost";
  await Promise.all([1, 2, 3].map((id) => usage.record(event(id))));
  await usage.listUsage(MONTH);
  ledger.state = "here";
  await usage.listUsage(MONTH);
  assert.ok(ledger.handed.get("event 1")! >= 2, "it was handed over again");
  assert.equal(usage.unitsOf("acc", "2026-11"), 3);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 3);
});

test("what a process leaves is handed over by the next one on its folder", async (t) => {
  const { usage, ledger, reopen } = openSpooled(t);
  ledger.state = "away";
  await Promise.all([1, 2, 3].map((id) => usage.record(event(id))));
  const next = await reopen();
  assert.equal(next.unitsOf("acc", "2026-11"), 3, "before it is handed over");
  ledger.state = "here";
  await next.listUsage(MONTH);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 3);
  assert.equal(next.depth(), 0);
});

test("what the spool does not take is refused and counts nothing", async (t) => {
  let full = true;
  const { usage, ledger } = openSpooled(t, (spool) => ({
    ...spool,
    put: (events) => (full ? Promise.resolve(null) : spool.put(events)),
    putNow: () => null,
  }));
  assert.equal(await usage.record(event(1)), "full");
  assert.equal(usage.unitsOf("acc", "2026-11"), 0);
  full = false;
  assert.equal(await usage.record(event(1)), "durable");
  await usage.listUsage(MONTH);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 1);
});

test("a ledger that takes a few batches at once gets all of them in the end", async (t) => {
  const { usage, ledger, clock } = openSpooled(t);
  ledger.state = "away";
  for (let i = 0; i < 40; i++) await usage.record(event(i));
  ledger.state = "here";
  const { apply } = ledger;
  ledger.apply = (batches) => (batches.length > 3 ? Promise.resolve(false) : apply(batches));
  for (let i = 0; i < 600 && usage.depth() > 0; i++) await clock.advance(100);
  assert.equal(usage.depth(), 0);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 40);
});
