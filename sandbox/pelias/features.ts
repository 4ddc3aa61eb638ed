// Spots as Pelias writes them: a layer, the source that they come from, and how sure it is.
import type { Spot, SpotKind } from "../world/gazetteer.ts";
import { isInterpolated, osmOf } from "../world/osm-objects.ts";
import { addressLine, say, type Tongue } from "../world/say.ts";

export type Feature = {
  readonly type: "Feature";
  readonly geometry: { readonly type: "Point"; readonly coordinates: readonly [number, number] };
  readonly properties: Readonly<Record<string, unknown>>;
};

/** Way in which it was found. `match_type` null: in full; absent: by its place. */
export type Finding = {
  readonly match_type?: "fallback" | null;
  readonly confidence: number;
  /** Kilometres. */
  readonly distance?: number;
};

const LAYERS: Readonly<Partial<Record<SpotKind, string>>> = {
  house: "address",
  street: "street",
  neighbourhood: "neighbourhood",
  postcode: "postalcode",
  city: "locality",
  region: "region",
  country: "country",
};

export const layerOf = ({ kind }: Spot): string => LAYERS[kind] ?? "venue";

export function toFeature(spot: Spot, tongue: Tongue, finding: Finding): Feature {
  const { lat, lon, country, town, kind } = spot;
  const [layer, identity] = [layerOf(spot), identify(spot)];
  const name = say(spot.name, tongue) || addressLine(spot, tongue);
  const inTown = town !== null && kind !== "region";
  const { match_type, ...sure } = finding;
  const text = match_type === null ? (isInterpolated(spot) ? "interpolated" : "exact") : match_type;
  const properties = {
    id: identity.id,
    gid: `${identity.source}:${layer}:${identity.id}`,
    layer,
    source: identity.source,
    source_id: identity.id,
    country_code: country.code,
    name,
    ...(spot.number === "" ? {} : { housenumber: spot.number }),
    ...(kind === "street" ? { street: name } : some("street", say(spot.street, tongue))),
    ...some("postalcode", spot.post_code),
    ...sure,
    ...(text === undefined ? {} : { match_type: text }),
    accuracy: accuracyOf(spot),
    country: country[tongue],
    country_a: country.alpha_3,
    ...(town === null ? {} : { region: say(town.region, tongue), region_a: town.region.short }),
    ...(inTown ? some("locality", say(town.name, tongue)) : {}),
    ...some("neighbourhood", say(spot.area, tongue)),
    label: labelOf(spot, name, tongue),
  };
  return { type: "Feature", geometry: { type: "Point", coordinates: [lon, lat] }, properties };
}

/** Addresses come from one collection, areas from another, the rest from the map. */
function identify(spot: Spot): { source: string; id: string } {
  const object = osmOf(spot);
  switch (layerOf(spot)) {
    case "address":
      return { source: "openaddresses", id: `${spot.country.code.toLowerCase()}/city:${spot.key}` };
    case "venue":
    case "street": {
      const kind = { N: "node", W: "way", R: "relation" }[object?.type ?? "N"];
      return { source: "openstreetmap", id: `${kind}/${object?.id}` };
    }
    default:
      return { source: "whosonfirst", id: String(spot.key) };
  }
}

function accuracyOf(spot: Spot): string {
  if (isInterpolated(spot)) return "interpolated";
  return ["address", "venue"].includes(layerOf(spot)) ? "point" : "centroid";
}

function labelOf(spot: Spot, name: string, tongue: Tongue): string {
  const { town, country, kind } = spot;
  const city = kind === "region" || kind === "country" ? "" : say(town?.name, tongue);
  const nation = kind === "country" ? "" : country[tongue];
  return [...new Set([name, city, nation])].filter((part) => part !== "").join(", ");
}

const some = (name: string, text: string): Record<string, string> =>
  text === "" ? {} : { [name]: text };
