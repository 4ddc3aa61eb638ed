/** Address components to the address of §2.2 and to a name, which Geocoding lacks (places.md 1.1). */
import type { Address } from "#osm/geocoder/candidate.ts";
import { toList, toRow, toText, toTexts } from "#kit/coerce.ts";
import type { GoogleKind } from "#providers/google_maps/google-types.ts";

export type Component = { long: string; short: string | null; types: readonly string[] };

/** In order: the first type of which there is a component. */
const CITY = [
  ...["locality", "postal_town", "sublocality_level_1", "sublocality"],
  ...["administrative_area_level_3", "administrative_area_level_2"],
];
const REGION = ["administrative_area_level_1", "administrative_area_level_2"];
/** A flat or floor may precede the street, the number follow it; further on it is the town. */
const STREET_PARTS = 3;

/** Geocoding says `long_name`, Places `longText`. */
export function toComponents(wire: unknown): Component[] {
  return toList(wire).flatMap((value) => {
    const row = toRow(value);
    const long = toText(row?.["long_name"] ?? row?.["longText"]);
    if (!row || long === null) return [];
    const short = toText(row["short_name"] ?? row["shortText"]);
    return [{ long, short, types: toTexts(row["types"]) }];
  });
}

/** The country is its name, in the language of the answer (decisions, Geocoding). */
export function toAddress(components: readonly Component[], formatted: string | null): Address {
  const first = (...types: string[]): string | null => find(components, types)?.long ?? null;
  return {
    formatted,
    street: first("route"),
    street_number: first("street_number"),
    city: first(...CITY),
    postal_code: findPostalCode(components)?.long ?? null,
    region: first(...REGION),
    country: first("country"),
  };
}

/** Returns its own name; null: there is none. */
export function toOwnName(
  { kind, types }: { kind: GoogleKind; types: readonly string[] },
  components: readonly Component[],
  formatted: string | null,
): string | null {
  const long = findOwn({ kind, types }, components)?.long ?? null;
  switch (kind.type) {
    case "country":
    case "region":
    case "city":
    case "neighborhood":
    case "locality":
    case "unknown":
      return long ?? formatted;
    case "address": {
      const last = toLastPart(components, formatted);
      // A house that has a name of its own goes by it where the street is at the end.
      if (last !== null) return long !== null && /\p{L}/u.test(long) ? long : last;
      return toStreetPart(components, formatted) ?? long ?? formatted;
    }
    default:
      return (
        long ??
        toLastPart(components, formatted) ??
        toStreetPart(components, formatted) ??
        formatted
      );
  }
}

/** The component that is the result itself: of the very same types, else of its main type. */
function findOwn(
  { kind: { type, main }, types }: { kind: GoogleKind; types: readonly string[] },
  components: readonly Component[],
): Component | undefined {
  if (main === null) return undefined;
  const wanted = new Set(types);
  const same = components.find(
    (one) => one.types.length === wanted.size && one.types.every((each) => wanted.has(each)),
  );
  const isArea = type !== "poi" && type !== "establishment" && !/station$|^airport$/.test(type);
  // `political` is shared by every area around a thing, and names none of them.
  const any_of = isArea ? [main] : types.filter((each) => each !== "political");
  return same ?? components.find((one) => one.types.some((each) => any_of.includes(each)));
}

/**
 * Number and street in the order of the formatted address: mostly the text before its first comma,
 * but "Calle Mayor, 5, 28013 Madrid" and "Flat 2, 10 High St". null where it begins with the
 * country.
 */
function toStreetPart(components: readonly Component[], formatted: string | null): string | null {
  if (formatted === null) return null;
  if (leadingCountry(components, formatted) !== null) return null;
  const parts = formatted.split(/,\s*/);
  const route = find(components, ["route"]);
  const number = find(components, ["street_number"])?.long;
  const near = parts.slice(0, STREET_PARTS);
  const last = Math.max(
    near.findIndex((part) => route && isPartOf([route.long, route.short], part)),
    route ? near.findIndex((part) => part === number) : -1,
    0,
  );
  return parts.slice(0, last + 1).join(", ") || null;
}

/** Areas from the largest on, as an address that begins with the country names them. */
const AREAS = [
  ...["administrative_area_level_1", "administrative_area_level_2"],
  ...["administrative_area_level_3", "locality", "ward", "sublocality_level_1"],
];

/**
 * What an address that begins with the country, as in Japan, has behind post code and areas:
 * "日本、〒100-0004 東京都千代田区丸の内１丁目" → "丸の内１丁目". null: nothing, or it begins otherwise.
 */
function toLastPart(components: readonly Component[], formatted: string | null): string | null {
  const country = formatted === null ? null : leadingCountry(components, formatted);
  if (formatted === null || country === null) return null;
  let rest = withoutGap(formatted.slice(country.length));
  const skip = (text: string | null | undefined): void => {
    if (text != null && rest.startsWith(text)) rest = withoutGap(rest.slice(text.length));
  };
  skip("〒");
  skip(findPostalCode(components)?.long);
  for (const area of AREAS) {
    const match = find(components, [area]);
    skip(match?.long);
    skip(match?.short);
  }
  return rest || null;
}

/** A street may be called like the country, which is then at the end again. */
function leadingCountry(components: readonly Component[], formatted: string): string | null {
  const name = find(components, ["country"])?.long;
  const leads = name !== undefined && formatted.startsWith(name) && !formatted.endsWith(name);
  return leads ? name : null;
}

function withoutGap(text: string): string {
  return text.replace(/^[\s,、，]{1,8}/u, "");
}

function isPartOf(names: readonly (string | null)[], part: string): boolean {
  return names.some((name) => name !== null && part.includes(name));
}

function find(components: readonly Component[], types: readonly string[]): Component | undefined {
  for (const type of types) {
    const match = components.find((one) => one.types.includes(type));
    if (match) return match;
  }
  return undefined;
}

/** A prefix ("CF37") only where there is no whole code. */
function findPostalCode(components: readonly Component[]): Component | undefined {
  const codes = components.filter((one) => one.types.includes("postal_code"));
  return codes.find((one) => !one.types.includes("postal_code_prefix")) ?? codes[0];
}
