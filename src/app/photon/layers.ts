/** Photon's types of things (places.md 2.1), by what the open map calls them. */
import type { GeocodeItem } from "#osm/geocoder/present-answers.ts";

export const PHOTON_LAYERS: readonly string[] = [
  ...["house", "street", "locality", "district", "city", "county", "state", "country", "other"],
];

/** Values of `place` by layer; others are `other`. */
const PLACES: Readonly<Record<string, string>> = {
  country: "country",
  ...{ state: "state", region: "state", province: "state", county: "county" },
  ...{ city: "city", town: "city", municipality: "city", village: "city" },
  ...{ borough: "district", suburb: "district", hamlet: "district" },
  ...{ quarter: "locality", neighbourhood: "locality", city_block: "locality" },
  ...{ isolated_dwelling: "locality", farm: "locality", locality: "locality" },
};
/** Keys of what has a name and neither a number nor a street. */
const OTHERS: readonly string[] = ["natural", "waterway", "boundary"];

export function layerOf({ type, osm_key, osm_value }: GeocodeItem): string {
  if (type === "street") return "street";
  if (type === "address") return "house";
  if (osm_key === "place") return PLACES[osm_value] ?? "other";
  return OTHERS.includes(osm_key) ? "other" : "house";
}
