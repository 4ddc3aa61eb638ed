/** The parts of a base: what each takes from an extract is in its own file. */
import type { BaseSection } from "#osm/base/base-features.ts";
import type { OptionalSection } from "#osm/base/base-layout.ts";
import type { CountryAt } from "#osm/geocoder/locality.ts";
import { createGeocoderSection } from "#osm/geocoder/geocoder-section.ts";
import type { MapPage } from "#osm/tiles/map-facts.ts";
import { createMapSection } from "#osm/tiles/tiles-section.ts";
import { createWalkSection } from "#osm/walking.ts";
import { createInterestsSection } from "#providers/openstreetmap/base-interests.ts";
import { createServicesSection } from "#providers/openstreetmap/base-services.ts";

/**
 * `countryAt` answers where the extract has no border of a country. `without`: parts that are left out.
 * `page`: the one that they are for; absent: there is one, of all.
 */
export function createSections(
  countryAt: CountryAt = () => null,
  without: readonly OptionalSection[] = [],
  page: MapPage | null = null,
): BaseSection[] {
  const cell = page === null ? {} : { cell: page.cell };
  const all: BaseSection[] = [
    // First, since it has the most to take and is small when it is made.
    createWalkSection(cell),
    createServicesSection(cell),
    createInterestsSection(cell),
    createGeocoderSection({ countryAt, ...cell }),
    createMapSection(page),
  ];
  const left_out: readonly string[] = without;
  // Pages of the other levels are those of small zooms.
  const isGround = page === null || page.level === "ground";
  return all.filter(({ name }) => !left_out.includes(name) && (isGround || name === "map"));
}
