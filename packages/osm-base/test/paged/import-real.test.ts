/** A real extract in pages: each is what a search of all of the extract gives it (imports.ts). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { extractPath, lackOf } from "../../../../test/support/base.ts";
import { comparePages, compareThreads, importPaged, importWhole } from "./imports.ts";

const REAL = "monaco-2023";
const PAGE_BYTES = 300_000;

test(
  "pages have what a search of all of the extract gives them",
  { skip: lackOf(REAL) },
  async (t) => {
    const path = extractPath(REAL);
    const whole = await importWhole(path);
    const paged = await importPaged(t, path, { page_bytes: PAGE_BYTES, threads: 2 });
    assert.ok(paged.pages.length > 8, `${paged.pages.length} pages`);
    await comparePages(path, { whole, paged });
    for (const [lat, lon] of [
      [43.7384, 7.4246],
      [43.75, 7.44],
    ] as const)
      assert.deepEqual(paged.head.borders?.at(lat, lon), whole.head.borders?.at(lat, lon));
  },
);

test("however many threads build them, pages are the same", { skip: lackOf(REAL) }, async (t) => {
  const { pages } = await compareThreads(t, extractPath(REAL), PAGE_BYTES);
  assert.ok(pages.length > 1, `${pages.length} pages`);
});
