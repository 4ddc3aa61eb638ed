/** End of a key, as people write it: a date, an RFC 3339 time, or a time from now such as 30d. */
import { numberRule, type Rule, textBy } from "#kit/rule.ts";

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Later than this, a time has no RFC 3339 text. */
const LAST_MS = Date.UTC(9999, 11, 31);

const DURATION = /^(\d{1,6})([smhdw])$/;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

/** Reads `24h` as milliseconds; null when it is no duration. */
export function readDuration_ms(text: string): number | null {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return null;
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** Epoch milliseconds; a date is its first moment in UTC. null when it is none of the three. */
export function readMoment_ms(text: string, now_ms: number): number | null {
  const duration_ms = readDuration_ms(text);
  const at_ms = duration_ms === null ? readInstant_ms(text) : now_ms + duration_ms;
  return at_ms === null || at_ms > LAST_MS ? null : at_ms;
}

/** What an end that people write must be, and become: a moment, and one to come. */
export function endRules(now_ms: number): Rule<number>[] {
  return [
    textBy(
      "a date, an RFC 3339 time or a duration such as 30d",
      (text) => readMoment_ms(text, now_ms) ?? undefined,
    ),
    numberRule("a time to come", { exclusiveMinimum: now_ms }),
  ];
}

function readInstant_ms(text: string): number | null {
  const date = INSTANT.exec(text)?.[1];
  if (date === undefined || !isOfCalendar(date)) return null;
  const at_ms = Date.parse(text.toUpperCase());
  return Number.isNaN(at_ms) ? null : at_ms;
}

/** Date.parse takes the 31st of February for the 3rd of March. */
function isOfCalendar(date: string): boolean {
  const at_ms = Date.parse(date);
  return !Number.isNaN(at_ms) && new Date(at_ms).toISOString().startsWith(date);
}
