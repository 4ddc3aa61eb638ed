/**
 * Splits a text of opening hours into tokens in one pass. Other ways of writing the same thing, such as
 * lower case, dashes and English names, become one where they cannot mean something else.
 */
import type { SunEvent } from "./hours-model.ts";

export type Token = (
  | { kind: "number"; value: number; digits: number }
  | { kind: "weekday"; weekday: number }
  | { kind: "month"; month: number }
  | { kind: "sun"; event: SunEvent }
  | { kind: "state"; state: "open" | "closed" | "unknown" }
  | { kind: "holiday"; which: "PH" | "SH" }
  | { kind: "word"; word: HoursWord }
  | { kind: "symbol"; symbol: string }
  | { kind: "comment" }
) & { begin: number; end: number; spaced: boolean };

export type HoursWord = "easter" | "week" | "day" | "daily" | "hour" | "am" | "pm" | "always";
type Meaning = Token extends infer T
  ? T extends unknown
    ? Omit<T, "begin" | "end" | "spaced">
    : never
  : never;

const WEEKDAYS: readonly string[] = [
  "mo mon monday mondays",
  "tu tue tues tuesday tuesdays",
  "we wed weds wednesday wednesdays",
  "th thu thur thurs thursday thursdays",
  "fr fri friday fridays",
  "sa sat saturday saturdays",
  "su sun sunday sundays",
];
const MONTHS: readonly string[] = [
  "jan january",
  "feb february",
  "mar march",
  "apr april",
  "may",
  "jun june",
  "jul july",
  "aug august",
  "sep sept september",
  "oct october",
  "nov november",
  "dec december",
];
const WORDS: Readonly<Record<HoursWord, string>> = {
  easter: "easter",
  week: "week weeks",
  day: "day days",
  daily: "daily",
  hour: "h hrs uhr",
  am: "am",
  pm: "pm",
  always: "24/7",
};
const SYMBOLS: Readonly<Record<string, string>> = {
  "–": "-",
  "—": "-",
  "−": "-",
  "‐": "-",
  "‑": "-",
  "‒": "-",
  "&": ",",
};
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "“": "”", "„": "“" };
const PLAIN = ";,-+/:.[]()";

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(listMeanings());

function listMeanings(): [string, Meaning][] {
  const matches: [string, Meaning][] = [];
  const add = (texts: string, meaning: Meaning): void => {
    for (const text of texts.split(" ")) matches.push([text, meaning]);
  };
  for (const [weekday, texts] of WEEKDAYS.entries()) add(texts, { kind: "weekday", weekday });
  for (const [index, texts] of MONTHS.entries()) add(texts, { kind: "month", month: index + 1 });
  for (const word of Object.keys(WORDS) as HoursWord[]) add(WORDS[word], { kind: "word", word });
  for (const event of ["dawn", "sunrise", "sunset", "dusk"] as const)
    add(event, { kind: "sun", event });
  add("open", { kind: "state", state: "open" });
  add("off closed close", { kind: "state", state: "closed" });
  add("unknown", { kind: "state", state: "unknown" });
  add("ph", { kind: "holiday", which: "PH" });
  add("sh", { kind: "holiday", which: "SH" });
  add("to till until through bis", { kind: "symbol", symbol: "-" });
  add("and und", { kind: "symbol", symbol: "," });
  return matches;
}

/** Returns the tokens of a text; null where something in it means nothing here. */
export function tokenize(text: string): Token[] | null {
  const tokens: Token[] = [];
  let spaced = false;
  for (let at = 0; at < text.length;) {
    if (isSpace(text, at)) {
      spaced = true;
      at++;
      continue;
    }
    const read = readToken(text, at);
    if (!read) return null;
    tokens.push({ ...read.meaning, begin: at, end: read.end, spaced });
    spaced = false;
    at = read.end;
  }
  return tokens;
}

function readToken(text: string, at: number): { meaning: Meaning; end: number } | null {
  const first = text[at]!;
  const closing = QUOTES[first];
  if (closing !== undefined) {
    const end = text.indexOf(closing, at + 1);
    return end < 0 ? null : { meaning: { kind: "comment" }, end: end + 1 };
  }
  if (text.startsWith("24/7", at) && !isDigit(text, at + 4))
    return { meaning: { kind: "word", word: "always" }, end: at + 4 };
  if (text.startsWith("||", at)) return { meaning: { kind: "symbol", symbol: "||" }, end: at + 2 };
  if (isDigit(text, at)) {
    let end = at;
    while (isDigit(text, end)) end++;
    const digits = end - at;
    const value = Number(text.slice(at, end));
    return digits > 4 ? null : { meaning: { kind: "number", value, digits }, end };
  }
  if (isLetter(text, at)) {
    let end = at;
    while (isLetter(text, end)) end++;
    const meaning = MEANINGS.get(text.slice(at, end).toLowerCase());
    return meaning ? { meaning, end } : null;
  }
  const symbol = PLAIN.includes(first) ? first : SYMBOLS[first];
  return symbol === undefined ? null : { meaning: { kind: "symbol", symbol }, end: at + 1 };
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x202f;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Latin letters; words in other scripts are not known. */
function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32;
  return code >= 97 && code <= 122;
}
