/**
 * The ledger of a fleet (reliability 6.3): an event counts once, whichever replicas bring it and
 * however often. Totals are read from memory, which follows those of the other replicas.
 */
import { dayOf, kindOfPeriod, monthBounds, monthOf } from "#core/metering/periods.ts";
import { DAY_MS } from "#kit/time.ts";
import type { Clock, UsageRow } from "#ports.ts";
import { type EventsText, type Ledger, type PeriodRow, readEvents } from "#storage/usage/ledger.ts";
import { attempt } from "./attempt.ts";
import { createChanges } from "./changes.ts";
import type { Pool } from "./pool.ts";
import { type Changed, PeriodTotals, Unconfirmed } from "./totals.ts";
import type { Time } from "#storage/time.ts";
import {
  APPLY,
  FORGET,
  FORGET_BATCH,
  FORGET_RESERVATIONS,
  LIST,
  TOTALS,
} from "./ledger-statements.ts";

/** Interval at which units that other replicas applied are read. */
const FOLLOW_EVERY_MS = 1_000;

export type PostgresLedger = Ledger & {
  /**
   * Loads the totals and follows them from then on, until it is closed. false: the store did not
   * answer; it is asked again each second, and until it does the usage is unknown.
   */
  start(): Promise<boolean>;
};

/**
 * Creates the ledger over a pool that the caller closes afterwards. `listUsage` rejects as it does.
 */
export function createPostgresLedger(
  pool: Pick<Pool, "query" | "noteDefect">,
  { clock, time }: { clock: Pick<Clock, "now">; time: Time },
): PostgresLedger {
  const months = new PeriodTotals();
  const days = new PeriodTotals();
  const totalsOf = (period: string): PeriodTotals =>
    kindOfPeriod(period) === "day" ? days : months;
  const changed_months = createChanges<MonthRow>(pool, {
    table: "usage_month",
    columns: ["account_id", "month", "units"],
    wanted: "month >= $2",
  });
  const changed_days = createChanges<DayRow>(pool, {
    table: "usage_account_day",
    columns: ["account_id", "day", "units"],
    wanted: "day >= $2",
  });
  const unconfirmed = new Unconfirmed(time);
  const underway = new Set<Promise<unknown>>();
  let closed = false;
  let cancel = (): void => undefined;

  async function follow(): Promise<boolean> {
    const from_month = monthBefore(clock.now());
    const from_day = dayOf(clock.now() - DAY_MS);
    const changed = await attempt(pool, () =>
      Promise.all([changed_months.next(from_month), changed_days.next(from_day)]),
    );
    if (changed) {
      months.load(
        from_month,
        toPeriods(changed[0], ({ month }) => month),
      );
      days.load(
        from_day,
        toPeriods(changed[1], ({ day }) => day),
      );
    }
    if (!closed) cancel = time.schedule(time.now() + FOLLOW_EVERY_MS, () => watch(follow()));
    return changed !== null;
  }

  async function apply(events: EventsText, onCounted: () => void): Promise<boolean> {
    unconfirmed.begin();
    const raised = await attempt(pool, () => count(pool, events));
    if (raised === null) return false;
    for (const row of raised) totalsOf(row.period).raise([row]);
    onCounted();
    unconfirmed.end();
    return true;
  }

  async function forget(before_ms: number): Promise<void> {
    const gone = await attempt(pool, () => pool.query<{ count: number }>(FORGET, [before_ms]));
    if (gone?.[0]?.count === FORGET_BATCH && !closed) return forget(before_ms);
    await attempt(pool, () => pool.query(FORGET_RESERVATIONS, []));
  }

  /** Tracks a task that closing waits for. */
  async function watch(task: Promise<unknown>): Promise<void> {
    underway.add(task);
    await task;
    underway.delete(task);
  }

  return {
    start: follow,
    async apply(events, onCounted) {
      if (closed) return false;
      const applied = apply(events, onCounted);
      await watch(applied);
      return applied;
    },
    unitsOf: (account_id, period) => totalsOf(period).unitsOf(account_id, period),
    listUsage: ({ month, key_id = null }: { month: string; key_id?: string | null }) =>
      pool.query<UsageRow>(LIST, [month, key_id]),
    forget: (before_ms) => watch(forget(before_ms)),
    async close() {
      closed = true;
      cancel();
      await Promise.all(underway);
    },
  };
}

type MonthRow = { account_id: string; month: string; units: number };
type DayRow = { account_id: string; day: string; units: number };

function toPeriods<Row extends { account_id: string; units: number }>(
  { rows, complete }: Changed<Row>,
  periodOf: (row: Row) => string,
): Changed<PeriodRow> {
  const toRow = (row: Row): PeriodRow => {
    const { account_id, units } = row;
    return { account_id, period: periodOf(row), units };
  };
  return { rows: rows.map(toRow), complete };
}

/** Totals of the accounts and periods of these events, as they are now. */
async function count(
  pool: Pick<Pool, "query" | "noteDefect">,
  text: EventsText,
): Promise<PeriodRow[]> {
  const rows = await pool.query<PeriodRow & { all_fresh: boolean }>(APPLY, [text]);
  if (rows[0]?.all_fresh === true) return rows;
  // Some had been counted before, perhaps by a commit of ours whose answer never came.
  const events = readEvents(text);
  if (events.length === 0) return [];
  const accounts = [...new Set(events.map(({ account_id }) => account_id ?? ""))];
  const since = dayOf(events.reduce((least, { at_ms }) => Math.min(least, at_ms), Infinity));
  const now = await attempt(pool, () => pool.query<PeriodRow>(TOTALS, [accounts, since]));
  return now ?? rows;
}

/** An event of the last second of a month is applied in the next one. */
function monthBefore(now_ms: number): string {
  return monthOf(monthBounds(monthOf(now_ms)).from_ms - 1);
}
