/** The ledger in the data folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openDatabase } from "#storage/embedded/database.ts";
import { createEmbeddedLedger, createLedgerWorker } from "#storage/embedded/ledger.ts";
import type { Ledger } from "#storage/usage/usage-ledger.ts";
import { ledgerSuite, type OpenedLedger } from "./ledger.ts";
import { sized } from "../support/size.ts";
import { noFault } from "../support/faults.ts";

ledgerSuite("embedded", { open: openEmbedded, runs: sized(15, 40) });

function openEmbedded(t: TestContext): OpenedLedger {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-ledger-"));
  const path = join(folder, "vicinity.db");
  const database = openDatabase(path);
  const ledgers: Ledger[] = [];
  const open = (): Ledger => {
    const ledger = createEmbeddedLedger(database, createLedgerWorker(path, noFault));
    ledgers.push(ledger);
    return ledger;
  };
  const end = async (): Promise<void> => {
    await Promise.all(ledgers.splice(0).map((ledger) => ledger.close()));
  };
  t.after(async () => {
    await end();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ledger: open(),
    countEvents: () =>
      Promise.resolve(
        Number(database.prepare("SELECT count(*) AS count FROM usage_event").get()!["count"]),
      ),
    async reopen() {
      await end();
      return open();
    },
    end,
  };
}
