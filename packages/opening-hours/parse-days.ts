/** Reads weekdays and holidays of a rule: `Mo-Fr,PH`, `Sa[1],Su[-1] +1 day`, `SH Mo-Fr`. */
import {
  type Cursor,
  isSymbol,
  isWord,
  peek,
  readListed,
  takeNumber,
  takeOffset_days,
  takeSymbol,
} from "./cursor.ts";
import type { DateSelector } from "./hours-model.ts";

/** Reports whether days may begin here. */
export function isDayStart(cursor: Cursor, ahead = 0): boolean {
  const token = peek(cursor, ahead);
  return token?.kind === "weekday" || token?.kind === "holiday" || isWord(token, "daily");
}

/** Returns the selectors, all of which must hold; null where they cannot be read. */
export function readDays(cursor: Cursor): DateSelector[] | null {
  const first = readList(cursor);
  if (!first) return null;
  const days = [toSelector(first)];
  if (!isDayStart(cursor)) return days;
  // Only holidays are narrowed by weekdays; the reverse is written for both.
  if (first.some(({ kind }) => kind !== "holiday") || peek(cursor)?.kind === "holiday") return null;
  const second = readList(cursor);
  return second && !isDayStart(cursor) ? [...days, toSelector(second)] : null;
}

function toSelector(items: readonly DateSelector[]): DateSelector {
  let mask = 0;
  const others: DateSelector[] = [];
  for (const item of items)
    if (item.kind === "weekdays") mask |= item.mask;
    else others.push(item);
  if (others.length === 0) return { kind: "weekdays", mask };
  if (mask !== 0) others.unshift({ kind: "weekdays", mask });
  return others.length === 1 ? others[0]! : { kind: "any", of: others };
}

function readList(cursor: Cursor): DateSelector[] | null {
  const readOne = (): DateSelector[] | null => {
    const item = readItem(cursor);
    return item && [item];
  };
  return readListed(cursor, readOne, isDayStart);
}

function readItem(cursor: Cursor): DateSelector | null {
  const token = peek(cursor);
  cursor.at++;
  if (token?.kind === "holiday") {
    const offset_days = takeOffset_days(cursor);
    return offset_days === null ? null : { kind: "holiday", which: token.which, offset_days };
  }
  if (isWord(token, "daily")) return { kind: "weekdays", mask: 127 };
  if (token?.kind !== "weekday") return null;
  // `Mo.` is an abbreviation.
  takeSymbol(cursor, ".");
  if (takeSymbol(cursor, "[")) return readNth(cursor, token.weekday);
  const last = peek(cursor, 1);
  if (!isSymbol(peek(cursor), "-") || last?.kind !== "weekday")
    return { kind: "weekdays", mask: 1 << token.weekday };
  cursor.at += 2;
  takeSymbol(cursor, ".");
  if (isSymbol(peek(cursor), "[")) return null;
  let mask = 0;
  for (let day = token.weekday; ; day = (day + 1) % 7) {
    mask |= 1 << day;
    if (day === last.weekday) return { kind: "weekdays", mask };
  }
}

function readNth(cursor: Cursor, weekday: number): DateSelector | null {
  const readOne = (): number[] | null => {
    const minus = takeSymbol(cursor, "-");
    const from = takeNumber(cursor, 1, 5);
    if (from === null || minus) return from === null ? null : [-from];
    if (!takeSymbol(cursor, "-")) return [from];
    const to = takeNumber(cursor, from, 5);
    return to === null ? null : Array.from({ length: to - from + 1 }, (_, n) => from + n);
  };
  const nths = readListed(cursor, readOne, () => true);
  if (!nths) return null;
  if (!takeSymbol(cursor, "]")) return null;
  const offset_days = takeOffset_days(cursor);
  return offset_days === null ? null : { kind: "nth", weekday, nths, offset_days };
}
