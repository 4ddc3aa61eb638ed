/** A thread of an import of an extract (packages/osm-base/reader/import-paged.ts asks). */
import { countryAt, loadCountries } from "#app/country.ts";
import { serveBaseImport } from "#osm/reader/extract-thread.ts";
import { createSections } from "../bases/sections.ts";

const find = await loadCountries();
const countryOf = (lat: number, lon: number): string | null => countryAt(find, lat, lon);
serveBaseImport(({ without }, page) => createSections(countryOf, without, page));
