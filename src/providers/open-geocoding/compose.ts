/** Texts and identifiers of the open map, put together from their parts (places.md 2.1, 11.1). */
import { type Row, toId, toText } from "#kit/coerce.ts";
import type { OsmObjectType } from "#providers/open-geocoding/quality.ts";

/** The first of some members that says anything. */
export function firstText(row: Row, members: readonly string[]): string | null {
  for (const member of members) {
    const text = toText(row[member]);
    if (text !== null) return text;
  }
  return null;
}

/** The country by its name, else by its two letters. */
export function countryOf(row: Row, code_member: string): string | null {
  return toText(row["country"]) ?? toText(row[code_member])?.toUpperCase() ?? null;
}

/** An area may have a list of them (`75000;75001;…`): then it has none. */
export function toPostalCode(value: unknown): string | null {
  const text = toText(value);
  if (text === null) return null;
  const codes = new Set(text.split(/[;,]/).map((code) => code.trim()));
  codes.delete("");
  const [code = null] = codes;
  return codes.size === 1 ? code : null;
}

const OSM_TYPES: Readonly<Record<string, OsmObjectType>> = { n: "N", w: "W", r: "R" };
const OSM_ID = /^[1-9]\d{0,18}$/;

/** Reads `node` and `N` as N; null: not from the open map, as postcodes are not. */
export function toOsmType(value: unknown): OsmObjectType | null {
  const text = toText(value)?.toLowerCase() ?? "";
  if (!/^(n|w|r|node|way|relation)$/.test(text)) return null;
  return OSM_TYPES[text.slice(0, 1)] ?? null;
}

/** Makes an id as `N123`; null without a type or a number. */
export function toOsmId(osm_type: OsmObjectType | null, value: unknown): string | null {
  const id = toId(value);
  return osm_type !== null && id !== null && OSM_ID.test(id) ? `${osm_type}${id}` : null;
}
