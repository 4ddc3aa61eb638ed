/** Usage of the embedded database and of memory; and what only the one with threads can suffer. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import type { UsageEvent } from "#ports.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import {
  createEmbeddedLedger,
  createLedgerWorker,
  type LedgerWorker,
} from "#storage/embedded/ledger.ts";
import { createLedgerWriter } from "#storage/embedded/ledger-statements.ts";
import { openAdminStorage, openStorage, type Storage } from "#storage/open-storage.ts";
import { readJournal } from "#storage/usage/journal.ts";
import { writeEvents } from "#storage/usage/usage-ledger.ts";
import type { UsageWriter } from "#storage/usage/writer.ts";
import { createMemoryUsage } from "../support/memory-usage.ts";
import { usageSuite } from "./usage.ts";
import { sized } from "../support/size.ts";
import { catchThread } from "../support/threads.ts";
import { collectFaults } from "../support/faults.ts";

usageSuite("memory", { open: () => ({ usage: createMemoryUsage() }), runs: 100 });
usageSuite("embedded", { open: openEmbedded, runs: sized(10, 30) });

type Opened = {
  usage: UsageWriter;
  data_dir: string;
  reopen(): Promise<UsageWriter>;
  /** Runs statements on a connection of its own to the ledger. */
  exec(sql: string): unknown[];
};

function openEmbedded(t: TestContext): Opened {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-usage-"));
  let storage = opened(data_dir);
  const close = async (): Promise<void> => {
    await storage.usage.close();
    storage.close();
  };
  t.after(async () => {
    await close();
    rmSync(data_dir, { recursive: true, force: true });
  });
  return {
    usage: storage.usage,
    data_dir,
    async reopen() {
      await close();
      storage = opened(data_dir);
      return storage.usage;
    },
    exec(sql) {
      const database = new DatabaseSync(join(data_dir, "sandbox", "vicinity.db"));
      const rows = database.prepare(sql).all();
      database.close();
      return rows.map((row) => ({ ...row }));
    },
  };
}

function opened(data_dir: string): Storage {
  const storage = openStorage({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in storage), "problem" in storage ? storage.problem : "");
  return storage;
}

const MONTH = { month: "2026-11" };
const AT_MS = Date.UTC(2026, 10, 21);

function event(id: number, at_ms = AT_MS): UsageEvent {
  const caller = { account_id: "acc", key_id: "key", operation: "geocode" };
  return { event_id: `event ${id}`, ...caller, units: 1, at_ms };
}

test("old events go, a few at a time, and totals stay", async (t) => {
  const { usage, exec } = openEmbedded(t);
  const old = Array.from({ length: 1_700 }, (_, i) => event(i, AT_MS - 1 - i));
  for (const each of old) usage.record([each]);
  await usage.listUsage(MONTH);
  const forgotten = usage.forget(AT_MS);
  assert.equal(usage.record([event(-1)]), true, "while others are being deleted");
  await forgotten;
  const days = await usage.listUsage(MONTH);
  assert.deepEqual(exec("SELECT event_id FROM usage_event"), [{ event_id: "event -1" }]);
  assert.equal(usage.unitsOf("acc", "2026-11"), 1_701);
  assert.equal(
    days.reduce((sum, { requests }) => sum + requests, 0),
    1_701,
  );
});

test("while the ledger fails events are kept, and counted in full when it recovers", async (t) => {
  const { usage, exec } = openEmbedded(t);
  usage.record([event(0)]);
  await usage.listUsage(MONTH);
  assert.equal(usage.unitsOf("acc", "2026-11"), 1);
  exec("ALTER TABLE usage_month RENAME TO away");
  assert.deepEqual([usage.record([event(1)]), usage.record([event(2)])], [true, true]);
  await usage.listUsage(MONTH);
  assert.equal(exec("SELECT event_id FROM usage_event").length, 1, "nothing by halves");
  assert.equal(usage.depth(), 2);
  assert.equal(usage.unitsOf("acc", "2026-11"), 3);
  exec("ALTER TABLE away RENAME TO usage_month");
  await usage.listUsage(MONTH);
  assert.equal(exec("SELECT event_id FROM usage_event").length, 3);
  assert.equal(usage.depth(), 0);
  assert.equal(usage.unitsOf("acc", "2026-11"), 3);
});

test("requests to a thread that dies get no answer, and another thread takes its place", async (t) => {
  const { data_dir, exec } = openEmbedded(t);
  const { onFault, faults } = collectFaults();
  const worker = createLedgerWorker(join(data_dir, "sandbox", "vicinity.db"), onFault);
  t.after(() => worker.close());
  const forget = { kind: "forget", before_ms: 0, after_id: "" } as const;
  const thread = await catchThread(t, () => worker.start());
  const answers = [worker.send(forget), worker.send(forget)];
  await thread.terminate();
  assert.deepEqual(await Promise.all(answers), [null, null]);
  // No message at all is a defect, and costs itself alone.
  assert.equal((await worker.send(null as never))?.kind, "failed");
  assert.equal(faults.length, 1, "the defect is reported once");
  const reply = await worker.send({ kind: "apply", events: writeEvents([event(1)]) });
  const totals = [
    { account_id: "acc", period: "2026-11-21", units: 1 },
    { account_id: "acc", period: "2026-11", units: 1 },
  ];
  assert.deepEqual(reply, { kind: "applied", totals });
  assert.equal(exec("SELECT event_id FROM usage_event").length, 1);
});

const NO_WORKER: LedgerWorker = {
  start: () => undefined,
  send: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

test("after a thread dies the store decides whether its batch counts", async (t) => {
  const { data_dir } = openEmbedded(t);
  const database = openDatabase(join(data_dir, "sandbox", "vicinity.db"));
  t.after(() => database.close());
  const writer = createLedgerWriter(database);
  let dying = true;
  const worker: LedgerWorker = {
    ...NO_WORKER,
    send(message) {
      const totals = message.kind === "apply" ? writer.apply(message.events) : [];
      const reply = dying ? null : ({ kind: "applied", totals } as const);
      dying = false;
      return Promise.resolve(reply);
    },
  };
  const ledger = createEmbeddedLedger(database, worker);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 0);
  const batch = writeEvents([1, 2].map((id) => event(id)));
  assert.equal(await ledger.apply(batch, () => undefined), false, "the outcome is unknown");
  assert.equal(await ledger.apply(batch, () => undefined), true);
  assert.equal(ledger.unitsOf("acc", "2026-11"), 2);
});

test("a closed store accepts nothing more and keeps what it had accepted", async (t) => {
  const { usage, reopen } = openEmbedded(t);
  for (let i = 0; i < 1_000; i++) assert.equal(usage.record([event(i)]), true);
  const again = reopen();
  assert.equal(usage.record([event(-1)]), false);
  assert.equal((await again).unitsOf("acc", "2026-11"), 1_000);
});

test("a command alongside a running service lists what is in the ledger and what is not yet", async (t) => {
  const { usage, data_dir } = openEmbedded(t);
  const others = { ...event(5), key_id: "other", requests: 3 };
  for (const each of [event(1), { ...event(2), key_id: null }]) usage.record([each]);
  await usage.listUsage(MONTH);
  for (const each of [event(3), others, event(4, 0)]) usage.record([each]);
  const other = openAdminStorage({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in other));
  t.after(() => other.close());
  const seen = readJournal(join(data_dir, "sandbox"));
  const listed = await Promise.all([other.usage.listUsage(MONTH), other.usage.listUsage(OTHER)]);
  assert.ok(seen.length > 0, "some are in the journal");
  assert.deepEqual(listed, [await usage.listUsage(MONTH), await usage.listUsage(OTHER)]);
  assert.equal(listed[0].length, 3);
  assert.deepEqual(
    listed[1].map(({ units, requests }) => [units, requests]),
    [[1, 3]],
  );
});

const OTHER = { ...MONTH, key_id: "other" };
