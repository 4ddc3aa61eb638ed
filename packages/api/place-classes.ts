/**
 * Kinds of things of the open map, by their tags: the classes by which places are found, how all are
 * called in the languages of the explorer, and what the maps provider calls them. Everything that reads
 * such a word has it from here: the geocoder, the search by class, its tool, and the explorer.
 */
import type { SERVICE_TYPES } from "./tokens.ts";
import table from "./place-classes.json" with { type: "json" };

type ServiceType = (typeof SERVICE_TYPES)[number];

/** A row of the table. */
export type ThingKind = {
  /** Token by which it is asked for (`GET /v1/places/nearby`); null: it is found by name alone. */
  place_class: string | null;
  /** Type of an urban service that it is (§4.6); null: it is none. */
  service: ServiceType | null;
  /** `key=value`; none: no tag alone makes it. */
  tags: readonly string[];
  /** Further tags of which one must be there as well; none: it is one without. */
  only: readonly string[];
  /** Types of the Places API; none: the maps provider is not asked for it. */
  google: readonly string[];
  /** Whether one without a name is found by the geocoder. */
  unnamed: boolean;
  /** Whether one without a name is none: a pool in a garden is no swimming pool. */
  needs_name: boolean;
  /** Weight among things of the same name, 0 to 1; null: that of most. */
  importance: number | null;
  /** By language, what it is called, the first what one without a name is. */
  words: Readonly<Record<string, readonly string[]>>;
};

const UMLAUT = /[äöü]/g;
const SPELLED: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };

export const THING_KINDS: readonly ThingKind[] = (table.kinds as readonly Written[]).map(toKind);

/** The classes of places, in the order of the table. */
export const PLACE_CLASSES: readonly string[] = THING_KINDS.flatMap(
  ({ place_class }) => place_class ?? [],
);

/** A row as the file has it: lists are texts with blanks, words with bars between them. */
type Written = {
  class?: string;
  service?: string;
  tags: string;
  only?: string;
  google?: string;
  unnamed?: boolean;
  needs_name?: boolean;
  importance?: number;
  words: Readonly<Record<string, string>>;
};

function toKind(row: Written): ThingKind {
  const { unnamed = false, needs_name = false, importance = null, words } = row;
  return {
    place_class: row.class ?? null,
    service: (row.service as ServiceType | undefined) ?? null,
    tags: listOf(row.tags, " "),
    only: listOf(row.only, " "),
    google: listOf(row.google, " "),
    ...{ unnamed, needs_name, importance },
    words: Object.fromEntries(
      Object.entries(words).map(([language, line]) => {
        const own = listOf(line, "|");
        return [language, language === "de" ? withSpelled(own) : own];
      }),
    ),
  };
}

/** Where a keyboard has no umlauts, German words are written with two letters in their place. */
function withSpelled(words: readonly string[]): string[] {
  const spelled = words.map((word) => word.replace(UMLAUT, (letter) => SPELLED[letter]!));
  return [...new Set([...words, ...spelled])];
}

function listOf(text: string | undefined, mark: string): readonly string[] {
  return text ? text.split(mark) : [];
}
