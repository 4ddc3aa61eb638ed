/**
 * The country and the region of a thing, whose holidays it keeps (decisions, Clocks and holidays): by the
 * boundaries of a base, else by the maps, as far as they are certain. Every evaluation of hours asks here.
 */
import { LRUCache } from "lru-cache";
import type { Location } from "#kit/geo.ts";
import type { Borders } from "#ports/borders.ts";
import { countryAt, type FindCountries, NO_BORDERS } from "./country.ts";
import { ringsAround } from "#kit/rings-around.ts";

/** Codes of ISO 3166-1 and 3166-2; null: not known. The region is one of the country. */
type Territory = { country: string | null; region: string | null };

export type FindTerritory = (lat: number, lon: number) => Territory;

/** Regions that a map has at a point, as ISO 3166-2 has them; of most countries it has none. */
export type FindRegions = (lat: number, lon: number) => readonly string[];

/** Regions of the map of countries: nations of the United Kingdom, islands, and few others. */
export async function loadRegions(): Promise<FindRegions> {
  const { featuresContaining } = await import("@rapideditor/country-coder");
  return (lat, lon) =>
    featuresContaining([lon, lat]).flatMap(({ properties: { aliases = [], country, level } }) =>
      aliases.filter(
        // Great Britain, a group of nations, has a code of the same form.
        (alias) => country !== undefined && level !== GROUP && isRegionOf(alias, country),
      ),
    );
}

const GROUP = "subcountryGroup";
const MOST_PLACES = 20_000;

/** Remembers what it has found, since one look-up takes some microseconds and answers repeat places. */
export function createTerritories(
  countries: FindCountries,
  { regions, borders = NO_BORDERS }: { regions?: FindRegions; borders?: Borders } = {},
): FindTerritory {
  const cache = new LRUCache<string, Territory>({ max: MOST_PLACES });
  let version = borders.version();
  const find = (lat: number, lon: number): Territory => {
    const country = countryAt(countries, lat, lon);
    if (country === null) return { country, region: null };
    const drawn = borders.at(lat, lon).region;
    const region = drawn ?? (regions && certainRegion(regions, { lat, lon })) ?? null;
    return { country, region: region !== null && isRegionOf(region, country) ? region : null };
  };
  return (lat, lon) => {
    if (version !== borders.version()) {
      version = borders.version();
      cache.clear();
    }
    const key = `${lat} ${lon}`;
    let match = cache.get(key);
    if (!match) cache.set(key, (match = find(lat, lon)));
    return match;
  };
}

/** Loads the maps with the first question. */
export function createTerritoryLoader(
  countries: () => Promise<FindCountries>,
  borders: Borders,
): () => Promise<FindTerritory> {
  let made: FindTerritory | null = null;
  return async () => {
    // An import that is repeated costs as much as the answer to a small question.
    if (made !== null) return made;
    const [find, regions] = await Promise.all([countries(), loadRegions()]);
    return (made ??= createTerritories(find, { regions, borders }));
  };
}

/** The map is coarse by some kilometres: nearer to another region than these it decides nothing. */
const RADII_KM = [5, 10];

/** The region of the map where all around is of it, or of none; null: there is no such. */
function certainRegion(find: FindRegions, at: Location): string | null {
  const [region, ...others] = find(at.lat, at.lon);
  if (region === undefined || others.length > 0) return null;
  for (const { lat, lon } of ringsAround(at, RADII_KM))
    if (find(lat, lon).some((other) => other !== region)) return null;
  return region;
}

function isRegionOf(region: string, country: string): boolean {
  return region.startsWith(`${country}-`);
}
