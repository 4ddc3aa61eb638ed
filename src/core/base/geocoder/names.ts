/**
 * Names of things in all their languages, each text and each set of names kept once: thousands of
 * streets share theirs.
 */
import { cleanText } from "#core/text/clean.ts";
import type { OsmTags } from "../features.ts";

/** Names of one thing and their bound: a text of a stranger has no say in it. */
const MAX_NAMES = 64;
const MAX_CHARS = 256;

/**
 * Kind of a name: `""` is `name`; `alt`, `old`, `short`, `official`, `loc`, `int`, `ref` are the tags of
 * that beginning; any other is a language.
 */
export type Name = { kind: string; text: string };

const OTHER_TAGS = new Map([
  ["int_name", "int"],
  ["loc_name", "loc"],
  ["official_name", "official"],
  ["short_name", "short"],
  ["alt_name", "alt"],
  ["old_name", "old"],
]);
const LANGUAGE_TAG = /^(?:alt_)?name:([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?)$/;

/** That by which a thing is known comes first; empty: it has none. */
export function readNames(tags: OsmTags, options: { ref: boolean } = { ref: false }): Name[] {
  const names: Name[] = [];
  const add = (kind: string, text: string): void => {
    const trimmed = text.trim().slice(0, MAX_CHARS);
    const known = names.some((name) => name.text === trimmed && (kind !== "" || name.kind === ""));
    if (trimmed !== "" && !known && names.length < MAX_NAMES) names.push({ kind, text: trimmed });
  };
  const name = tags.get("name") ?? tags.get("int_name") ?? tags.get("name:en");
  if (name !== undefined) add("", name);
  for (const [tag, text] of tags) {
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
  readonly count: number;
};

export function createTexts(): Texts {
  const ids = new Map<string, number>([["", 0]]);
  const list = [""];
  return {
    add(text = "") {
      const known = ids.get(text);
      if (known !== undefined) return known;
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
    get count() {
      return list.length;
    },
  };
}

/** Sets of names by number; 0 is the empty set. */
export type NameSets = {
  add(names: readonly Name[]): number;
  get(id: number): readonly Name[];
};

export function createNameSets(): NameSets {
  const ids = new Map<string, number>([["", 0]]);
  const list: (readonly Name[])[] = [[]];
  return {
    add(names) {
      const key = names.map(({ kind, text }) => `${kind}\0${text}`).join("\0");
      let id = ids.get(key);
      if (id === undefined) {
        ids.set(key, (id = list.length));
        list.push(names);
      }
      return id;
    },
    get: (id) => list[id]!,
  };
}
