/** Of which time a question about departures is: `at`, `within`, `first` and `last` (departures.md, First and last). */
import { AT_RULE } from "#api/departure-times.ts";
import type { DEPARTURES_PARAMETERS } from "#api/departures.ts";
import { LIMITS } from "#api/limits.ts";
import type { Decoded } from "#api/primitives.ts";
import { createZones } from "#kit/time-zones.ts";
import { DAY_MS, parseRfc3339 } from "#kit/time.ts";
import { createLocalClock } from "#providers/transit-departures.ts";
import { DAY_BEGINS_S, type ServiceEdge } from "#transit/timetable/edge-calls.ts";
import { dayStart_ms, utcDay } from "#transit/timetable/service-calendar.ts";

type TimeWish = Pick<Decoded<typeof DEPARTURES_PARAMETERS>, "at" | "within" | "first" | "last">;

/** From (inclusive) to (exclusive), epoch ms. `edge`: of it only the first or last; null: all. */
export type DepartureWindow = { from_ms: number; to_ms: number; edge: ServiceEdge | null };

/** Two windows: a line that has begun its day is looked for on the next one. */
export type Windows = readonly [DepartureWindow, DepartureWindow?];

type Moment = { now_ms: number; time_zone: string };

const MINUTE_MS = 60_000;
/** Timetables that are published today say little about a time further away. */
const FAR_MS = 366 * DAY_MS;

/** The windows of a question, or what is wrong with it. */
export function readWindows(wish: TimeWish, moment: Moment): Windows | string {
  const { at, within, first, last } = wish;
  if (first && last) return "first and last must not both be true";
  const at_ms = at === undefined ? moment.now_ms : readAt(at, moment);
  if (at_ms === null || Math.abs(at_ms - moment.now_ms) > FAR_MS) return `at must be ${AT_RULE}`;
  const { time_zone } = moment;
  if (!first && !last) {
    const end_ms = at_ms + Math.min(within, LIMITS.departures.within_max) * MINUTE_MS;
    // What leaves in this minute has not left. Departures are whole seconds, and so is the window.
    const from_ms = Math.floor(at_ms / MINUTE_MS) * MINUTE_MS;
    return [{ from_ms, to_ms: Math.ceil(end_ms / 1_000) * 1_000, edge: null }];
  }
  const day = serviceDayAt(time_zone, at_ms);
  const edge = first ? "first" : "last";
  const windowOf = (each: number): DepartureWindow => ({
    from_ms: beginOf(time_zone, each),
    to_ms: beginOf(time_zone, each + 1),
    edge: { edge, day: each },
  });
  return first && at === undefined ? [windowOf(day), windowOf(day + 1)] : [windowOf(day)];
}

/** Epoch ms; null: it is no such time. */
function readAt(text: string, { now_ms, time_zone }: Moment): number | null {
  const clock = createLocalClock(time_zone);
  const read = (local: string): number | null => clock?.(local, now_ms) ?? null;
  if (!CLOCK.test(text)) return parseRfc3339(text) ?? read(toCompact(text));
  const zones = createZones();
  const offset_ms = zones.find(time_zone, now_ms)?.offset_ms ?? 0;
  const today = utcDay(now_ms + offset_ms);
  // The next time that clocks show it, this minute included.
  for (const day of [today, today + 1]) {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    const at_ms = read(toCompact(`${date}T${text}`));
    if (at_ms === null || at_ms + MINUTE_MS > now_ms) return at_ms;
  }
  return null;
}

const CLOCK = /^\d\d:\d\d$/;

/** `2026-11-28T22:00` as `20261128T220000`. */
function toCompact(text: string): string {
  const digits = text.toUpperCase().replaceAll(/[-:]/g, "");
  return digits.length === "20261128T2200".length ? `${digits}00` : digits;
}

/** The service day that a moment is in, days since 1970-01-01. */
export function serviceDayAt(time_zone: string, at_ms: number): number {
  let day = utcDay(at_ms) + 1;
  while (at_ms < beginOf(time_zone, day)) day--;
  return day;
}

function beginOf(time_zone: string, day: number): number {
  const start_ms = dayStart_ms(createZones(), time_zone, day) ?? day * DAY_MS;
  return start_ms + DAY_BEGINS_S * 1_000;
}
