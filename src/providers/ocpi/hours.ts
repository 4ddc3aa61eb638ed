/** Texts from the `opening_times` of a location (OCPI 2.2.1, mod_locations, Hours class). */
import { type Row, toBool, toList, toNumber, toRow, toText } from "#providers/coerce.ts";

const WEEKDAYS = [
  ...["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
];
const CLOCK = /^([01]?\d|2[0-4]):[0-5]\d$/;

/** Reports whether it says so itself. */
export function isAlwaysOpen(times: Row | null): boolean {
  return toBool(times?.["twentyfourseven"]) === true;
}

/** One text for each day of which something is said, Monday first; null: nothing is known. */
export function toOpeningHours(times: Row | null): string[] | null {
  if (isAlwaysOpen(times)) return ["24/7"];
  const periods = toList(times?.["regular_hours"]).flatMap((value) => toPeriod(value) ?? []);
  const texts = WEEKDAYS.flatMap((name, index) => {
    const hours = periods.filter(({ weekday }) => weekday === index + 1).map(({ text }) => text);
    return hours.length > 0 ? [`${name}: ${[...new Set(hours)].sort().join(", ")}`] : [];
  });
  return texts.length > 0 ? texts : null;
}

function toPeriod(value: unknown): { weekday: number; text: string } | null {
  const row = toRow(value);
  const weekday = toNumber(row?.["weekday"]);
  const [begin, end] = [toText(row?.["period_begin"]), toText(row?.["period_end"])];
  if (weekday === null || begin === null || end === null) return null;
  return CLOCK.test(begin) && CLOCK.test(end) ? { weekday, text: `${begin}-${end}` } : null;
}
