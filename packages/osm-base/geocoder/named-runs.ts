/** Runs of a question's words that are the whole name of a place, or a postcode. */
import type { GeocodeWords } from "./geocode-query.ts";
import { isCode } from "./segments.ts";
import type { View } from "./geocoder-view.ts";

/**
 * Words of the question by number; `apart`: a part of it of its own, behind another one; `leads`: the
 * first part of a question with a number behind it.
 */
export type NameRun = { words: readonly number[]; apart: boolean; leads?: boolean };

const MAX_POSTCODE_WORDS = 3;
/** Documents with the number of a postcode that are looked at. */
const MAX_POSTCODES = 64;
const MAX_NAMES = 8_192;
const MIN_LETTERS = 4;
/** A surety of a spelling of the word itself. */
const SPELLED = 0.97;
/** Postcodes have digits, and more of them than most house numbers; or letters, too. */
const POSTCODE = /^(?:\d{4,}|(?=.*\d)(?=.*[a-z])[a-z0-9]{3,})$/;

/** Runs that are a name of a place, those that are apart before others; null: its words come in another order. */
export function placeRuns(view: View, query: GeocodeWords, doc: number): NameRun[] | null {
  const { sets, docs, words: named_words } = view;
  const set = docs.set[doc]!;
  const matches = new Map<number, number>();
  for (let at = sets.starts[set]!; at < sets.starts[set + 1]!; at++) {
    const text = sets.texts[at]!;
    const terms = named_words.terms.subarray(
      named_words.starts[text],
      named_words.starts[text + 1],
    );
    for (const from of runsOf(query, terms))
      matches.set(from, Math.max(matches.get(from) ?? 0, terms.length));
  }
  if (matches.size === 0) return null;
  const runs = [...matches].flatMap(([from, length]): NameRun[] =>
    query.of_street(from, length)
      ? []
      : [
          {
            words: Array.from({ length }, (_, i) => from + i),
            apart: isApart(query, from, length),
            leads: isLeading(query, from, length),
          },
        ],
  );
  const apart = runs.filter((run) => run.apart);
  return apart.length > 0 ? apart : runs;
}

/** Where words of the question are those of a name, one after the other. */
function runsOf({ meanings, words }: GeocodeWords, terms: Uint32Array): number[] {
  const matches: number[] = [];
  if (terms.length === 0) return matches;
  // `ch` is short for Church within a name, and no place by itself.
  const leastOf = (at: number): number =>
    terms.length === 1 && words[at]!.text.length < MIN_LETTERS ? 1 : SPELLED;
  const is = (at: number, term: number): boolean =>
    meanings[at]!.some((intended) => intended.term === term && intended.surety >= leastOf(at));
  for (let from = 0; from + terms.length <= meanings.length; from++)
    if (terms.every((term, i) => is(from + i, term))) matches.push(from);
  return matches;
}

/** Whether a part of the question comes behind another one: a comma, or a number. */
export function isBehind({ words, segments }: GeocodeWords, segment: readonly number[]): boolean {
  const from = segment[0]!;
  return segment !== segments[0] || words.slice(0, from).some(({ text }) => /\d/.test(text));
}

/** All of a segment behind another one, but for a region's code at its end. */
function isApart(query: GeocodeWords, from: number, length: number): boolean {
  const segment = query.segments.find((own) => own[0] === from);
  if (!segment || segment.length < length || !isBehind(query, segment)) return false;
  const rest = segment.slice(length);
  return rest.length === 0 || (rest.length === 1 && isCode(query.words[rest[0]!]!));
}

function isLeading({ segments, words }: GeocodeWords, from: number, length: number): boolean {
  return (
    from === 0 &&
    segments.length > 1 &&
    segments[0]!.length === length &&
    words.some(({ text }) => /\d/.test(text))
  );
}

/** Postcodes of the base, and the documents that they are; `places`: words that are names of places. */
export function postcodeRuns(
  view: View,
  query: GeocodeWords,
  places: ReadonlySet<number>,
): (NameRun & { docs: number[] })[] {
  const { words } = query;
  const matches: (NameRun & { docs: number[] })[] = [];
  for (let at = 0; at < words.length; at++)
    for (let length = Math.min(MAX_POSTCODE_WORDS, words.length - at); length > 0; length--) {
      const own_words = words.slice(at, at + length);
      const isWritten =
        own_words.some(({ text }) => /\d/.test(text)) &&
        own_words.every(
          ({ ordinal, between }, i) => !ordinal && (i === 0 || /^[\s-]*$/.test(between)),
        );
      if (!isWritten || (length === 1 && !POSTCODE.test(own_words[0]!.text))) continue;
      if (isLeadingNumber(query, at, length) && !places.has(at + length)) continue;
      const docs = postcodesOf(view, query, { at, length });
      if (docs.length === 0 && !(length === 1 && isMentioned(view, query, at))) continue;
      const numbers = Array.from({ length }, (_, i) => at + i);
      matches.push({ words: numbers, docs, apart: true });
      at += length - 1;
      break;
    }
  return matches;
}

/** A number before a street: `1001 Main Street, Oberwil`. */
function isLeadingNumber({ words, segments }: GeocodeWords, at: number, length: number): boolean {
  const next = words[at + length];
  if (at > 0 || length > 1 || !next || /[,;\n]/.test(next.between)) return false;
  return segments.length > 1;
}

/** Whether whereabouts have the word, as those by a postal area do. */
function isMentioned({ context_postings }: View, { meanings }: GeocodeWords, at: number): boolean {
  const [best] = meanings[at]!;
  return best !== undefined && best.surety >= SPELLED && context_postings.count(best.term) > 0;
}

function postcodesOf(
  view: View,
  { meanings }: GeocodeWords,
  { at, length }: { at: number; length: number },
): number[] {
  const terms = Array.from(
    { length },
    (_, i) => meanings[at + i]!.find(({ surety }) => surety === 1)?.term ?? -1,
  );
  if (view.postcode_kind < 0 || terms.some((term) => term < 0)) return [];
  const { docs, sets, words, postings } = view;
  const rarest = terms.reduce((a, b) => (postings.count(b) < postings.count(a) ? b : a));
  const isIt = (doc: number): boolean => {
    const text = sets.texts[sets.starts[docs.set[doc]!]!]!;
    const own = words.terms.subarray(words.starts[text], words.starts[text + 1]);
    return own.length === length && terms.every((term, i) => own[i] === term);
  };
  const matches: number[] = [];
  if (postings.count(rarest) > MAX_NAMES) return matches;
  postings.each(rarest, MAX_NAMES, (doc) => {
    if (docs.kind[doc] === view.postcode_kind && matches.length < MAX_POSTCODES && isIt(doc))
      matches.push(doc);
  });
  return matches;
}
