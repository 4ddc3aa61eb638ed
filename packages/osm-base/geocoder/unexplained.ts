/** How much of a question a candidate explains, and which words it leaves unexplained. */
import type { Word } from "./fold-words.ts";
import { NAMED } from "./named-bounds.ts";
import type { Explanation } from "./present-answers.ts";
import type { GeocodeWords } from "./geocode-query.ts";
import { isCode, isPostcodePrefix } from "./segments.ts";
import type { View } from "./geocoder-view.ts";
import { isNear } from "./osm-kinds.ts";
import table from "./words.json" with { type: "json" };

/** Words such as `and` and `in`, which name nothing. */
const JOINING: ReadonlySet<string> = new Set(table.joining);
/** Words such as `apt`: they and the number behind them are of a part of a house. */
const UNITS: ReadonlySet<string> = new Set(table.units);
/** A house number that is missing leaves the street; five digits are rather a postcode. */
export const POSTCODE_DIGITS = 5;

/** Below this a word is not explained. */
const EXPLAINED = 0.5;

/** What a candidate's name and its whereabouts say, and the words that are its number. */
type Explained = {
  named: Float64Array;
  around(at: number): number;
  numbered: readonly number[];
  /** Words of places that it lies outside of. */
  outside: readonly number[];
  /** Of the name no word is written, only some like its words, and it has others. */
  isMerelyLike: boolean;
};

export function createExplaining(
  view: View,
  query: GeocodeWords,
  weights: Float64Array,
): (doc: number, cover: Float64Array, reported: Explained) => Explanation {
  const total = weights.reduce((sum, weight) => sum + weight, 0);

  /** Whether a word is the code of the region, ISO 3166-2, that a document is in. */
  function isRegion({ areas, meta, docs }: View, doc: number, at: number): boolean {
    const code = query.words[at]!.text.toUpperCase();
    return areas
      .at(docs.lat7[doc]!, docs.lon7[doc]!)
      .some((area) => meta.areas[area]!.region?.split("-")[1] === code);
  }
  return (doc, cover, { named, around, numbered, outside, isMerelyLike }) => {
    const says = (at: number): number =>
      Math.max(around(at), doc < view.meta.places ? named[at]! : 0);
    const isLike = (at: number): boolean =>
      isMerelyLike && named[at]! > 0 && around(at) < EXPLAINED;
    const isExplained = (at: number): boolean =>
      !outside.includes(at) &&
      (numbered.includes(at) ||
        (cover[at]! >= EXPLAINED && !isLike(at)) ||
        isPostcodePrefix(query.words, at) ||
        (at === query.words.length - 1 && isCode(query.words[at]!) && isRegion(view, doc, at)));
    return {
      explained:
        total === 0 ? 0 : cover.reduce((sum, part, at) => sum + part * weights[at]!, 0) / total,
      unexplained: unexplainedOf(query.words, isExplained),
      in_named_place: query.words.some((_, at) => !outside.includes(at) && says(at) >= NAMED),
    };
  };
}

function unexplainedOf(words: readonly Word[], isExplained: (at: number) => boolean): string[] {
  return words.flatMap(({ text }, at) => {
    if (isExplained(at) || UNITS.has(text) || JOINING.has(text) || isNear(text)) return [];
    const before = words[at - 1];
    if (before && UNITS.has(before.text) && text.length < POSTCODE_DIGITS) return [];
    // Two letters behind all others are a country's or a state's; others are `de` and `la`.
    const isLast = at === words.length - 1;
    return text.length > 2 || isLast || /\d/.test(text) ? [text] : [];
  });
}
