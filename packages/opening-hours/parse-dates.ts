/** Reads years, weeks, months and dates of a rule: `2026 Dec 24-2027 Jan 2`, `week 1-53/2`, `Apr-Oct`. */
import {
  type Cursor,
  isSymbol,
  isWord,
  MAX_ITEMS,
  peek,
  readListed,
  takeNumber,
  takeOffset_days,
  takeSymbol,
} from "./cursor.ts";
import type { DatePoint, DateSelector } from "./hours-model.ts";

const MIN_YEAR = 1_900;
const MAX_YEAR = 2_199;
/** Of each month, leap days included. */
const LAST_DATES = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reports whether a year begins here, and no time. */
export function isYear(cursor: Cursor, ahead = 0): boolean {
  const token = peek(cursor, ahead);
  if (token?.kind !== "number" || token.digits !== 4) return false;
  return token.value >= MIN_YEAR && token.value <= MAX_YEAR;
}

/** Reports whether a month or Easter comes here. */
export function isMonth(cursor: Cursor, ahead = 0): boolean {
  const token = peek(cursor, ahead);
  return token?.kind === "month" || isWord(token, "easter");
}

/** Returns the years; null where they cannot be read. */
export function readYears(cursor: Cursor): DateSelector | null {
  return readSteps(cursor, { kind: "years", least: MIN_YEAR, most: MAX_YEAR });
}

/** Returns the weeks after the word; null where they cannot be read. */
export function readWeeks(cursor: Cursor): DateSelector | null {
  cursor.at++;
  return readSteps(cursor, { kind: "weeks", least: 1, most: 53 });
}

function readSteps(
  cursor: Cursor,
  { kind, least, most }: { kind: "years" | "weeks"; least: number; most: number },
): DateSelector | null {
  const readOne = (): DateSelector[] | null => {
    const from = takeNumber(cursor, least, most);
    if (from === null) return null;
    let to: number | null = from;
    if (takeSymbol(cursor, "-")) to = takeNumber(cursor, least, most);
    else if (kind === "years" && takeSymbol(cursor, "+")) to = most;
    if (to === null || (kind === "years" && to < from)) return null;
    const isStepped = takeSymbol(cursor, "/");
    // `2024/4` goes on and on, since one year alone needs no step.
    if (isStepped && to === from) to = most;
    const step = isStepped ? takeNumber(cursor, 1, 100) : 1;
    if (step === null || (step > 1 && to < from)) return null;
    return [{ kind, from, to, step }];
  };
  return toOne(readListed(cursor, readOne, () => isListed(cursor, kind)));
}

function toOne(items: DateSelector[] | null): DateSelector | null {
  if (!items) return null;
  return items.length === 1 ? items[0]! : { kind: "any", of: items };
}

/** A number after a comma goes on with weeks, unless it is a time. */
function isListed(cursor: Cursor, kind: "years" | "weeks"): boolean {
  if (kind === "years") return isYear(cursor, 1) && !isMonth(cursor, 2);
  const [number, mark] = [peek(cursor, 1), peek(cursor, 2)];
  return number?.kind === "number" && number.digits <= 2 && !isSymbol(mark, ":");
}

function isDateStart(cursor: Cursor, ahead: number): boolean {
  return isMonth(cursor, ahead) || (isYear(cursor, ahead) && isMonth(cursor, ahead + 1));
}

/** Returns a list of months, dates and ranges; null where it cannot be read. */
export function readDates(cursor: Cursor): DateSelector | null {
  return toOne(readListed(cursor, readItem, isDateStart));
}

/** A point of which the date may be missing: then it is a month. */
type Part = DatePoint & { whole: boolean };

function readItem(cursor: Cursor): DateSelector[] | null {
  const from = readPart(cursor, { after: null });
  if (!from) return null;
  if (takeSymbol(cursor, "+"))
    return from.year === null ? null : [{ kind: "range", from: plain(from), to: null }];
  if (isSymbol(peek(cursor), "-") && isRangeEnd(cursor, from)) {
    cursor.at++;
    const to = readPart(cursor, { after: from });
    return to && from.whole === to.whole ? toRange(from, to) : null;
  }
  const result = toRange(from, from);
  // `Dec 24,31`
  while (isDated(from) && isSymbol(peek(cursor), ",") && isDate(cursor, 1)) {
    cursor.at++;
    const day = readPart(cursor, { after: from });
    if (!day || !result || result.length > MAX_ITEMS) return null;
    let last: Part | null = day;
    if (isSymbol(peek(cursor), "-") && isDate(cursor, 1)) {
      cursor.at++;
      last = readPart(cursor, { after: from });
    }
    const range = last && toRange(day, last);
    if (!range) return null;
    result.push(...range);
  }
  return result;
}

function isDated(part: Part): boolean {
  return part.month !== null && !part.whole && part.weekday === null;
}

function isRangeEnd(cursor: Cursor, from: Part): boolean {
  if (isMonth(cursor, 1) || (isYear(cursor, 1) && isMonth(cursor, 2))) return true;
  return isDated(from) && isDate(cursor, 1);
}

/** A number of at most two digits that no time begins with. */
function isDate(cursor: Cursor, ahead: number): boolean {
  const [token, mark, next] = [
    peek(cursor, ahead),
    peek(cursor, ahead + 1),
    peek(cursor, ahead + 2),
  ];
  if (token?.kind !== "number" || token.digits > 2) return false;
  const joined = next?.kind === "number" && !next.spaced && !mark?.spaced;
  return !(joined && (isSymbol(mark, ":") || isSymbol(mark, ".")));
}

/** The month and year of `after` go on where a range or list does not repeat them. */
function readPart(cursor: Cursor, { after }: { after: Part | null }): Part | null {
  const year = isYear(cursor) ? takeNumber(cursor, MIN_YEAR, MAX_YEAR) : null;
  const token = peek(cursor);
  let month = after?.month ?? null;
  if (isWord(token, "easter")) {
    cursor.at++;
    return finish(cursor, { year, month: null, date: 0, weekday: null, whole: false });
  }
  if (token?.kind === "month") {
    cursor.at++;
    takeSymbol(cursor, ".");
    month = token.month;
    if (isVariable(cursor, after)) return readVariable(cursor, { year, month });
    if (!isDate(cursor, 0))
      return { year, month, date: 1, weekday: null, offset_days: 0, whole: true };
  }
  if (month === null) return null;
  const date = takeNumber(cursor, 1, LAST_DATES[month - 1]!);
  const inherited = token?.kind === "month" ? year : (after?.year ?? null);
  return date === null
    ? null
    : finish(cursor, { year: inherited, month, date, weekday: null, whole: false });
}

function finish(cursor: Cursor, part: Omit<Part, "offset_days">): Part | null {
  const offset_days = takeOffset_days(cursor);
  return offset_days === null ? null : { ...part, offset_days };
}

/** `Mar Su[-1]` is a date in a range; elsewhere it is a month, and a weekday in it. */
function isVariable(cursor: Cursor, after: Part | null): boolean {
  if (peek(cursor)?.kind !== "weekday" || !isSymbol(peek(cursor, 1), "[")) return false;
  if (after !== null) return !after.whole;
  const signed = isSymbol(peek(cursor, 2), "-") ? 1 : 0;
  if (!isSymbol(peek(cursor, 3 + signed), "]")) return false;
  return isSymbol(peek(cursor, 4 + signed), "-") && isMonth(cursor, 5 + signed);
}

function readVariable(
  cursor: Cursor,
  { year, month }: { year: number | null; month: number },
): Part | null {
  const token = peek(cursor);
  if (token?.kind !== "weekday") return null;
  cursor.at += 2;
  const minus = takeSymbol(cursor, "-");
  const n = takeNumber(cursor, 1, 5);
  if (n === null || !takeSymbol(cursor, "]")) return null;
  const { weekday } = token;
  return finish(cursor, { year, month, date: minus ? -n : n, weekday, whole: false });
}

function plain({ year, month, date, weekday, offset_days }: Part): DatePoint {
  return { year, month, date, weekday, offset_days };
}

/** Null where only the end has a year. */
function toRange(from: Part, to: Part): DateSelector[] | null {
  if (to.year !== null && from.year === null) return null;
  const fixed = [from, to].every(
    ({ year, month, weekday, offset_days }) =>
      year === null && month !== null && weekday === null && offset_days === 0,
  );
  if (fixed) {
    const last = to.whole ? 31 : to.date;
    return [{ kind: "season", from: from.month! * 32 + from.date, to: to.month! * 32 + last }];
  }
  const end = to.whole ? { ...plain(to), month: to.month! + 1, date: 0 } : plain(to);
  return [{ kind: "range", from: plain(from), to: end }];
}
