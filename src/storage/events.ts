/**
 * Usage events as text, from the moment they become durable until they are counted: whoever only
 * carries them need not read them.
 */
import type { UsageEvent } from "#ports.ts";

/** JSON: an array of UsageEvent, not empty. */
export type EventsText = string & { readonly events: unique symbol };

export function writeEvents(events: readonly UsageEvent[]): EventsText {
  return JSON.stringify(events) as EventsText;
}

export function readEvents(text: EventsText): UsageEvent[] {
  return JSON.parse(text) as UsageEvent[];
}

/** All of them as one; null: there are none. */
export function joinEvents(texts: readonly EventsText[]): EventsText | null {
  if (texts.length === 0) return null;
  return `[${texts.map((text) => text.slice(1, -1)).join(",")}]` as EventsText;
}
