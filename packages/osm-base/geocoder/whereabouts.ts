/**
 * Where the many points of an import are: municipality, region and country, and the settlements
 * around. Points of the same areas, country and settlements share one answer.
 */
import { areaCell, createCellFinder } from "./area-cells.ts";
import { openAreas, type Rings } from "./area-index.ts";
import { Lists } from "./number-lists.ts";
import {
  type AreaFact,
  type CountryAt,
  FARTHEST_M,
  type Locality,
  localityOf,
  type NearbyPlaces,
  nearestPlaces,
  reachingOf,
  type Settlements,
} from "./locality.ts";
import type { Columns } from "#kit/pack.ts";

export type Locator = {
  /** Municipality of a point by areas alone; -1: none. */
  municipalityAt(lat7: number, lon7: number): number;
  /** The same object for the same locality. */
  localityAt(lat7: number, lon7: number): Locality;
  /** Settlements that reach a point, ascending; the same array for the same settlements. */
  nearbyOf(lat7: number, lon7: number): readonly number[];
};

type Parts = { rings: readonly Rings[]; columns: Columns; countryAt: CountryAt };

export function createLocator(
  facts: readonly AreaFact[],
  settlements: Settlements,
  { rings, columns, countryAt }: Parts,
): Locator {
  const areasAt = createAreaLists(createCellFinder(openAreas(columns), rings), facts);
  const around = createSurroundings(settlements);
  const arealAt = (lat7: number, lon7: number): Areal => {
    const { code, countries, facts: own_facts } = areasAt(lat7, lon7);
    const country = code ?? countryAt(lat7 / 1e7, lon7 / 1e7);
    let areal = countries.get(country);
    if (!areal) {
      const of = (nearby: readonly NearbyPlaces[]): Locality =>
        localityOf(own_facts, { nearby: () => nearby, country: () => country });
      countries.set(country, (areal = { of, locality: of([]), reached: new Map() }));
    }
    return areal;
  };
  return {
    municipalityAt: (lat7, lon7) => arealAt(lat7, lon7).locality.city,
    localityAt(lat7, lon7) {
      const areal = arealAt(lat7, lon7);
      if (areal.locality.city >= 0) return areal.locality;
      const { nearby, reaching } = around(lat7, lon7);
      let locality = areal.reached.get(reaching);
      if (!locality) areal.reached.set(reaching, (locality = areal.of(nearby)));
      return locality;
    },
    nearbyOf: (lat7, lon7) => around(lat7, lon7).docs,
  };
}

/** Localities of the same areas in one country. */
type Areal = {
  of(nearby: readonly NearbyPlaces[]): Locality;
  /** By areas alone. */
  locality: Locality;
  /** By the settlement that reaches the point, for areas without a municipality. */
  reached: Map<number, Locality>;
};

type AreaList = {
  facts: readonly AreaFact[];
  /** Code of the country that one of them is; null: none is. */
  code: string | null;
  countries: Map<string | null, Areal>;
};

/** Areas that hold a point, as one object for all points that are in the same ones. */
function createAreaLists(
  finder: ReturnType<typeof createCellFinder>,
  facts: readonly AreaFact[],
): (lat7: number, lon7: number) => AreaList {
  const lists = new Lists();
  const entries: AreaList[] = [];
  return (lat7, lon7) => {
    const areas = finder.at(lat7, lon7);
    const number = lists.add(areas);
    const list = entries[number];
    if (list) return list;
    const own = areas.map((area) => facts[area]!);
    const country = own.find(({ level, code }) => level === 2 && code !== null);
    return (entries[number] = { facts: own, code: country?.code ?? null, countries: new Map() });
  };
}

type Surroundings = {
  nearby: readonly NearbyPlaces[];
  /** Settlement that a point without a municipality belongs to; -1: none. */
  reaching: number;
  docs: readonly number[];
};

/** Settlements around a cell: that a few hundred metres make no difference is good enough for words. */
function createSurroundings(
  settlements: Settlements,
): (lat7: number, lon7: number) => Surroundings {
  const lists = new Lists();
  const surroundings: Surroundings[] = [];
  const cells = new Map<number, Surroundings>();
  return (lat7, lon7) => {
    const cell = areaCell(lat7, lon7);
    const other = cells.get(cell);
    if (other) return other;
    const nearby = nearestPlaces(settlements, { lat7, lon7 }, FARTHEST_M);
    const docs = nearby.map(({ doc }) => doc).sort((a, b) => a - b);
    const reaching = reachingOf(nearby) ?? -1;
    const number = lists.add([reaching, ...docs]);
    const match = (surroundings[number] ??= { nearby, reaching, docs });
    cells.set(cell, match);
    return match;
  };
}
