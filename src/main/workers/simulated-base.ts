/** The thread that makes an extract of the simulated world and imports it (main/bases/simulated.ts asks). */
import { writeFile } from "node:fs/promises";
import { openBaseExtract } from "../../../sandbox/openbase/extract.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { countryAt, loadCountries } from "#app/country.ts";
import { importBase } from "#upstream/base/import.ts";
import { serveTask } from "#upstream/import-thread.ts";
import { createSections } from "../bases/sections.ts";

/** What the thread is given; the extract lies in the file `path` meanwhile. */
export type SimulatedTask = {
  id: string;
  path: string;
  seed: number;
  cities: readonly string[];
  now_ms: number;
};

const find = await loadCountries();
const createAll = () => createSections((lat, lon) => countryAt(find, lat, lon));

await serveTask<SimulatedTask, never>(async ({ id, path, seed, cities, now_ms }) => {
  const data_at_s = Math.floor(now_ms / 1000);
  await writeFile(path, openBaseExtract(createWorld(seed, cities), { data_at_s }), { mode: 0o600 });
  return await importBase(path, { id, region: null, now_ms, sections: createAll() });
});
