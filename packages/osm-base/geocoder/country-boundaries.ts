/**
 * What the whole boundaries of countries say against the map of countries, which is coarse by
 * kilometres (decisions, Clocks and holidays): a point outside of all that a country has is in another.
 */
import { ringsAround } from "#kit/rings-around.ts";
import type { AreaIndex } from "./area-index.ts";
import type { AreaFact, CountryAt } from "./locality.ts";

/** What is asked of an area: which country or territory it is, and whether all of it is drawn. */
type Border = Pick<AreaFact, "code"> & { territory?: string | null | undefined; whole?: boolean };

/** Reports whether all of a country's boundary is known, and the point lies outside it. */
export type Excludes = (country: string, lat7: number, lon7: number) => boolean;

export function createExcludes(areas: readonly Border[], { holds }: AreaIndex): Excludes {
  const whole = listWhole(areas);
  return (country, lat7, lon7) => {
    const own = whole.get(country);
    return own !== undefined && !own.some((area) => holds(area, lat7, lon7));
  };
}

/** Areas of each country or territory that is drawn as a whole. */
function listWhole(areas: readonly Border[]): ReadonlyMap<string, readonly number[]> {
  const matches = new Map<string, number[]>();
  for (const [i, { code, territory, whole }] of areas.entries()) {
    const own = territory ?? code;
    if (own !== null && whole === true) matches.set(own, [...(matches.get(own) ?? []), i]);
  }
  return matches;
}

/** Kilometres by which the map of countries may be wrong, in steps. */
const RADII_KM = [0.5, 1, 2, 4, 8];

/** Finds the country of the map, or where its boundary says that it is not there, the nearest other one. */
export function withinBoundaries(countryAt: CountryAt, excludes: Excludes): CountryAt {
  return (lat, lon) => {
    const isOutside = (code: string): boolean =>
      excludes(code, Math.round(lat * 1e7), Math.round(lon * 1e7));
    const code = countryAt(lat, lon);
    if (code === null || !isOutside(code)) return code;
    for (const at of ringsAround({ lat, lon }, RADII_KM)) {
      const other = countryAt(at.lat, at.lon);
      if (other !== null && !isOutside(other)) return other;
    }
    return null;
  };
}
