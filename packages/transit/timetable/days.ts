/** Why a timetable says nothing of a time, though nothing is wrong with it: its days lie elsewhere. */
import { DAY_MS } from "#kit/time.ts";
import type { Timetable } from "./timetable.ts";

/** A reason (failure-words.ts), or null: some day of the timetable reaches into the time. */
export function findDaysProblem(
  { meta, dayStart_ms }: Pick<Timetable, "meta" | "dayStart_ms">,
  { from_ms, to_ms }: { from_ms: number; to_ms: number },
): string | null {
  const { days } = meta;
  if (days === null) return "never_runs";
  const known = knownSpan({ meta, dayStart_ms });
  if (known === null) return "wrong_shape";
  if (to_ms <= known.from_ms) return toDaysReason("begins", toDate(days[0]));
  return from_ms >= known.to_ms ? toDaysReason("ended", toDate(days[1])) : null;
}

/** From the begin of the first day to the end of the last, and of the runs of its night; null: there is none. */
export function knownSpan({
  meta: { days, max_time_s },
  dayStart_ms,
}: Pick<Timetable, "meta" | "dayStart_ms">): { from_ms: number; to_ms: number } | null {
  const [first_ms, last_ms] = (days ?? []).map((day) => dayStart_ms(day));
  if (first_ms == null || last_ms == null) return null;
  return { from_ms: first_ms, to_ms: last_ms + Math.max(DAY_MS, max_time_s * 1_000) };
}

/** The reason of a timetable whose last, or first, day (YYYY-MM-DD) is in the way. */
export function toDaysReason(kind: "ended" | "begins", date: string): string {
  return `${kind}_${date}`;
}

/** YYYY-MM-DD of a day counted from 1970-01-01. */
export function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
