/** Lines that pages share are the same from disk, however long they are and however many pages there are. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { toEnd } from "#kit/steps.ts";
import { readLines, writeLines, writeShared } from "../../reader/facts-file.ts";

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "facts-file-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test("lines are read as they were written, over the pieces of a file", async (t) => {
  const path = join(await aFolder(t), "facts.0");
  const lines = ["a", "ö".repeat(70_000), "", "東京".repeat(40_000), "end"];
  await writeLines(path, lines);
  assert.deepEqual([...readLines(path)], lines);
  await assert.rejects(writeLines(path, lines), { code: "EEXIST" });
});

test("each page gets its lines in turn, and a page of none gets no file", async (t) => {
  const folder = await aFolder(t);
  // More than waits in memory at a time.
  const lines = Array.from({ length: 40 }, (_, n) => ({
    pages: [0, 1 + (n % 2)],
    line: `${n} ${"x".repeat(250_000)}`,
  }));
  const paths = toEnd(writeShared(folder, lines, 4));
  assert.deepEqual(
    paths.map((path) => path !== null),
    [true, true, true, false],
  );
  for (const page of [0, 1, 2])
    assert.deepEqual(
      [...readLines(paths[page]!)],
      lines.filter(({ pages }) => pages.includes(page)).map(({ line }) => line),
    );
});
