/** An archive of a backup: what is packed comes out again, here and from the system's own tar. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { isTar, packTar, readTar } from "#storage/backup/tar.ts";

const LONG = `documents/${"ä".repeat(90)}.json`;
const CONTENTS: Readonly<Record<string, Buffer>> = {
  "manifest.json": Buffer.from("{}"),
  "empty.db": Buffer.alloc(0),
  "block.db": Buffer.alloc(512, 7),
  "bases/large.vbase": Buffer.alloc(3 * 1024 * 1024 + 17, 9),
  [LONG]: Buffer.from("long"),
};

async function packed(t: TestContext) {
  const work = mkdtempSync(join(tmpdir(), "vicinity-tar-"));
  t.after(() => rmSync(work, { recursive: true }));
  for (const [path, bytes] of Object.entries(CONTENTS)) {
    mkdirSync(dirname(join(work, "from", path)), { recursive: true });
    writeFileSync(join(work, "from", path), bytes);
  }
  const entries = Object.entries(CONTENTS).map(([path, { length }]) => ({ path, bytes: length }));
  const done: string[] = [];
  const events = {
    onBytes: () => undefined,
    onPacked: async (path: string) => void done.push(path),
  };
  await packTar(join(work, "a.tar"), join(work, "from"), entries, events);
  assert.deepEqual(
    done,
    entries.map(({ path }) => join(work, "from", path)),
  );
  return { work, path: join(work, "a.tar") };
}

async function readAll(path: string): Promise<Record<string, Buffer>> {
  const matches: Record<string, Buffer> = {};
  await readTar(path, async (name, content) => {
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(Buffer.from(part));
    matches[name] = Buffer.concat(parts);
  });
  return matches;
}

test("what is packed is read again, long names included", async (t) => {
  const { path } = await packed(t);
  assert.equal(await isTar(path), true);
  assert.deepEqual(await readAll(path), CONTENTS);
});

const NO_TAR = spawnSync("tar", ["--version"]).status !== 0 && "there is no tar here";

test("the system's tar unpacks it", { skip: NO_TAR }, async (t) => {
  const { work, path } = await packed(t);
  mkdirSync(join(work, "to"));
  execFileSync("tar", ["-xf", path, "-C", join(work, "to")]);
  for (const [name, bytes] of Object.entries(CONTENTS))
    assert.deepEqual(readFileSync(join(work, "to", name)), bytes, name);
});

test("an archive of the system's tar is read", { skip: NO_TAR }, async (t) => {
  const { work } = await packed(t);
  const other = join(work, "b.tar");
  const names = Object.keys(CONTENTS);
  execFileSync("tar", ["--format=pax", "-cf", other, "-C", join(work, "from"), ...names]);
  assert.deepEqual(await readAll(other), CONTENTS);
});

test("one that was cut short, or is none, is refused", async (t) => {
  const { work, path } = await packed(t);
  const { length } = readFileSync(path);
  for (const bytes of [length - 3000, 2000, 700]) {
    truncateSync(path, bytes);
    await assert.rejects(readAll(path), /ends too early/, String(bytes));
  }
  writeFileSync(join(work, "none"), Buffer.alloc(4096, 1));
  assert.equal(await isTar(join(work, "none")), false);
  await assert.rejects(readAll(join(work, "none")), /no archive/);
  const broken = join(work, "broken");
  writeFileSync(broken, "short");
  assert.equal(await isTar(broken), false);
});
