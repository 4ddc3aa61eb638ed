/**
 * The statements of metering: events and their totals, written in one transaction so that they never
 * disagree. Called on the thread that writes (usage-worker.ts).
 */
import { dayOf } from "#core/metering/periods.ts";
import type { UsageEvent, UsageRow } from "#ports.ts";
import { type DatabaseSync, transact } from "#storage/embedded/database.ts";

/** Deleted in one transaction at most, so that no commit waits long behind it. */
const FORGET_BATCH = 500;

/** A total to be raised; '' for no account and no key. */
type Total = { day: string; account: string; key: string; operation: string };
type Sum = Total & { units: number; requests: number };

export type Journal = {
  /** One transaction. Returns the indices of events that were there before, and count nothing. */
  commit(events: readonly UsageEvent[]): number[];
  /** Deletes a few of the events before this time; true: there may be more. Totals stay. */
  forgetSome(before_ms: number): boolean;
};

export function createJournal(database: DatabaseSync): Journal {
  const insert = database.prepare(
    "INSERT INTO usage_event VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING",
  );
  const raise = prepareTotals(database);
  const forget = database.prepare(
    `DELETE FROM usage_event WHERE rowid IN
       (SELECT rowid FROM usage_event WHERE at_ms < ? ORDER BY at_ms LIMIT ${FORGET_BATCH})`,
  );
  return {
    commit(events) {
      const replayed: number[] = [];
      transact(database, () => {
        const sums = new Map<string, Sum>();
        for (const [index, event] of events.entries()) {
          const { event_id, account_id, key_id, operation, units, at_ms } = event;
          const { changes } = insert.run(event_id, account_id, key_id, operation, units, at_ms);
          if (changes === 0) replayed.push(index);
          else addTo(sums, event);
        }
        for (const sum of sums.values()) raise(sum);
      });
      return replayed;
    },
    forgetSome: (before_ms) => Number(forget.run(before_ms).changes) === FORGET_BATCH,
  };
}

/** Many events of a batch are of one key and day: their totals are raised once. */
function addTo(sums: Map<string, Sum>, { account_id, key_id, ...event }: UsageEvent): void {
  const total = { day: dayOf(event.at_ms), account: account_id ?? "", key: key_id ?? "" };
  const name = JSON.stringify([total, event.operation]);
  const sum = sums.get(name) ?? { ...total, operation: event.operation, units: 0, requests: 0 };
  sum.units += event.units;
  sum.requests += event.requests ?? 1;
  sums.set(name, sum);
}

function prepareTotals(database: DatabaseSync): (sum: Sum) => void {
  const raised = "SET units = units + excluded.units, requests = requests + excluded.requests";
  const day = database.prepare(
    `INSERT INTO usage_day VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (day, account_id, key_id, operation) DO UPDATE ${raised}`,
  );
  const month = database.prepare(
    `INSERT INTO usage_month VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id, month) DO UPDATE ${raised}`,
  );
  return (sum) => {
    day.run(sum.day, sum.account, sum.key, sum.operation, sum.units, sum.requests);
    month.run(sum.account, sum.day.slice(0, 7), sum.units, sum.requests);
  };
}

/** What is durable, for people and for the start. */
export type UsageReader = {
  listUsage(filter: { month: string; key_id?: string }): UsageRow[];
  /** Units of an account in a month. */
  unitsOf(account_id: string, month: string): number;
};

export function createUsageReader(database: DatabaseSync): UsageReader {
  const list = database.prepare(
    `SELECT nullif(account_id, '') AS account_id, nullif(key_id, '') AS key_id,
            operation, day, units, requests
       FROM usage_day WHERE day >= ?1 || '-01' AND day <= ?1 || '-31' AND (?2 IS NULL OR key_id = ?2)
       ORDER BY day, usage_day.account_id, usage_day.key_id, operation`,
  );
  const units = database.prepare(
    "SELECT units FROM usage_month WHERE account_id = ? AND month = ?",
  );
  return {
    listUsage: ({ month, key_id = null }: { month: string; key_id?: string | null }) =>
      (list.all(month, key_id) as unknown as UsageRow[]).map((row) => ({ ...row })),
    unitsOf: (account_id, month) => Number(units.get(account_id, month)?.["units"] ?? 0),
  };
}
