/** The ledger in the data folder: written by a thread, read by the caller. */
import type { NoteFault } from "#core/guard.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createLedgerReader } from "#storage/embedded/ledger-statements.ts";
import type { LedgerMessage, LedgerReply } from "#storage/embedded/ledger-worker.ts";
import { createDatabaseWorker, type DatabaseWorker, REST_MS } from "#storage/embedded/worker.ts";
import type { Ledger, MonthRow } from "#storage/usage/ledger.ts";

export type LedgerWorker = DatabaseWorker<LedgerMessage, LedgerReply>;

export function createLedgerWorker(path: string, onFault: NoteFault): LedgerWorker {
  const url = new URL("./ledger-worker.ts", import.meta.url);
  return createDatabaseWorker(url, path, { rest_ms: REST_MS, onFault });
}

/** `database` is the caller's and only read; the worker has a connection of its own. */
export function createEmbeddedLedger(database: DatabaseSync, worker: LedgerWorker): Ledger {
  const reader = createLedgerReader(database);
  const totals = createTotals(reader.unitsOf);
  let closed = false;

  async function forget(before_ms: number, after_id: string): Promise<void> {
    if (closed) return;
    const reply = await worker.send({ kind: "forget", before_ms, after_id });
    if (reply?.kind === "forgotten" && reply.next_id !== null)
      await forget(before_ms, reply.next_id);
  }

  return {
    async apply(events) {
      if (closed) return false;
      const reply = await worker.send({ kind: "apply", events });
      if (reply?.kind !== "applied") return false;
      totals.raise(reply.months);
      return true;
    },
    unitsOf: totals.unitsOf,
    listUsage: reader.listUsage,
    forget: (before_ms) => forget(before_ms, ""),
    async close() {
      closed = true;
      await worker.close();
    },
  };
}

/** Accounts whose totals are kept in memory, for each month. */
const MAX_TOTALS = 50_000;

type Totals = {
  /** They grow only: of two the higher one is the later. */
  raise(rows: readonly MonthRow[]): void;
  unitsOf(account_id: string, month: string): number;
};

/** Totals from memory, once they have been read: every keyed request needs one. */
function createTotals(read: (account_id: string, month: string) => number): Totals {
  const months = new Map<string, Map<string, number>>();

  function totalsOf(month: string): Map<string, number> {
    const held = months.get(month);
    if (held && held.size < MAX_TOTALS) return held;
    // This month, and the one before it: a reply may be counted after midnight.
    if (months.size > 1) months.clear();
    const made = new Map<string, number>();
    months.set(month, made);
    return made;
  }
  return {
    raise(rows) {
      for (const { account_id, month, units } of rows) {
        const totals = months.get(month);
        const held = totals?.get(account_id);
        if (held !== undefined && units > held) totals!.set(account_id, units);
      }
    },
    unitsOf(account_id, month) {
      const totals = totalsOf(month);
      let units = totals.get(account_id);
      if (units === undefined) totals.set(account_id, (units = read(account_id, month)));
      return units;
    },
  };
}
