/** What kind of thing an object of the map is, from its tags, and how kinds are called. */
import type { CandidateType } from "./candidate.ts";
import type { OsmTags } from "../base/base-features.ts";
import { type ThingKind, THING_KINDS } from "#api/place-classes.ts";
import { wordsOf } from "./fold-words.ts";
import table from "./kinds.json" with { type: "json" };
import types from "./types.json" with { type: "json" };

/** Tag (`amenity=toilets`) → its row. */
const BY_TAG: ReadonlyMap<string, ThingKind> = new Map(
  THING_KINDS.flatMap((row) => row.tags.map((tag): [string, ThingKind] => [tag, row])),
);
/** Whether a tag makes a kind: all values of a key in `never` do not, but those in `always`. */
type KindKey = { rank: number; listed: Set<string>; never: Set<string>; always: Set<string> };
const KEYS: ReadonlyMap<string, KindKey> = new Map(
  table.keys.map((key, rank): [string, KindKey] => {
    const valuesOf = (tags: readonly string[]): Set<string> =>
      new Set(
        tags.filter((tag) => tag.startsWith(`${key}=`)).map((tag) => tag.slice(key.length + 1)),
      );
    const listed = valuesOf([...BY_TAG.keys()]);
    return [key, { rank, listed, never: valuesOf(table.never), always: valuesOf(table.always) }];
  }),
);
const NOT_STREETS: ReadonlySet<string> = new Set(table.not_streets);
const TYPES: ReadonlyMap<string, string> = new Map(Object.entries(types));

/** Main tag as `key=value`; null: nothing that is looked for. */
export function kindOfTags(tags: OsmTags): string | null {
  let best: { place: number; key: string; value: string } | null = null;
  for (const [key, value] of tags) {
    const own = KEYS.get(key);
    if (own === undefined || value === "no" || value.length > 64) continue;
    const { rank, listed, never, always } = own;
    if (!always.has(value) && (never.has("*") || never.has(value))) continue;
    // The first key counts, and of all those the kinds of the table before others.
    const place = listed.has(value) ? rank - KEYS.size : rank;
    if (best === null || place < best.place) best = { place, key, value };
  }
  return best && `${best.key}=${best.value}`;
}

/** Keys of the kinds that are looked for without a name. */
export const UNNAMED_KEYS: readonly string[] = [
  ...new Set(
    THING_KINDS.filter(({ unnamed }) => unnamed).flatMap(({ tags }) =>
      tags.map((tag) => tag.slice(0, tag.indexOf("="))),
    ),
  ),
];

/** Is a thing of this kind looked for without a name? */
export function needsNoName(kind: string): boolean {
  return BY_TAG.get(kind)?.unnamed === true;
}

/** Weight of the kind among things of the same name, 0 to 1. */
export function importanceOf(kind: string): number {
  return BY_TAG.get(kind)?.importance ?? 0.05;
}

export function isStreet(highway: string | undefined): boolean {
  return highway !== undefined && !NOT_STREETS.has(highway);
}

/** Token of the contract for a main tag. */
export function typeOfKind(kind: string): CandidateType {
  const type = TYPES.get(kind) ?? TYPES.get(`${kind.split("=")[0]}=*`);
  return (type as CandidateType | undefined) ?? "poi";
}

/** What a thing without a name is called: its kind in the language, else in English. */
export function nameOfKind(kind: string, language: string): string | null {
  const words = BY_TAG.get(kind)?.words;
  const text = (words?.[language] ?? words?.["en"])?.[0];
  return text === undefined ? null : text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Words of kinds in all languages, as a question has them: `public toilets` → its main tags. */
const PHRASES: ReadonlyMap<string, readonly string[]> = readPhrases();
const NEAR: ReadonlySet<string> = new Set(
  Object.values(table.near).flatMap((line) => wordsOf(line, 64)),
);
/** Signs of scripts without blanks are words in pairs, so that these have the longest ones. */
export const MAX_PHRASE_WORDS = Math.max(
  ...[...PHRASES.keys()].map((phrase) => phrase.split(" ").length),
);

export function findKinds(phrase: string): readonly string[] | null {
  return PHRASES.get(phrase) ?? null;
}

/** `near`, `in`, `près de`: a word between what is looked for and where. */
export function isNear(word: string): boolean {
  return NEAR.has(word);
}

function readPhrases(): Map<string, string[]> {
  const phrases = new Map<string, Set<string>>();
  for (const { tags, words } of THING_KINDS)
    for (const text of tags.length > 0 ? Object.values(words).flat() : []) {
      const phrase = wordsOf(text).join(" ");
      const known_phrase = phrases.get(phrase) ?? new Set();
      for (const tag of tags) known_phrase.add(tag);
      phrases.set(phrase, known_phrase);
    }
  return new Map([...phrases].map(([phrase, tags]) => [phrase, [...tags]]));
}
