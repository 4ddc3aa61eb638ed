// What mappers have drawn of a spot: the object and its main tag (places.md 2.5). Post codes are
// made up from addresses and are no objects.
import { hash } from "../rng.ts";
import type { Spot, SpotKind } from "./gazetteer.ts";

export type OsmObject = {
  readonly type: "N" | "W" | "R";
  readonly id: number;
  readonly key: string;
  readonly value: string;
};

type Tag = readonly [type: OsmObject["type"], key: string, value: string];

const TAGS: Readonly<Record<Exclude<SpotKind, "postcode">, Tag>> = {
  house: ["N", "place", "house"],
  street: ["W", "highway", "residential"],
  museum: ["N", "tourism", "museum"],
  station: ["N", "railway", "station"],
  airport: ["W", "aeroway", "aerodrome"],
  subway: ["N", "railway", "subway_entrance"],
  cafe: ["N", "amenity", "cafe"],
  shop: ["N", "shop", "convenience"],
  office: ["W", "office", "company"],
  pharmacy: ["N", "amenity", "pharmacy"],
  hotel: ["N", "tourism", "hotel"],
  parking: ["W", "amenity", "parking"],
  neighbourhood: ["N", "place", "neighbourhood"],
  city: ["R", "boundary", "administrative"],
  region: ["R", "boundary", "administrative"],
  country: ["R", "boundary", "administrative"],
};

/** Reports whether a house is computed along a way, and not drawn as a building. */
export const isInterpolated = ({ kind, key }: Spot): boolean => kind === "house" && key % 7 === 3;
const isBuilding = ({ kind, key }: Spot): boolean => kind === "house" && key % 7 < 3;

/** Null for what is no object of the map. */
export function osmOf(spot: Spot): OsmObject | null {
  if (spot.kind === "postcode") return null;
  const [type, key, value] = isBuilding(spot)
    ? (["W", "building", "yes"] as const)
    : TAGS[spot.kind];
  const id = 1_000_000 + (hash(spot.key, 0x6f73) % 4_000_000_000);
  return { type: isInterpolated(spot) ? "W" : type, id, key, value };
}

/** The node of a city's name, in addition to the relation of its boundary. */
export const cityNodeOf = (spot: Spot): OsmObject => ({
  type: "N",
  key: "place",
  value: spot.town?.city.id === "taveuni" ? "town" : "city",
  id: 1_000_000 + (hash(spot.key, 0x6e6f) % 4_000_000_000),
});
