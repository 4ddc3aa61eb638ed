/** Names as they are written on the map, and their form in the columns of a base. */
import type { OsmTags } from "../base/base-features.ts";
import { LANGUAGES } from "#kit/languages.ts";
import { cleanText } from "#kit/text/clean.ts";

const NAME_MAX = 80;
/** In no cleaned text. */
const BETWEEN = "\n";

/** Pairs of key and text: `name`, `ref`, and `name:xx` where it differs from `name`. */
export type Label = readonly (readonly [key: string, text: string])[];

/** Pairs in one text; empty: it has no name. */
export function toLabel(tags: OsmTags, withName = true): string {
  const pairs: string[] = [];
  const name = read(tags, "name");
  if (name !== "" && withName) {
    pairs.push("name", name);
    for (const language of LANGUAGES) {
      const key = `name:${language}`;
      const other = read(tags, key);
      if (other !== "" && other !== name) pairs.push(key, other);
    }
  }
  if (tags.has("highway")) {
    const ref = read(tags, "ref").split(";", 1)[0]!.trim();
    if (ref !== "") pairs.push("ref", ref);
  }
  return pairs.join(BETWEEN);
}

export function readTileLabel(text: string): Label {
  if (text === "") return [];
  const parts = text.split(BETWEEN);
  return Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i]!, parts[2 * i + 1]!]);
}

function read(tags: OsmTags, key: string): string {
  const value = tags.get(key);
  return value === undefined ? "" : cleanText(value, NAME_MAX);
}
