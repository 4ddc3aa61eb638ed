/**
 * Damaged graphs and extracts, drawn by a seed: a graph is refused as a whole, or every question over it
 * ends in bounded time with ways or with the reason why there is none; an extract is read, or is one line.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test, type TestContext } from "node:test";
import { type PbfObject, toPbf } from "../../../../sandbox/pbf/encode.ts";
import { hash } from "../../../../sandbox/rng.ts";
import { writeExtract } from "../../../../test/support/base.ts";
import { sized } from "../../../../test/support/size.ts";
import { importBase, openPack } from "../../reader/import-extract.ts";
import { openWalk, type WalkGraph } from "../../walk/walk-graph.ts";
import { Walker } from "../../walk/walker.ts";
import type { WalkMeta } from "../../walk/walk-layout.ts";
import { createWalkSection } from "../../walk/walk-section.ts";

const GRAPHS = 1_000;
const EXTRACTS = sized(120, 1_000);
/** A question takes less than a millisecond here; a busy machine takes longer. */
const LONG_MS = 3_000;
const SIDE = 12;
const MAIN = toPbf(listGrid(), { compression: "none", objects_per_block: 40 });

/** Streets that cross one another, some of them stairs, a square and a gate. */
function listGrid(): PbfObject[] {
  const all = Array.from({ length: SIDE }, (_, i) => i);
  const idOf = (row: number, column: number): number => row * SIDE + column + 1;
  const nodes = all.flatMap((row) =>
    all.map((column): PbfObject => {
      const tags: Record<string, string> =
        row === 5 && column === 5 ? { barrier: "gate", foot: "no" } : {};
      const [lat7, lon7] = [480_000_000 + row * 9_000, 90_000_000 + column * 13_000];
      return { type: "node", id: idOf(row, column), lat7: lat7 + 700 * (column % 3), lon7, tags };
    }),
  );
  const street = (id: number, refs: number[]): PbfObject => ({
    ...{ type: "way", id, refs },
    tags: { highway: id % 7 === 3 ? "steps" : "residential" },
  });
  const square = [idOf(1, 1), idOf(1, 3), idOf(3, 3), idOf(3, 1), idOf(1, 1)];
  return [
    ...nodes,
    ...all.map((row) =>
      street(
        row + 1,
        all.map((column) => idOf(row, column)),
      ),
    ),
    ...all.map((column) =>
      street(
        SIDE + column + 1,
        all.map((row) => idOf(row, column)),
      ),
    ),
    { type: "way", id: 99, refs: square, tags: { highway: "pedestrian", area: "yes" } },
  ];
}

async function importWalk(path: string) {
  const options = { id: "damaged", region: null, now_ms: 0, sections: [createWalkSection()] };
  return await importBase(path, options);
}

async function loadMain(t: TestContext) {
  const path = await writeExtract(t, listGrid());
  const result = await importWalk(path);
  assert.ok(result.ok);
  const { columns, meta } = openPack(result.pack)!;
  return { path, columns, meta: meta.sections["walk"] as WalkMeta };
}

/** Asks all kinds of questions; returns how many ways were found. */
function askAll(graph: WalkGraph, seed: number): number {
  if (graph.vertices === 0) return 0;
  const walker = new Walker(graph);
  const points = Array.from({ length: 6 }, (_, i) => {
    const [lat7, lon7] = graph.pointOf(hash(seed, 7, i) % graph.vertices);
    return { lat: (lat7 + 300) / 1e7, lon: (lon7 + 300) / 1e7 };
  });
  let ways = 0;
  for (const profile of ["foot", "step_free"] as const) {
    const options = { most_m: 4_500, profile };
    for (const way of walker.walkTo(points[0]!, points, options))
      if (typeof way !== "string") {
        ways += 1;
        assert.ok(way.meters >= 0 && way.meters <= 4_500, String(way.meters));
      }
    const drawn = walker.drawWay(points[1]!, points[2]!, options);
    if (typeof drawn !== "string")
      for (const at of drawn.line.flat()) assert.ok(Number.isFinite(at));
    for (const at of (walker.outline(points[0]!, { most_m: 600, profile }) ?? []).flat(3))
      assert.ok(Number.isFinite(at));
    assert.ok(walker.looked_m >= 0);
  }
  return ways;
}

test("a damaged graph is refused as a whole, or answers every question in bounded time", async (t) => {
  const { columns, meta } = await loadMain(t);
  const names = Object.keys(columns).filter((name) => name.startsWith("walk."));
  const whole = openWalk(columns, meta)!;
  assert.ok(askAll(whole, 1) >= 4);
  const counts = { refused: 0, asked: 0, ways: 0 };
  for (let seed = 0; seed < GRAPHS; seed++) {
    const name = names[hash(seed, 1) % names.length]!;
    const damaged = columns[name]!.slice();
    const bytes = new Uint8Array(damaged.buffer, damaged.byteOffset, damaged.byteLength);
    const times = 1 + (hash(seed, 2) % 4);
    for (let i = 0; i < times && bytes.length > 0; i++)
      bytes[hash(seed, 3, i) % bytes.length] = hash(seed, 4, i) & 0xff;
    const graph = openWalk({ ...columns, [name]: damaged }, meta);
    if (graph === null) counts.refused += 1;
    else {
      const begun = performance.now();
      counts.ways += askAll(graph, seed);
      counts.asked += 1;
      const took_ms = performance.now() - begun;
      assert.ok(took_ms < LONG_MS, `damage ${seed} of ${name}: ${took_ms} ms`);
    }
  }
  assert.ok(
    counts.refused > 100 && counts.asked > 100 && counts.ways > 100,
    JSON.stringify(counts),
  );
});

test("a damaged extract becomes a base that is walked, or is one line", async (t) => {
  const { path } = await loadMain(t);
  const counts = { read: 0, refused: 0 };
  for (let seed = 0; seed < EXTRACTS; seed++) {
    const bytes = Uint8Array.from(MAIN);
    const times = 1 + (hash(seed, 5) % 8);
    for (let i = 0; i < times; i++)
      bytes[hash(seed, 6, i) % bytes.length]! ^= 1 << (hash(seed, 8, i) % 8);
    await writeFile(path, bytes);
    const result = await importWalk(path);
    if (!result.ok) {
      counts.refused += 1;
      assert.match(result.problem, /^[^\n]{5,200}$/);
      continue;
    }
    counts.read += 1;
    const { columns, meta } = openPack(result.pack)!;
    const graph = openWalk(columns, meta.sections["walk"] as WalkMeta);
    assert.ok(graph !== null, `damage ${seed}: what an import makes is whole`);
    askAll(graph, seed);
  }
  assert.ok(counts.read > 20 && counts.refused > 20, JSON.stringify(counts));
});
