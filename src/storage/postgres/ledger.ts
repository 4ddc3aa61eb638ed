/**
 * The ledger of a fleet (reliability 6.3): events counted once whichever replica brings them, and
 * however often. Totals are read from memory, which follows those of the other replicas.
 */
import { boundsOf, monthOf } from "#core/metering/periods.ts";
import type { Clock, UsageRow } from "#ports.ts";
import { type EventsText, joinEvents, readEvents } from "#storage/events.ts";
import type { Ledger, MonthRow } from "#storage/ledger.ts";
import { attempt } from "./attempt.ts";
import { createChanges } from "./changes.ts";
import { createMonthTotals } from "./month-totals.ts";
import type { Pool } from "./pool.ts";
import type { Time } from "#storage/time.ts";
import { APPLY, FORGET, FORGET_BATCH, LIST, TOTALS } from "./usage-statements.ts";

/** How late units that another replica applied are known here. */
const FOLLOW_EVERY_MS = 1_000;

export type PostgresLedger = Ledger & {
  /**
   * Loads the totals and follows them from then on, until it is closed. false: the store did not
   * answer; it is asked again each second, and until it does nobody can say what was used.
   */
  start(): Promise<boolean>;
};

/** The pool is the caller's, who closes it afterwards. `listUsage` rejects as the pool does. */
export function createPostgresLedger(
  pool: Pick<Pool, "query">,
  { clock, time }: { clock: Pick<Clock, "now">; time: Time },
): PostgresLedger {
  const totals = createMonthTotals();
  const changes = createChanges<MonthRow>(pool, {
    ...{ table: "usage_month", columns: ["account_id", "month", "units"] },
    wanted: "month >= $2",
  });
  const underway = new Set<Promise<unknown>>();
  let closed = false;
  let cancel = (): void => undefined;

  async function follow(): Promise<boolean> {
    const from_month = monthBefore(clock.now());
    const told = await attempt(() => changes.next(from_month));
    if (told) totals.load(from_month, told);
    if (!closed) cancel = time.schedule(time.now() + FOLLOW_EVERY_MS, () => watch(follow()));
    return told !== null;
  }

  async function apply(batches: readonly EventsText[]): Promise<boolean> {
    const raised = await attempt(() => count(pool, batches));
    if (raised) totals.raise(raised);
    return raised !== null;
  }

  async function forget(before_ms: number): Promise<void> {
    const gone = await attempt(() => pool.query<{ count: number }>(FORGET, [before_ms]));
    if (gone?.[0]?.count === FORGET_BATCH && !closed) await forget(before_ms);
  }

  /** What is closed waits for it. */
  async function watch(task: Promise<unknown>): Promise<void> {
    underway.add(task);
    await task;
    underway.delete(task);
  }

  return {
    start: follow,
    async apply(batches) {
      if (closed) return false;
      const applied = apply(batches);
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
async function count(
  pool: Pick<Pool, "query">,
  batches: readonly EventsText[],
): Promise<MonthRow[]> {
  const text = joinEvents(batches);
  if (text === null) return [];
  const rows = await pool.query<MonthRow & { all_fresh: boolean }>(APPLY, [text]);
  if (rows[0]?.all_fresh === true) return rows;
  // Some had been counted before, perhaps by a commit of ours whose answer never came.
  const events = readEvents(text);
  const accounts = [...new Set(events.map(({ account_id }) => account_id ?? ""))];
  const since = monthOf(events.reduce((least, { at_ms }) => Math.min(least, at_ms), Infinity));
  const now = await attempt(() => pool.query<MonthRow>(TOTALS, [accounts, since]));
  return now ?? rows;
}

/** An event of the last second of a month is applied in the next one. */
function monthBefore(now_ms: number): string {
  return monthOf(boundsOf(monthOf(now_ms)).from_ms - 1);
}
