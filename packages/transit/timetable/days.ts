/** Why a timetable says nothing of a time, though nothing is wrong with it: its days lie elsewhere. */
import { DAY_MS } from "#kit/time.ts";
import type { Timetable } from "./timetable.ts";

/** A reason (failure-words.ts), or null: some day of the timetable reaches into the time. */
export function findDaysProblem(
  { meta, dayStart_ms }: Pick<Timetable, "meta" | "dayStart_ms">,
  { from_ms, to_ms }: { from_ms: number; to_ms: number },
): string | null {
  const { days, max_time_s } = meta;
  if (days === null) return "never_runs";
  const [first, last] = days;
  const [first_ms, last_ms] = [dayStart_ms(first), dayStart_ms(last)];
  if (first_ms === null || last_ms === null) return "wrong_shape";
  if (to_ms <= first_ms) return toDaysReason("begins", toDate(first));
  const end_ms = last_ms + Math.max(DAY_MS, max_time_s * 1_000);
  return from_ms >= end_ms ? toDaysReason("ended", toDate(last)) : null;
}

/** The reason of a timetable whose last, or first, day (YYYY-MM-DD) is in the way. */
export function toDaysReason(kind: "ended" | "begins", date: string): string {
  return `${kind}_${date}`;
}

/** YYYY-MM-DD of a day counted from 1970-01-01. */
export function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
