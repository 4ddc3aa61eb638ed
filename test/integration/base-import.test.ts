/**
 * `vicinity import osm` cut short: killed at any moment, on a full disk, and two at once. The base
 * that was there serves on, or the new one lies in its place, whole; never anything between.
 */
import assert from "node:assert/strict";
import { watch } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openBasePack, openPagedHead, readPage } from "#osm/index.ts";
import { createBaseStore } from "#storage/base-files.ts";
import { aBasePack, writeExtract } from "../support/bases.ts";
import type { FullDiskImport } from "../support/full-disk-import.ts";
import type { FullDiskPages } from "../support/full-disk-pages.ts";
import { sized } from "../support/size.ts";
import { NO_SMALL_DISK, runOnSmallDisk } from "../support/small-disk.ts";
import { launch, type Running } from "./service/processes.ts";

const TOILETS = sized(12_000, 25_000);
/** Kills while the base is written. */
const DRAFTS: readonly "draft"[] = sized(["draft"], ["draft", "draft"]);

async function createWorkspace(t: TestContext) {
  const data_dir = await mkdtemp(join(tmpdir(), "vicinity-import-"));
  t.after(() => rm(data_dir, { recursive: true, force: true }));
  const bases = join(data_dir, "live", "bases");
  await mkdir(bases, { recursive: true, mode: 0o700 });
  const store = createBaseStore(bases);
  const importOf = (path: string, id = "ch"): Running =>
    launch({
      data_dir,
      command: process.execPath,
      args: ["src/main.ts", "import", "osm", path, "--id", id],
    });
  return { data_dir, bases, store, importOf };
}

const isDraft = (name: string): boolean => name.endsWith(".draft");

/** Resolves when that number of drafts is in the folder, or when the signal is aborted: of one import its folder and its file. */
function untilDraft(folder: string, signal: AbortSignal, count = 2): Promise<void> {
  const drafts = new Set<string>();
  return new Promise((resolve) => {
    const watcher = watch(folder, { signal }, (_, name) => {
      if (name !== null && isDraft(name)) drafts.add(name);
      if (drafts.size < count) return;
      resolve();
      watcher.close();
    });
    watcher.once("close", () => resolve());
  });
}

type BaseStore = ReturnType<typeof createBaseStore>;

/** Objects of a base whose head and pages are all whole; undefined: it is not. */
async function nodesOf(store: BaseStore, id = "ch"): Promise<number | undefined> {
  const ranges = await store.open(id);
  if (ranges === null) return undefined;
  const head = await openPagedHead(ranges);
  if ("reason" in head) return undefined;
  for (const row of head.meta.pages) assert.ok(openBasePack(await readPage(ranges, row), true));
  await ranges.close();
  // Names lead to pages: those of the only one would be in memory for nothing.
  if (head.meta.pages.length === 1) assert.ok(!("names.totals" in head.columns));
  return head.meta.counts.nodes;
}

describe("an import that is killed", () => {
  test("leaves the base before, or the new one whole, whenever it is killed", async (t) => {
    const { data_dir, bases, store, importOf } = await createWorkspace(t);
    const path = join(data_dir, "big.osm.pbf");
    await writeExtract(path, TOILETS);
    const old = await aBasePack("ch");
    const begun_ms = performance.now();
    const whole = importOf(path);
    assert.deepEqual(await whole.ended, { code: 0, signal: null }, whole.output().err);
    const lasts_ms = performance.now() - begun_ms;
    assert.equal(await nodesOf(store), TOILETS);

    const shares = sized(
      [0.3],
      Array.from({ length: 40 }, (_, n) => n / 40),
    );
    const outcomes = { old: 0, new: 0, draft: 0 };
    for (const moment of [...shares, ...DRAFTS] as const) {
      await store.put("ch", old);
      const running = importOf(path);
      const drafted = new AbortController();
      await (moment === "draft"
        ? Promise.race([untilDraft(bases, drafted.signal), running.ended])
        : wait(moment * lasts_ms));
      running.child.kill("SIGKILL");
      const { code, signal } = await running.ended;
      drafted.abort();
      const left = await store.read("ch");
      const nodes = await nodesOf(store);
      if (nodes === TOILETS) outcomes.new += 1;
      else {
        assert.deepEqual([code, signal], [null, "SIGKILL"], `${moment}: ended by itself`);
        assert.ok(Buffer.from(left!).equals(old), `${moment}: ${nodes} nodes: not the base before`);
        outcomes.old += 1;
      }
      const names = await readdir(bases);
      // One is the folder of what the base is made of.
      if (names.filter(isDraft).length > 1) outcomes.draft += 1;
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        ["ch"],
        names.join(),
      );
    }
    assert.ok(outcomes.old >= DRAFTS.length, JSON.stringify(outcomes));
    assert.ok(outcomes.draft >= 1, `none was killed while it wrote: ${JSON.stringify(outcomes)}`);

    const again = importOf(path);
    assert.deepEqual(await again.ended, { code: 0, signal: null }, again.output().err);
    assert.equal(await nodesOf(store), TOILETS);
    assert.deepEqual(await readdir(bases), ["ch.vbase"], "what killed imports left is removed");
    t.diagnostic(JSON.stringify({ lasts_ms: Math.round(lasts_ms), ...outcomes }));
  });
});

describe("two imports at once", () => {
  test("of one base leave one of the two, whole; of two bases both", async (t) => {
    const { data_dir, bases, store, importOf } = await createWorkspace(t);
    const [one, two] = [join(data_dir, "one.pbf"), join(data_dir, "two.pbf")];
    await Promise.all([writeExtract(one, 3_000), writeExtract(two, 3_001)]);
    const same = [importOf(one), importOf(two)];
    for (const each of same)
      assert.deepEqual(await each.ended, { code: 0, signal: null }, each.output().err);
    assert.ok([3_000, 3_001].includes((await nodesOf(store))!));
    const apart = [importOf(one, "a"), importOf(two, "b")];
    for (const each of apart)
      assert.deepEqual(await each.ended, { code: 0, signal: null }, each.output().err);
    assert.equal(await nodesOf(store, "a"), 3_000);
    assert.equal(await nodesOf(store, "b"), 3_001);
    assert.deepEqual(await readdir(bases).then((names) => names.toSorted()), [
      "a.vbase",
      "b.vbase",
      "ch.vbase",
    ]);
  });
});

describe("an import that is stopped", () => {
  test("by Ctrl-C is one line, and leaves the base before and nothing else", async (t) => {
    const { data_dir, bases, store, importOf } = await createWorkspace(t);
    const path = join(data_dir, "big.osm.pbf");
    await writeExtract(path, TOILETS);
    await store.put("ch", await aBasePack("ch"));
    const [before] = await store.list();
    const drafted = new AbortController();
    const drafting = untilDraft(bases, drafted.signal, 1);
    const running = importOf(path);
    await Promise.race([drafting, running.ended]);
    running.child.kill("SIGINT");
    assert.deepEqual(await running.ended, { code: 1, signal: null });
    drafted.abort();
    assert.match(running.output().err, /\nvicinity: \S+: the import was stopped\n$/);
    assert.deepEqual(await readdir(bases), ["ch.vbase"]);
    assert.deepEqual((await store.list())[0], before);
  });
});

describe("an import on a full disk", () => {
  test(
    "of many pages, wherever it is full, leaves the base before and nothing else",
    { skip: NO_SMALL_DISK },
    async () => {
      const url = new URL("../support/full-disk-pages.ts", import.meta.url);
      const codes: (string | null)[] = [];
      for (const size of sized(
        ["500k", "2500k", "30m"],
        ["300k", "500k", "1m", "2m", "2500k", "30m"],
      )) {
        const { code, kept, files } = await runOnSmallDisk<FullDiskPages>(url, {
          size,
          at: "disk",
        });
        assert.deepEqual([files, kept], [["ch.vbase"], code !== null], `${size}: ${code}`);
        codes.push(code);
      }
      assert.equal(codes.at(-1), null);
      assert.ok(
        codes.slice(0, 2).every((code) => code === "ENOSPC"),
        JSON.stringify(codes),
      );
    },
  );

  test(
    "is one line, leaves the base before and no draft, and works once there is room",
    { skip: NO_SMALL_DISK },
    async () => {
      const url = new URL("../support/full-disk-import.ts", import.meta.url);
      const story = await runOnSmallDisk<FullDiskImport>(url, { size: "12m", at: "live" });
      const { first, full, kept, files, again, nodes } = story;
      assert.deepEqual(first, { code: 0, err: "" });
      assert.equal(full.code, 1);
      assert.match(
        full.err,
        /^vicinity: VICINITY_DATA_DIR: \S+ is on a disk that is full: free space, or name another\n$/,
      );
      assert.ok(kept, "the base before is not the same");
      assert.deepEqual(files, ["ch.vbase"]);
      assert.deepEqual(again, { code: 0, err: "" });
      assert.equal(nodes, 50);
    },
  );
});
