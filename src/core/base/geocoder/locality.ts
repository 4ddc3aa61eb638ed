/**
 * Where a point is: municipality, region and country from the areas that hold it; where there is no
 * municipality, the settlement that reaches it best.
 */
import type Flatbush from "flatbush";
import { metresOf, units, unitsEast } from "./metres.ts";
import { levelsOf, PLACE_KINDS, rankOf } from "./settlements.ts";

/** An area as a locality is made of it. `doc`: its place; -1: it is none, as postal areas. */
export type AreaFact = {
  doc: number;
  level: number;
  code: string | null;
  place: string | null;
  postcode: string;
};

/** Places by number; -1: none. `around`: further places whose name goes with the point. */
export type Locality = {
  city: number;
  region: number;
  country_doc: number;
  country: string | null;
  around: readonly number[];
  postcode: string;
};

/** Country of a point by other means than the extract's areas; null: unknown. */
export type CountryAt = (lat: number, lon: number) => string | null;

export type Settlements = {
  lat7: Int32Array;
  lon7: Int32Array;
  /** Number in PLACE_KINDS. */
  kinds: Uint8Array;
  tree: Flatbush | null;
};

/** The nearest place of each kind within its radius; `ratio`: part of the radius. */
export type Nearby = { doc: number; kind: string; ratio: number; metres: number };

const FARTHEST_M = Math.max(...PLACE_KINDS.map((kind) => rankOf(kind)!.radius_m));
/** Of a window full of places no more are looked at. */
const MAX_LOOKED_AT = 4096;

export function nearestPlaces(places: Settlements, lat7: number, lon7: number): Nearby[] {
  const [dlat, dlon] = [units(FARTHEST_M), unitsEast(FARTHEST_M, lat7)];
  const found = places.tree?.search(lon7 - dlon, lat7 - dlat, lon7 + dlon, lat7 + dlat) ?? [];
  const best = new Map<number, Nearby>();
  for (const doc of found.sort((a, b) => a - b).slice(0, MAX_LOOKED_AT)) {
    const number = places.kinds[doc]!;
    const kind = PLACE_KINDS[number]!;
    const { radius_m } = rankOf(kind)!;
    const metres = metresOf(places.lat7[doc]! - lat7, places.lon7[doc]! - lon7, lat7);
    if (metres > radius_m || metres >= (best.get(number)?.metres ?? Infinity)) continue;
    best.set(number, { doc, kind, ratio: metres / radius_m, metres });
  }
  return [...best.values()].sort((a, b) => a.ratio - b.ratio || a.doc - b.doc);
}

/** `areas` hold the point; `nearby` may be asked for the settlements around it. */
export function localityOf(
  areas: readonly AreaFact[],
  nearby: () => readonly Nearby[],
  fallback: () => string | null,
): Locality {
  const own = areas.find(({ level, code }) => level === 2 && code !== null);
  const country = own?.code ?? fallback();
  const levels = levelsOf(country);
  const at = (level: number): AreaFact | undefined =>
    areas.find((area) => area.level === level && area.doc >= 0);
  const municipality = first(levels.municipality, at);
  const region = first(levels.region, at);
  const near = nearby();
  const town = (place: string | null): boolean =>
    place !== null && rankOf(place)?.municipality === true;
  const city =
    municipality?.doc ??
    areas.find(({ place, doc, level }) => level === 0 && doc >= 0 && town(place))?.doc ??
    near.find(({ kind }) => town(kind))?.doc ??
    -1;
  const around = new Set<number>();
  for (const { doc, level } of areas) if (doc >= 0 && level !== 2) around.add(doc);
  for (const { doc } of near) around.add(doc);
  for (const doc of [city, region?.doc]) if (doc !== undefined) around.delete(doc);
  return {
    city,
    region: region && region.doc !== city ? region.doc : -1,
    country_doc: areas.find(({ level, doc }) => level === 2 && doc >= 0)?.doc ?? -1,
    country,
    around: [...around].sort((a, b) => a - b),
    postcode: postcodeOf(areas, municipality),
  };
}

function first<T>(levels: readonly number[], at: (level: number) => T | undefined): T | undefined {
  for (const level of levels) {
    const found = at(level);
    if (found !== undefined) return found;
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
