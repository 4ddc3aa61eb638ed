/** Things that a base has found, as Photon writes them (places.md 2.1, 11.1): unknown is left out. */
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";
import { present } from "#kit/present.ts";
import { LOCAL, localCountryName } from "./language.ts";
import { layerOf } from "./layers.ts";
import type { Tag } from "./tag-filter.ts";

export type PhotonFeature = ReturnType<typeof toFeature>;

/** Layers that are in no city. */
const WIDE: readonly string[] = ["county", "state", "country"];

/** `around`: places that the thing is in or near to, the smallest first. */
export function toFeature(item: GeocodeItem, around: readonly GeocodeItem[], language: string) {
  const { location, osm_type, osm_id, address, country_code, box7 } = item;
  const layer = layerOf(item);
  const { city, region: state } = address;
  const name = item.type === "address" ? null : item.name;
  const own = (part: string | null, its_layer: string): string | null =>
    layer === its_layer && part === item.name ? null : part;
  const parts = partsOf(item, around);
  return {
    type: "Feature" as const,
    geometry: { type: "Point" as const, coordinates: [location.lon, location.lat] },
    properties: present({
      ...{ osm_type, osm_id, ...tagOf(item), type: layer, name },
      housenumber: address.street_number,
      street: own(address.street, "street"),
      ...parts,
      postcode: address.postal_code,
      city: WIDE.includes(layer) ? null : own(city, "city"),
      state: layer === "country" ? null : own(state, "state"),
      country: layer === "country" ? null : countryOf(item, language),
      countrycode: country_code,
      extent: box7 && toExtent(box7),
    }),
  };
}

/**
 * A number is a `place=house`, as Photon has it where a number is all that is known; along an outline,
 * which is not a row of numbers, it is a building.
 */
export function tagOf(item: GeocodeItem): Tag {
  const { type, osm_type, osm_key, osm_value, match_quality } = item;
  if (type !== "address") return { osm_key, osm_value };
  const is_outline = osm_type !== null && osm_type !== "N" && match_quality === "rooftop";
  return is_outline
    ? { osm_key: "building", osm_value: "yes" }
    : { osm_key: "place", osm_value: "house" };
}

type Part = "locality" | "district" | "county";

/** What a place that is drawn around a thing, or near it, is to the thing. */
const PARTS: Readonly<Record<string, Part>> = {
  ...{ quarter: "locality", neighbourhood: "locality" },
  ...{ suburb: "district", borough: "district" },
  county: "county",
};
/** Layers that are no part of one another's. */
const WITHOUT: Readonly<Record<Part, readonly string[]>> = {
  locality: ["locality", "district", "city", ...WIDE],
  district: ["district", "city", ...WIDE],
  county: WIDE,
};

function partsOf(item: GeocodeItem, around: readonly GeocodeItem[]): Record<Part, string | null> {
  const { name, address } = item;
  const layer = layerOf(item);
  const parts: Record<Part, string | null> = { locality: null, district: null, county: null };
  for (const place of around) {
    const part = place.osm_key === "place" ? PARTS[place.osm_value] : undefined;
    if (part === undefined || parts[part] !== null || WITHOUT[part].includes(layer)) continue;
    const isReported = [name, address.city, address.region].includes(place.name);
    // The next town's suburb may be near, too.
    const is_here = part === "county" || place.address.city === address.city;
    if (!isReported && is_here) parts[part] = place.name;
  }
  return parts;
}

function countryOf({ country_code, address }: GeocodeItem, language: string): string | null {
  return language === LOCAL && country_code !== null
    ? localCountryName(country_code)
    : address.country;
}

/** West, north, east, south in degrees. */
function toExtent([south, west, north, east]: NonNullable<GeocodeItem["box7"]>): number[] {
  return [west, north, east, south].map((value) => value / 1e7);
}
