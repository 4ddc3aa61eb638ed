/**
 * The process that makes an extract of the simulated world, imports it and stores the base
 * (upstream/bases/simulated.ts asks).
 */
import { writeFile } from "node:fs/promises";
import { openBaseExtract } from "../../../sandbox/openbase/extract.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { countryAt, loadCountries } from "#app/country.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { FILE_MODE } from "#storage/embedded/private-files.ts";
import { importBase } from "#osm/reader/import-extract.ts";
import { endWithService, failMaker } from "#kit/run/maker.ts";
import type { SimulatedTask } from "#upstream/bases/simulated.ts";
import { createSections } from "../bases/sections.ts";

endWithService();
const { id, folder, path, seed, cities, now_ms } = JSON.parse(process.argv[2]!) as SimulatedTask;
const data_at_s = Math.floor(now_ms / 1000);
await writeFile(path, openBaseExtract(createWorld(seed, cities), { data_at_s }), {
  mode: FILE_MODE,
});
const find = await loadCountries();
const sections = createSections((lat, lon) => countryAt(find, lat, lon));
const result = await importBase(path, { id, region: null, now_ms, sections });
if (result.ok) await createBaseStore(folder).put(id, result.pack);
else failMaker(result.problem);
