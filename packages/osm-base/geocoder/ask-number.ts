/** The house number or the name of a house that a question has, on a street or a thing of interest. */
import { keyOfWords } from "./house-numbers.ts";
import { AS_WRITTEN } from "./named-places.ts";
import { findNamedHouse, type HouseMatch, findNumber, hasNamedHouses } from "./number-match.ts";
import type { GeocodeWords } from "./geocode-query.ts";
import type { View } from "./geocoder-view.ts";

/** The address that is asked for, and the words that it is made of. */
export type Numbered = {
  number: { key: string; found: HouseMatch | null } | null;
  words: readonly number[];
};

/** A number on a street that does not have it. */
const NO_SUCH_NUMBER = 0.2;
/** Words that the name of a house has at most. */
const MAX_HOUSE_WORDS = 6;

/**
 * What the name of a document says: coverage by it alone, and whether all of it that distinguishes
 * it is in the question; `onStreet`: the question has the street of its address.
 */
type Explained = { named: Float64Array; whole: boolean; onStreet: boolean };

/** Looks for it, and marks the words as covered. */
export function createNumberSearch(
  view: View,
  query: GeocodeWords,
  weights: Float64Array,
): (doc: number, cover: Float64Array, reported: Explained) => Numbered {
  /** A number that the whereabouts have too is rather that of a house, where there is that house. */
  function askNumber(doc: number, cover: Float64Array, name_cover: Float64Array): Numbered {
    let best: Numbered["number"] = null;
    let best_gain = 0;
    let words: readonly number[] = [];
    for (const { key, at, span } of query.numbers) {
      const own = span === 2 ? [at, at + 1] : [at];
      if (own.some((word) => name_cover[word]! > 0)) continue;
      const found = findNumber(view, doc, key);
      const fit = found?.fit ?? NO_SUCH_NUMBER;
      const gain = own.reduce((sum, word) => sum + (fit - cover[word]!) * weights[word]!, 0);
      if (gain <= best_gain) continue;
      [best, best_gain, words] = [{ key, found }, gain, own];
    }
    for (const word of words) cover[word] = best!.found?.fit ?? NO_SUCH_NUMBER;
    if (!best?.found && hasNamedHouses(view, doc)) {
      const house = namedHouse(doc, cover, name_cover);
      if (house) return house;
    }
    return { number: best, words };
  }

  /** The longest run of words, not all of which the street has, that is a text without a digit there. */
  function namedHouse(doc: number, cover: Float64Array, name_cover: Float64Array): Numbered | null {
    for (let span = Math.min(MAX_HOUSE_WORDS, query.words.length); span > 0; span--)
      for (let from = 0; from + span <= query.words.length; from++) {
        const words = Array.from({ length: span }, (_, i) => from + i);
        if (words.every((at) => name_cover[at]! >= AS_WRITTEN)) continue;
        const key = keyOfWords(words.map((at) => query.words[at]!));
        const row = findNamedHouse(view, doc, key);
        if (row < 0) continue;
        shareWords(words, name_cover, cover);
        for (const at of words) cover[at] = 1;
        const { lat7, lon7 } = view.numbers;
        const point = { lat7: lat7[row]!, lon7: lon7[row]! };
        return { number: { key, found: { row, ...point, fit: 1, is: "itself" } }, words };
      }
    return null;
  }

  /** A word that the house and its street share explains both of its places in the question. */
  function shareWords(
    words: readonly number[],
    name_cover: Float64Array,
    cover: Float64Array,
  ): void {
    for (const at of words)
      for (const [other, { text }] of query.words.entries())
        if (text === query.words[at]!.text && !words.includes(other))
          cover[other] = Math.max(cover[other]!, name_cover[at]!);
  }

  return (doc, cover, reported) =>
    takesNumbers(view, doc)
      ? askNumber(doc, cover, reported.named)
      : ownNumber(view, doc, { query, cover, reported });
}

function takesNumbers({ meta, numbers }: View, doc: number): boolean {
  const street = doc >= meta.places && doc < meta.places + meta.streets;
  return street || numbers.starts[doc + 1]! > numbers.starts[doc]!;
}

/**
 * A thing of interest has at most the number of its own address, and it is asked for with that street,
 * or where nothing but the thing and its number is in the question.
 */
function ownNumber(
  view: View,
  doc: number,
  { query, cover, reported }: { query: GeocodeWords; cover: Float64Array; reported: Explained },
): Numbered {
  const words: number[] = [];
  const label = view.docs.number[doc]!;
  if (label === 0) return { number: null, words };
  const text = view.text(label).toLowerCase().replaceAll(" ", "");
  const own_numbers = query.numbers.filter(({ key, at }) => key === text && cover[at] === 0);
  const requests = own_numbers.flatMap(({ at, span }) => (span === 2 ? [at, at + 1] : [at]));
  const isAll =
    reported.whole && query.words.every((_, at) => cover[at]! > 0 || requests.includes(at));
  if (!reported.onStreet && !isAll) return { number: null, words };
  for (const at of requests)
    if (cover[at] === 0) {
      cover[at] = 1;
      words.push(at);
    }
  return { number: null, words };
}
