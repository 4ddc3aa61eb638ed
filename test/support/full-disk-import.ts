/** Imports of extracts on a disk that has no room for the second: what is said, and what is left. */
import { writeSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openPagedHead } from "#osm/index.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { launch } from "../integration/service/processes.ts";
import { writeExtract } from "./bases.ts";

/** What a command ended with; `err` without the line that says what is read. */
type Ran = { code: number | null; err: string };

export type FullDiskImport = {
  first: Ran;
  full: Ran;
  /** Whether the base is the one that the first import made. */
  kept: boolean;
  files: string[];
  /** An import that has room. */
  again: Ran;
  /** Of the last import. */
  nodes: number | undefined;
};

/** The data folder of the mode is the small disk; extracts lie elsewhere. */
async function play(data_dir: string): Promise<FullDiskImport> {
  const folder = join(data_dir, "live", "bases");
  const store = createBaseStore(folder);
  const importOf = async (toilets: number): Promise<Ran> => {
    const path = join(data_dir, `${toilets}.osm.pbf`);
    await writeExtract(path, toilets);
    const args = ["src/main.ts", "import", "osm", path, "--id", "ch"];
    const { ended, output } = launch({ data_dir, command: process.execPath, args });
    const { code } = await ended;
    return { code, err: output().err.replace(/^reading .*\n/, "") };
  };
  const first = await importOf(100);
  const before = await store.read("ch");
  const full = await importOf(60_000);
  const after = await store.read("ch");
  const kept = before !== null && after !== null && Buffer.from(before).equals(Buffer.from(after));
  const files = await readdir(folder);
  const again = await importOf(50);
  const ranges = await store.open("ch");
  const last = ranges && (await openPagedHead(ranges));
  await ranges?.close();
  const nodes = last === null || "reason" in last ? undefined : last.meta.counts.nodes;
  return { first, full, kept, files, again, nodes };
}

if (process.argv[1] === import.meta.filename)
  writeSync(1, JSON.stringify(await play(process.argv[2]!)));
