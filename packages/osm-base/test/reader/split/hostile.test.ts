/** Files that no map is: a split ends with one line, and closes what it opened. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { guard } from "#kit/guard.ts";
import { toProblem } from "#kit/run/run-problem.ts";
import { createGeocoderSection } from "../../../geocoder/geocoder-section.ts";
import { createMapSection } from "../../../tiles/tiles-section.ts";
import { createWalkSection } from "../../../walk/walk-section.ts";
import { tryDamaged } from "../../../../../test/support/damage.ts";
import { openBlobs } from "../../../reader/extract-file.ts";
import { readRun } from "../../../reader/split/read-run.ts";
import { splitExtract } from "../../../reader/split/split-extract.ts";
import { SquareSums } from "../../../reader/split/cut-cells.ts";
import { PlaceAreas } from "../../../reader/split/place-areas.ts";
import { RefStreams } from "../../../reader/split/ref-streams.ts";
import type { PbfObject, PbfOptions } from "../../../../../sandbox/pbf/objects.ts";
import { encodeBlock } from "../../../../../sandbox/pbf/block.ts";
import { frame, toPbf } from "../../../../../sandbox/pbf/encode.ts";
import { writeExtract, writeTemporary } from "../../../../../test/support/base.ts";

const SECTIONS = [
  {
    name: "map",
    keys: { node: ["place"], way: ["highway"], relation: ["boundary"] },
  },
];

async function splitOf(
  t: TestContext,
  objects: PbfObject[],
  pbf: PbfOptions,
  memory_bytes: number,
) {
  return await splitFile(t, await writeExtract(t, objects, pbf), memory_bytes);
}

async function splitFile(t: TestContext, path: string, memory_bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "split-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = await openBlobs(path);
  t.after(() => file.close());
  return await splitExtract(file, { folder, page_bytes: 1e6, memory_bytes, sections: SECTIONS });
}

const node = (id: number): PbfObject => ({ type: "node", id, lat7: id % 1e8, lon7: id % 1e9 });
const way = (id: number, refs: number[]): PbfObject => ({
  ...{ type: "way", id, refs },
  tags: { highway: "path" },
});

test("a header that promises an order is held to it", async (t) => {
  const refused = { message: /Sort.Type_then_ID/ };
  const blocks = { sorted: true, objects_per_block: 1 };
  const ways = Array.from({ length: 30 }, (_, i) => way(i + 1, [1, 2]));
  const late = [node(1), node(2), ...ways.slice(0, 8), node(3), ...ways.slice(8)];
  await assert.rejects(splitOf(t, late, blocks, 64e6), refused);
  // References are read before, and find it.
  const { summary } = await splitOf(t, late, blocks, 1_000);
  assert.equal(summary.counts.nodes, 3);
  // The ranges of ids have passed.
  const back = [node(2 ** 23), node(1), way(1, [1, 2 ** 23])];
  await assert.rejects(splitOf(t, back, blocks, 1), refused);
});

test("blocks of nothing are read over, wherever they lie", async (t) => {
  const pbf = { sorted: true };
  const nothing = [...frame("OSMData", encodeBlock([], pbf), { compression: "none" })];
  const blockOf = (object: PbfObject) => [...frame("OSMData", encodeBlock([object], pbf), {})];
  const ways = Array.from({ length: 6 }, (_, i) => way(i + 1, [1, 2]));
  const blocks = [node(1), node(2), ...ways].map(blockOf);
  for (const memory_bytes of [64e6, 1_000])
    for (let gap = 0; gap <= blocks.length; gap++)
      for (const count of [1, 4]) {
        const gaps = Array.from({ length: count }, () => nothing);
        const all = [...blocks.slice(0, gap), ...gaps, ...blocks.slice(gap)].flat();
        const path = await writeTemporary(t, Buffer.concat([toPbf([], pbf), ...all]));
        const { summary } = await splitFile(t, path, memory_bytes);
        assert.deepEqual(summary.counts, { nodes: 2, ways: 6, relations: 0 }, `${gap}, ${count}`);
      }
});

test("a damaged file is read or is one line, and never a defect of ours", async () => {
  const sections = [createGeocoderSection(), createMapSection(), createWalkSection()];
  for (const memory_bytes of [64e6, 500]) {
    const report = await tryDamaged(30, memory_bytes, async (path) => {
      const file = await guard(
        () => openBlobs(path),
        (error) => toProblem(error, "extract"),
      );
      if ("problem" in file) return file.problem;
      const folder = mkdtempSync(join(tmpdir(), "split-"));
      const refused = await guard(
        async () => {
          const options = { folder, page_bytes: 5_000, memory_bytes, sections };
          const { runs } = await splitExtract(file, options);
          for (const run of runs) for (const _ of readRun(run));
          return null;
        },
        (error) => toProblem(error, "extract"),
      );
      await file.close();
      rmSync(folder, { recursive: true });
      assert.equal(refused?.error, undefined);
      return refused?.problem ?? null;
    });
    assert.deepEqual(report.wrong, []);
    assert.ok(report.read > 5, `${report.read} read`);
    assert.ok(report.refused > 5, `${report.refused} refused`);
  }
});

test("ids that no map has are kept in bounded memory", () => {
  const folder = mkdtempSync(join(tmpdir(), "split-"));
  const refs = new RefStreams({
    folder,
    memory_bytes: 1_000,
    sorted: true,
    sums: new SquareSums(),
  });
  refs.endRefs();
  const count = 1_000_000;
  const ids = Float64Array.from({ length: count }, (_, i) => 2 ** 40 + i);
  const batch = { count, ids, lat7: new Int32Array(count), lon7: new Int32Array(count) };
  for (let i = 0; i < 8; i++) refs.addNodes(batch);
  assert.throws(() => refs.addNodes(batch), /ids that no map has/);
  refs.close();
  rmSync(folder, { recursive: true });
});

test("nodes that have the same ids are kept in bounded memory, in whichever order", () => {
  for (const sorted of [true, false]) {
    const folder = mkdtempSync(join(tmpdir(), "split-"));
    const refs = new RefStreams({ folder, memory_bytes: 1_000, sorted, sums: new SquareSums() });
    refs.addRefs(Float64Array.of(1), { first: 0, each: 0 });
    refs.endRefs();
    const count = 1_000_000;
    const ids = new Float64Array(count).fill(1);
    const batch = { count, ids, lat7: new Int32Array(count), lon7: new Int32Array(count) };
    assert.throws(() => {
      for (let i = 0; i < 6; i++) refs.addNodes(batch);
      refs.endNodes();
    }, /extract: more nodes with the same ids/);
    refs.close();
    rmSync(folder, { recursive: true });
  }
});

test("settlements that are called as many areas are work that is counted", () => {
  let work = 0;
  const areas = new PlaceAreas((more) => {
    work += more;
  });
  const tags = new Map([["name", "Same"]]);
  const box = { west: 0, north: 0, east: 10, south: 10 };
  for (let i = 0; i < 100; i++) areas.add(tags, [7], { box, pages: [1, 2] });
  assert.equal(work, 2 + 99 * 4);
  work = 0;
  const at = { type: "node", id: 8, lat7: 0, lon7: 0, tags } as const;
  assert.equal([...areas.pagesOf(at, 5, 5)].length, 200);
  assert.equal(work, 300);
});

test("an extract of nothing has no runs", async (t) => {
  for (const memory_bytes of [64e6, 1_000]) {
    const { runs, head, summary } = await splitOf(t, [], { sorted: true }, memory_bytes);
    assert.deepEqual(runs, []);
    assert.equal(head.features, 0);
    assert.equal(summary.box, null);
  }
});

test("ways that refer to nothing, and relations of nothing, are left out", async (t) => {
  const objects: PbfObject[] = [
    node(1),
    way(1, []),
    way(2, [7, 8]),
    { type: "relation", id: 1, tags: { boundary: "administrative" }, members: [] },
  ];
  for (const memory_bytes of [64e6, 1_000]) {
    const pbf = { sorted: true, objects_per_block: 1 };
    const { runs, summary } = await splitOf(t, objects, pbf, memory_bytes);
    assert.deepEqual(
      runs.map(({ features }) => features),
      [1],
    );
    assert.deepEqual(
      summary.trail.toTrail().dropped.map(({ reason, count }) => [reason, count]),
      [["way_without_known_nodes", 2]],
    );
  }
});
