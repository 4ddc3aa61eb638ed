/** The words of classes for the page, which cannot import the service. */
import { THING_KINDS } from "#api/place-classes.ts";

/** Class → language → its words with bars between them, the first what one is called. */
export function classWordsJson(): string {
  const words = THING_KINDS.flatMap(({ place_class, words: of }) =>
    place_class === null ? [] : [[place_class, barred(of)] as const],
  );
  return `${JSON.stringify(Object.fromEntries(words), null, 2)}\n`;
}

function barred(words: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(words).map(([tag, of]) => [tag, of.join("|")]));
}
