/**
 * The ledger of metered usage: events with their totals, in one transaction so that they never
 * disagree. The journal keeps events until the ledger has confirmed them, and hands over some of them
 * more than once (a crash, a lost answer): a ledger counts an event id once.
 */
import type { UsageEvent, UsageRow } from "#ports.ts";

export type Ledger = {
  /**
   * Counts events in one transaction. false: none, or unknown: the same events come again.
   * `onCounted` is called in the step in which `unitsOf` begins to count them: until then they are
   * the caller's to count.
   */
  apply(events: EventsText, onCounted: () => void): Promise<boolean>;
  /**
   * Returns the applied units of an account in a UTC month (`2026-11`) or day (`2026-11-21`). Throws
   * when unknown.
   */
  unitsOf(account_id: string, period: string): number;
  listUsage(filter: { month: string; key_id?: string }): UsageRow[] | Promise<UsageRow[]>;
  /** Deletes the events before this time, a few at a time; totals stay. */
  forget(before_ms: number): Promise<void>;
  close(): Promise<void>;
};

/** Units that an account has used in a UTC month (`2026-11`) or day (`2026-11-21`). */
export type PeriodRow = { account_id: string; period: string; units: number };

/** Events as JSON, an array of rows: written once, and passed on without being read. */
export type EventsText = string & { readonly events: unique symbol };

/** An event without the names of its members, which costs half as much to write and to read. */
type Row = [
  event_id: string,
  account_id: string | null,
  key_id: string | null,
  operation: string,
  units: number,
  requests: number,
  at_ms: number,
];

export function writeEvents(events: readonly UsageEvent[]): EventsText {
  return JSON.stringify(events.map(toRow)) as EventsText;
}

export function readEvents(text: EventsText): UsageEvent[] {
  return (JSON.parse(text) as Row[]).map(toEvent);
}

/** Ids of an account's events that wait in a journal: were they forgotten now, they would be counted a second time. */
export function listWaiting(
  entries: readonly { events: EventsText }[],
  account_id: string,
): string[] {
  return entries
    .flatMap(({ events }) => readEvents(events))
    .filter((event) => event.account_id === account_id)
    .map(({ event_id }) => event_id);
}

/** Joins texts of events into one; none of them may be empty. */
export function joinEvents(texts: readonly EventsText[]): EventsText {
  return `[${texts.map((text) => text.slice(1, -1)).join(",")}]` as EventsText;
}

function toRow(event: UsageEvent): Row {
  const { event_id, account_id, key_id, operation, units, requests = 1, at_ms } = event;
  return [event_id, account_id, key_id, operation, units, requests, at_ms];
}

function toEvent(row: Row): UsageEvent {
  const [event_id, account_id, key_id, operation, units, requests, at_ms] = row;
  return { event_id, account_id, key_id, operation, units, requests, at_ms };
}
