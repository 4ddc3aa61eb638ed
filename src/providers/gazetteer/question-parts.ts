/** Parts of a question: what is between commas and numbers, and how it was written. */
import { type Word, wordsOf } from "#core/base/geocoder/fold.ts";

/** Words of a name of a place. */
export const MAX_SPAN = 5;

/** Runs of words between commas and numbers. A country's letter before a postcode is a part of that. */
export function toSegments(words: readonly Word[]): Word[][] {
  const segments: Word[][] = [[]];
  for (const [at, word] of words.entries()) {
    if (at > 0 && /[,;\n]/.test(word.between)) segments.push([]);
    const next = words[at + 1];
    const isPrefix = word.text.length <= 3 && next?.between === "-" && /^\d/.test(next.text);
    if (/\d/.test(word.text)) segments.push([]);
    else if (!isPrefix) segments.at(-1)!.push(word);
  }
  return segments.filter((segment) => segment.length > 0);
}

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
