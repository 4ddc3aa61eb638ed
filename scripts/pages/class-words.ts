/** The words of classes for the page, which cannot import the service. */
import { listClassWords } from "#core/places/class-words.ts";

export function classWordsJson(): string {
  const words = Object.fromEntries(
    [...listClassWords()].map(([word, classes]) => [word, classes.join(",")]),
  );
  return `${JSON.stringify(words, null, 2)}\n`;
}
