/**
 * The ledger of a fleet (reliability 6.3): an event counts once, whichever replicas bring it and
 * however often. Totals are read from memory, which follows those of the other replicas.
 */
import { dayOf, kindOfPeriod, monthBounds, monthOf } from "#core/metering/metering-periods.ts";
import { DAY_MS } from "#kit/time.ts";
import type { Clock, UsageRow } from "#ports.ts";
import {
  type EventsText,
  type Ledger,
  type PeriodRow,
  readEvents,
} from "#storage/usage/usage-ledger.ts";
import { attemptQuery } from "./attempt.ts";
import { type AccountChanges, createChanges } from "./account-changes.ts";
import type { Pool } from "./pool.ts";
import { type Changed, PeriodTotals, Unconfirmed } from "./totals.ts";
import type { Time } from "#storage/store-time.ts";
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

type LedgerPool = Pick<Pool, "query" | "noteDefect">;

export class PostgresLedger implements Ledger {
  readonly #pool: LedgerPool;
  readonly #clock: Pick<Clock, "now">;
  readonly #time: Time;
  readonly #months = new PeriodTotals();
  readonly #days = new PeriodTotals();
  readonly #changes: { months: AccountChanges<MonthRow>; days: AccountChanges<DayRow> };
  readonly #unconfirmed: Unconfirmed;
  /** What closing waits for. */
  readonly #underway = new Set<Promise<unknown>>();
  #closed = false;
  #cancel = (): void => undefined;

  /** Of a pool that the caller closes afterwards. */
  constructor(pool: LedgerPool, { clock, time }: { clock: Pick<Clock, "now">; time: Time }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#time = time;
    this.#unconfirmed = new Unconfirmed(time);
    this.#changes = {
      months: createChanges<MonthRow>(pool, {
        table: "usage_month",
        columns: ["account_id", "month", "units"],
        wanted: "month >= $2",
      }),
      days: createChanges<DayRow>(pool, {
        table: "usage_account_day",
        columns: ["account_id", "day", "units"],
        wanted: "day >= $2",
      }),
    };
  }

  /**
   * Loads the totals and follows them from then on, until it is closed. false: the store did not
   * answer; it is asked again each second, and until it does the usage is unknown.
   */
  async start(): Promise<boolean> {
    const from_month = monthBefore(this.#clock.now());
    const from_day = dayOf(this.#clock.now() - DAY_MS);
    const { months, days } = this.#changes;
    const changed = await attemptQuery(this.#pool, () =>
      Promise.all([months.next(from_month), days.next(from_day)]),
    );
    if (changed) {
      const [by_month, by_day] = changed;
      this.#months.load(
        from_month,
        toPeriods(by_month, ({ month }) => month),
      );
      this.#days.load(
        from_day,
        toPeriods(by_day, ({ day }) => day),
      );
    }
    const again = (): Promise<void> => this.#watch(this.start());
    if (!this.#closed)
      this.#cancel = this.#time.schedule(this.#time.now() + FOLLOW_EVERY_MS, again);
    return changed !== null;
  }

  async apply(events: EventsText, onCounted: () => void): Promise<boolean> {
    if (this.#closed) return false;
    const applied = this.#apply(events, onCounted);
    await this.#watch(applied);
    return applied;
  }

  unitsOf(account_id: string, period: string): number {
    return this.#totalsOf(period).unitsOf(account_id, period);
  }

  /** Rejects as the pool does. */
  listUsage(filter: { month: string; key_id?: string | null }): Promise<UsageRow[]> {
    return this.#pool.query<UsageRow>(LIST, [filter.month, filter.key_id ?? null]);
  }

  forget(before_ms: number): Promise<void> {
    return this.#watch(this.#forget(before_ms));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await Promise.all(this.#underway);
  }

  #totalsOf(period: string): PeriodTotals {
    return kindOfPeriod(period) === "day" ? this.#days : this.#months;
  }

  async #apply(events: EventsText, onCounted: () => void): Promise<boolean> {
    this.#unconfirmed.begin();
    const raised = await attemptQuery(this.#pool, () => count(this.#pool, events));
    if (raised === null) return false;
    for (const row of raised) this.#totalsOf(row.period).raise([row]);
    onCounted();
    this.#unconfirmed.end();
    return true;
  }

  async #forget(before_ms: number): Promise<void> {
    const pool = this.#pool;
    const gone = await attemptQuery(pool, () => pool.query<{ count: number }>(FORGET, [before_ms]));
    if (gone?.[0]?.count === FORGET_BATCH && !this.#closed) return this.#forget(before_ms);
    await attemptQuery(pool, () => pool.query(FORGET_RESERVATIONS, []));
  }

  async #watch(task: Promise<unknown>): Promise<void> {
    this.#underway.add(task);
    await task;
    this.#underway.delete(task);
  }
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
async function count(pool: LedgerPool, text: EventsText): Promise<PeriodRow[]> {
  const rows = await pool.query<PeriodRow & { all_fresh: boolean }>(APPLY, [text]);
  if (rows[0]?.all_fresh === true) return rows;
  // Some had been counted before, perhaps by a commit of ours whose answer never came.
  const events = readEvents(text);
  if (events.length === 0) return [];
  const accounts = [...new Set(events.map(({ account_id }) => account_id ?? ""))];
  const since = dayOf(events.reduce((least, { at_ms }) => Math.min(least, at_ms), Infinity));
  const now = await attemptQuery(pool, () => pool.query<PeriodRow>(TOTALS, [accounts, since]));
  return now ?? rows;
}

/** An event of the last second of a month is applied in the next one. */
function monthBefore(now_ms: number): string {
  return monthOf(monthBounds(monthOf(now_ms)).from_ms - 1);
}
