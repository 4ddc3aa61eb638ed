/** A paged base beyond 2^31 and 2^32 bytes: a sparse file, whose pages and head are read where they lie. */
import assert from "node:assert/strict";
import { mkdtemp, open, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openFileRanges } from "#kit/run/file-ranges.ts";
import { openBasePack } from "../../base/open-base.ts";
import { type PageCell, WHOLE } from "../../pages/page-cell.ts";
import { openPagedHead } from "../../pages/paged-head.ts";
import { type MadePage, PagedWriter } from "../../pages/paged-writer.ts";
import { readPage } from "../../pages/read-page.ts";
import { aBasePack } from "../../../../test/support/bases.ts";

const PACK = await aBasePack("fr");
const OPENED = openBasePack(PACK)!;
/** A page whose bytes are not written: the file has a hole in their place. */
function holeOf(length: number): MadePage {
  const { buffer, byteOffset } = PACK;
  return { level: "region", cell: WHOLE, pack: { length, buffer, byteOffset } as Uint8Array };
}
const CELLS: readonly PageCell[] = [0, 1, 2, 3].map((x) => ({ z: 2, x, y: 1 }));

/** Pages at byte 32, and behind each of the holes; then the head. */
async function writeSparse(t: TestContext, holes: readonly number[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sparse-base-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "large.vbase");
  await using file = await open(path, "wx");
  const writer = new PagedWriter({
    async write(at, bytes) {
      if (bytes instanceof Uint8Array) await file.write(bytes, 0, bytes.length, at);
    },
  });
  await writer.add(0, { level: "ground", cell: CELLS[0]!, pack: PACK });
  for (const [i, bytes] of holes.entries()) {
    await writer.add(1 + holes.length + i, holeOf(bytes));
    await writer.add(i + 1, { level: "ground", cell: CELLS[i + 1]!, pack: PACK });
  }
  const size = await writer.finish(OPENED.meta, { cells: OPENED.columns["cells"]! });
  assert.equal(size, (await file.stat()).size);
  return path;
}

test("pages and a head beyond 4 GB are read where they lie", async (t) => {
  const path = await writeSparse(t, [2 ** 31 + 1, 2 ** 31 + 3, 1_000_000_003]);
  const ranges = await openFileRanges(path);
  t.after(() => ranges.close());
  assert.ok(ranges.bytes > 5e9);
  const head = await openPagedHead(ranges);
  if ("reason" in head) return assert.fail(head.reason);
  const pages = head.meta.pages.filter(({ level }) => level === "ground");
  const places = pages.map(({ at }) => at);
  assert.ok(places[1]! > 2 ** 31 && places[2]! > 2 ** 32 && places[3]! > 5e9, places.join());
  assert.ok(places.every((at) => at % 8 === 0));
  for (const row of pages)
    assert.deepEqual(openBasePack(await readPage(ranges, row), true)!.meta, OPENED.meta);
});

test("such a file that is cut behind 2^32 is damaged, and one byte of its last page is that page's", async (t) => {
  const path = await writeSparse(t, [2 ** 32 + 5]);
  const ranges = await openFileRanges(path);
  t.after(() => ranges.close());
  const head = await openPagedHead(ranges);
  if ("reason" in head) return assert.fail(head.reason);
  const [first, last] = head.meta.pages;
  await using file = await open(path, "r+");
  await file.write(Uint8Array.of(255), 0, 1, last!.at + 4_000);
  await assert.rejects(readPage(ranges, first!), /the file was written in its place/);
  const written = await openFileRanges(path);
  t.after(() => written.close());
  assert.equal((await readPage(written, first!)).length, PACK.length);
  await assert.rejects(readPage(written, last!), {
    message: `page ground 2/1/1 at byte ${last!.at}: damaged: its checksum is another one`,
  });
  // 2^32 bytes less end within the first page: what takes sizes as 32 bits would find its head.
  for (const size of [ranges.bytes - 8, ranges.bytes - 2 ** 32, 2 ** 32]) {
    await truncate(path, size);
    const cut = await openFileRanges(path);
    assert.equal("reason" in (await openPagedHead(cut)), true, `${size} bytes`);
    await cut.close();
  }
  // Opened before it was cut: what is not there is a problem that names the place.
  await assert.rejects(
    readPage(written, last!),
    /^Error: byte \d+: the file ends there, and had more/,
  );
});
