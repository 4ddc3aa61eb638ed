// How Google describes a spot: types, address components, the formatted address (places.md 1.1, 1.2).
import type { Spot, SpotKind } from "../world/gazetteer.ts";
import { hex } from "../rng.ts";
import { addressLine, say, type Tongue } from "../world/say.ts";
import { boxAround } from "../world/countries.ts";
import { plusCode, shortPlusCode } from "./plus-code.ts";

export type Component = {
  readonly long: string;
  readonly short: string;
  readonly types: readonly string[];
};

const POI_TYPES: Readonly<Partial<Record<SpotKind, readonly string[]>>> = {
  museum: ["establishment", "museum", "point_of_interest", "tourist_attraction"],
  station: ["establishment", "point_of_interest", "train_station", "transit_station"],
  airport: ["airport", "establishment", "point_of_interest"],
  subway: ["establishment", "point_of_interest", "subway_station", "transit_station"],
  cafe: ["cafe", "establishment", "food", "point_of_interest", "store"],
  shop: ["establishment", "point_of_interest", "store"],
  office: ["establishment", "point_of_interest"],
  pharmacy: ["establishment", "health", "pharmacy", "point_of_interest", "store"],
  hotel: ["establishment", "lodging", "point_of_interest"],
  parking: ["establishment", "parking", "point_of_interest"],
};

export const isPoi = ({ kind }: Spot): boolean => POI_TYPES[kind] !== undefined;

/** "ChIJ"-like; it means something in the simulated world alone. */
export const placeId = (key: number): string => `ChIJsandbox${hex(16, key, 0x676f)}`;

export function typesOf(spot: Spot): readonly string[] {
  const { kind, key, country } = spot;
  switch (kind) {
    case "house":
      return key % 9 === 4 ? ["premise"] : key % 9 === 7 ? ["subpremise"] : ["street_address"];
    case "street":
      return ["route"];
    case "neighbourhood":
      return key % 2 === 0 ? ["neighborhood", "political"] : SUBLOCALITY;
    case "postcode":
      return ["postal_code"];
    case "city":
      return country.code === "MX" ? ["colloquial_area", "locality", "political"] : cityTypes(spot);
    case "region":
      return key % 3 === 0
        ? ["administrative_area_level_1", "establishment", "point_of_interest", "political"]
        : REGION;
    case "country":
      return ["country", "political"];
    default:
      return POI_TYPES[kind] ?? [];
  }
}

const SUBLOCALITY = ["political", "sublocality", "sublocality_level_1"];
const REGION = ["administrative_area_level_1", "political"];

/** British cities are postal towns. */
const cityTypes = ({ country }: Spot): string[] =>
  country.code === "GB" ? ["postal_town"] : ["locality", "political"];

/** Parts of New York have a borough in place of the city. */
const isBorough = ({ kind, key, town, area }: Spot): boolean =>
  kind === "house" && town?.city.id === "new-york" && area !== null && key % 3 === 0;

/** Fine to coarse, the post code last. */
export function componentsOf(spot: Spot, tongue: Tongue): Component[] {
  const { kind, town, country, area } = spot;
  const part = (text: string, types: readonly string[], short = text): Component[] =>
    text === "" ? [] : [{ long: text, short, types }];
  const own = say(spot.name, tongue);
  const [inTown, borough] = [town !== null && kind !== "region", isBorough(spot)];
  const city = say(town?.name, tongue);
  return [
    ...(isPoi(spot) ? part(own, typesOf(spot)) : []),
    ...part(spot.number, ["street_number"]),
    ...part(kind === "street" ? own : say(spot.street, tongue), ["route"]),
    ...(kind === "neighbourhood" ? part(own, typesOf(spot)) : []),
    ...part(say(area, tongue), borough ? SUBLOCALITY : ["neighborhood", "political"]),
    ...(inTown && !borough ? part(city, cityTypes(spot)) : []),
    ...(inTown && country.code === "FR"
      ? part(`Arrondissement de ${city}`, ["administrative_area_level_2", "political"])
      : []),
    ...part(say(town?.region, tongue), REGION, town?.region.short),
    ...part(country[tongue], ["country", "political"], country.code),
    ...part(spot.post_code, ["postal_code"]),
  ];
}

const CUT: Readonly<Record<string, string>> = { US: "USA", GB: "UK" };

export function formattedAddress(spot: Spot, tongue: Tongue): string {
  const { kind, country } = spot;
  const nation = CUT[country.code] ?? country[tongue];
  if (kind === "country") return country[tongue];
  const own = kind === "house" || kind === "city" || kind === "postcode" ? "" : spot.name[tongue];
  if (kind === "region") return `${own}, ${nation}`;
  if (country.code === "JP" && tongue === "local") return inJapanese(spot);
  const parts = [own, addressLine(spot, tongue), cityLine(spot, tongue), nation];
  return parts.filter((part) => part !== "").join(", ");
}

/** All in one, the largest first, without a comma after the country. */
function inJapanese({ kind, post_code, town, area, street, number, name }: Spot): string {
  const own = kind === "postcode" ? "" : name.local;
  const parts = [town?.region, area, street].map((part) => say(part, "local"));
  return `日本、${post_code === "" ? "" : `〒${post_code} `}${parts.join("")}${number}${own}`;
}

function cityLine({ town, post_code, country }: Spot, tongue: Tongue): string {
  if (town === null) return "";
  const city = town.name[tongue];
  const { short } = town.region;
  switch (country.code) {
    case "US":
      return `${city}, ${short} ${post_code}`.trim();
    case "AU":
      return `${city} ${short} ${post_code}`.trim();
    case "BR":
      return `${city} - ${short}, ${post_code}`.replace(/, $/, "");
    case "GB":
    case "ZA":
    case "JP":
      return `${city} ${post_code}`.trim();
    default:
      return `${post_code} ${city}`.trim();
  }
}

function locationType({ kind, key }: Spot): string {
  if (kind === "house") return key % 5 === 0 ? "RANGE_INTERPOLATED" : "ROOFTOP";
  if (kind === "street") return "GEOMETRIC_CENTER";
  if (POI_TYPES[kind] === undefined) return "APPROXIMATE";
  return key % 3 === 0 ? "GEOMETRIC_CENTER" : "ROOFTOP";
}

/** One member of `results` of the Geocoding API. */
export function toResult(spot: Spot, tongue: Tongue, partial = false): Record<string, unknown> {
  const { lat, lon, half_m, key, kind, town } = spot;
  const viewport = toViewport(boxAround(spot, Math.max(150, half_m)));
  const coarse = locationType(spot) === "APPROXIMATE" || kind === "street";
  const coded = !coarse && town !== null;
  return {
    address_components: componentsOf(spot, tongue).map(({ long, short, types }) => ({
      long_name: long,
      short_name: short,
      types,
    })),
    formatted_address: formattedAddress(spot, tongue),
    geometry: {
      ...(coarse ? { bounds: viewport } : {}),
      location: { lat, lng: lon },
      location_type: locationType(spot),
      viewport,
    },
    ...(partial ? { partial_match: true } : {}),
    place_id: placeId(key),
    ...(coded ? { plus_code: toPlusCode(spot, tongue) } : {}),
    types: typesOf(spot),
  };
}

export function toPlusCode(spot: Spot, tongue: Tongue): Record<string, string> {
  const global_code = plusCode(spot);
  if (spot.town === null) return { global_code };
  const place = `${spot.town.name[tongue]}, ${spot.country[tongue]}`;
  return { compound_code: `${shortPlusCode(spot)} ${place}`, global_code };
}

const toViewport = ([south, west, north, east]: ReturnType<typeof boxAround>) => ({
  northeast: { lat: north, lng: east },
  southwest: { lat: south, lng: west },
});
