/**
 * Usage events as text, from the moment they become durable until they are counted: whoever only
 * carries them need not read them.
 */
import type { UsageEvent } from "#ports.ts";

/** JSON: an array of rows, not empty. */
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

/** All of them as one; null: there are none. */
export function joinEvents(texts: readonly EventsText[]): EventsText | null {
  if (texts.length === 0) return null;
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
