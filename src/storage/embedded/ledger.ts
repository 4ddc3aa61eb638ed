/** The ledger in the data folder: written by a thread, read by the caller. */
import type { NoteFault } from "#kit/guard.ts";
import { REST_MS } from "#kit/run/thread.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createLedgerReader } from "#storage/embedded/ledger-statements.ts";
import type { LedgerMessage, LedgerReply } from "#storage/embedded/ledger-worker.ts";
import { DatabaseWorker, type DatabaseWriter, toFailing } from "#storage/embedded/worker.ts";
import type { Failing, Reports } from "#storage/store-health.ts";
import type { Ledger, PeriodRow } from "#storage/usage/usage-ledger.ts";

export type LedgerWorker = DatabaseWriter<LedgerMessage, LedgerReply>;

export function createLedgerWorker(path: string, onFault: NoteFault): LedgerWorker {
  const url = new URL("./ledger-worker.ts", import.meta.url);
  return new DatabaseWorker(url, path, { rest_ms: REST_MS, onFault });
}

/**
 * `database` is the caller's and only read; the worker has a connection of its own. `health`:
 * receives the outcome of every write.
 */
export function createEmbeddedLedger(
  database: DatabaseSync,
  worker: LedgerWorker,
  health: Reports = NO_REPORTS,
): Ledger {
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
    async apply(events, onCounted) {
      if (closed) return false;
      const reply = await worker.send({ kind: "apply", events });
      if (reply?.kind !== "applied") {
        if (!closed)
          health.fail("ledger", reply?.kind === "failed" ? toFailing(reply) : THREAD_DIED);
        return false;
      }
      health.succeed("ledger");
      totals.raise(reply.totals);
      onCounted();
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

const NO_REPORTS: Reports = { fail: () => undefined, succeed: () => undefined };
const THREAD_DIED: Failing = { reason: "broken", detail: "the thread of the ledger has ended" };

/** Accounts whose totals are kept in memory, for each period. */
const MAX_TOTALS = 50_000;
/** The present day and month, and those before: a reply may be counted after midnight. */
const MAX_PERIODS = 4;

type Totals = {
  /** They grow only: of two the higher one is the later. */
  raise(rows: readonly PeriodRow[]): void;
  unitsOf(account_id: string, period: string): number;
};

/** Totals from memory, once they have been read: every keyed request needs one. */
function createTotals(read: (account_id: string, period: string) => number): Totals {
  const periods = new Map<string, Map<string, number>>();

  function totalsOf(period: string): Map<string, number> {
    const stored = periods.get(period);
    if (stored && stored.size < MAX_TOTALS) return stored;
    if (periods.size >= MAX_PERIODS) periods.clear();
    const made = new Map<string, number>();
    periods.set(period, made);
    return made;
  }
  return {
    raise(rows) {
      for (const { account_id, period, units } of rows) {
        const totals = periods.get(period);
        const stored = totals?.get(account_id);
        if (stored !== undefined && units > stored) totals!.set(account_id, units);
      }
    },
    unitsOf(account_id, period) {
      const totals = totalsOf(period);
      let units = totals.get(account_id);
      if (units === undefined) totals.set(account_id, (units = read(account_id, period)));
      return units;
    },
  };
}
