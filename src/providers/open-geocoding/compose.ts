/** Texts and identifiers of the open map, put together from their parts (places.md 2.1, 11.1). */
import type { Address } from "#core/places/candidate.ts";
import { type Row, toId, toText } from "#providers/coerce.ts";
import type { OsmType } from "#providers/open-geocoding/quality.ts";

/** The first of some members that says anything. */
export function firstText(row: Row, members: readonly string[]): string | null {
  for (const member of members) {
    const text = toText(row[member]);
    if (text !== null) return text;
  }
  return null;
}

/** Street and number as one line; null: no street is known. */
export function streetLine(street: string | null, number: string | null): string | null {
  return street === null || number === null ? street : `${street} ${number}`;
}

/** The country by its name, else by its two letters. */
export function countryOf(row: Row, code_member: string): string | null {
  return toText(row["country"]) ?? toText(row[code_member])?.toUpperCase() ?? null;
}

/** Composes `Name, Street 1, 75005 City, Region, Country`, nothing said twice. */
export function composeLabel(name: string, address: Omit<Address, "formatted">): string {
  const { street, street_number, city, postal_code, region, country } = address;
  const line = streetLine(street, street_number);
  const parts = [name];
  const add = (part: string | null): void => {
    if (part !== null && !parts.includes(part)) parts.push(part);
  };
  add(line);
  const town = [postal_code, city].filter((part) => part !== null && !parts.includes(part));
  add(town.join(" ") || null);
  add(region === city ? null : region);
  add(country);
  return parts.join(", ");
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

const OSM_TYPES: Readonly<Record<string, OsmType>> = { n: "N", w: "W", r: "R" };
const OSM_ID = /^[1-9]\d{0,18}$/;

/** Reads `node` and `N` as N; null: not from the open map, as postcodes are not. */
export function toOsmType(value: unknown): OsmType | null {
  const text = toText(value)?.toLowerCase() ?? "";
  if (!/^(n|w|r|node|way|relation)$/.test(text)) return null;
  return OSM_TYPES[text.slice(0, 1)] ?? null;
}

/** Makes an id as `N123`; null without a type or a number. */
export function toOsmId(osm_type: OsmType | null, value: unknown): string | null {
  const id = toId(value);
  return osm_type !== null && id !== null && OSM_ID.test(id) ? `${osm_type}${id}` : null;
}
