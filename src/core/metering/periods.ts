/** The periods of metering: days and calendar months, UTC. Times come from outside. */
import { DAY_MS } from "#core/time.ts";

/** How long single events are kept (reliability 6.3); totals stay for ever. */
export const EVENT_RETENTION_MS = 400 * DAY_MS;

let lastDay = Number.NaN;
let lastText = "";
let lastMonth = "";

/** Epoch milliseconds → `2026-11-21`. Events of one batch repeat their day. */
export function dayOf(at_ms: number): string {
  const day = Math.floor(at_ms / DAY_MS);
  if (day === lastDay) return lastText;
  lastText = new Date(day * DAY_MS).toISOString().slice(0, 10);
  lastMonth = lastText.slice(0, 7);
  lastDay = day;
  return lastText;
}

/** Epoch milliseconds → `2026-11`. */
export function monthOf(at_ms: number): string {
  dayOf(at_ms);
  return lastMonth;
}

/** `2026-11`, of a year from 1970. */
export function isMonth(text: string): boolean {
  return /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/.test(text);
}

/** The month's first moment and the next one's, epoch ms: when its units begin, and begin anew. */
export function boundsOf(month: string): { from_ms: number; until_ms: number } {
  const year = Number(month.slice(0, 4));
  const index = Number(month.slice(5)) - 1;
  return { from_ms: Date.UTC(year, index), until_ms: Date.UTC(year, index + 1) };
}
