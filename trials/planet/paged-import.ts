/** An extract as a base of pages of a size, in a data folder from which a service serves it. */
import { join } from "node:path";
import { openPagedHead, type PagedHead } from "#osm/index.ts";
import { threadBaseImport } from "#osm/imports.ts";
import { createBaseStore } from "#storage/base-files.ts";

export const BASE_ID = "planet";
/** More than any extract of the trial, so that it becomes one page. */
export const WHOLE_BYTES = 2 ** 40;

export const basesOf = (data_dir: string): string => join(data_dir, "live", "bases");

/** How many pages there are then. */
export async function importPaged(
  extract: string,
  data_dir: string,
  page_bytes: number,
): Promise<number> {
  const worker_url = new URL("../../src/main/workers/base.ts", import.meta.url);
  const read = threadBaseImport({
    worker_url,
    onFault: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  const draft = await createBaseStore(basesOf(data_dir)).begin(BASE_ID);
  try {
    const options = { id: BASE_ID, region: null, now_ms: Date.now(), target: draft, page_bytes };
    const result = await read(extract, options);
    if (!result.ok) throw new Error(result.problem);
    await draft.commit();
  } finally {
    await draft.remove();
  }
  return (await readHead(data_dir)).meta.pages.length;
}

/** What the base of a data folder says of its pages. */
export async function readHead(data_dir: string): Promise<PagedHead> {
  const ranges = await createBaseStore(basesOf(data_dir)).open(BASE_ID);
  const head = ranges && (await openPagedHead(ranges));
  await ranges?.close();
  if (head === null || "reason" in head) throw new Error("the base that was made cannot be opened");
  return head;
}
