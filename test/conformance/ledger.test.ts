/** The suite of ledgers over the statements of the embedded usage: both stores count alike. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openDatabase } from "#storage/embedded/database.ts";
import { createJournal, createUsageReader, toBatch } from "#storage/embedded/usage-journal.ts";
import type { Ledger } from "#storage/ledger.ts";
import { ledgerSuite, type OpenedLedger } from "./ledger.ts";

ledgerSuite("embedded", { open: openEmbedded, runs: 40 });

function openEmbedded(t: TestContext): OpenedLedger {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-ledger-"));
  const database = openDatabase(join(folder, "vicinity.db"));
  t.after(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (): Promise<Ledger> => Promise.resolve(toLedger(database));
  return {
    ledger: toLedger(database),
    countEvents: () =>
      Promise.resolve(
        Number(database.prepare("SELECT count(*) AS count FROM usage_event").get()!["count"]),
      ),
    ...{ reopen: open, beside: open },
  };
}

function toLedger(database: ReturnType<typeof openDatabase>): Ledger {
  const journal = createJournal(database);
  let closed = false;
  return {
    ...createUsageReader(database),
    async apply(events) {
      if (!closed) journal.commit(toBatch(events));
      return !closed;
    },
    async forget(before_ms) {
      while (journal.forgetSome(before_ms));
    },
    async close() {
      closed = true;
    },
  };
}
