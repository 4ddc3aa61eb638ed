/** Ranges of a file: as it was when it was opened, or not at all. */
import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openFileRanges } from "../../run/file-ranges.ts";

async function lay(t: TestContext, text: string) {
  const folder = mkdtempSync(join(tmpdir(), "ranges-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "a");
  writeFileSync(path, text);
  const ranges = await openFileRanges(path);
  t.after(() => ranges.close());
  return { path, ranges };
}

test("a range is a copy in shared memory, and one beyond the end is none", async (t) => {
  const { ranges } = await lay(t, "0123456789");
  const bytes = await ranges.read(2, 3);
  assert.equal(Buffer.from(bytes).toString(), "234");
  assert.ok(bytes.buffer instanceof SharedArrayBuffer);
  assert.notEqual((await ranges.read(2, 3)).buffer, bytes.buffer);
  await assert.rejects(ranges.read(8, 3), /bytes 8 to 11: the file has 10/);
  const signal = AbortSignal.abort();
  await assert.rejects(ranges.read(0, 1, signal), /abort/i);
});

test("another file in its place changes nothing; one that is written over, or cut, is not read", async (t) => {
  const { path, ranges } = await lay(t, "0123456789");
  writeFileSync(`${path}.new`, "abcdefghij");
  renameSync(`${path}.new`, path);
  assert.equal(Buffer.from(await ranges.read(0, 4)).toString(), "0123");
  const written = await lay(t, "0123456789");
  writeFileSync(written.path, "0123456x89");
  utimesSync(written.path, 1, 1);
  await assert.rejects(written.ranges.read(0, 10), /written in its place/);
  const cut = await lay(t, "0123456789");
  truncateSync(cut.path, 5);
  await assert.rejects(cut.ranges.read(0, 10), /byte 5: the file ends there/);
  await assert.rejects(cut.ranges.read(0, 3), /written in its place/);
});
