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
import { RefStreams } from "../../../reader/split/ref-streams.ts";
import type { PbfObject, PbfOptions } from "../../../../../sandbox/pbf/objects.ts";
import { writeExtract } from "../../../../../test/support/base.ts";

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
  const folder = mkdtempSync(join(tmpdir(), "split-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = await openBlobs(await writeExtract(t, objects, pbf));
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
