/**
 * The statements of the ledger: events and their totals, written in one transaction so that they
 * never disagree. The writer runs in the ledger's thread (ledger-worker.ts), the reader anywhere.
 */
import { dayOf, kindOfPeriod } from "#core/metering/metering-periods.ts";
import type { UsageEvent, UsageRow } from "#ports.ts";
import { type DatabaseSync, transact } from "#storage/embedded/database.ts";
import { type EventsText, type PeriodRow, readEvents } from "#storage/usage/usage-ledger.ts";

/** Rows of one statement. */
const CHUNK = 32;
/** Events that are looked through for old ones in one step, so that no other write waits long. */
const FORGET_AMONG = 500;
/** Meters whose numbers are kept in memory. */
const MAX_METERS = 20_000;

export type LedgerWriter = {
  /**
   * One transaction; an event that is there already counts nothing. Returns what the accounts of
   * these events have used by now.
   */
  apply(events: EventsText): PeriodRow[];
  /**
   * Looks at the next few events after this id and deletes those before this time. Returns the id to
   * continue from; null: there are no more. Totals stay.
   */
  forgetSome(before_ms: number, after_id: string): string | null;
};

export function createLedgerWriter(database: DatabaseSync): LedgerWriter {
  const meterOf = createMeters(database);
  const insert = createInsert(database);
  const raise = prepareRaise(database);
  const unitsOf = prepareUnitsOf(database);
  return {
    apply(text) {
      const events = readEvents(text);
      const rows = events.map((event) => toRow(meterOf(event), event));
      transact(database, () => {
        database.exec("SAVEPOINT batch");
        if (insert.all(rows) === rows.length) return raise(events);
        // Some were there already, which is rare: one by one, to know which.
        database.exec("ROLLBACK TO batch");
        raise(events.filter((_, index) => insert.one(rows[index]!)));
      });
      return periodsOf(events).map((one) => ({ ...one, units: unitsOf(one) }));
    },
    forgetSome: prepareForget(database),
  };
}

type Row = [id: string, meter: number, units: number, requests: number, at_ms: number];

function toRow(meter: number, { event_id, units, requests = 1, at_ms }: UsageEvent): Row {
  return [event_id, meter, units, requests, at_ms];
}

/**
 * The number of an account, key and operation, which their events refer to. Written ahead of them in
 * a transaction of its own: one of events that fails does not take it back.
 */
function createMeters(database: DatabaseSync): (event: UsageEvent) => number {
  const find = database.prepare(
    "SELECT meter FROM usage_meter WHERE account_id = ? AND key_id = ? AND operation = ?",
  );
  const insert = database.prepare(
    "INSERT INTO usage_meter (account_id, key_id, operation) VALUES (?, ?, ?) RETURNING meter",
  );
  const cache = new Map<string, number>();
  return ({ account_id, key_id, operation }) => {
    const name = `${account_id ?? ""} ${key_id ?? ""} ${operation}`;
    const stored = cache.get(name);
    if (stored !== undefined) return stored;
    const series = [account_id ?? "", key_id ?? "", operation] as const;
    const meter = Number((find.get(...series) ?? insert.get(...series))!["meter"]);
    if (cache.size >= MAX_METERS) cache.clear();
    cache.set(name, meter);
    return meter;
  };
}

type Insert = {
  /** How many were new. */
  all(rows: readonly Row[]): number;
  /** Was it new? */
  one(row: Row): boolean;
};

/** Many by one statement, which costs each of them a fraction. */
function createInsert(database: DatabaseSync): Insert {
  const prepare = (count: number) =>
    database.prepare(
      `INSERT INTO usage_event VALUES ${Array.from({ length: count }, () => "(?, ?, ?, ?, ?)").join()}
         ON CONFLICT (event_id) DO NOTHING`,
    );
  const [many, single] = [prepare(CHUNK), prepare(1)];
  const one = (row: Row): boolean => single.run(...row).changes !== 0;
  return {
    one,
    all(rows) {
      let fresh = 0;
      let at = 0;
      for (; at + CHUNK <= rows.length; at += CHUNK)
        fresh += Number(many.run(...rows.slice(at, at + CHUNK).flat()).changes);
      for (; at < rows.length; at++) fresh += Number(one(rows[at]!));
      return fresh;
    },
  };
}

const RAISED = "SET units = units + excluded.units, requests = requests + excluded.requests";

type Sum = Required<
  Pick<UsageEvent, "account_id" | "key_id" | "operation" | "units" | "requests">
> & {
  day: string;
};

/** In the totals '' is no account and no key. */
function prepareRaise(database: DatabaseSync): (events: readonly UsageEvent[]) => void {
  const day = database.prepare(
    `INSERT INTO usage_day VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (day, account_id, key_id, operation) DO UPDATE ${RAISED}`,
  );
  const month = database.prepare(
    `INSERT INTO usage_month VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id, month) DO UPDATE ${RAISED}`,
  );
  return (events) => {
    for (const sum of sumUp(events)) {
      const [account, key] = [sum.account_id ?? "", sum.key_id ?? ""];
      day.run(sum.day, account, key, sum.operation, sum.units, sum.requests);
      month.run(account, sum.day.slice(0, 7), sum.units, sum.requests);
    }
  };
}

function sumUp(events: readonly UsageEvent[]): Iterable<Sum> {
  const sums = new Map<string, Sum>();
  for (const { account_id, key_id, operation, units, requests = 1, at_ms } of events) {
    const day = dayOf(at_ms);
    const name = `${day} ${account_id ?? ""} ${key_id ?? ""} ${operation}`;
    const sum = sums.get(name);
    if (sum) {
      sum.units += units;
      sum.requests += requests;
    } else sums.set(name, { day, account_id, key_id, operation, units, requests });
  }
  return sums.values();
}

type OfAccount = Omit<PeriodRow, "units">;

/** The days and months of these events, by account. */
function periodsOf(events: readonly UsageEvent[]): OfAccount[] {
  const periods = new Map<string, OfAccount>();
  for (const { account_id, at_ms } of events) {
    if (account_id === null) continue;
    const day = dayOf(at_ms);
    for (const period of [day, day.slice(0, 7)])
      periods.set(`${period} ${account_id}`, { account_id, period });
  }
  return [...periods.values()];
}

/** Looks through ids in their order, so that no second index is needed. */
function prepareForget(database: DatabaseSync): LedgerWriter["forgetSome"] {
  const look = database.prepare(
    `SELECT max(event_id) AS last, count(*) AS count FROM
       (SELECT event_id FROM usage_event WHERE event_id > ? ORDER BY event_id LIMIT ${FORGET_AMONG})`,
  );
  const forget = database.prepare(
    "DELETE FROM usage_event WHERE event_id > ? AND event_id <= ? AND at_ms < ?",
  );
  return (before_ms, after_id) => {
    const { last, count } = look.get(after_id) as { last: string | null; count: number };
    if (last === null) return null;
    forget.run(after_id, last, before_ms);
    return count === FORGET_AMONG ? last : null;
  };
}

function prepareUnitsOf(database: DatabaseSync): (of: OfAccount) => number {
  const month = database.prepare(
    "SELECT units FROM usage_month WHERE account_id = ? AND month = ?",
  );
  const day = database.prepare(
    "SELECT sum(units) AS units FROM usage_day WHERE account_id = ? AND day = ?",
  );
  return ({ account_id, period }) => {
    const statement = kindOfPeriod(period) === "day" ? day : month;
    return Number(statement.get(account_id, period)?.["units"] ?? 0);
  };
}

/** Reads the totals. */
export type LedgerReader = {
  listUsage(filter: { month: string; key_id?: string }): UsageRow[];
  /** Units of an account in a month or a day. */
  unitsOf(account_id: string, period: string): number;
};

export function createLedgerReader(database: DatabaseSync): LedgerReader {
  const list = database.prepare(
    `SELECT nullif(account_id, '') AS account_id, nullif(key_id, '') AS key_id,
            operation, day, units, requests
       FROM usage_day WHERE day >= ?1 || '-01' AND day <= ?1 || '-31' AND (?2 IS NULL OR key_id = ?2)
       ORDER BY day, usage_day.account_id, usage_day.key_id, operation`,
  );
  const unitsOf = prepareUnitsOf(database);
  return {
    listUsage: ({ month, key_id = null }: { month: string; key_id?: string | null }) =>
      (list.all(month, key_id) as unknown as UsageRow[]).map((row) => ({ ...row })),
    unitsOf: (account_id, period) => unitsOf({ account_id, period }),
  };
}
