// One spot as Nominatim writes it in json and jsonv2: coordinates are texts, names may be missing.
import { between } from "../rng.ts";
import { boxAround } from "../world/countries.ts";
import type { Spot, SpotKind } from "../world/gazetteer.ts";
import { isInterpolated, osmOf } from "../world/osm-objects.ts";
import { say, type Tongue } from "../world/say.ts";

export type Format = { readonly format: "json" | "jsonv2"; readonly addressdetails: boolean };

const RANKS: Readonly<Record<SpotKind, number>> = {
  house: 30,
  museum: 30,
  station: 30,
  airport: 30,
  subway: 30,
  cafe: 30,
  shop: 30,
  office: 30,
  pharmacy: 30,
  hotel: 30,
  parking: 30,
  street: 26,
  neighbourhood: 22,
  postcode: 21,
  city: 16,
  region: 8,
  country: 4,
};

const ADDRESS_TYPES: Readonly<Partial<Record<SpotKind, string>>> = {
  street: "road",
  neighbourhood: "neighbourhood",
  postcode: "postcode",
  city: "city",
  region: "state",
  country: "country",
};

const LICENCE = "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright";

export function toObject(spot: Spot, tongue: Tongue, { format, addressdetails }: Format): unknown {
  const object = osmOf(spot);
  const { key, value } = object ?? { key: "place", value: "postcode" };
  const kind = { N: "node", W: "way", R: "relation" }[object?.type ?? "N"];
  const [south, west, north, east] =
    spot.kind === "country" ? spot.country.box : boxAround(spot, spot.half_m);
  return {
    place_id: between(1_000_000, 400_000_000, spot.key, 301),
    licence: LICENCE,
    ...(object === null ? {} : { osm_type: kind, osm_id: object.id }),
    lat: degrees(spot.lat),
    lon: degrees(spot.lon),
    [format === "jsonv2" ? "category" : "class"]: key,
    place_rank: RANKS[spot.kind],
    type: isInterpolated(spot) ? "house" : value,
    importance: Math.round((1 - RANKS[spot.kind] / 31) * 1e6) / 1e6,
    ...toAddressType(spot, key),
    ...toNameMember(spot, tongue),
    display_name: displayName(spot, tongue),
    ...(addressdetails ? { address: toAddress(spot, tongue) } : {}),
    boundingbox: [south, north, west, east].map(degrees),
  };
}

const degrees = (value: number): string => value.toFixed(7);

/** Older servers do not state it; here it is missing from every eleventh. */
function toAddressType({ kind, key, town }: Spot, category: string): Record<string, string> {
  if (key % 11 === 5) return {};
  if (kind === "city" && town?.city.id === "taveuni") return { addresstype: "town" };
  if (kind === "house") return { addresstype: category === "building" ? "building" : "place" };
  return { addresstype: ADDRESS_TYPES[kind] ?? category };
}

/** Nameless things have "", null or no such member. */
function toNameMember({ name, key }: Spot, tongue: Tongue): Record<string, string | null> {
  const text = say(name, tongue);
  if (text !== "") return { name: text };
  return key % 3 === 0 ? { name: "" } : key % 3 === 1 ? { name: null } : {};
}

type Address = Readonly<Record<string, string>>;

/** Fine to coarse. */
function toAddress(spot: Spot, tongue: Tongue): Address {
  const { kind, town, country, key } = spot;
  const inTown = town !== null && kind !== "region";
  const details: readonly (readonly [member: string, text: string])[] = [
    [ownMember(spot), say(spot.name, tongue)],
    ["house_number", spot.number],
    [key % 8 === 1 ? "pedestrian" : "road", say(spot.street, tongue)],
    ["neighbourhood", say(spot.area, tongue)],
    [cityMember(spot), inTown ? say(town.name, tongue) : ""],
    ["state", say(town?.region, tongue)],
    ["postcode", spot.post_code],
    ["country", country[tongue]],
    ["country_code", country.code.toLowerCase()],
  ];
  return Object.fromEntries(details.filter(([, text]) => text !== ""));
}

/** The member of the address that holds its own name. */
function ownMember(spot: Spot): string {
  const { kind, key } = spot;
  if (kind === "street") return key % 8 === 1 ? "pedestrian" : "road";
  if (kind === "city") return cityMember(spot);
  return ADDRESS_TYPES[kind] ?? osmOf(spot)?.key ?? "place";
}

/** Not every city is in `city`. */
const cityMember = ({ town }: Spot): string =>
  town?.city.id === "taveuni" ? "town" : town?.city.country === "ZA" ? "municipality" : "city";

function displayName(spot: Spot, tongue: Tongue): string {
  const { country_code: _, ...address } = toAddress(spot, tongue);
  return [...new Set(Object.values(address))].join(", ");
}
