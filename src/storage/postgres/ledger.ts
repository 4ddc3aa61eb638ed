/**
 * The ledger of a fleet (reliability 6.3): an event counts once, whichever replicas bring it and
 * however often. Totals are read from memory, which follows those of the other replicas.
 */
import { monthBounds, monthOf } from "#core/metering/periods.ts";
import type { Clock, UsageRow } from "#ports.ts";
import { type EventsText, type Ledger, type MonthRow, readEvents } from "#storage/usage/ledger.ts";
import { attempt } from "./attempt.ts";
import { createChanges } from "./changes.ts";
import type { Pool } from "./pool.ts";
import type { Time } from "#storage/time.ts";
import { APPLY, FORGET, FORGET_BATCH, LIST, TOTALS } from "./ledger-statements.ts";

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
  pool: Pick<Pool, "query">,
  { clock, time }: { clock: Pick<Clock, "now">; time: Time },
): PostgresLedger {
  const totals = createMonthTotals();
  const changes = createChanges<MonthRow>(pool, {
    table: "usage_month",
    columns: ["account_id", "month", "units"],
    wanted: "month >= $2",
  });
  const underway = new Set<Promise<unknown>>();
  let closed = false;
  let cancel = (): void => undefined;

  async function follow(): Promise<boolean> {
    const from_month = monthBefore(clock.now());
    const changed = await attempt(() => changes.next(from_month));
    if (changed) totals.load(from_month, changed);
    if (!closed) cancel = time.schedule(time.now() + FOLLOW_EVERY_MS, () => watch(follow()));
    return changed !== null;
  }

  async function apply(events: EventsText): Promise<boolean> {
    const raised = await attempt(() => count(pool, events));
    if (raised) totals.raise(raised);
    return raised !== null;
  }

  async function forget(before_ms: number): Promise<void> {
    const gone = await attempt(() => pool.query<{ count: number }>(FORGET, [before_ms]));
    if (gone?.[0]?.count === FORGET_BATCH && !closed) await forget(before_ms);
  }

  /** Tracks a task that closing waits for. */
  async function watch(task: Promise<unknown>): Promise<void> {
    underway.add(task);
    await task;
    underway.delete(task);
  }

  return {
    start: follow,
    async apply(events) {
      if (closed) return false;
      const applied = apply(events);
      await watch(applied);
      return applied;
    },
    unitsOf: totals.unitsOf,
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

/** Totals of the accounts and months of these events, as they are now. */
async function count(pool: Pick<Pool, "query">, text: EventsText): Promise<MonthRow[]> {
  const rows = await pool.query<MonthRow & { all_fresh: boolean }>(APPLY, [text]);
  if (rows[0]?.all_fresh === true) return rows;
  // Some had been counted before, perhaps by a commit of ours whose answer never came.
  const events = readEvents(text);
  if (events.length === 0) return [];
  const accounts = [...new Set(events.map(({ account_id }) => account_id ?? ""))];
  const since = monthOf(events.reduce((least, { at_ms }) => Math.min(least, at_ms), Infinity));
  const now = await attempt(() => pool.query<MonthRow>(TOTALS, [accounts, since]));
  return now ?? rows;
}

/** An event of the last second of a month is applied in the next one. */
function monthBefore(now_ms: number): string {
  return monthOf(monthBounds(monthOf(now_ms)).from_ms - 1);
}

/**
 * Units by account and month in memory, as far back as the month they were loaded from. A total only
 * grows, so of two answers that overtook one another the higher one is the later.
 */
export type MonthTotals = {
  raise(rows: readonly MonthRow[]): void;
  /**
   * Takes rows of this month and later ones: all there are (`complete`), or those that changed
   * since. Earlier months are dropped.
   */
  load(from_month: string, changed: { rows: readonly MonthRow[]; complete: boolean }): void;
  /** Throws where nothing was loaded yet, or the month is before all that was. */
  unitsOf(account_id: string, month: string): number;
};

export function createMonthTotals(): MonthTotals {
  const months = new Map<string, Map<string, number>>();
  let loaded_from: string | null = null;

  function raise(rows: readonly MonthRow[]): void {
    for (const { account_id, month, units } of rows) {
      if (loaded_from !== null && month < loaded_from) continue;
      let totals = months.get(month);
      if (!totals) months.set(month, (totals = new Map()));
      totals.set(account_id, Math.max(units, totals.get(account_id) ?? 0));
    }
  }
  return {
    raise,
    load(from_month, { rows, complete }) {
      if (complete || loaded_from === null || from_month > loaded_from) loaded_from = from_month;
      for (const month of months.keys()) if (month < loaded_from) months.delete(month);
      raise(rows);
    },
    unitsOf(account_id, month) {
      if (loaded_from === null || month < loaded_from)
        throw new Error(`the usage of ${month} is not known`);
      return months.get(month)?.get(account_id) ?? 0;
    },
  };
}
