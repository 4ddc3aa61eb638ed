/** A split gives each page what a search of all features for each page gives, in the same order. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { attempt } from "#kit/guard.ts";
import type { BaseSection } from "../../../base/base-features.ts";
import { createGeocoderSection } from "../../../geocoder/geocoder-section.ts";
import { openBlobs } from "../../../reader/extract-file.ts";
import { importBase, openPack } from "../../../reader/import-extract.ts";
import { readRun } from "../../../reader/split/read-run.ts";
import { splitExtract } from "../../../reader/split/split-extract.ts";
import type { PageRun, Split, SplitOptions } from "../../../reader/split/split-types.ts";
import { createMapSection } from "../../../tiles/tiles-section.ts";
import { createWalkSection } from "../../../walk/walk-section.ts";
import type { PbfObject, PbfOptions } from "../../../../../sandbox/pbf/objects.ts";
import { collect, type Collected, writeExtract } from "../../../../../test/support/base.ts";
import { sized } from "../../../../../test/support/size.ts";
import { NO_SMALL_DISK, runOnSmallDisk } from "../../../../../test/support/small-disk.ts";
import type { FullDiskSplit } from "./full-disk-split.ts";
import { listMadeWorld, shuffled } from "./made-world.ts";
import { createRules, type Feature, type Page } from "./naive-split.ts";

const SERVICE_KEYS = ["amenity", "emergency"];
const KEYS: Readonly<Record<string, BaseSection["keys"]>> = {
  walk: createWalkSection().keys,
  services: { node: SERVICE_KEYS, way: SERVICE_KEYS, relation: SERVICE_KEYS },
  geocoder: createGeocoderSection().keys,
  map: createMapSection().keys,
  collected: { node: ["source"], way: ["source"], relation: ["source"] },
};
const SECTIONS = Object.entries(KEYS).map(([name, keys]) => ({ name, keys }));
/** Enough for a table of all nodes; too little, also for the ways of more than a few relations. */
const ROOMY = 64e6;
const TIGHT = 2_000;

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "split-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function splitObjects(
  t: TestContext,
  path: string,
  options: Partial<SplitOptions>,
): Promise<Split & { folder: string }> {
  const folder = aFolder(t);
  const file = await openBlobs(path);
  t.after(() => file.close());
  const all = { folder, page_bytes: 20_000, memory_bytes: ROOMY, sections: SECTIONS };
  return { folder, ...(await splitExtract(file, { ...all, ...options })) };
}

/** What today's import hands to each section. */
async function collectAll(path: string): Promise<Record<string, Collected>> {
  const all = Object.fromEntries(SECTIONS.map(({ name, keys }) => [name, collect(keys, name)]));
  const sections = Object.values(all).map(({ section }) => section);
  const result = await importBase(path, { id: "a", region: null, now_ms: 0, sections });
  assert.ok(result.ok, result.ok ? "" : result.problem);
  return all;
}

function listOf({ nodes, relations, ways }: Collected): Feature[] {
  return [...nodes, ...relations, ...ways];
}

const print = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (each instanceof Map) return Object.fromEntries(each);
    return ArrayBuffer.isView(each) ? [...(each as Int32Array)] : each;
  });

function listFor(run: PageRun, bit: number): string[] {
  const list: string[] = [];
  for (const { sections, feature } of readRun(run)) if (sections & bit) list.push(print(feature));
  return list;
}

const nameOf = ({ level, cell: { z, x, y } }: Page): string => `${level} ${z}/${x}/${y}`;

async function compare(
  t: TestContext,
  objects: PbfObject[],
  pbf: PbfOptions,
  { memory_bytes, page_bytes = 20_000 }: Partial<SplitOptions>,
) {
  const path = await writeExtract(t, objects, pbf);
  const all = await collectAll(path);
  const split = await splitObjects(t, path, { memory_bytes: memory_bytes!, page_bytes });
  const ground = split.runs.filter(({ level }) => level === "ground");
  assert.ok(ground.length > 3, `${ground.length} pages`);
  const distinct = new Map<string, Feature>();
  for (const name of ["geocoder", "map"])
    for (const feature of listOf(all[name]!)) distinct.set(`${feature.type}${feature.id}`, feature);
  for (const [bit, { name }] of SECTIONS.entries()) {
    const features = listOf(all[name]!);
    // Of two sections the same feature is two objects.
    const known = features.map((each) => distinct.get(`${each.type}${each.id}`) ?? each);
    const rule = createRules([...distinct.values()])[name]!;
    let reached = 0;
    for (const run of split.runs) {
      const expected = known.filter((feature) => rule(feature, run)).map(print);
      reached += expected.length;
      assert.deepEqual(listFor(run, 1 << bit), expected, `${name} of ${nameOf(run)}`);
    }
    assert.ok(reached > 0, name);
  }
  return { split, all };
}

for (const [what, pbf, memory_bytes, sizes] of [
  ["a sorted file", { sorted: true, objects_per_block: 50 }, ROOMY, [20_000]],
  [
    "a sorted file, its positions by ranges",
    { sorted: true, objects_per_block: 4 },
    TIGHT,
    sized([20_000], [20_000, 35_000]),
  ],
  [
    "an unsorted file, its positions by ranges",
    { sorted: false, objects_per_block: 10 },
    TIGHT,
    sized([20_000], [20_000, 6_000]),
  ],
] as const)
  for (const page_bytes of sizes) {
    const seed = page_bytes / 1_000;
    test(`pages have what they need: ${what} (${page_bytes} bytes a page)`, async (t) => {
      const world = listMadeWorld(seed);
      const objects = pbf.sorted ? world : shuffled(world, seed);
      await compare(t, objects, pbf, { memory_bytes, page_bytes });
    });
  }

test("pages have what they need: a file with positions in its ways, and few nodes", async (t) => {
  const world = listMadeWorld(4);
  const places = new Map(world.flatMap((each) => (each.type === "node" ? [[each.id, each]] : [])));
  const objects = world.map((each) =>
    each.type === "way"
      ? {
          ...each,
          points: each.refs.flatMap((ref) => {
            const node = places.get(ref) ?? { lat7: 10, lon7: 20 };
            return [node.lat7, node.lon7];
          }),
        }
      : each,
  );
  const pbf = { sorted: true, locations_on_ways: true, objects_per_block: 50 };
  await compare(t, objects, pbf, { memory_bytes: ROOMY });
  await compare(t, objects, pbf, { memory_bytes: TIGHT });
});

test("what a split says of the extract is what an import says", async (t) => {
  const world = listMadeWorld(5);
  const counted = ({ reason, count }: { reason: string; count: number }): string =>
    `${reason} ${count}`;
  for (const sorted of [true, false]) {
    const objects = sorted ? world : shuffled(world, 1);
    const path = await writeExtract(t, objects, { sorted, objects_per_block: 50 });
    const sections = SECTIONS.map(({ name, keys }) => collect(keys, name).section);
    const result = await importBase(path, { id: "a", region: null, now_ms: 0, sections });
    assert.ok(result.ok);
    const { report, pack } = result;
    for (const memory_bytes of [ROOMY, TIGHT]) {
      const { summary } = await splitObjects(t, path, { memory_bytes });
      const { dropped, repaired } = summary.trail.toTrail();
      assert.deepEqual(summary.counts, report.counts);
      assert.deepEqual(
        summary.box?.map((side) => side / 1e7),
        report.box,
      );
      assert.equal(summary.data_at_s, report.data_at_s);
      assert.deepEqual(dropped.map(counted), report.dropped.map(counted));
      assert.deepEqual(repaired.map(counted), report.repaired.map(counted));
      const cells = openPack(pack)!.columns["cells"] as Uint32Array;
      assert.deepEqual([...summary.cells], [...cells]);
    }
  }
});

test("an extract that fits one page has one run, with all that sections want", async (t) => {
  const path = await writeExtract(t, listMadeWorld(6), { sorted: true, objects_per_block: 50 });
  const all = await collectAll(path);
  const { runs, head, map } = await splitObjects(t, path, { page_bytes: 64e6 });
  assert.deepEqual(runs.map(nameOf), ["ground 0/0/0"]);
  assert.equal(map, null);
  for (const [bit, { name }] of SECTIONS.entries()) {
    // Routes are nothing to the geocoder.
    const isWanted = ({ tags }: Feature): boolean =>
      name !== "geocoder" || tags.get("type") !== "route";
    const expected = listOf(all[name]!).filter(isWanted).map(print);
    assert.deepEqual(listFor(runs[0]!, 1 << bit), expected, name);
  }
  const borders = [...readRun(head)].map(({ feature }) => feature.tags.get("ISO3166-1"));
  assert.deepEqual(borders, ["XX", "XX", "XX", "XX"]);
});

test("the head has countries, however many pages there are", async (t) => {
  const path = await writeExtract(t, listMadeWorld(6), { sorted: true, objects_per_block: 50 });
  const { head } = await splitObjects(t, path, {});
  const names = [...readRun(head)].map(({ feature }) => feature.tags.get("name"));
  assert.deepEqual(names, ["Land", "Land", "Land", "Land"]);
});

test("runs are read in another thread, by value", async (t) => {
  const path = await writeExtract(t, listMadeWorld(7), { sorted: true, objects_per_block: 50 });
  const { runs } = await splitObjects(t, path, {});
  const [run] = structuredClone(runs);
  assert.equal([...readRun(run!)].length, run!.features);
});

test("a split that is stopped closes its files and leaves those of others alone", async (t) => {
  const path = await writeExtract(t, listMadeWorld(8), { sorted: true, objects_per_block: 20 });
  let all = 0;
  await splitObjects(t, path, { memory_bytes: TIGHT, onProgress: () => (all += 1) });
  for (const share of [0, 0.1, 0.3, 0.5, 0.7, 0.9]) {
    const folder = aFolder(t);
    writeFileSync(join(folder, "of-another"), "");
    const file = await openBlobs(path);
    const controller = new AbortController();
    let read = 0;
    const onProgress = (): void => {
      if (++read > share * (all - 1)) controller.abort();
    };
    const { signal } = controller;
    const options = { folder, page_bytes: 20_000, memory_bytes: TIGHT, sections: SECTIONS };
    await assert.rejects(splitExtract(file, { ...options, signal, onProgress }), {
      name: "AbortError",
    });
    await file.close();
    assert.equal(countOpen(folder), 0);
    assert.ok(readdirSync(folder).includes("of-another"));
  }
});

/** How many files of a folder this process has open. */
function countOpen(folder: string): number {
  // One that the listing itself had open is gone.
  const targets = readdirSync("/proc/self/fd").map((fd) =>
    attempt(
      () => readlinkSync(`/proc/self/fd/${fd}`, { encoding: "utf8" }),
      () => "",
    ),
  );
  return targets.filter((target) => target.startsWith(folder)).length;
}

test(
  "a disk that becomes full ends a split with a reason, and nothing stays open",
  { skip: NO_SMALL_DISK },
  async () => {
    const url = new URL("full-disk-split.ts", import.meta.url);
    const result = await runOnSmallDisk<FullDiskSplit>(url, { size: "256k", at: "runs" });
    assert.deepEqual(result, {
      problem: "extract: is on a disk that is full: free space, or name another",
      open: 0,
    });
  },
);
