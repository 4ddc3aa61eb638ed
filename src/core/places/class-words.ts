/**
 * Words for classes of places in all languages of the table (packages/api/place-classes.ts): which
 * classes a word means, which were meant by one that is none, and what a class is called.
 */
import { PLACE_CLASSES, THING_KINDS } from "#api/place-classes.ts";
import { fold, nameWords } from "#kit/names/fold.ts";
import { listRule, type Rule } from "#kit/rule.ts";
import { cleanText } from "#kit/text/clean.ts";
import { hasControls } from "#kit/text/controls.ts";
import { cutText } from "#kit/text/cut.ts";
import { errorsBetween } from "#kit/text/typing-errors.ts";

/** Comparable form of a word → the classes that are called so. */
const BY_WORD: ReadonlyMap<string, readonly string[]> = readWords();
/** Each with the units of its text. */
const WORDS: readonly (readonly [word: string, units: Uint16Array])[] = [...BY_WORD.keys()].map(
  (word) => [word, Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at))],
);
const NAMES: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>> = new Map(
  THING_KINDS.flatMap(({ place_class, words }) =>
    place_class === null ? [] : [[place_class, words] as const],
  ),
);

function readWords(): Map<string, string[]> {
  const classes = new Map<string, string[]>();
  for (const { place_class, words } of THING_KINDS)
    for (const word of place_class === null ? [] : [place_class, ...Object.values(words).flat()]) {
      const plain = toPlain(word);
      const own = classes.get(plain) ?? [];
      if (!own.includes(place_class!)) classes.set(plain, [...own, place_class!]);
    }
  return classes;
}

function toPlain(text: string): string {
  return nameWords(fold(text.replaceAll("_", " "))).join(" ");
}

/** Classes that a word, or some words, mean in any language; none: it means none. */
export function classesOfWord(text: string): readonly string[] {
  return BY_WORD.get(toPlain(text)) ?? [];
}

/** What a place without a name is called: its class in the language, else in English. */
export function nameOfClass(place_class: string, language: string | null): string {
  const words = NAMES.get(place_class);
  const [base] = (language ?? "en").toLowerCase().split("-");
  const word = (words?.[base!] ?? words?.["en"])?.[0] ?? place_class;
  return word.slice(0, 1).toLocaleUpperCase(base) + word.slice(1);
}

/** Longer texts are not looked up, and further ones of a list are not looked at. */
const LONGEST = 64;
const MOST = 256;
/** Classes that a refusal names. */
const NAMED = 5;

/** A list of classes; one that is none is named with those that are meant. */
export function classRule(choices: readonly string[]): Rule<readonly string[]> {
  const rule = listRule(choices);
  return {
    read: (value) => (isShort(value) ? rule.read(value) : undefined),
    words: `an array or comma-separated list of classes, such as ${choices.slice(0, 3).join(", ")}`,
    explain(value) {
      const items = typeof value === "string" ? value.split(",", MOST) : value;
      if (!Array.isArray(items) || items.length === 0) return null;
      const stranger = (items as unknown[])
        .slice(0, MOST)
        .find((item) => typeof item !== "string" || !choices.includes(item.trim()));
      if (typeof stranger !== "string" || hasControls(stranger)) return null;
      const name = cutText(cleanText(stranger.trim()), LONGEST);
      return `has ${JSON.stringify(name)}, which is no class: ${suggest(stranger, choices)}`;
    },
  };
}

function isShort(value: unknown): boolean {
  return typeof value === "string" || !Array.isArray(value) || value.length <= MOST;
}

function suggest(text: string, choices: readonly string[]): string {
  const short = text.slice(0, LONGEST);
  const meant = classesOfWord(short);
  const near = meant.length > 0 ? meant : nearestClasses(short);
  if (near.length > 0) return `did you mean ${near.slice(0, NAMED).join(" or ")}?`;
  return `the description of this operation lists all ${choices.length}, among them ${COMMON.join(", ")}`;
}

/** Classes of the words with the fewest typing errors: one from four letters, two from seven. */
function nearestClasses(text: string): readonly string[] {
  const plain = toPlain(text);
  let least = plain.length < 4 ? 0 : plain.length < 7 ? 1 : 2;
  let near: string[] = [];
  for (const [word, units] of WORDS) {
    const errors = errorsBetween(plain, units, least);
    if (errors > least) continue;
    if (errors < least) near = [];
    least = errors;
    near.push(word);
  }
  return [...new Set(near.flatMap((word) => BY_WORD.get(word)!))];
}

const COMMON = PLACE_CLASSES.filter((name) =>
  ["pharmacy", "supermarket", "restaurant", "atm", "hotel", "doctor"].includes(name),
);
