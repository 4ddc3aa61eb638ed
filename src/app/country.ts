/**
 * Finds the countries a coordinate lies in, offline: by the boundaries of a base where one has them, else
 * by the map of countries (decisions, Clocks and holidays). Its borders are a megabyte of data that most
 * questions never need, so they are loaded with the first question that does.
 */
import type { Location } from "#kit/geo.ts";
import type { BorderFacts, Borders } from "#ports/borders.ts";
import { ringsAround } from "#kit/rings-around.ts";
import { findByCell } from "./country-cells.ts";

export type FindCountries = (lat: number, lon: number) => string[];

const NOWHERE: BorderFacts = { countries: [], region: null };

/** Where no base has boundaries. */
export const NO_BORDERS: Borders = {
  version: () => 0,
  at: () => NOWHERE,
  excludes: () => false,
  crosses: () => false,
};

/** ISO 3166-1 alpha-2 codes of the point: the territory's and its country's (HK and CN). */
export async function loadCountries(borders: Borders = NO_BORDERS): Promise<FindCountries> {
  const [{ borders: map, iso1A2Codes }, { boxesOfTowns, countryOfBorderTown }] = await Promise.all([
    import("@rapideditor/country-coder"),
    import("./border-towns.ts"),
  ]);
  const ofMap: FindCountries = (lat, lon) => {
    const codes = iso1A2Codes([lon, lat]);
    const town = countryOfBorderTown(lat, lon);
    return town === null || codes.includes(town) ? codes : [town];
  };
  const rings = map.features.flatMap(({ geometry }) =>
    geometry?.type === "MultiPolygon" ? geometry.coordinates.flat() : [],
  );
  return withBorders(findByCell(ofMap, { rings, boxes: boxesOfTowns() }), borders);
}

/** Codes that are reserved for parts and unions of countries: no source calls a country so. */
const NO_COUNTRIES: ReadonlySet<string> = new Set("AC CP DG EA EU FX IC TA UN".split(" "));

/** The one code that a source would know the point's country or territory by; null: the sea. */
export function countryAt(find: FindCountries, lat: number, lon: number): string | null {
  return find(lat, lon).find((code) => !NO_COUNTRIES.has(code)) ?? null;
}

/**
 * Makes the look-up that goes by boundaries first. A point that lies outside the whole boundary of the
 * country that the map puts it in is in the nearest other one.
 */
export function withBorders(ofMap: FindCountries, borders: Borders): FindCountries {
  return (lat, lon) => {
    const codes = ofMap(lat, lon);
    const { countries } = borders.at(lat, lon);
    const [first] = countries;
    // The map may know the territory of a country of which only the country is drawn.
    if (first !== undefined) return codes.includes(first) ? codes : [...countries];
    const left = codes.filter((code) => !borders.excludes(code, lat, lon));
    if (left.length === codes.length || left.some((code) => !NO_COUNTRIES.has(code))) return left;
    return nearestOf(ofMap, { lat, lon }, (code) => !borders.excludes(code, lat, lon));
  };
}

/** Kilometres by which the map of countries may be wrong, in steps. */
const RADII_KM = [0.5, 1, 2, 4, 8];

/** The codes of the nearest place of which a country is possible; none: there is none near. */
function nearestOf(
  find: FindCountries,
  at: Location,
  isPossible: (code: string) => boolean,
): string[] {
  for (const { lat, lon } of ringsAround(at, RADII_KM)) {
    const matches = find(lat, lon).filter(isPossible);
    if (matches.some((code) => !NO_COUNTRIES.has(code))) return matches;
  }
  return [];
}
