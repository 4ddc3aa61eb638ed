/** Usage of the embedded database and of memory; and what only the one with a thread can suffer. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import type { UsageEvent } from "#ports.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { createThread } from "#storage/embedded/thread.ts";
import { createUsage, type EmbeddedUsage } from "#storage/embedded/usage.ts";
import { createJournal, toBatch } from "#storage/embedded/usage-journal.ts";
import { createUsageThread, type UsageThread } from "#storage/embedded/usage-thread.ts";
import type { Order, Report } from "#storage/embedded/usage-worker.ts";
import { openBeside, openStorage, type Storage } from "#storage/open.ts";
import { createMemoryUsage } from "../support/memory-usage.ts";
import { usageSuite } from "./usage.ts";

usageSuite("memory", { open: () => ({ usage: createMemoryUsage() }), runs: 100 });
usageSuite("embedded", { open: openEmbedded, runs: 30 });

type Opened = {
  usage: EmbeddedUsage;
  data_dir: string;
  reopen(): Promise<EmbeddedUsage>;
  /** Runs statements on a connection of its own. */
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

const USAGE_WORKER = new URL("../../src/storage/embedded/usage-worker.ts", import.meta.url);
const AT_MS = Date.UTC(2026, 10, 21);

function event(id: number, at_ms = AT_MS): UsageEvent {
  const caller = { account_id: "acc", key_id: "key", operation: "geocode" };
  return { event_id: `event ${id}`, ...caller, units: 1, at_ms };
}

test("old events go, a few at a time between commits, and totals stay", async (t) => {
  const { usage, exec } = openEmbedded(t);
  const old = Array.from({ length: 1_700 }, (_, i) => event(i, AT_MS - 1 - i));
  await Promise.all(old.map((each) => usage.record(each)));
  const forgotten = usage.forget(AT_MS);
  const recorded = await usage.record(event(-1));
  assert.equal(recorded, "durable", "while others are being deleted");
  await forgotten;
  assert.deepEqual(exec("SELECT event_id FROM usage_event"), [{ event_id: "event -1" }]);
  assert.equal(usage.unitsOf("acc", "2026-11"), 1_701);
  const days = await usage.listUsage({ month: "2026-11" });
  assert.equal(
    days.reduce((sum, { requests }) => sum + requests, 0),
    1_701,
  );
});

test("a commit that fails is refused and counts nothing; the next one is taken", async (t) => {
  const { usage, exec } = openEmbedded(t);
  await usage.record(event(0));
  exec("ALTER TABLE usage_month RENAME TO away");
  const fates = await Promise.all([usage.record(event(1)), usage.record(event(2))]);
  assert.deepEqual(fates, ["full", "full"]);
  assert.equal(usage.unitsOf("acc", "2026-11"), 1);
  exec("ALTER TABLE away RENAME TO usage_month");
  assert.equal(exec("SELECT event_id FROM usage_event").length, 1, "nothing by halves");
  assert.equal(await usage.record(event(1)), "durable");
  assert.equal(usage.unitsOf("acc", "2026-11"), 2);
});

test("a thread that dies answers nobody for ever, and the next one is there", async (t) => {
  const { data_dir, exec } = openEmbedded(t);
  const path = join(data_dir, "sandbox", "vicinity.db");
  const thread = createThread<Order | null, Report>(USAGE_WORKER, path);
  t.after(() => thread.close());
  // No order at all: it throws where nothing is caught.
  const answers = [thread.ask(null), thread.ask({ kind: "forget", before_ms: 0 })];
  assert.deepEqual(await Promise.all(answers), [null, null]);
  const report = await thread.ask({ kind: "commit", ...toBatch([event(1)]) });
  assert.deepEqual(report, { kind: "committed", replayed: [] });
  assert.equal(exec("SELECT event_id FROM usage_event").length, 1);
});

test("a thread that cannot open the store is a refusal", async (t) => {
  const { data_dir } = openEmbedded(t);
  const database = openDatabase(join(data_dir, "sandbox", "vicinity.db"));
  t.after(() => database.close());
  const usage = createUsage(database, createUsageThread(join(data_dir, "none", "vicinity.db")));
  assert.equal(await usage.record(event(1)), "full");
  assert.equal(usage.unitsOf("acc", "2026-11"), 0);
  await usage.close();
});

test("of what died with the thread, the store says whether it counts", async (t) => {
  const { data_dir } = openEmbedded(t);
  const database = openDatabase(join(data_dir, "sandbox", "vicinity.db"));
  t.after(() => database.close());
  const journal = createJournal(database);
  const dying: UsageThread = {
    start: () => undefined,
    ask(order) {
      if (order.kind === "commit") {
        const rows = JSON.stringify((JSON.parse(order.rows) as unknown[]).slice(0, 2));
        journal.commit({ rows, count: 2 });
      }
      return Promise.resolve(null);
    },
    close: () => Promise.resolve(),
  };
  const usage = createUsage(database, dying);
  const fates = [1, 2, 3].map((id) => usage.record(event(id)));
  assert.equal(usage.unitsOf("acc", "2026-11"), 3);
  assert.deepEqual(await Promise.all(fates), ["full", "full", "full"], "nobody was told otherwise");
  assert.equal(usage.unitsOf("acc", "2026-11"), 2);
});

test("what is closed takes nothing more, and keeps what it had taken", async (t) => {
  const { usage, reopen } = openEmbedded(t);
  const fates = Array.from({ length: 1_000 }, (_, i) => usage.record(event(i)));
  const again = reopen();
  assert.equal(await usage.record(event(-1)), "full");
  assert.ok((await Promise.all(fates)).every((fate) => fate === "durable"));
  assert.equal((await again).unitsOf("acc", "2026-11"), 1_000);
});

test("usage is listed beside a running service", async (t) => {
  const { usage, data_dir } = openEmbedded(t);
  await usage.record(event(1));
  const beside = openBeside({ data_dir, mode: "sandbox" });
  assert.ok(!("problem" in beside));
  t.after(() => beside.close());
  assert.deepEqual(
    await beside.usage.listUsage({ month: "2026-11" }),
    await usage.listUsage({ month: "2026-11" }),
  );
});
