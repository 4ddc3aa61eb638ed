/**
 * Parts of a question: what is between commas and numbers, what a street is called, and the letters
 * of a country before a postcode. A place is named apart, or at the end of a line; inside the name of
 * a street (`Rue de Paris`, `Oxford Street`) it is none.
 */
import type { Word } from "./fold-words.ts";
import table from "./words.json" with { type: "json" };

/** `rue`: a name may follow without a word between; `avenue`: only behind `de`, `of` and the like. */
const BEFORE: ReadonlySet<string> = new Set(table.streets.before);
const BEFORE_OF: ReadonlySet<string> = new Set(table.streets.before_of);
/** `street`: the name comes first. `st`: only at the end of it, since it is a saint elsewhere. */
const AFTER: ReadonlySet<string> = new Set(table.streets.after);
const AFTER_LAST: ReadonlySet<string> = new Set(table.streets.after_last);
const OF: ReadonlySet<string> = new Set(table.streets.of);
const SIGNS: ReadonlyMap<string, string> = new Map(Object.entries(table.signs));
/** Letters of a region's code behind a town, as in `Buchs SG`. */
const MAX_CODE = 3;

/** Numbers of the words of each run between commas and numbers; that of a postcode's country is left out. */
export function segmentsOf(words: readonly Word[]): number[][] {
  const segments: number[][] = [[]];
  for (const [at, word] of words.entries()) {
    if (at > 0 && /[,;\n]/.test(word.between)) segments.push([]);
    if (/\d/.test(word.text)) segments.push([]);
    else if (!isPostcodePrefix(words, at)) segments.at(-1)!.push(at);
  }
  return segments.filter((segment) => segment.length > 0);
}

/** `CH-9470`, `D-80331`: letters of a country before its postcode. */
export function isPostcodePrefix(words: readonly Word[], at: number): boolean {
  const next = words[at + 1];
  const { text } = words[at]!;
  return (
    /^\p{L}{1,3}$/u.test(text) &&
    next !== undefined &&
    next.between === "-" &&
    /^\d{3,}/.test(next.text)
  );
}

/** Code of the country whose letters are before a postcode; null: none do. */
export function countryOfPrefix(words: readonly Word[], at: number): string | null {
  return isPostcodePrefix(words, at) ? (SIGNS.get(words[at]!.text) ?? null) : null;
}

/** Whether words, by their numbers, are within the name of a street, and name no place. */
export function isOfStreet(words: readonly Word[], at: number, length: number): boolean {
  const follows = words[at + length];
  const next = words[at + length + 1];
  const isLast = !next || !isJoined(next) || /\d/.test(next.text);
  if (
    follows &&
    isJoined(follows) &&
    (AFTER.has(follows.text) || (isLast && AFTER_LAST.has(follows.text)))
  )
    return true;
  let before = at - 1;
  let of = 0;
  while (before >= 0 && isJoined(words[before + 1]!) && OF.has(words[before]!.text)) {
    before--;
    of++;
  }
  const kind = words[before];
  if (!kind || !isJoined(words[before + 1]!)) return false;
  return BEFORE.has(kind.text) || (of > 0 && BEFORE_OF.has(kind.text));
}

/** Whether a word is of a street's kind: `avenue`. */
export function isStreetKind({ text }: Word): boolean {
  return [BEFORE, BEFORE_OF, AFTER, AFTER_LAST].some((words) => words.has(text));
}

/** The same, or a word that joins it to its name: `de`. */
export function isStreetWord(word: Word): boolean {
  return isStreetKind(word) || OF.has(word.text);
}

function isJoined({ between }: Word): boolean {
  return !/[,;\n]/.test(between);
}

/** Whether a word may be the code of a region: a few letters. */
export function isCode({ text }: Word): boolean {
  return text.length <= MAX_CODE && /^\p{L}+$/u.test(text);
}
