/**
 * system_hours and system_calendar of 1.x and 2.x: when a system rents, as a text in the grammar that
 * `opening_hours` of 3.0 has (mobility.md 1.4). What only some kinds of riders may do is unknown, as are
 * days that no row names, and public holidays, of which the files say nothing.
 */
import { toList, toNumber, toRow, toText, type Row } from "#kit/coerce.ts";
import { toPeriodEnd } from "#kit/time.ts";
import { listRows } from "./gbfs-rows.ts";

/** Days and spans of one row of hours, minutes from midnight. */
type RentalHours = { riders: readonly Rider[]; days: readonly number[]; span: Span };
type Span = readonly [from: number, to: number];

const RIDERS = ["member", "nonmember"] as const;
type Rider = (typeof RIDERS)[number];
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAY_NAMES = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** February as in leap years. */
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** A day for each kind of riders has 14 rows. */
const MOST_ROWS = 64;
const MOST_SEASONS = 16;
const DAY_MIN = 1_440;

/**
 * Returns the hours of a system; null: none is stated, or its seasons cannot be read. `hours` and
 * `calendar`: the documents; undefined: not published.
 */
export function readHours(hours: unknown, calendar: unknown): string | null {
  const seasons = calendar === undefined ? "" : readSeasons(calendar);
  if (seasons === null) return null;
  const rows = hours === undefined ? [] : readRows(hours);
  if (rows?.length === 0) return seasons === "" ? null : `${seasons} 00:00-24:00`;
  if (rows === null) return seasons === "" ? null : `${seasons} unknown`;
  return textOf(rows, seasons);
}

/** Rows of rental_hours; null: one of them cannot be read. */
function readRows(wire: unknown): RentalHours[] | null {
  const rows = listRows(wire, ["rental_hours"]);
  if (rows === null || rows.length > MOST_ROWS) return null;
  const read = rows.map((row) => readRow(toRow(row) ?? {}));
  return read.every((row) => row !== null) ? read : null;
}

function readRow(row: Row): RentalHours | null {
  const names = toList(row["user_types"]).map((name) => toText(name)?.toLowerCase());
  const riders = RIDERS.filter((rider) => names.length === 0 || names.includes(rider));
  const days = toList(row["days"]).map((day) => DAYS.indexOf(toText(day)?.toLowerCase() ?? ""));
  const from = readTime(row["start_time"]);
  const until = readTime(row["end_time"]);
  if (riders.length === 0 || days.length === 0 || days.includes(-1)) return null;
  if (from === null || until === null) return null;
  // From a moment to the same one is a whole day, or nothing; but a row says when a system rents, so
  // that from midnight to midnight nothing is not meant.
  if (from === until && from !== 0) return null;
  // One second or minute before midnight is meant as midnight.
  const to = toPeriodEnd(until === 0 ? DAY_MIN : until);
  return { riders, days, span: [from, to < from ? to + DAY_MIN : to] };
}

/** Minutes of `HH:MM:SS`, to the end of the next day; null: it is none. */
function readTime(value: unknown): number | null {
  const match = /^(\d{1,2}):([0-5]\d)(?::[0-5]\d)?$/.exec(toText(value) ?? "");
  const minutes = match ? Number(match[1]) * 60 + Number(match[2]) : Infinity;
  return minutes <= 2 * DAY_MIN ? minutes : null;
}

/** Days with their spans: those of all riders, and those of some. */
type Day = { all: Span[]; some: Span[]; isNamed: boolean };

function textOf(rows: readonly RentalHours[], seasons: string): string {
  const days = DAYS.map((_, day) => dayOf(rows, day));
  const isAlways = days.every(({ all }) => all.length === 1 && all[0]!.join() === `0,${DAY_MIN}`);
  if (isAlways) return seasons === "" ? "24/7" : `${seasons} 00:00-24:00`;
  const groups = Map.groupBy(days.keys(), (day) => JSON.stringify(days[day]));
  const rules = Array.from(groups.values(), (group) =>
    rulesOf(days[group[0]!]!, joined(seasons, dayNames(group))),
  );
  return [...rules.flat(), joined(seasons, "PH unknown")].join("; ");
}

function dayOf(rows: readonly RentalHours[], day: number): Day {
  const own_rows = rows.filter(({ days }) => days.includes(day));
  const groups = RIDERS.filter((rider) => rows.some(({ riders }) => riders.includes(rider))).map(
    (rider) => own_rows.filter(({ riders }) => riders.includes(rider)).map(({ span }) => span),
  );
  const ends = [...new Set(groups.flat(2))].toSorted((a, b) => a - b);
  const all: Span[] = [];
  const some: Span[] = [];
  for (let i = 1; i < ends.length; i++) {
    const [from, to] = [ends[i - 1]!, ends[i]!];
    const open = groups.filter((spans) => spans.some(([a, b]) => a <= from && to <= b)).length;
    if (open > 0) append(open === groups.length ? all : some, [from, to]);
  }
  return { all, some, isNamed: own_rows.length > 0 };
}

function append(spans: Span[], [from, to]: Span): void {
  const last = spans.at(-1);
  if (last?.[1] === from) spans[spans.length - 1] = [last[0], to];
  else spans.push([from, to]);
}

/** A rule for these days, and what some may do in addition. */
function rulesOf({ all, some, isNamed }: Day, days: string): string[] {
  if (!isNamed) return [`${days} unknown`];
  const open = all.length > 0 ? [`${days} ${timesOf(all)}`] : [];
  const maybe = some.length > 0 ? [`${days} ${timesOf(some)} unknown`] : [];
  return [[...open, ...maybe].join(", ")];
}

function timesOf(spans: readonly Span[]): string {
  return spans.map(([from, to]) => `${clock(from)}-${clock(to)}`).join(",");
}

function clock(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** `Mo-Fr,Su`: days of a week in order. */
function dayNames(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last?.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  return runs
    .map((run) => [...new Set([run[0]!, run.at(-1)!])].map((day) => DAY_NAMES[day]!).join("-"))
    .join(",");
}

/** `Apr 01-Oct 31`; empty: all year; null: a season cannot be read. */
function readSeasons(wire: unknown): string | null {
  const rows = listRows(wire, ["calendars"]);
  if (rows === null || rows.length > MOST_SEASONS) return null;
  const seasons = rows.map((row) => readSeason(toRow(row) ?? {}));
  if (!seasons.every((season) => season !== null)) return null;
  return seasons.includes(ALL_YEAR) ? "" : seasons.join(",");
}

const ALL_YEAR = "Jan 01-Dec 31";

function readSeason(row: Row): string | null {
  const start = readDate(row, "start");
  const end = readDate(row, "end");
  if (!start || !end || (start.year === null) !== (end.year === null)) return null;
  return `${dateText(start)}-${dateText(end)}`;
}

type YearDay = { year: number | null; month: number; day: number };

function readDate(row: Row, which: "start" | "end"): YearDay | null {
  const year = row[`${which}_year`] == null ? null : toNumber(row[`${which}_year`]);
  const month = toNumber(row[`${which}_month`]) ?? 0;
  const day = toNumber(row[`${which}_day`]) ?? 0;
  const isYear = year === null ? row[`${which}_year`] == null : year >= 1970 && year <= 9999;
  const most = DAYS_OF_MONTH[month - 1] ?? 0;
  const isWhole = [year ?? 0, month, day].every((number) => Number.isInteger(number));
  return isYear && isWhole && day >= 1 && day <= most ? { year, month, day } : null;
}

function dateText({ year, month, day }: YearDay): string {
  const date = `${MONTHS[month - 1]} ${twoDigits(day)}`;
  return year === null ? date : `${year} ${date}`;
}

function joined(seasons: string, rest: string): string {
  return seasons === "" ? rest : `${seasons} ${rest}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
