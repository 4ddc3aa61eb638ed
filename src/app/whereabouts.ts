/**
 * Where on Earth things are: countries, regions and time zones, by the boundaries of the bases first. The
 * maps are loaded with the first question that needs them.
 */
import { type FindCountries, loadCountries } from "#app/country.ts";
import { createTerritoryLoader, type FindTerritory } from "#app/territory.ts";
import { createTimezoneLoader, type FindTimezone } from "#app/timezone.ts";
import { detach } from "#kit/guard.ts";
import type { Territories } from "#world/station-hours.ts";
import { createBorders } from "#upstream/bases/base-shelf-borders.ts";
import type { Bases } from "#upstream/bases/shelf.ts";

export type Whereabouts = {
  /** `find`: null until they are loaded. */
  countries: { find: FindCountries | null; load(): Promise<FindCountries> };
  territories(): Promise<FindTerritory>;
  timezones(): Promise<FindTimezone>;
  /** Of stations of shared mobility, which are judged without a wait. */
  ofStations: Territories;
};

export function createWhereabouts(
  bases: Pick<Bases, "list">,
  onFault: (error: unknown) => void,
): Whereabouts {
  const borders = createBorders(bases);
  const countries: Whereabouts["countries"] = {
    find: null,
    load: async () => (countries.find ??= await loadCountries(borders)),
  };
  const load = createTerritoryLoader(countries.load, borders);
  let territory: FindTerritory | null = null;
  const territories = async (): Promise<FindTerritory> => (territory = await load());
  return {
    countries,
    territories,
    timezones: createTimezoneLoader(borders),
    ofStations: {
      version: borders.version,
      at(lat, lon) {
        if (!territory) detach(territories(), onFault);
        return territory && territory(lat, lon);
      },
    },
  };
}
