/**
 * Names of things in all their languages, each text and each set of names kept once: thousands of
 * streets share theirs.
 */
import { cleanText } from "#kit/text/clean.ts";
import type { OsmTags } from "../base/base-features.ts";
import { Lists } from "./number-lists.ts";

/** Names of one thing and their bound: a text of a stranger has no say in it. */
const MAX_NAMES = 64;
const MAX_CHARS = 256;

/**
 * Kind of a name: `""` is `name`; `alt`, `old`, `short`, `official`, `loc`, `int`, `ref` are the tags of
 * that beginning; any other is a language.
 */
export type GeocodedName = { kind: string; text: string };

const OTHER_TAGS = new Map([
  ["int_name", "int"],
  ["loc_name", "loc"],
  ["official_name", "official"],
  ["short_name", "short"],
  ["alt_name", "alt"],
  ["old_name", "old"],
]);
const LANGUAGE_TAG = /^(?:alt_)?name:([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?)$/;

/** Keys of names; one that ends in `:` is a prefix. */
export const NAME_KEYS: readonly string[] = ["name", "name:", "alt_name:", ...OTHER_TAGS.keys()];

/** That by which a thing is known comes first; empty: it has none. */
export function readNameTags(
  tags: OsmTags,
  options: { ref: boolean } = { ref: false },
): GeocodedName[] {
  const names: GeocodedName[] = [];
  const add = (kind: string, text: string): void => {
    const trimmed = text.trim().slice(0, MAX_CHARS);
    const isKnown = names.some(
      (name) => name.text === trimmed && (kind !== "" || name.kind === ""),
    );
    if (trimmed !== "" && !isKnown && names.length < MAX_NAMES) names.push({ kind, text: trimmed });
  };
  const name = tags.get("name") ?? tags.get("int_name") ?? tags.get("name:en");
  if (name !== undefined) add("", name);
  for (const [tag, text] of tags) {
    if (!tag.includes("name")) continue;
    const language = LANGUAGE_TAG.exec(tag)?.[1];
    const kind = OTHER_TAGS.get(tag) ?? language?.replace("_", "-").toLowerCase();
    if (kind === undefined) continue;
    for (const one of text.split(";")) add(tag.startsWith("alt_") ? "alt" : kind, one);
  }
  const codes = options.ref ? ["ref", "iata", "icao"] : [];
  for (const tag of codes) add("ref", tags.get(tag) ?? "");
  const [first] = names;
  if (first && first.kind !== "") names[0] = { kind: "", text: first.text };
  return names;
}

/** Texts by number, as they may be shown (decisions, Texts of sources); 0 is the empty text. */
export type Texts = {
  add(text: string | undefined): number;
  get(id: number): string;
  /** Order of two texts by their spelling. */
  compare(a: number, b: number): number;
  readonly count: number;
};

export function createTexts(): Texts {
  const ids = new Map<string, number>([["", 0]]);
  const list = [""];
  return {
    add(text = "") {
      const known_id = ids.get(text);
      if (known_id !== undefined) return known_id;
      const clean = cleanText(text, MAX_CHARS);
      let id = ids.get(clean);
      if (id === undefined) {
        ids.set(clean, (id = list.length));
        list.push(clean);
      }
      if (text !== clean) ids.set(text, id);
      return id;
    },
    get: (id) => list[id]!,
    compare: (a, b) => (list[a]! < list[b]! ? -1 : list[a]! > list[b]! ? 1 : 0),
    get count() {
      return list.length;
    },
  };
}

/** Sets of names by number; 0 is the empty set. */
export type NameSets = {
  add(names: readonly GeocodedName[]): number;
  get(id: number): GeocodedName[];
  /** Number of the text by which things of this name are known; 0: they have none. */
  firstText(id: number): number;
  /** Texts of the names, by number. */
  textsOf(id: number): number[];
  /** Whether one of the names is this text, by number. */
  hasText(id: number, text: number): boolean;
  /** Set of one name, by number of its text. */
  addText(text: number): number;
  /** Kind and text of each name in turn, by number: to be read before the next set is added. */
  partsOf(id: number): Int32Array;
  /** Kind of names by number; 0 is that of `name`. */
  kindOf(number: number): string;
  readonly count: number;
};

export function createNameSets(texts: Texts): NameSets {
  const kinds = [""];
  const numbers = new Map([["", 0]]);
  const lists = new Lists();
  const numberOf = (kind: string): number => {
    let number = numbers.get(kind);
    if (number === undefined) {
      numbers.set(kind, (number = kinds.length));
      kinds.push(kind);
    }
    return number;
  };
  return {
    add: (names) => lists.add(names.flatMap(({ kind, text }) => [numberOf(kind), texts.add(text)])),
    get(id) {
      const parts = lists.get(id);
      return Array.from({ length: parts.length / 2 }, (_, i) => ({
        kind: kinds[parts[i * 2]!]!,
        text: texts.get(parts[i * 2 + 1]!),
      }));
    },
    textsOf(id) {
      const own: number[] = [];
      const parts = lists.get(id);
      for (let i = 1; i < parts.length; i += 2) own.push(parts[i]!);
      return own;
    },
    hasText(id, text) {
      const parts = lists.get(id);
      for (let i = 1; i < parts.length; i += 2) if (parts[i] === text) return true;
      return false;
    },
    addText: (text) => lists.add([0, text]),
    firstText: (id) => lists.get(id)[1] ?? 0,
    partsOf: (id) => lists.get(id),
    kindOf: (number) => kinds[number]!,
    get count() {
      return lists.count;
    },
  };
}
