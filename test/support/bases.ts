/** Small bases for tests: an extract of a few nodes, encoded, imported and packed as a real one. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importBase } from "#osm/index.ts";
import { type PbfNode, type PbfObject, toPbf } from "../../sandbox/pbf/encode.ts";
import { createSections } from "../../src/main/bases/sections.ts";

/** Two toilets, a drinking point, private toilets, and the corners of the box. */
const HERE: readonly PbfNode[] = [
  [48.85, 2.35, {}],
  [48.86, 2.36, {}],
  [48.855, 2.355, { amenity: "toilets" }],
  [48.8552, 2.3552, { amenity: "toilets", name: "Halle" }],
  [48.8554, 2.3554, { amenity: "drinking_water" }],
  [48.8556, 2.3556, { amenity: "toilets", access: "private" }],
].map(([lat, lon, tags], n) => ({
  type: "node",
  id: n + 1,
  lat7: Math.round((lat as number) * 1e7),
  lon7: Math.round((lon as number) * 1e7),
  tags: tags as Record<string, string>,
}));

export const DATA_AT_S = Date.UTC(2026, 10, 20) / 1000;
const IMPORTED_AT_MS = Date.UTC(2026, 10, 21, 12);

/** The packed base of these objects. */
export async function aBasePack(
  id: string,
  objects: readonly PbfObject[] = HERE,
  data_at_s = DATA_AT_S,
  without: Parameters<typeof createSections>[1] = [],
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-base-"));
  const path = join(folder, "a.osm.pbf");
  await writeFile(path, toPbf(objects, { data_at_s }));
  const sections = createSections(undefined, without);
  const result = await importBase(path, {
    id,
    region: "FR",
    now_ms: IMPORTED_AT_MS,
    sections,
  });
  await rm(folder, { recursive: true, force: true });
  return result.ok ? result.pack : assert.fail(result.problem);
}

/** Writes an extract of that many toilets, each with a name of its own. */
export async function writeExtract(path: string, toilets: number): Promise<void> {
  const side = Math.ceil(Math.sqrt(toilets));
  const nodes = function* (): Generator<PbfNode> {
    for (let n = 0; n < toilets; n += 1)
      yield {
        type: "node",
        id: n + 1,
        lat7: 480_000_000 + (n % side) * 10_000,
        lon7: 20_000_000 + Math.floor(n / side) * 10_000,
        tags: { amenity: "toilets", name: `Halle ${n}`, "addr:street": `Rue ${n}` },
      };
  };
  await writeFile(path, toPbf(nodes(), { data_at_s: DATA_AT_S, level: 1 }));
}
