/** The words of classes for the page, which cannot import the service. */
import { THING_KINDS } from "#api/place-classes.ts";
import { classesOfWord } from "#core/places/class-words.ts";
import { fold, nameWords } from "#kit/names/fold.ts";

/** Word in its comparable form → its classes, with commas. */
export function classWordsJson(): string {
  const words = THING_KINDS.filter(({ place_class }) => place_class !== null)
    .flatMap((kind) => Object.values(kind.words).flat())
    .map((word) => [nameWords(fold(word)).join(" "), classesOfWord(word).join(",")]);
  return `${JSON.stringify(Object.fromEntries(words), null, 2)}\n`;
}
