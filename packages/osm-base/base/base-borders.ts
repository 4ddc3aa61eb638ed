/**
 * Countries and regions of a base by their boundaries, which are exact where the map of countries is
 * coarse by kilometres (decisions, Clocks and holidays). They are areas of its geocoder.
 */
import { type AreaBox, openAreas } from "../geocoder/area-index.ts";
import { createExcludes } from "../geocoder/country-boundaries.ts";
import { ownColumns } from "../geocoder/own-columns.ts";
import type { AreaFact } from "../geocoder/locality.ts";
import type { Columns } from "#kit/pack.ts";

/** What boundaries say of a point: the territory before its country, and the region, as ISO 3166 has them. */
type Facts = { countries: readonly string[]; region: string | null };

export type BaseBorders = {
  at(lat: number, lon: number): Facts;
  /** Reports whether all of a country's boundary is known, and the point lies outside it. */
  excludes(country: string, lat: number, lon: number): boolean;
  /** Reports whether a country's boundary may run through a box of degrees; never false where one does. */
  crosses(box: readonly [south: number, west: number, north: number, east: number]): boolean;
};

/** `columns` and `areas` are those of a base with a geocoder; null: it has no country and no region. */
export function openBorders(columns: Columns, areas: readonly AreaFact[]): BaseBorders | null {
  return openAreaBorders(() => ownColumns(columns), areas);
}

/** The same of columns that are named as `packAreas` names them. */
export function openAreaBorders(
  columns: () => Columns,
  areas: readonly AreaFact[],
): BaseBorders | null {
  const [among, countries] = [listBy(areas, isBorder), listBy(areas, isCountry)];
  if (among.size === 0) return null;
  const index = openAreas(columns());
  const excludes = createExcludes(areas, index);
  const factsAt = (lat: number, lon: number): AreaFact[] =>
    index.at(to7(lat), to7(lon), among).map((area) => areas[area]!);
  return {
    at(lat, lon) {
      const facts = factsAt(lat, lon);
      const only = (codes: readonly (string | null | undefined)[]): string[] => {
        const matches = new Set(codes.filter((code) => code != null));
        // Where two claim a point, the boundaries do not decide.
        return matches.size === 1 ? [...matches] : [];
      };
      const [country] = only(facts.map(({ code }) => code));
      const [territory] = only(facts.map((fact) => fact.territory));
      const [region = null] = only(facts.map((fact) => fact.region));
      const codes = [territory, country].filter((code) => code !== undefined);
      return { countries: [...new Set(codes)], region };
    },
    excludes: (country, lat, lon) => excludes(country, to7(lat), to7(lon)),
    crosses: ([south, west, north, east]) =>
      index.crosses([to7(south), to7(west), to7(north), to7(east)], countries),
  };
}

function listBy(areas: readonly AreaFact[], fits: (area: AreaFact) => boolean): Set<number> {
  return new Set(areas.flatMap((area, i) => (fits(area) ? [i] : [])));
}

function isCountry({ code, territory }: AreaFact): boolean {
  return code !== null || territory !== undefined;
}

function isBorder(area: AreaFact): boolean {
  return isCountry(area) || area.region !== undefined;
}

function to7(degrees: number): AreaBox[number] {
  return Math.round(degrees * 1e7);
}
