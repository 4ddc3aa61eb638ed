/**
 * Pages of real extracts are no larger than they may be, since what lies in a cell is weighed before
 * cells are cut: by nodes alone, of which each counted as much, pages of streets had up to 88 MB of 64.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openPagedHead } from "#osm/index.ts";
import { threadBaseImport } from "#osm/imports.ts";
import { Bytes } from "../../packages/osm-base/test/paged/by-hand.ts";
import { extractPath, lackOf } from "../support/base.ts";
import { noFault } from "../support/faults.ts";

const worker_url = new URL("../../src/main/workers/base.ts", import.meta.url);
/** Zoom of the smallest cells, which are not cut. */
const SMALLEST = 11;
/** What lies near a cell is in its page, too, and weighs more in small ones. */
const MOST = 1.1;

async function listGround(t: TestContext, extract: string, page_bytes: number) {
  const folder = await mkdtemp(join(tmpdir(), "page-bytes-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = new Bytes();
  const target = { folder, write: (at: number, bytes: Uint8Array) => file.write(at, bytes) };
  const read = threadBaseImport({ worker_url, onFault: noFault });
  const settings = { id: "x", region: null, now_ms: 5, page_bytes };
  const result = await read(extractPath(extract), { ...settings, target });
  assert.ok(result.ok, JSON.stringify(result));
  const { bytes } = file;
  const head = await openPagedHead({
    ...{ bytes: bytes.length, version: "1", close: () => Promise.resolve() },
    read: (at, length) => Promise.resolve(bytes.slice(at, at + length)),
  });
  if ("reason" in head) return assert.fail(head.reason);
  return head.meta.pages.filter(({ level }) => level === "ground");
}

for (const [extract, page_bytes] of [
  ["porto-2015", 8_000_000],
  ["queens-village-2016", 2_500_000],
  ["andorra-2018", 2_000_000],
] as const)
  test(`no page of ${extract} is larger than it may be`, { skip: lackOf(extract) }, async (t) => {
    const pages = await listGround(t, extract, page_bytes);
    assert.ok(pages.length > 1, `${pages.length} pages`);
    for (const { bytes, cell } of pages)
      if (cell.z < SMALLEST)
        assert.ok(bytes <= page_bytes * MOST, `${cell.z}/${cell.x}/${cell.y} has ${bytes} bytes`);
  });
