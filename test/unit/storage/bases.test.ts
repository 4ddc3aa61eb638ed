import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isBaseId } from "#osm/base/base-layout.ts";
import { createBaseStore, withFiles } from "../../../src/storage/base-files.ts";

async function folder(t: { after(end: () => Promise<void>): void }): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "bases-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

const pack = (fill: number, length = 4_096): Uint8Array => new Uint8Array(length).fill(fill);

test("a base is read as it was put, in shared memory, and replaced under another version", async (t) => {
  const store = createBaseStore(await folder(t));
  assert.deepEqual(await store.list(), []);
  assert.equal(await store.read("ch"), null);
  await store.put("ch", pack(1));
  const [first] = await store.list();
  assert.equal(first?.id, "ch");
  assert.equal(first?.bytes, 4_096);
  const read = await store.read("ch");
  assert.ok(read?.buffer instanceof SharedArrayBuffer);
  assert.deepEqual(new Uint8Array(read), pack(1));
  await store.put("ch", pack(2, 5_000));
  const [second] = await store.list();
  assert.notEqual(second?.version, first?.version);
  assert.deepEqual(new Uint8Array((await store.read("ch"))!), pack(2, 5_000));
});

test("imports of one base at the same time leave one of them, whole", async (t) => {
  const path = await folder(t);
  const store = createBaseStore(path);
  await Promise.all(Array.from({ length: 20 }, (_, i) => store.put("ch", pack(i, 200_000 + i))));
  const read = (await store.read("ch"))!;
  const fill = read[0]!;
  assert.deepEqual(new Uint8Array(read), pack(fill, 200_000 + fill));
  assert.deepEqual(await readdir(path), ["ch.vbase"]);
});

test("a removed base is gone, and removing it again says so", async (t) => {
  const store = createBaseStore(await folder(t));
  await store.put("ch", pack(1));
  assert.equal(await store.remove("ch"), true);
  assert.equal(await store.remove("ch"), false);
  assert.deepEqual(await store.list(), []);
});

test("a draft that a killed writer left is no base, and goes with a later import", async (t) => {
  const path = await folder(t);
  const store = createBaseStore(path);
  const old = join(path, ".ch.0123456789abcdef.draft");
  const young = join(path, ".li.fedcba9876543210.draft");
  await writeFile(old, pack(1));
  await utimes(old, 1_000, 1_000);
  await writeFile(young, pack(1));
  assert.deepEqual(await store.list(), []);
  await store.put("de", pack(3));
  assert.deepEqual((await readdir(path)).sort(), [".li.fedcba9876543210.draft", "de.vbase"]);
});

test("a write that fails leaves the base that was there", async (t) => {
  const path = await folder(t);
  const store = createBaseStore(path);
  await store.put("ch", pack(1));
  const [before] = await store.list();
  const broken = {} as Uint8Array;
  await assert.rejects(store.put("ch", broken));
  assert.deepEqual((await store.list())[0], before);
  assert.deepEqual(await readdir(path), ["ch.vbase"]);
});

test("a draft is written at any place, beyond 4 GB too, and is a base once it is committed", async (t) => {
  const path = await folder(t);
  const store = createBaseStore(path);
  const draft = await store.begin("ch");
  assert.ok((await stat(draft.folder)).isDirectory());
  await Promise.all([
    draft.write(5e9, pack(2)),
    draft.write(2 ** 31 - 1, pack(3)),
    draft.write(0, pack(1)),
  ]);
  assert.deepEqual(await store.list(), []);
  await draft.commit();
  await draft.remove();
  assert.deepEqual(await readdir(path), ["ch.vbase"]);
  const ranges = (await store.open("ch"))!;
  assert.equal(ranges.bytes, 5e9 + 4_096);
  for (const [at, fill] of [
    [0, 1],
    [2 ** 31 - 1, 3],
    [5e9, 2],
  ] as const) {
    const read = await ranges.read(at, 4_096);
    assert.ok(read.buffer instanceof SharedArrayBuffer);
    assert.deepEqual(new Uint8Array(read), pack(fill));
  }
  await assert.rejects(ranges.read(5e9, 4_097), /the file has 5000004096/);
  // What is put in its place is another file: ranges go on with theirs.
  await store.put("ch", pack(9));
  assert.deepEqual(new Uint8Array(await ranges.read(0, 4_096)), pack(1));
  await ranges.close();
});

test("a draft that is given up leaves the base that was there, and nothing else", async (t) => {
  const path = await folder(t);
  const store = createBaseStore(path);
  await store.put("ch", pack(1));
  const draft = await store.begin("ch");
  await writeFile(join(draft.folder, "runs"), pack(2));
  await draft.write(0, pack(3));
  await draft.remove();
  await draft.remove();
  assert.deepEqual(await readdir(path), ["ch.vbase"]);
  assert.deepEqual(new Uint8Array((await store.read("ch"))!), pack(1));
});

test("drafts of a process that has ended go with the next import, those of one that runs stay", async (t) => {
  const path = await folder(t);
  const store = createBaseStore(path);
  const own = await store.begin("de");
  await own.write(0, pack(1));
  const mine = (await readdir(path)).toSorted();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const name of mine) {
    const dead = join(path, name.replace(`-${process.pid}.`, `-${pid}.`));
    await ((await stat(join(path, name))).isDirectory()
      ? mkdir(join(dead, "deeper"), { recursive: true })
      : writeFile(dead, pack(2)));
    // On another machine, which shares the folder, the same number says nothing.
    await writeFile(join(path, name.replace(/\.[0-9a-f]{8}-\d+\./, `.00000000-${pid}.`)), pack(2));
  }
  await store.put("ch", pack(3));
  const left = (await readdir(path)).toSorted();
  const elsewhere = left.filter((name) => name.includes(".00000000-"));
  assert.equal(elsewhere.length, 2);
  assert.deepEqual(
    left.filter((name) => !elsewhere.includes(name)),
    [...mine, "ch.vbase"].toSorted(),
  );
  await own.remove();
});

test("other files of the folder are no bases", async (t) => {
  const path = await folder(t);
  const store = createBaseStore(path);
  for (const name of ["x.txt", "UP.vbase", ".vbase", "a b.vbase"])
    await writeFile(join(path, name), "x");
  assert.deepEqual(await store.list(), []);
  await store.put("ch", pack(1));
  await truncate(join(path, "ch.vbase"), 100);
  assert.equal((await store.read("ch"))?.length, 100);
});

test("ids hold no path", () => {
  for (const id of ["ch", "de-by_2", "0"]) assert.ok(isBaseId(id), id);
  for (const id of ["", "../x", "a/b", "-a", "A", "a".repeat(41), "a.b"])
    assert.ok(!isBaseId(id), id);
});

test("bases that lie elsewhere are listed and read, go before those of the folder, and stay", async (t) => {
  const [own, other] = [await folder(t), await folder(t)];
  const inner = createBaseStore(own);
  await inner.put("li", pack(1));
  await inner.put("ch", pack(2));
  const path = join(other, "ch.vbase");
  const store = withFiles(inner, [path, join(other, "fr.vbase")]);
  const versions = async () =>
    Object.fromEntries((await store.list()).map(({ id, version }) => [id, version]));
  const before = await versions();
  assert.deepEqual(Object.keys(before), ["li", "ch", "fr"]);
  assert.equal(before["ch"], "absent");
  assert.equal(await store.read("ch"), null, "what is named is meant, there or not");
  await writeFile(path, pack(3));
  const after = await versions();
  assert.notEqual(after["ch"], before["ch"]);
  assert.equal(after["li"], before["li"]);
  assert.deepEqual(new Uint8Array((await store.read("ch"))!), pack(3));
  assert.deepEqual(new Uint8Array((await store.read("li"))!), pack(1));
  assert.equal(await store.read("fr"), null);
  // What is imported or removed is in the folder.
  assert.equal(await store.remove("ch"), true);
  assert.deepEqual(new Uint8Array((await store.read("ch"))!), pack(3));
  assert.deepEqual(
    (await inner.list()).map(({ id }) => id),
    ["li"],
  );
});
