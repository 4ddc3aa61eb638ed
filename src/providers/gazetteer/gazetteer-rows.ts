/**
 * The world's countries, their regions, and cities and towns of a thousand people and more, as rows
 * of places for a geocoder. A city names its region and country by their ids.
 */
import { distance_m } from "#kit/geo.ts";
import { LANGUAGES, WIDE_LANGUAGES } from "#kit/languages.ts";
import { countryName } from "#osm/geocoder/contexts.ts";
import { wordsOf } from "#osm/geocoder/fold-words.ts";
import type { PlaceRow } from "#osm/geocoder/geocoder-section.ts";
import type { City } from "#providers/gazetteer/cities.ts";
import { type Names, otherNames, readNames } from "#providers/gazetteer/gazetteer-names.ts";

/** Facts about a city that the data lack: it is found by its name and country within 30 km. */
export type Also = {
  city: string;
  country: string;
  lat: number;
  lon: number;
  also?: readonly string[];
  names?: Names;
};

export type GazetteerTables = {
  /** GeoNames' number → names, as `readNames` reads them. */
  names: Readonly<Record<string, string>>;
  /** `DE.02` → names; the English one is that without a language. */
  regions: Readonly<Record<string, string>>;
  /** Country → latitude and longitude. */
  countries: Readonly<Record<string, readonly [lat: number, lon: number]>>;
  also: readonly Also[];
  /** Further names of regions and countries, parted by `|`. */
  aliases: {
    regions: Readonly<Record<string, string>>;
    countries: Readonly<Record<string, string>>;
  };
};

/** Languages in which countries have names; their own is added. */
/** GeoNames' numbers are below this. */
const REGION_IDS = 100_000_000;
const COUNTRY_IDS = 200_000_000;
const DEGREE = 1e7;
const ALSO_M = 30_000;

/** Places that are no more, or are empty. */
const GONE: ReadonlySet<string> = new Set(["PPLH", "PPLQ", "PPLW", "PPLCH"]);
const CITY_POPULATION = 50_000;
const TOWN_POPULATION = 10_000;

/** In no order of ids. */
export function* toRows(cities: Iterable<City>, tables: GazetteerTables): Generator<PlaceRow> {
  const settled = [...cities].filter(({ feature }) => !GONE.has(feature));
  const byRegion = Map.groupBy(settled, ({ country, region }) => `${country}.${region}`);
  const entry = [...byRegion.keys()].filter((key) => key in tables.regions).sort();
  const region_ids = new Map(entry.map((key, i) => [key, REGION_IDS + i]));
  const codes = Object.keys(tables.countries).sort();
  const country_ids = new Map(codes.map((code, i) => [code, COUNTRY_IDS + i]));
  const also = findAlso(settled, tables.also);
  const within = (key: string): Partial<PlaceRow> => {
    const [region_id, country_id] = [region_ids.get(key), country_ids.get(key.slice(0, 2))];
    return { ...(region_id && { region_id }), ...(country_id && { country_id }) };
  };
  for (const code of codes) yield countryRow(code, country_ids.get(code)!, tables);
  for (const key of entry) {
    const row = regionRow(key, byRegion.get(key)!, tables);
    yield { ...row, ...within(key), id: region_ids.get(key)! };
  }
  for (const city of settled) {
    const key = `${city.country}.${city.region}`;
    yield { ...cityRow(city, tables.names[city.id] ?? "", also.get(city)), ...within(key) };
  }
}

/** City of each row of the table; a row whose city the data lack is left out. */
export function findAlso(cities: readonly City[], table: readonly Also[]): Map<City, Also> {
  const byName = new Map<string, Also[]>();
  for (const row of table) {
    const key = `${row.country} ${row.city}`;
    byName.set(key, [...(byName.get(key) ?? []), row]);
  }
  const matches = new Map<City, Also>();
  for (const city of cities)
    for (const row of byName.get(`${city.country} ${city.name}`) ?? [])
      if (distance_m(row.lat, row.lon, city.lat7 / DEGREE, city.lon7 / DEGREE) <= ALSO_M)
        matches.set(city, row);
  return matches;
}

function cityRow(city: City, line: string, also: Also | undefined): PlaceRow {
  const { id, name, country, population, lat7, lon7 } = city;
  const names = { ...readNames(line), ...also?.names, ...otherNames(also?.also ?? []) };
  return {
    ...{ id, name, names, country, region: null, population, kind: kindOf(city) },
    ...{ lat: lat7 / DEGREE, lon: lon7 / DEGREE },
  };
}

function kindOf({ feature, population }: City): string {
  if (feature === "PPLX") return "suburb";
  if (feature === "PPLC" || (population ?? 0) >= CITY_POPULATION) return "city";
  return (population ?? 0) >= TOWN_POPULATION ? "town" : "village";
}

/** A region is amid its cities. One that is called like a city of its own comes after it. */
function regionRow(key: string, cities: readonly City[], tables: GazetteerTables): PlaceRow {
  const country = key.slice(0, 2);
  const code = key.slice(3);
  const { en: name = key, ...others } = readNames(tables.regions[key]!);
  const aliases = tables.aliases.regions[key]?.split("|") ?? [];
  const also = /^[A-Z]{2,3}$/.test(code) ? [code, ...aliases] : aliases;
  const names = { ...others, ...otherNames(also) };
  const own = new Set([name, ...Object.values(names)].map(folded));
  const shared = cities.some((city) => own.has(folded(city.name)));
  return {
    ...{ id: 0, name, names, country, region: null, population: null },
    ...{ ...middleOf(cities), kind: shared ? "county" : "state" },
  };
}

function countryRow(code: string, id: number, { countries, aliases }: GazetteerTables): PlaceRow {
  const [lat, lon] = countries[code]!;
  const own_language = new Intl.Locale(`und-${code}`).maximize().language;
  const names = Object.fromEntries(
    [...LANGUAGES, ...WIDE_LANGUAGES, own_language].map((language) => [
      language,
      countryName(code, language),
    ]),
  );
  const also = otherNames(aliases.countries[code]?.split("|") ?? []);
  return {
    ...{ id, lat, lon, name: names["en"]!, names: { ...names, ...also } },
    ...{ country: code, region: null, population: null, kind: "country" },
  };
}

/** Mean of their places, on whichever side of the antimeridian the first lies. */
function middleOf(cities: readonly City[]): { lat: number; lon: number } {
  const first = cities[0]!.lon7;
  let [lat, lon] = [0, 0];
  for (const { lat7, lon7 } of cities) {
    lat += lat7;
    lon += first + wrap(lon7 - first);
  }
  return { lat: lat / cities.length / DEGREE, lon: wrap(lon / cities.length) / DEGREE };
}

function wrap(lon7: number): number {
  return lon7 - 360 * DEGREE * Math.round(lon7 / (360 * DEGREE));
}

function folded(name: string): string {
  return wordsOf(name).join(" ");
}
