/** The walking section in a pack: what an import makes of it, what of it is refused, and how small it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { listCountry } from "../../../../sandbox/pbf/country.ts";
import { writeExtract } from "../../../../test/support/base.ts";
import { importBase, openPack } from "../../reader/import-extract.ts";
import { openWalk } from "../../walk/walk-graph.ts";
import type { WalkMeta } from "../../walk/walk-layout.ts";
import { createWalkSection } from "../../walk/walk-section.ts";
import { snap } from "../../walk/snap.ts";
import { readSigned, writeSigned } from "../../walk/edge-shapes.ts";
import { Growing } from "#kit/growing.ts";
import { join, mainland, sectionOf } from "./town.ts";

const MAIN = sectionOf(
  join(mainland([0, 0]), {
    nodes: { a: [50, 50], b: [90, 80], c: [140, 40] },
    ways: [["west a b c", { highway: "residential" }]],
  }),
);

test("an extract becomes a base that is walked; one without the section is not", async (t) => {
  const path = await writeExtract(t, listCountry({ quarters: 4 }));
  const options = { id: "x", region: null, now_ms: 0 };
  const result = await importBase(path, { ...options, sections: [createWalkSection()] });
  assert.ok(result.ok);
  const { columns, meta } = openPack(result.pack)!;
  const graph = openWalk(columns, meta.sections["walk"] as WalkMeta)!;
  assert.ok(graph.edges > 0);
  assert.equal(meta.section_counts["walk"]!["edges"], graph.edges);
  const [lat7, lon7] = graph.pointOf(0);
  snap(graph, { lat7, lon7 }, { most_m: 100, profile: "foot" });
  assert.equal(openWalk({}, undefined), null);
  assert.equal(openWalk({}, { ruleset: "usual", squares: true }), null);
});

test("an extract in which nothing is walked has a section of nothing", () => {
  const { columns, meta } = sectionOf({ nodes: { a: [0, 0] }, ways: [] });
  const graph = openWalk(inPack(columns), meta)!;
  assert.deepEqual([graph.vertices, graph.edges], [0, 0]);
  assert.equal(
    snap(graph, { lat7: 480_000_000, lon7: 90_000_000 }, { most_m: 100, profile: "foot" }),
    null,
  );
});

function inPack(columns: object) {
  return Object.fromEntries(Object.entries(columns).map(([name, of]) => [`walk.${name}`, of]));
}

test("columns that contradict one another are none: no search meets a place that is not there", () => {
  const columns = inPack(MAIN.columns) as Record<string, Uint32Array>;
  const names = Object.keys(columns).filter(
    (name) =>
      name !== "walk.marks" &&
      name !== "walk.offsets" &&
      name !== "walk.bits" &&
      name !== "walk.parts" &&
      name !== "walk.phases" &&
      name !== "walk.shapes",
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.nat(),
      fc.constantFrom(2 ** 32 - 1, 1_000_000),
      (name, at, value) => {
        const damaged = columns[name]!.slice();
        if (damaged.length === 0) return;
        damaged[at % damaged.length] = value;
        const graph = openWalk({ ...columns, [name]: damaged }, MAIN.meta);
        // The last cell may have any key that is greater than the one before it.
        if (name === "walk.cells") return;
        assert.equal(graph, null, name);
      },
    ),
    { numRuns: 300 },
  );
  for (const name of Object.keys(columns)) {
    const shorter = { ...columns, [name]: columns[name]!.subarray(1) };
    if (name === "walk.cells" || columns[name]!.length === 0) continue;
    assert.equal(openWalk(shorter, MAIN.meta), null, name);
  }
  assert.ok(openWalk(columns, MAIN.meta));
});

test("a number of a shape is read as it was written", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })), (values) => {
      const bytes = new Growing(Uint8Array);
      for (const value of values) writeSigned(bytes, value);
      const from = { bytes: bytes.view(), at: 0 };
      assert.deepEqual(
        values.map(() => readSigned(from)),
        values,
      );
      assert.equal(readSigned(from), 0);
    }),
  );
});

test("ways that pass more cells than those of a map are refused in one line", () => {
  const names = Array.from({ length: 4_000 }, (_, i) => `n${i}`);
  const nodes = Object.fromEntries(
    names.map((name, i) => [name, [(i % 2) * 30_000, i % 3 === 0 ? 0 : 50_000] as const]),
  );
  const zigzag = { nodes, ways: [[names.join(" "), { highway: "path" }]] as const };
  assert.throws(() => sectionOf(zigzag), /extract: walked ways pass more cells/);
});
