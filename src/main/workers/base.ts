/** The thread that imports one extract (packages/osm-base/reader/extract-thread.ts asks). */
import { countryAt, loadCountries } from "#app/country.ts";
import { serveBaseImport } from "#osm/reader/extract-thread.ts";
import { createSections } from "../bases/sections.ts";

const find = await loadCountries();
serveBaseImport(({ without }) => createSections((lat, lon) => countryAt(find, lat, lon), without));
