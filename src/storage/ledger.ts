/**
 * Where metered usage ends up: events with their totals, in one transaction so that they never
 * disagree. What stands before it (the spool) has made the events durable already, and hands over
 * each of them until it is told that it was taken: a ledger counts an event id once.
 */
import type { UsageRow } from "#ports.ts";
import type { EventsText } from "#storage/events.ts";

export type Ledger = {
  /** One transaction. false: nothing was written, or nobody knows: the same events come again. */
  apply(batches: readonly EventsText[]): Promise<boolean>;
  /** Units of an account in a UTC month (`2026-11`) by what was applied. Throws: nobody can say. */
  unitsOf(account_id: string, month: string): number;
  listUsage(filter: { month: string; key_id?: string }): UsageRow[] | Promise<UsageRow[]>;
  /** Deletes the events before this time, a few at a time; totals stay. */
  forget(before_ms: number): Promise<void>;
  close(): Promise<void>;
};

/** What an account has used in a UTC month (`2026-11`). */
export type MonthRow = { account_id: string; month: string; units: number };
