/**
 * Where a point is: municipality, region and country from the areas that hold it; where there is no
 * municipality, the settlement that reaches it best.
 */
import type Flatbush from "flatbush";
import { metresOf, type Point7, units, unitsEast } from "./metres.ts";
import { isTown, levelsOf, SETTLEMENT_KINDS, rankOf } from "./settlements.ts";

/** An area as a locality is made of it. `doc`: its place; -1: it is none, as postal areas. */
export type AreaFact = {
  doc: number;
  level: number;
  code: string | null;
  /** It is that of a town or village. */
  town: boolean;
  postcode: string;
} & BoundaryFact;

/** What an area with a code of ISO 3166 adds; bases that were made before lack all of it but `code`. */
export type BoundaryFact = {
  /** ISO 3166-1 alpha-2 of a part of a country, such as Hong Kong. */
  territory?: string;
  /** ISO 3166-2. */
  region?: string;
  /** Nothing of its boundary is missing. */
  whole?: true;
};

/** Places by number; -1: none. `holding`: the areas that hold the point but its country. */
export type Locality = {
  city: number;
  region: number;
  country_doc: number;
  country: string | null;
  holding: readonly number[];
  postcode: string;
};

/** Country of a point by other means than the extract's areas; null: unknown. */
export type CountryAt = (lat: number, lon: number) => string | null;

export type Settlements = {
  lat7: Int32Array;
  lon7: Int32Array;
  /** Number in PLACE_KINDS. */
  kinds: Uint8Array;
  /** 1: it has an area, and is no municipality beyond it. */
  bounded: Uint8Array;
  tree: Flatbush | null;
};

/** The nearest place of each kind within its radius; `ratio`: part of the radius. */
export type NearbyPlaces = {
  doc: number;
  kind: string;
  ratio: number;
  metres: number;
  bounded: boolean;
};

/** Reach of each kind of place, by its number in PLACE_KINDS. */
const RADII_M: readonly number[] = SETTLEMENT_KINDS.map((kind) => rankOf(kind)!.radius_m);
const RADII7: readonly number[] = RADII_M.map(units);
export const FARTHEST_M = Math.max(...RADII_M);
/** Of a window full of places no more are looked at. */
const MAX_LOOKED_AT = 4096;

export function nearestPlaces(
  places: Settlements,
  { lat7, lon7 }: Point7,
  within_m: number,
): NearbyPlaces[] {
  const [dlat, dlon] = [units(within_m), unitsEast(within_m, lat7)];
  const match = places.tree?.search(lon7 - dlon, lat7 - dlat, lon7 + dlon, lat7 + dlat) ?? [];
  const best = new Map<number, NearbyPlaces>();
  for (const doc of firstOf(match)) {
    const number = places.kinds[doc]!;
    const radius_m = RADII_M[number]!;
    const north = places.lat7[doc]! - lat7;
    // Most are of kinds that do not reach far.
    if (Math.abs(north) > RADII7[number]!) continue;
    const metres = metresOf(north, places.lon7[doc]! - lon7, lat7);
    const nearest = best.get(number);
    const isNearer =
      nearest === undefined ||
      metres < nearest.metres ||
      (metres === nearest.metres && doc < nearest.doc);
    if (metres > radius_m || !isNearer) continue;
    const bounded = places.bounded[doc] === 1;
    const kind = SETTLEMENT_KINDS[number]!;
    best.set(number, { doc, kind, ratio: metres / radius_m, metres, bounded });
  }
  return [...best.values()].sort((a, b) => a.ratio - b.ratio || a.doc - b.doc);
}

/** As many as are looked at: the lowest numbers, in whichever order. */
function firstOf(match: readonly number[]): ArrayLike<number> & Iterable<number> {
  return match.length <= MAX_LOOKED_AT
    ? match
    : Uint32Array.from(match).sort().subarray(0, MAX_LOOKED_AT);
}

/** `areas` hold the point; `nearby` may be asked for the settlements around it. */
export function localityOf(
  areas: readonly AreaFact[],
  { nearby, country: fallback }: { nearby(): readonly NearbyPlaces[]; country(): string | null },
): Locality {
  const own_area = areas.find(({ level, code }) => level === 2 && code !== null);
  const country = own_area?.code ?? fallback();
  const levels = levelsOf(country);
  const at = (level: number): AreaFact | undefined =>
    areas.find((area) => area.level === level && area.doc >= 0);
  const municipality = first(levels.municipality, at);
  const region = first(levels.region, at);
  const city =
    municipality?.doc ?? areas.findLast((area) => area.town)?.doc ?? reachingOf(nearby()) ?? -1;
  return {
    city,
    region: region && region.doc !== city ? region.doc : -1,
    country_doc: areas.find(({ level, doc }) => level === 2 && doc >= 0)?.doc ?? -1,
    country,
    holding: areas.filter(({ doc, level }) => doc >= 0 && level !== 2).map(({ doc }) => doc),
    postcode: postcodeOf(areas, municipality),
  };
}

/** Town or village that a point without a municipality belongs to; a part of one is none. */
export function reachingOf(near: readonly NearbyPlaces[]): number | undefined {
  return near.find(({ bounded, kind }) => !bounded && isTown(kind))?.doc;
}

function first<T>(levels: readonly number[], at: (level: number) => T | undefined): T | undefined {
  for (const level of levels) {
    const match = at(level);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Of the postal area, else of a municipality that has only one. */
function postcodeOf(areas: readonly AreaFact[], municipality: AreaFact | undefined): string {
  const postal = areas.find(
    ({ level, doc, postcode }) => level === 0 && doc < 0 && postcode !== "",
  );
  const text = postal?.postcode ?? municipality?.postcode ?? "";
  return /[;,]/.test(text) ? "" : text;
}
