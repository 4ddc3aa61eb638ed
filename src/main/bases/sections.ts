/** The parts of a base: what each takes from an extract is in its own file. */
import type { BaseSection } from "#osm/base/base-features.ts";
import type { OptionalSection } from "#osm/base/base-layout.ts";
import type { PagePlace } from "#osm/reader/import-jobs.ts";
import type { CountryAt } from "#osm/geocoder/locality.ts";
import { createGeocoderSection } from "#osm/geocoder/geocoder-section.ts";
import { createMapSection } from "#osm/tiles/tiles-section.ts";
import { createWalkSection } from "#osm/walking.ts";
import { createServicesSection } from "#providers/openstreetmap/base-services.ts";

/**
 * `countryAt` answers where the extract has no border of a country. `without`: parts that are left out.
 * `place`: the page that they are for; absent: there is one, of all.
 */
export function createSections(
  countryAt: CountryAt = () => null,
  without: readonly OptionalSection[] = [],
  place: PagePlace | null = null,
): BaseSection[] {
  const { level, ...cell } = place ?? {};
  const all: BaseSection[] = [
    // First, since it has the most to take and is small when it is made.
    createWalkSection(cell),
    createServicesSection(cell),
    createGeocoderSection({ countryAt, ...cell }),
    createMapSection(place ?? {}),
  ];
  const names: readonly string[] =
    level === undefined || level === "ground" ? all.map(({ name }) => name) : ["map"];
  return all.filter(
    ({ name }) => names.includes(name) && !(without as readonly string[]).includes(name),
  );
}
