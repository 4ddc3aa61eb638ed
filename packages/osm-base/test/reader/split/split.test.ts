/** A split gives each page what a search of all features for each page gives, in the same order. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { BaseSection } from "../../../base/base-features.ts";
import { createGeocoderSection } from "../../../geocoder/geocoder-section.ts";
import { openBlobs } from "../../../reader/extract-file.ts";
import { importBase } from "../../../reader/import-extract.ts";
import { readRun, splitExtract } from "../../../reader/split/split-extract.ts";
import type { PageRun, Split, SplitOptions } from "../../../reader/split/split-types.ts";
import { createMapSection } from "../../../tiles/tiles-section.ts";
import { createWalkSection } from "../../../walk/walk-section.ts";
import type { PbfObject, PbfOptions } from "../../../../../sandbox/pbf/objects.ts";
import { collect, type Collected, writeExtract } from "../../../../../test/support/base.ts";
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
/** Enough for a table of all nodes, and too little. */
const ROOMY = 64e6;
const TIGHT = 20_000;

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
  memory_bytes: number,
) {
  const path = await writeExtract(t, objects, pbf);
  const all = await collectAll(path);
  const split = await splitObjects(t, path, { memory_bytes });
  const ground = split.runs.filter(({ level }) => level === "ground");
  assert.ok(ground.length > 12, `${ground.length} pages`);
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

for (const seed of [1, 2, 3])
  for (const [what, pbf, memory_bytes] of [
    ["a sorted file", { sorted: true, objects_per_block: 50 }, ROOMY],
    ["a sorted file, its positions by ranges", { sorted: true, objects_per_block: 50 }, TIGHT],
    ["an unsorted file, its positions by ranges", { sorted: false, objects_per_block: 40 }, TIGHT],
  ] as const)
    test(`pages have what they need: ${what} (${seed})`, async (t) => {
      const world = listMadeWorld(seed);
      const objects = pbf.sorted ? world : shuffled(world, seed);
      await compare(t, objects, pbf, memory_bytes);
    });
