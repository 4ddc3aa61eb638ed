/** Finds the rules that dates of several years follow (packages/opening-hours/holidays.ts). */
import { resolveHoliday } from "#hours/holidays.ts";

export const FIRST_YEAR = 2025;
export const LAST_YEAR = 2040;
const YEARS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, i) => FIRST_YEAR + i);
const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const MONTHS = 12;
const DATES = 31;

/** Every rule there is, by its days in these years. */
function listRules(): Map<string, string> {
  const rules = new Map<string, string>();
  const add = (rule: string): void => {
    const key = YEARS.map((year) => resolveHoliday(rule, year)).join(" ");
    if (!rules.has(key)) rules.set(key, rule);
  };
  for (let month = 1; month <= MONTHS; month++)
    for (let date = 1; date <= DATES; date++) {
      const day = `${two(month)}-${two(date)}`;
      if (new Date(`2025-${day}`).getUTCDate() !== date) continue;
      add(day);
      for (const weekday of WEEKDAYS) add(`${weekday} from ${day}`);
    }
  for (let by = -70; by <= 70; by++) add(`easter${by < 0 ? by : `+${by}`}`);
  return rules;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

const RULES = listRules();

/** Returns the rule of days, counted from 1970-01-01, one in each of the years; null: there is none. */
export function findRule(days: readonly number[]): string | null {
  return RULES.get([...days].sort((a, b) => a - b).join(" ")) ?? null;
}
