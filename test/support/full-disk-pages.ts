/** An import in pages on a disk that may have no room for it: what is thrown, and what is left. */
import { writeSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { threadBaseImport } from "#osm/imports.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { aBasePack, writeExtract } from "./bases.ts";

export type FullDiskPages = {
  /** Code of the system; null: the base was stored. */
  code: string | null;
  /** Whether the base is the one before. */
  kept: boolean;
  files: string[];
};

const TOILETS = 8_000;
/** So little that runs and pages are written one by one. */
const PAGE_BYTES = 400_000;

async function play(folder: string): Promise<FullDiskPages> {
  const disk = join(folder, "disk");
  const store = createBaseStore(disk);
  const old = await aBasePack("ch");
  await store.put("ch", old);
  const path = join(folder, "a.osm.pbf");
  await writeExtract(path, TOILETS);
  const worker_url = new URL("../../src/main/workers/base.ts", import.meta.url);
  const read = threadBaseImport({ worker_url, onFault: () => undefined });
  const draft = await store.begin("ch");
  let code: string | null = null;
  try {
    const options = { id: "ch", region: null, now_ms: 1, page_bytes: PAGE_BYTES, threads: 2 };
    const result = await read(path, { ...options, target: draft });
    if (result.ok) await draft.commit();
    else code = result.problem;
  } catch (error) {
    code = (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    await draft.remove();
  }
  const after = await store.read("ch");
  const kept = after !== null && Buffer.from(after).equals(old);
  return { code, kept, files: await readdir(disk) };
}

if (process.argv[1] === import.meta.filename)
  writeSync(1, JSON.stringify(await play(process.argv[2]!)));
