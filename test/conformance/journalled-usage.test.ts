/** Usage over a ledger that can be away: all that every Usage holds, and what only it can suffer. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createManualClock } from "../support/manual-clock.ts";
import type { UsageEvent } from "#ports.ts";
import { type Journal, openJournal } from "#storage/usage/journal.ts";
import { readEvents } from "#storage/usage/usage-ledger.ts";
import { createUsageWriter, type UsageWriter } from "#storage/usage/writer.ts";
import { createMemoryLedger, type MemoryLedger } from "../support/memory-ledger.ts";
import { usageSuite } from "./usage.ts";
import { sized } from "../support/size.ts";
import { noFault } from "../support/faults.ts";

usageSuite("journalled", { open: openJournalled, runs: sized(10, 30) });

type Opened = {
  usage: UsageWriter;
  ledger: MemoryLedger;
  clock: ReturnType<typeof createManualClock>;
  faults: string[];
  reopen(): Promise<UsageWriter>;
};

function openJournalled(
  t: TestContext,
  wrap: (journal: Journal) => Journal = (journal) => journal,
): Opened {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-journal-"));
  const ledger = createMemoryLedger();
  const clock = createManualClock(Date.UTC(2026, 10, 21));
  const faults: string[] = [];
  const open = () => {
    const onFault = (what: string): void => void faults.push(what);
    const journal = openJournal(folder, {
      time: clock,
      onFault: () => onFault("journal"),
      onDefect: noFault,
    });
    const usage = createUsageWriter({ journal: wrap(journal), ledger, time: clock });
    void usage.start();
    return usage;
  };
  let current = open();
  t.after(async () => {
    await current.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const reopen = async (): Promise<UsageWriter> => {
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

test("while the ledger is away events are kept, units count, and nothing is lost", async (t) => {
  const { usage, ledger, clock } = openJournalled(t);
  ledger.state = "away";
  for (let i = 0; i < 200; i++) assert.equal(usage.record([event(i)]), true);
  for (let i = 0; i < 600; i++) await clock.advance(100);
  assert.equal(usage.unitsOf("acc", "2026-11"), 200);
  assert.equal(usage.depth(), 200);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 0);
  assert.ok(ledger.attempts > 5 && ledger.attempts < 60, `${ledger.attempts} attempts in a minute`);
  assert.equal(usage.oldestAt_ms(), Date.UTC(2026, 10, 21));
  assert.ok(usage.room().used > 200 * 40, `${usage.room().used} bytes wait`);
  ledger.state = "here";
  await usage.listUsage(MONTH);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 200);
  assert.equal(usage.unitsOf("acc", "2026-11"), 200);
  assert.equal(usage.depth(), 0);
  assert.deepEqual([usage.oldestAt_ms(), usage.room().used], [null, 0]);
});

test("an answer of the ledger that was lost counts nothing twice", async (t) => {
  const { usage, ledger } = openJournalled(t);
  ledger.state = "lost";
  for (const id of [1, 2, 3]) usage.record([event(id)]);
  await usage.listUsage(MONTH);
  ledger.state = "here";
  await usage.listUsage(MONTH);
  assert.ok(ledger.handed.get("event 1")! >= 2, "it was handed over again");
  assert.equal(usage.unitsOf("acc", "2026-11"), 3);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 3);
});

test("events left by a process are handed over by the next one on its folder", async (t) => {
  const { usage, ledger, reopen } = openJournalled(t);
  ledger.state = "away";
  for (const id of [1, 2, 3]) usage.record([event(id)]);
  const next = await reopen();
  assert.equal(next.unitsOf("acc", "2026-11"), 3, "before it is handed over");
  ledger.state = "here";
  await next.listUsage(MONTH);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 3);
  assert.equal(next.depth(), 0);
});

test("an event that the journal does not accept is refused and not counted", async (t) => {
  let full = true;
  const { usage, ledger } = openJournalled(t, (journal) => ({
    ...journal,
    append: (events) => !full && journal.append(events),
  }));
  assert.equal(usage.record([event(1)]), false);
  assert.equal(usage.unitsOf("acc", "2026-11"), 0);
  assert.equal(usage.depth(), 0);
  full = false;
  assert.equal(usage.record([event(1)]), true);
  await usage.listUsage(MONTH);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 1);
});

test("a ledger that takes a few events at once gets all of them in the end", async (t) => {
  const { usage, ledger, clock } = openJournalled(t);
  ledger.state = "away";
  for (let i = 0; i < 40; i++) usage.record([event(i)]);
  ledger.state = "here";
  const { apply } = ledger;
  ledger.apply = (events, onCounted) =>
    readEvents(events).length > 3 ? Promise.resolve(false) : apply(events, onCounted);
  for (let i = 0; i < 600 && usage.depth() > 0; i++) await clock.advance(100);
  assert.equal(usage.depth(), 0);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 40);
});
