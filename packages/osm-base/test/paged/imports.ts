/**
 * Imports of an extract in pages, and what becomes of it: the counts of one base, pages that have what a
 * search of all of the extract gives them, and the same base however many threads have built it.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { type BasePack, openBasePack } from "../../base/open-base.ts";
import { openPagedHead, type PagedHead } from "../../pages/paged-head.ts";
import { readPage } from "../../pages/read-page.ts";
import { importBase } from "../../reader/import-extract.ts";
import { type PagedImportOptions, threadBaseImport } from "../../reader/import-paged.ts";
import type { MapPage } from "../../tiles/map-facts.ts";
import { noFault } from "../../../../test/support/faults.ts";
import { countryAt, loadCountries } from "../../../../src/app/country.ts";
import { createSections } from "../../../../src/main/bases/sections.ts";
import { Bytes, pageByHand } from "./by-hand.ts";

const worker_url = new URL("../../../../src/main/workers/base.ts", import.meta.url);
const OPTIONS = { id: "town", region: "CH", now_ms: 5 };
const find = await loadCountries();
const sectionsOf = (page?: MapPage) =>
  createSections((lat, lon) => countryAt(find, lat, lon), [], page);

type Imported = { head: PagedHead; pages: BasePack[]; report: object };

export async function importPaged(
  t: TestContext,
  path: string,
  bounds: Pick<PagedImportOptions, "page_bytes" | "threads" | "without">,
): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), "paged-import-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = new Bytes();
  const target = { folder, write: (at: number, bytes: Uint8Array) => file.write(at, bytes) };
  const read = threadBaseImport({ worker_url, onFault: noFault });
  const result = await read(path, { ...OPTIONS, ...bounds, target });
  assert.ok(result.ok, JSON.stringify(result));
  return { ...(await openAll(file.bytes)), report: result.report };
}

async function openAll(bytes: Uint8Array): Promise<Omit<Imported, "report">> {
  const ranges: ByteRanges = {
    bytes: bytes.length,
    version: "1",
    read: (at, length) => Promise.resolve(bytes.slice(at, at + length)),
    close: () => Promise.resolve(),
  };
  const head = await openPagedHead(ranges);
  if ("reason" in head) return assert.fail(head.reason);
  const pages = head.meta.pages.map(async (row) =>
    openBasePack(await readPage(ranges, row), true)!,
  );
  return { head, pages: await Promise.all(pages) };
}

/** What a report says of the extract and of what the base holds. */
export function factsOf({ report }: Pick<Imported, "report">): object {
  return { ...report, pack_bytes: 0, elapsed_ms: 0 };
}

export async function importWhole(path: string): Promise<Imported> {
  const whole = await importBase(path, { ...OPTIONS, sections: sectionsOf() });
  assert.ok(whole.ok);
  return { ...(await openAll(whole.pack)), report: whole.report };
}

/** Each page is what all of the extract gives it by hand. */
export async function comparePages(
  path: string,
  { whole, paged }: { whole: Imported; paged: Imported },
): Promise<void> {
  // Of the map each page counts what it draws, up to its margin.
  const withoutMap = (facts: object): object => {
    const { section_counts, ...others } = facts as { section_counts: Record<string, object> };
    return { ...others, section_counts: { ...section_counts, map: {} } };
  };
  assert.deepEqual(withoutMap(factsOf(paged)), withoutMap(factsOf(whole)));
  const bytes = await pageByHand(path, { ...OPTIONS, pages: paged.head.meta.pages, sectionsOf });
  const hand = await openAll(bytes);
  for (const [number, page] of paged.pages.entries()) {
    const expected = hand.pages[number]!;
    assert.deepEqual(Object.keys(page.columns), Object.keys(expected.columns));
    for (const [name, column] of Object.entries(page.columns))
      // What is near enough to a page for its geocoder is reckoned coarser by the split.
      if (!name.startsWith("geocoder."))
        assert.deepEqual(column, expected.columns[name], `${name} of page ${number}`);
  }
}

/** Imports without a map by one thread and by three, which are the same. */
export async function compareThreads(
  t: TestContext,
  path: string,
  page_bytes: number,
): Promise<Imported> {
  const [one, three] = [
    await importPaged(t, path, { page_bytes, threads: 1, without: ["map"] }),
    await importPaged(t, path, { page_bytes, threads: 3, without: ["map"] }),
  ];
  const rowsOf = ({ head }: Imported) => head.meta.pages.map((row) => ({ ...row, at: 0 }));
  assert.deepEqual(rowsOf(one), rowsOf(three));
  assert.deepEqual(one.head.columns, three.head.columns);
  assert.ok(
    rowsOf(one).every(({ level }) => level === "ground"),
    "no map, no pages for it alone",
  );
  return one;
}
