/** Codes of ISO 3166 that the boundary of a country, a part of one or a region has. */
import type { OsmTags } from "../base/base-features.ts";
import type { BoundaryFact } from "./locality.ts";

export type BoundaryCodes = {
  /** ISO 3166-1 alpha-2, of countries. */
  code: string | null;
  /** ISO 3166-1 alpha-2 of a part of a country that has a code of its own, such as Hong Kong. */
  territory: string | null;
  /** ISO 3166-2, of regions. */
  region: string | null;
};

/** Levels of administrative boundaries: countries, and the regions that ISO 3166-2 is looked for at. */
const COUNTRY_LEVEL = 2;
const REGION_LEVEL = 4;

/** Administrative level of an area; 0: it is of another kind. */
export function levelOfArea(tags: OsmTags): number {
  return tags.get("boundary") === "administrative" ? Number(tags.get("admin_level")) : 0;
}

export function codesOfArea(tags: OsmTags, level: number): BoundaryCodes {
  const code = tags.get("ISO3166-1:alpha2") ?? tags.get("ISO3166-1") ?? "";
  const isCountry = /^[A-Z]{2}$/.test(code);
  const region = tags.get("ISO3166-2") ?? "";
  return {
    code: level === COUNTRY_LEVEL && isCountry ? code : null,
    territory: level > COUNTRY_LEVEL && level <= REGION_LEVEL && isCountry ? code : null,
    region: level === REGION_LEVEL && /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(region) ? region : null,
  };
}

/** What is known of the boundary of a country or a region, of which there are few. */
export function boundaryOf({
  code,
  territory,
  region,
  whole,
}: BoundaryCodes & { whole: boolean }): BoundaryFact {
  if (code === null && territory === null && region === null) return {};
  return {
    ...(territory === null ? {} : { territory }),
    ...(region === null ? {} : { region }),
    ...(whole ? { whole } : {}),
  };
}
