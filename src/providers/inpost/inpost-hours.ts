/**
 * Opening hours of a point in both of their forms (places.md 6.1), as the open map writes them, so
 * that lockers of all sources read alike: "24/7", "Mo-Fr 08:00-20:00; Su off".
 */
import type { Weekly } from "#hours/weekly.ts";
import { ALWAYS, type Opening, toDays } from "#core/places/opening.ts";
import { type Row, toBool, toList, toNumber, toRow, toText } from "#kit/coerce.ts";

/** As the open map calls it, as the text form does, and as the extended form does. */
const DAYS = [
  ["Mo", "MON", "monday"],
  ["Tu", "TUE", "tuesday"],
  ["We", "WED", "wednesday"],
  ["Th", "THU", "thursday"],
  ["Fr", "FRI", "friday"],
  ["Sa", "SAT", "saturday"],
  ["Su", "SUN", "sunday"],
] as const;

/** The hours of each day, Monday first: periods, [] where closed, null where nothing is said. */
type Week = readonly (readonly string[] | null)[];

const PERIOD = /^\d{1,2}:\d{2}-\d{1,2}:\d{2}$/;
const DAY_MINUTES = 1_440;

/** Reads opening hours; null: unknown. A text in no known form stays as it is. */
export function toOpeningHours(row: Row): string | null {
  const text = toText(row["opening_hours"]);
  return formatWeek(readWeek(row)) ?? text;
}

/** The same for evaluation; null: the source says nothing. */
export function inpostOpening(row: Row): Opening | null {
  const text = toOpeningHours(row);
  if (text === null) return toBool(row["location_247"]) === true ? ALWAYS : null;
  const week = readWeek(row);
  if (!week || week.every((periods) => periods === null)) return { text };
  const days = week.map((periods, day) => periods && toPeriods(periods, day));
  // A day of which nothing is said is not known to be closed.
  return days.includes(null) ? {} : { weekly: days.flatMap((periods) => periods ?? []) };
}

/** null: one of them is none. */
function toPeriods(periods: readonly string[], day: number): Weekly | null {
  const matches = periods.map((period) => {
    const [from, to] = period.split("-").map((clock) => {
      const [hours, minutes] = clock.split(":").map(Number);
      return hours! * 60 + minutes!;
    });
    // Until midnight, or beyond it.
    return toDays(day, from!, to! > from! ? to! : to! + DAY_MINUTES);
  });
  return matches.includes(null) ? null : matches.flatMap((days) => days ?? []);
}

function readWeek(row: Row): Week | null {
  const text = toText(row["opening_hours"]);
  if (text !== null) return readText(text);
  const customer = toRow(toRow(row["operating_hours_extended"])?.["customer"]);
  return customer && readExtended(customer);
}

/** "MON|05:00-23:00|-;TUE|…": two or three fields a day, "-" for no (second) period. */
function readText(text: string): Week | null {
  const parts = text.split(";").map((part) => part.trim().split("|"));
  const days = new Map(parts.map(([day, ...fields]) => [day?.toUpperCase() ?? "", fields]));
  const week = DAYS.map(([, name]) => {
    const fields = days.get(name)?.map((field) => field.trim());
    return fields ? fields.filter((field) => field !== "-" && field !== "") : null;
  });
  const isSound = week.flat().every((period) => period === null || PERIOD.test(period));
  return isSound ? week : null;
}

/** Minutes since midnight: `{"monday": [{"start": 300, "end": 1380}]}`. */
function readExtended(customer: Row): Week | null {
  let isSound = true;
  const week = DAYS.map(([, , name]) => {
    if (!Array.isArray(customer[name])) return null;
    return toList(customer[name]).map((value) => {
      const [start, end] = [toRow(value)?.["start"], toRow(value)?.["end"]].map(toClock);
      isSound &&= start != null && end != null;
      return `${start}-${end}`;
    });
  });
  return isSound ? week : null;
}

function toClock(wire: unknown): string | null {
  const minutes = toNumber(wire);
  if (minutes === null || !Number.isInteger(minutes) || minutes < 0 || minutes > DAY_MINUTES)
    return null;
  const pad = (number: number): string => String(number).padStart(2, "0");
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Joins successive days with the same hours; a day of which nothing is said is left out. */
function formatWeek(week: Week | null): string | null {
  const runs: { from: number; to: number; hours: string }[] = [];
  week?.forEach((periods, index) => {
    if (periods === null) return;
    const hours = periods.join(",") || "off";
    const last = runs.at(-1);
    if (last?.to === index - 1 && last.hours === hours) last.to = index;
    else runs.push({ from: index, to: index, hours });
  });
  const texts = runs.map(({ from, to, hours }) => {
    const days = [...new Set([DAYS[from]![0], DAYS[to]![0]])].join("-");
    return `${days} ${hours}`;
  });
  return texts.join("; ") || null;
}
