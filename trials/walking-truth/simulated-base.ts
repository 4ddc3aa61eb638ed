/** Ways on foot of a simulated world: its extract, read by the importer of the service. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPack } from "#osm/imports.ts";
import { importBase } from "#osm/index.ts";
import { createWalkSection, openWalk, Walker, type WalkMeta } from "#osm/walking.ts";
import { listObjects } from "../../sandbox/openbase/extract.ts";
import { type PbfObject, toPbf } from "../../sandbox/pbf/encode.ts";
import type { World } from "../../sandbox/world/world.ts";

export type Plant = {
  /** What of the extract the importer is given. */
  objects?: (all: readonly PbfObject[]) => PbfObject[];
  /** How the importer reads it, otherwise than it does. */
  section?: Parameters<typeof createWalkSection>[0];
};

export async function walkerOf(world: World, { objects, section }: Plant = {}): Promise<Walker> {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-walks-"));
  const all = listObjects(world);
  const path = join(folder, "world.osm.pbf");
  await writeFile(path, toPbf(objects?.(all) ?? all, { program: "vicinity sandbox", level: 1 }));
  const result = await importBase(path, {
    ...{ id: "world", region: null, now_ms: 0 },
    sections: [createWalkSection(section)],
  });
  await rm(folder, { recursive: true, force: true });
  if (!result.ok) throw new Error(result.problem);
  const { columns, meta } = openPack(result.pack)!;
  return new Walker(openWalk(columns, meta.sections["walk"] as WalkMeta)!);
}
