/** An import on a disk that has no room for it, behind one that has: what is said, and what is left. */
import { writeSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { guard } from "#kit/guard.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { BASE_ID, basesOf, importPaged } from "./paged-import.ts";

export type FullDisk = { message: string | null; kept: boolean; files: string[] };

/** `small`: an extract that fits; `large`: one that does not. */
async function play(
  folder: string,
  small: string,
  large: string,
  page_bytes: number,
): Promise<FullDisk> {
  const data_dir = join(folder, "data");
  const store = createBaseStore(basesOf(data_dir));
  await importPaged(small, data_dir, page_bytes);
  const before = await store.read(BASE_ID);
  const message = await guard(
    () => importPaged(large, data_dir, page_bytes).then(() => null),
    (error) => (error as Error).message,
  );
  const after = await store.read(BASE_ID);
  const kept = before !== null && after !== null && Buffer.from(before).equals(Buffer.from(after));
  return { message, kept, files: await readdir(basesOf(data_dir)) };
}

if (process.argv[1] === import.meta.filename) {
  const [folder = "", small = "", large = "", page_bytes = ""] = process.argv.slice(2);
  writeSync(1, JSON.stringify(await play(folder, small, large, Number(page_bytes))));
}
