/** Reads the times of a rule: `08:00-12:00,14:00-18:00+`, `(sunrise+01:00)-sunset`. */
import { type Cursor, isSymbol, isWord, peek, takeNumber, takeSymbol } from "./cursor.ts";
import { DAY_MIN, guessEnd, type SunTime } from "./hours-model.ts";

/** `certain` is false after an end that is not stated, and where only beginnings are. */
export type ReadSpan = {
  from: number | SunTime;
  to: number | SunTime | null;
  certain: boolean;
};

type Clock = { minute: number; bare: boolean; half: "am" | "pm" | null };

const MAX_SPANS = 100;
const MAX_MIN = 2 * DAY_MIN;

/** Reports whether times may begin here. */
export function isTimeStart(cursor: Cursor, ahead = 0): boolean {
  const token = peek(cursor, ahead);
  if (token?.kind === "number") return token.digits <= 2;
  return token?.kind === "sun" || (isSymbol(token, "(") && peek(cursor, ahead + 1)?.kind === "sun");
}

/** Returns the spans of a list; null where it cannot be read. */
export function readTimes(cursor: Cursor): ReadSpan[] | null {
  const spans: ReadSpan[] = [];
  for (;;) {
    const read = readSpan(cursor);
    if (!read || spans.length > MAX_SPANS) return null;
    spans.push(...read);
    if (!isSymbol(peek(cursor), ",") || !isTimeStart(cursor, 1)) return spans;
    cursor.at++;
  }
}

function readSpan(cursor: Cursor): ReadSpan[] | null {
  const begin = readMoment(cursor);
  if (!begin) return null;
  const from = "minute" in begin ? begin.minute : begin;
  if (typeof from === "number" && from > DAY_MIN) return null;
  if (takeSymbol(cursor, "+")) return isBare(begin) ? null : [{ from, to: null, certain: false }];
  if (!takeSymbol(cursor, "-")) return isBare(begin) ? null : [{ from, to: null, certain: false }];
  // `16:00-` says as little of the end as `16:00+`.
  if (!isTimeStart(cursor)) return isBare(begin) ? null : [{ from, to: null, certain: false }];
  const end = readMoment(cursor);
  if (!end || !areAlike(begin, end)) return null;
  const stated = "minute" in end ? end.minute : end;
  const to =
    typeof from === "number" && typeof stated === "number" && stated <= from
      ? stated + DAY_MIN
      : stated;
  if (typeof to === "number" && to > MAX_MIN) return null;
  const repeated = takeSymbol(cursor, "/");
  if (repeated && !skipStep(cursor)) return null;
  const span = { from, to, certain: !repeated };
  if (!repeated && !takeSymbol(cursor, "+"))
    return to === LAST_MIN && from !== to ? [span, LAST_MINUTE] : [span];
  if (typeof to !== "number") return [{ from, to: null, certain: false }];
  const rest = to >= DAY_MIN ? guessEnd(to - DAY_MIN) + DAY_MIN : guessEnd(to);
  return [span, { from: to, to: Math.min(rest, MAX_MIN), certain: false }];
}

/**
 * The grammar has 24:00, so that who writes 23:59 closes a minute before it by the letter, and hardly
 * means to.
 */
const LAST_MIN = DAY_MIN - 1;
const LAST_MINUTE: ReadSpan = { from: LAST_MIN, to: DAY_MIN, certain: false };

function isBare(moment: Clock | SunTime): boolean {
  return "minute" in moment && moment.bare;
}

/** `9-5pm` might be read in two ways. */
function areAlike(begin: Clock | SunTime, end: Clock | SunTime): boolean {
  if (!("minute" in begin) || !("minute" in end)) return true;
  return (begin.half === null) === (end.half === null);
}

/** Repetition within a span: minutes, or hours and minutes. */
function skipStep(cursor: Cursor): boolean {
  if (takeNumber(cursor, 0, 1_440) === null) return false;
  return !takeSymbol(cursor, ":") || takeNumber(cursor, 0, 59) !== null;
}

function readMoment(cursor: Cursor): Clock | SunTime | null {
  const token = peek(cursor);
  if (token?.kind === "sun") {
    cursor.at++;
    return { event: token.event, offset_min: 0 };
  }
  if (isSymbol(token, "(")) return readSun(cursor);
  return readClock(cursor);
}

/** `(sunset-01:30)` */
function readSun(cursor: Cursor): SunTime | null {
  cursor.at++;
  const token = peek(cursor);
  if (token?.kind !== "sun") return null;
  cursor.at++;
  const sign = takeSymbol(cursor, "+") ? 1 : takeSymbol(cursor, "-") ? -1 : 0;
  let offset_min = 0;
  if (sign !== 0) {
    const hours = takeNumber(cursor, 0, 24);
    const minutes = takeSymbol(cursor, ":") ? takeNumber(cursor, 0, 59) : null;
    if (hours === null || minutes === null) return null;
    offset_min = sign * (hours * 60 + minutes);
  }
  return takeSymbol(cursor, ")") ? { event: token.event, offset_min } : null;
}

function readClock(cursor: Cursor): Clock | null {
  const token = peek(cursor);
  if (token?.kind !== "number" || token.digits > 2 || token.value > 48) return null;
  cursor.at++;
  const minutes = readMinutes(cursor);
  if (minutes === undefined) return null;
  const marked = isWord(peek(cursor), "hour");
  if (marked) cursor.at++;
  const half = readHalf(cursor);
  if (half !== null) {
    if (token.value < 1 || token.value > 12 || marked) return null;
    const hour = (token.value % 12) + (half === "pm" ? 12 : 0);
    return { minute: hour * 60 + (minutes ?? 0), bare: false, half };
  }
  const minute = token.value * 60 + (minutes ?? 0);
  return minute > MAX_MIN ? null : { minute, bare: minutes === null && !marked, half };
}

/** `:30`, `.30` and `h30`; null where only the hour is given, undefined where they are wrong. */
function readMinutes(cursor: Cursor): number | null | undefined {
  const mark = peek(cursor);
  const next = peek(cursor, 1);
  const joined = next?.kind === "number" && !next.spaced && !mark?.spaced;
  if (!joined) return null;
  if (!isSymbol(mark, ":") && !isSymbol(mark, ".") && !isWord(mark, "hour")) return null;
  if (next.digits !== 2 || next.value > 59) return undefined;
  cursor.at += 2;
  return next.value;
}

function readHalf(cursor: Cursor): "am" | "pm" | null {
  const token = peek(cursor);
  if (token?.kind !== "word" || (token.word !== "am" && token.word !== "pm")) return null;
  cursor.at++;
  return token.word;
}
