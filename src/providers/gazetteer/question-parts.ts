/** How words of a question were written. */
import { type Word, wordsOf } from "#osm/geocoder/fold-words.ts";

/** Words of a name of a place. */
export const MAX_SPAN = 5;

export function asWritten(q: string, words: readonly Word[]): string {
  const wanted = words.map(({ text }) => text).join(" ");
  const tokens = q.split(/[\s,;]+/).filter((token) => token !== "");
  for (let from = 0; from < tokens.length; from++)
    for (let to = from + 1; to <= Math.min(tokens.length, from + MAX_SPAN); to++) {
      const text = tokens.slice(from, to).join(" ");
      if (wordsOf(text).join(" ") === wanted) return text;
    }
  return wanted;
}

/** Whether a word is written in capitals, as codes of regions are. */
export function isCapitals(q: string, { text }: Word): boolean {
  return q.split(/[^\p{L}]+/u).includes(text.toUpperCase());
}
