/** One node, way or relation of the open map, from any server (places.md 2.6, 4.2). */
import type { Location } from "#kit/geo.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toName, toRow, toText } from "#kit/coerce.ts";
import { readLocation } from "#stations/gbfs/gbfs-rows.ts";

/** A map, since a tag may be called `__proto__`. */
export type Tags = ReadonlyMap<string, string>;

export type Element = Location & {
  /** `node/123`, `way/45`, `relation/6`. */
  id: string;
  tags: Tags;
};

const TYPES: ReadonlySet<string> = new Set(["node", "way", "relation"]);
/** Keys for the name of something, in any language. */
const NAME_KEY = /^(?:(?:official_|short_|alt_|loc_)?name|brand|operator|network)(?::|$)/;
const DIGITS = /^\d{1,19}$/;

/** A row of an Overpass answer; null: it is no place on the globe, and the trail knows why. */
export function toElement(value: unknown, index: number, trail: TrailRecorder): Element | null {
  const row = toRow(value);
  const id = elementId(row?.["type"], row?.["id"]);
  if (!row || id === null) {
    trail.drop(row ? "id_missing" : "row_malformed", `#${index}`);
    return null;
  }
  // Ways and relations are placed at their centre; an empty one is the answer for a missing geometry.
  return placed(id, toRow(row["center"]) ?? row, { tags: toTags(row["tags"]), trail });
}

/** Places an element; `lat` and `lon` are members of `at`. */
export function placed(
  id: string,
  at: Record<string, unknown>,
  { tags, trail }: { tags: Tags; trail: TrailRecorder },
): Element | null {
  const location = readLocation(at);
  if (typeof location !== "string") return { ...location, id, tags };
  trail.drop(location, id);
  return null;
}

/** Makes an element's id; null: no node, way or relation, or no number. */
export function elementId(type: unknown, number: unknown): string | null {
  const id = toId(number);
  if (typeof type !== "string" || !TYPES.has(type) || id === null || !DIGITS.test(id)) return null;
  return `${type}/${id}`;
}

/** Keys and values as tagged; what is empty or no text is no tag. */
export function toTags(value: unknown): Tags {
  const tags = new Map<string, string>();
  for (const [key, raw] of Object.entries(toRow(value) ?? {})) {
    const text = NAME_KEY.test(key) ? toName(raw) : toText(raw);
    if (text !== null) tags.set(key, text);
  }
  return tags;
}

/** The parts of a list of values (`wlan;terminal`), in lower case. */
export function valuesOf(tags: Tags, key: string): string[] {
  const parts = (tags.get(key) ?? "").toLowerCase().split(";");
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
