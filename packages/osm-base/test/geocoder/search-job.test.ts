/** What the thread of searches keeps between questions, and what it lets go. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Columns, PackColumn } from "#kit/pack.ts";
import { readQuestion } from "../../geocoder/fold-words.ts";
import { createGeocoderSection, type GeocoderMeta } from "../../geocoder/geocoder-section.ts";
import { ownColumns } from "../../geocoder/own-columns.ts";
import { SearchedPages, type SearchJob } from "../../geocoder/search-job.ts";
import { WHOLE } from "../../pages/page-cell.ts";
import { collectGarbage } from "../../../../test/support/garbage.ts";
import { aNode, feed, packOf } from "../../../../test/support/geocoder.ts";

type Source = { columns: Columns; meta: GeocoderMeta };
/** Not written, and so not taken. */
const LARGE_BYTES = 600 * 1024 ** 2;

/** A page of one village, in so much shared memory. */
function aPage(name: string): Source {
  const section = createGeocoderSection();
  feed(section, [aNode(1, [47, 9], { place: "village", name })]);
  const { columns, meta } = packOf(section);
  const memory = new SharedArrayBuffer(LARGE_BYTES);
  let at = 0;
  const moved = Object.entries(ownColumns(columns)).map(([key, column]) => {
    const type = column.constructor as new (
      buffer: SharedArrayBuffer,
      at: number,
      length: number,
    ) => PackColumn;
    const copy = new type(memory, at, column.length);
    copy.set(column);
    at += Math.ceil(column.byteLength / 8) * 8;
    return [key, copy] as const;
  });
  return { columns: Object.fromEntries(moved), meta };
}

const jobOf = (pages: SearchJob["pages"], keys: readonly number[]): SearchJob => ({
  ...{ pages, names: [], gone: [], interest: false, wanted: "items" },
  words: readQuestion("Musterdorf", 16),
  query: { q: "Musterdorf", language: null, country: null, near: null, limit: 5 },
  groups: keys.map((key) => ({ pages: [{ key, cell: WHOLE }] })),
  weighing: { names: [], pages: keys },
  budget: { looks: 100_000, keeps: 288 },
});

test("memory of pages beyond the bound is let go, also where words were weighed by them", async () => {
  const searched = new SearchedPages();
  const run = (): WeakRef<ArrayBufferLike>[] => {
    const pages = ["Musterdorf", "Nebendorf"].map((name, key) => ({ key, ...aPage(name) }));
    const result = searched.run(jobOf(pages, [0, 1]));
    assert.ok(result.ok && result.lists.length === 2);
    return pages.map(({ columns }) => new WeakRef(Object.values(columns)[0]!.buffer));
  };
  const buffers = run();
  await collectGarbage();
  assert.deepEqual(
    buffers.map((each) => each.deref() !== undefined),
    [false, true],
  );
  assert.deepEqual(searched.run(jobOf([], [0, 1])), { ok: false, missing: [0] });
});

test("pages that are no longer in use are let go without a question, and the others stay", async () => {
  const searched = new SearchedPages();
  const run = (): WeakRef<ArrayBufferLike>[] => {
    const pages = ["Musterdorf"].map((name, key) => ({ key, ...aPage(name) }));
    assert.ok(searched.run(jobOf(pages, [0])).ok);
    return pages.map(({ columns }) => new WeakRef(Object.values(columns)[0]!.buffer));
  };
  const [buffer] = run();
  assert.deepEqual(searched.run({ gone: [1] }), { ok: false, missing: [] });
  assert.ok(searched.run(jobOf([], [0])).ok);
  searched.run({ gone: [0] });
  await collectGarbage();
  assert.equal(buffer!.deref(), undefined);
});
