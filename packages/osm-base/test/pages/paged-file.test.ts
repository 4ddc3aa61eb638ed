/** A paged base as it is written and read back, and a base of one pack as one page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ByteRanges } from "#kit/byte-ranges.ts";
import { openBasePack } from "../../base/open-base.ts";
import { WHOLE } from "../../pages/page-cell.ts";
import { openPagedHead, type PagedHead } from "../../pages/paged-head.ts";
import { PagedWriter } from "../../pages/paged-writer.ts";
import { PREFIX_BYTES } from "../../pages/paged-layout.ts";
import { writePrefix } from "../../pages/paged-prefix.ts";
import { readPage } from "../../pages/read-page.ts";
import { aBasePack } from "../../../../test/support/bases.ts";

/** Bytes in memory, as a file has them. */
function createBytes(bytes: Uint8Array = new Uint8Array(0)) {
  let all = bytes;
  const ranges = (): ByteRanges => ({
    bytes: all.length,
    version: "1",
    read: (at, length) => Promise.resolve(all.slice(at, at + length)),
    close: () => Promise.resolve(),
  });
  return {
    ranges,
    bytes: () => all,
    write(at: number, piece: Uint8Array): Promise<void> {
      const end = Math.max(all.length, at + piece.length);
      const larger = new Uint8Array(end);
      larger.set(all);
      larger.set(piece, at);
      all = larger;
      return Promise.resolve();
    },
  };
}

const PACK = await aBasePack("fr");
const META = openBasePack(PACK)!.meta;
const CELLS = { cells: openBasePack(PACK)!.columns["cells"]! };

/** Two pages of one extract: here they are the same pack. */
async function writeTwo() {
  const file = createBytes();
  const writer = new PagedWriter(file);
  const cells = [
    { z: 1, x: 1, y: 0 },
    { z: 2, x: 0, y: 3 },
  ];
  for (const [number, cell] of cells.entries())
    await writer.add(number, { level: "ground", cell, pack: PACK });
  await writer.add(2, { level: "world", cell: WHOLE, pack: PACK });
  const size = await writer.finish(META, CELLS);
  assert.equal(size, file.bytes().length);
  return file;
}

function headOf(opened: Awaited<ReturnType<typeof openPagedHead>>): PagedHead {
  return "reason" in opened ? assert.fail(opened.reason) : opened;
}

test("a written base is read back: head, tables by level, pages", async () => {
  const file = await writeTwo();
  const head = headOf(await openPagedHead(file.ranges()));
  assert.equal(head.whole, null);
  assert.deepEqual(head.meta.box, META.box);
  assert.ok(head.covers(48.855, 2.355) && !head.covers(10, 10));
  const { ground, world, region } = head.tables;
  assert.deepEqual(ground.at(488_550_000, 23_550_000), 0);
  assert.equal(ground.at(-800_000_000, -1_700_000_000), 1);
  assert.equal(world.at(488_550_000, 23_550_000), 2, "numbers are those of all pages");
  assert.equal(region.at(488_550_000, 23_550_000), null);
  for (const row of head.meta.pages) {
    assert.equal(row.at % 8, 0);
    const page = await readPage(file.ranges(), row);
    assert.deepEqual(openBasePack(page, true)!.meta, META);
  }
});

test("a base of one pack is one page, of each level", async () => {
  const ranges = createBytes(PACK).ranges();
  const head = headOf(await openPagedHead(ranges));
  assert.deepEqual(head.whole, PACK);
  assert.equal(head.meta.pages.length, 1);
  for (const table of Object.values(head.tables)) assert.equal(table.at(0, 0), 0);
  assert.deepEqual(await readPage(ranges, head.meta.pages[0]!), PACK);
  assert.equal(head.covers(48.855, 2.355), true);
});

test("of a file that is no base only the first bytes are read, whatever its size", async () => {
  const head = { at: PREFIX_BYTES, bytes: 80e9 - PREFIX_BYTES, checksum: 1 };
  for (const first of [new Uint8Array(PREFIX_BYTES), PACK, writePrefix(head)]) {
    const reads: number[] = [];
    const opened = await openPagedHead({
      bytes: 80e9,
      version: "1",
      read(at, length) {
        reads.push(length);
        return Promise.resolve(first.slice(at, at + Math.min(length, PREFIX_BYTES)));
      },
      close: () => Promise.resolve(),
    });
    assert.equal("reason" in opened && opened.reason, "damaged");
    assert.deepEqual(reads, [PREFIX_BYTES]);
  }
});

test("each flipped bit of prefix and head, and each cut, is found; one of a page is the page's", async () => {
  const file = await writeTwo();
  const whole = file.bytes();
  const head = headOf(await openPagedHead(file.ranges()));
  const last = head.meta.pages.at(-1)!;
  const headFrom = last.at + last.bytes;
  const reasonOf = async (bytes: Uint8Array): Promise<string | null> => {
    const opened = await openPagedHead(createBytes(bytes).ranges());
    return "reason" in opened ? opened.reason : null;
  };
  const places = [...Array(PREFIX_BYTES).keys()];
  for (let at = headFrom; at < whole.length; at += 97) places.push(at);
  for (const at of places) {
    const damaged = whole.slice();
    damaged[at]! ^= 1 << (at % 8);
    // The version is not summed: another one is another version.
    const expected = at >= 4 && at < 8 ? /_version$/ : /^damaged$/;
    assert.match((await reasonOf(damaged)) ?? "opened", expected, `byte ${at}`);
  }
  for (const length of [0, 7, 31, 32, 1_000, headFrom, whole.length - 1])
    assert.equal(await reasonOf(whole.slice(0, length)), "damaged", `${length} bytes`);

  for (const [number, row] of head.meta.pages.entries()) {
    for (const at of [row.at, row.at + 12, row.at + 30, row.at + row.bytes - 1]) {
      const damaged = createBytes(whole.slice());
      damaged.bytes()[at]! ^= 4;
      const opened = headOf(await openPagedHead(damaged.ranges()));
      for (const [other, each] of opened.meta.pages.entries()) {
        const read = readPage(damaged.ranges(), each);
        if (other !== number) assert.equal((await read).length, each.bytes);
        else
          await assert.rejects(
            read,
            /^Error: page (ground|world) \d+\/\d+\/\d+ at byte \d+: damaged/,
          );
      }
    }
  }
});
