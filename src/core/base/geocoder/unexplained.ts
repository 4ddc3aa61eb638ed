/** Which words of a question tell against a candidate that does not explain them. */
import type { Word } from "./fold.ts";
import { isNear } from "./kinds.ts";
import table from "./words.json" with { type: "json" };

/** Words such as `and` and `in`, which name nothing. */
const JOINING: ReadonlySet<string> = new Set(table.joining);
/** Words such as `apt`: they and the number behind them are of a part of a house. */
const UNITS: ReadonlySet<string> = new Set(table.units);
/** A missing house number tells of the street; so many digits are a postcode rather. */
const POSTCODE_DIGITS = 5;

export function unexplainedOf(
  words: readonly Word[],
  isExplained: (at: number) => boolean,
): string[] {
  return words.flatMap(({ text }, at) => {
    if (isExplained(at) || UNITS.has(text) || JOINING.has(text) || isNear(text)) return [];
    const before = words[at - 1];
    if (before && UNITS.has(before.text) && text.length < POSTCODE_DIGITS) return [];
    // Two letters behind all others are a country's or a state's; others are `de` and `la`.
    const isLast = at === words.length - 1;
    return text.length > 2 || isLast || /\d/.test(text) ? [text] : [];
  });
}
