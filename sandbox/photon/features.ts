// Spots as Photon writes them, with what surprises in it: points of interest are of type `house`, a
// city is there as a boundary and as a node, post codes are lists or objects without an OSM id.
import { boxAround } from "../world/countries.ts";
import type { Spot, SpotKind } from "../world/gazetteer.ts";
import { cityNodeOf, type OsmObject, osmOf } from "../world/osm-objects.ts";
import { say, type Tongue } from "../world/say.ts";

export type Feature = {
  readonly type: "Feature";
  readonly geometry: { readonly type: "Point"; readonly coordinates: readonly [number, number] };
  readonly properties: Properties;
};

type Properties = {
  readonly type: string;
  readonly osm_key?: string;
  readonly osm_value?: string;
  readonly countrycode: string;
  readonly [member: string]: unknown;
};

/** By rank, not by what it is. */
const TYPES: Readonly<Partial<Record<SpotKind, string>>> = {
  street: "street",
  neighbourhood: "locality",
  postcode: "other",
  city: "district",
  region: "state",
  country: "country",
};

export function listFeatures(spot: Spot, tongue: Tongue): Feature[] {
  const feature = toFeature(spot, tongue, osmOf(spot));
  if (spot.kind !== "city") return [feature];
  const node = toFeature(spot, tongue, cityNodeOf(spot));
  const { extent: _, ...properties } = node.properties;
  return [feature, { ...node, properties: { ...properties, type: "city" } }];
}

function toFeature(spot: Spot, tongue: Tongue, object: OsmObject | null): Feature {
  const { kind, town, country, lat, lon } = spot;
  const inTown = town !== null && kind !== "region" && kind !== "country";
  const name = say(spot.name, tongue);
  const properties: Properties = {
    ...(object === null
      ? { osm_key: "place", osm_value: "postcode" }
      : { osm_type: object.type, osm_id: object.id, osm_key: object.key, osm_value: object.value }),
    type: TYPES[kind] ?? "house",
    ...some("name", name),
    ...some("housenumber", spot.number),
    ...some("street", say(spot.street, tongue)),
    ...some("locality", say(spot.area, tongue)),
    ...(inTown && spot.key % 3 === 0 ? some("district", say(town.name, tongue)) : {}),
    ...(inTown && kind !== "city" ? some("city", say(town.name, tongue)) : {}),
    ...(town !== null && kind !== "region" ? some("state", say(town.region, tongue)) : {}),
    ...some("postcode", postCode(spot)),
    ...(kind === "country" ? {} : { country: country[tongue] }),
    countrycode: country.code,
    ...toExtent(spot),
  };
  return { type: "Feature", geometry: { type: "Point", coordinates: [lon, lat] }, properties };
}

/** What spreads over several has them all. */
function postCode({ kind, town, post_code, key }: Spot): string {
  const all = (town?.post_codes ?? []).join(";");
  if (kind === "city") return all;
  return kind === "street" && key % 4 === 0 ? all : post_code;
}

/** minLon, maxLat, maxLon, minLat. */
function toExtent(spot: Spot): Record<string, unknown> {
  if (!["street", "neighbourhood", "city", "region", "airport", "country"].includes(spot.kind))
    return {};
  const [south, west, north, east] =
    spot.kind === "country" ? spot.country.box : boxAround(spot, spot.half_m);
  return { extent: [west, north, east, south] };
}

const some = (name: string, text: string): Record<string, string> =>
  text === "" ? {} : { [name]: text };
