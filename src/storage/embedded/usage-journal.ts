/**
 * The statements of metering: events and their totals, written in one transaction so that they never
 * disagree. Called on the thread that writes (usage-worker.ts).
 */
import { dayOf } from "#core/metering/periods.ts";
import type { UsageEvent, UsageRow } from "#ports.ts";
import { type DatabaseSync, transact } from "#storage/embedded/database.ts";

/** Deleted in one transaction at most, so that no commit waits long behind it. */
const FORGET_BATCH = 500;

/** Events as text for SQLite's own reader of JSON: a statement for all of them, none for each. */
export type Batch = { rows: string; count: number };

export function toBatch(events: readonly UsageEvent[]): Batch {
  const rows = events.map((event) => [
    ...[event.event_id, event.account_id, event.key_id, event.operation, event.units],
    ...[event.at_ms, event.requests ?? 1, dayOf(event.at_ms)],
  ]);
  return { rows: JSON.stringify(rows), count: events.length };
}

type Row = [
  ...[event_id: string, account: string | null, key: string | null, operation: string],
  ...[units: number, at_ms: number, requests: number, day: string],
];

export type Journal = {
  /** One transaction. Returns the indices of events that were there before, and count nothing. */
  commit(batch: Batch): number[];
  /** Deletes a few of the events before this time; true: there may be more. Totals stay. */
  forgetSome(before_ms: number): boolean;
};

export function createJournal(database: DatabaseSync): Journal {
  const insertAll = database.prepare(
    `INSERT INTO usage_event
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
         FROM json_each(?) WHERE true ON CONFLICT (event_id) DO NOTHING`,
  );
  const raiseAll = prepareAll(database);
  const commitEach = prepareEach(database);
  const forget = database.prepare(
    `DELETE FROM usage_event WHERE rowid IN
       (SELECT rowid FROM usage_event WHERE at_ms < ? ORDER BY at_ms LIMIT ${FORGET_BATCH})`,
  );
  return {
    commit({ rows, count }) {
      let replayed: number[] = [];
      transact(database, () => {
        database.exec("SAVEPOINT batch");
        if (Number(insertAll.run(rows).changes) === count) return raiseAll(rows);
        // Some were there before, which is rare: one after the other, to know which.
        database.exec("ROLLBACK TO batch");
        replayed = commitEach(JSON.parse(rows) as Row[]);
      });
      return replayed;
    },
    forgetSome: (before_ms) => Number(forget.run(before_ms).changes) === FORGET_BATCH,
  };
}

const RAISED = "SET units = units + excluded.units, requests = requests + excluded.requests";

/** In the totals '' stands for no account and no key. */
function prepareAll(database: DatabaseSync): (rows: string) => void {
  const sums = "sum(value ->> 4), sum(value ->> 6) FROM json_each(?) WHERE true";
  const day = database.prepare(
    `INSERT INTO usage_day
       SELECT value ->> 7, ifnull(value ->> 1, ''), ifnull(value ->> 2, ''), value ->> 3, ${sums}
         GROUP BY 1, 2, 3, 4
       ON CONFLICT (day, account_id, key_id, operation) DO UPDATE ${RAISED}`,
  );
  const month = database.prepare(
    `INSERT INTO usage_month
       SELECT ifnull(value ->> 1, ''), substr(value ->> 7, 1, 7), ${sums} GROUP BY 1, 2
       ON CONFLICT (account_id, month) DO UPDATE ${RAISED}`,
  );
  return (rows) => {
    day.run(rows);
    month.run(rows);
  };
}

/** Gives the indices of those that were there before. */
function prepareEach(database: DatabaseSync): (rows: readonly Row[]) => number[] {
  const insert = database.prepare(
    "INSERT INTO usage_event VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING",
  );
  const raise = prepareAll(database);
  return (rows) => {
    const isNew = rows.map(
      ([id, account, key, operation, units, at_ms]) =>
        insert.run(id, account, key, operation, units, at_ms).changes !== 0,
    );
    raise(JSON.stringify(rows.filter((_, index) => isNew[index])));
    return isNew.flatMap((each, index) => (each ? [] : [index]));
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
