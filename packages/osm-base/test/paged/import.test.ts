/** A made extract in one page and in many (imports.ts); import-real.test.ts has a real one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { writeExtract } from "../../../../test/support/base.ts";
import { listTown } from "../../../../test/support/town.ts";
import { listFarCopies } from "../far-copies.ts";
import { comparePages, compareThreads, factsOf, importPaged, importWhole } from "./imports.ts";

test("an extract that fits one page is one page, with the columns of a base that is one pack", async (t) => {
  const path = await writeExtract(t, listTown());
  const whole = await importWhole(path);
  const paged = await importPaged(t, path, {});
  assert.deepEqual(factsOf(paged), factsOf(whole));
  assert.deepEqual(paged.pages.length, 1);
  const { cells: _, ...columns } = whole.head.columns;
  const { cells: none, ...own } = paged.pages[0]!.columns;
  assert.deepEqual([own, none?.length], [columns, 0]);
  assert.deepEqual(paged.head.columns["cells"], whole.head.columns["cells"]);
  assert.equal(paged.head.covers(47, 9), whole.head.covers(47, 9));
});

const PAGE_BYTES = 2_000;
const TOWNS = listFarCopies(listTown(), 3);

test("pages have what a search of all of the extract gives them", async (t) => {
  const path = await writeExtract(t, TOWNS);
  const whole = await importWhole(path);
  const paged = await importPaged(t, path, { page_bytes: PAGE_BYTES, threads: 2 });
  assert.ok(paged.pages.length > 4, `${paged.pages.length} pages`);
  await comparePages(path, { whole, paged });
});

test("however many threads build them, pages are the same", async (t) => {
  const path = await writeExtract(t, TOWNS);
  const { pages } = await compareThreads(t, path, PAGE_BYTES);
  assert.ok(pages.length > 1, `${pages.length} pages`);
});
