/** On which days a service runs, and when a service day begins. */
import type { TimeZones } from "#kit/time-zones.ts";
import type { TimetableColumns } from "./timetable-layout.ts";

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday; Monday is 0. */
const FIRST_WEEKDAY = 3;

export type ServiceColumns = Pick<
  TimetableColumns,
  "service_weekdays" | "service_from" | "service_to" | "exception_starts" | "exceptions"
>;

/** Whether a service runs on a day: an exception wins over the week. */
export function runsOn(columns: ServiceColumns, service: number, day: number): boolean {
  const exception = findException(columns, service, day);
  if (exception !== null) return exception;
  if (day < columns.service_from[service]! || day > columns.service_to[service]!) return false;
  const weekday = (((day + FIRST_WEEKDAY) % 7) + 7) % 7;
  return (columns.service_weekdays[service]! & (1 << weekday)) !== 0;
}

/** First and last day of a service; null: it never runs. Days that are removed count, too. */
export function spanOf(
  { service_weekdays, service_from, service_to, exception_starts, exceptions }: ServiceColumns,
  service: number,
): [first: number, last: number] | null {
  const hasWeek = service_weekdays[service] !== 0 && service_from[service]! <= service_to[service]!;
  let first = hasWeek ? service_from[service]! : Infinity;
  let last = hasWeek ? service_to[service]! : -Infinity;
  for (let i = exception_starts[service]!; i < exception_starts[service + 1]!; i++) {
    if ((exceptions[i]! & 1) === 0) continue;
    first = Math.min(first, exceptions[i]! >> 1);
    last = Math.max(last, exceptions[i]! >> 1);
  }
  return first <= last ? [first, last] : null;
}

function findException(
  { exception_starts, exceptions }: ServiceColumns,
  service: number,
  day: number,
): boolean | null {
  let low = exception_starts[service]!;
  let high = exception_starts[service + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (exceptions[middle]! < 2 * day) low = middle + 1;
    else high = middle;
  }
  if (low === exception_starts[service + 1]! || exceptions[low]! >> 1 !== day) return null;
  return (exceptions[low]! & 1) === 1;
}

/**
 * Noon minus twelve hours of a day in a zone, epoch ms: what the times of GTFS count from. Where the
 * clock changes in the night, that is an hour before or after midnight. null: the zone is unknown.
 */
export function dayStart_ms(zones: TimeZones, zone: string, day: number): number | null {
  const noon = day * DAY_MS + DAY_MS / 2;
  const first = zones.find(zone, noon);
  const second = first && zones.find(zone, noon - first.offset_ms);
  return second && noon - second.offset_ms - DAY_MS / 2;
}

/** The day of a moment, were it in UTC: at most one off in any zone. */
export function utcDay(at_ms: number): number {
  return Math.floor(at_ms / DAY_MS);
}
