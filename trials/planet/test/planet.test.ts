/** What the trial of pages makes and compares: moved blocks, other names, unlike answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BlockReader } from "#osm/imports.ts";
import { encodeBlock } from "../../../sandbox/pbf/block.ts";
import type { PbfObject } from "../../../sandbox/pbf/objects.ts";
import { findUnlike, hasContent } from "../compare-answers.ts";
import { cornerNear } from "../question-places.ts";
import { listIds, renumberBlock } from "../renumber-block.ts";
import { KINDS, kindsOf, shiftBlock } from "../shift-block.ts";
import { commonWords, renameBlock, renameText } from "../shift-words.ts";

const OBJECTS: readonly PbfObject[] = [
  { type: "node", id: 7, lat7: 471_000_000, lon7: 95_000_000, tags: { name: "Landstrasse" } },
  { type: "node", id: 12, lat7: 471_000_100, lon7: 94_999_900 },
  { type: "way", id: 3, refs: [12, 7, 12], tags: { highway: "path" } },
  {
    type: "relation",
    id: 5,
    members: [
      { type: "way", id: 3, role: "outer" },
      { type: "node", id: 7, role: "" },
    ],
  },
];
const IDS = 2 ** 40 + 1;

function readBlock(block: Uint8Array) {
  const seen = { nodes: [] as number[][], ways: [] as unknown[], relations: [] as unknown[] };
  const names: string[] = [];
  new BlockReader().read(block, {
    nodeKeys: () => 1,
    times: false,
    node: ({ tags }) => names.push(...[...tags].map(([, value]) => value)),
    nodes: ({ count, ids, lat7, lon7 }) => {
      for (let i = 0; i < count; i++) seen.nodes.push([ids[i]!, lat7[i]!, lon7[i]!]);
    },
    way: (way) => seen.ways.push([way.id, ...way.refs()]),
    relation: (relation) =>
      seen.relations.push([relation.id, ...relation.members().map(({ id }) => id)]),
  });
  return { ...seen, names };
}

for (const dense of [true, false])
  test(`a block is moved kind by kind, ${dense ? "dense" : "plain"} nodes`, () => {
    const block = encodeBlock(OBJECTS, { dense, lat_offset: 5_000 });
    assert.deepEqual([...kindsOf(block)], [...KINDS]);
    const shift = { ids: IDS, lat: -2_000_000_000, lon: -30_000_000_000 };
    const [nodes, ways, relations] = KINDS.map((kind) => readBlock(shiftBlock(block, kind, shift)));
    const before = readBlock(block);
    assert.deepEqual(
      nodes!.nodes,
      before.nodes.map(([id, lat7, lon7]) => [id! + IDS, lat7! - 20_000_000, lon7! - 300_000_000]),
    );
    assert.deepEqual([nodes!.ways, nodes!.relations, nodes!.names], [[], [], ["Landstrasse"]]);
    assert.deepEqual(ways!.ways, [[3 + IDS, 12 + IDS, 7 + IDS, 12 + IDS]]);
    assert.deepEqual(relations!.relations, [[5 + IDS, 3 + IDS, 7 + IDS]]);
    assert.deepEqual([ways!.nodes, relations!.nodes, relations!.ways], [[], [], []]);
  });

for (const dense of [true, false])
  test(`ids have no gaps, and those that are only referred to are kept, ${dense ? "dense" : "plain"} nodes`, () => {
    const other = { type: "way", id: 2 ** 33, refs: [999, 7] } as const;
    const block = encodeBlock([...OBJECTS.slice(0, 3), other, ...OBJECTS.slice(3)], { dense });
    const made = readBlock(renumberBlock(block, listIds([block])));
    assert.deepEqual(
      made.nodes.map(([id]) => id),
      [1, 2],
    );
    assert.deepEqual(made.ways, [
      [1, 2, 1, 2],
      [2, 3, 1],
    ]);
    assert.deepEqual(made.relations, [[1, 1, 1]]);
    assert.deepEqual(made.names, readBlock(block).names);
  });

test("a copy has names of its own, and the words of its language", () => {
  const common = new Set(["strasse"]);
  const names = Array.from({ length: 60 }, (_, n) => renameText("Landauer Strasse", common, n));
  assert.equal(new Set(names).size, 60, "each copy another");
  for (const name of names) assert.match(name, /^[A-Z][a-z]{7} Strasse$/);
  const block = encodeBlock(OBJECTS, {});
  assert.deepEqual(readBlock(renameBlock(block, common, 0)), readBlock(block));
  const other = readBlock(renameBlock(block, common, 1));
  assert.notEqual(other.names[0], "Landstrasse");
  assert.equal(other.names[0]!.length, "Landstrasse".length);
  assert.deepEqual(other.nodes, readBlock(block).nodes);
});

test("words that many texts have are those of a language", () => {
  const objects = Array.from({ length: 20 }, (_, n): PbfObject => {
    return {
      type: "node",
      id: n + 1,
      lat7: 0,
      lon7: 0,
      tags: { name: `Gasse ${"abcdefghijklmnopqrst"[n]}` },
    };
  });
  assert.deepEqual([...commonWords([encodeBlock(objects, {})])], ["gasse"]);
  assert.deepEqual([...commonWords([encodeBlock(objects.slice(1), {})])], []);
});

const answer = (body: unknown, status = 200) => ({
  ...{ status, type: "application/json" },
  body: Buffer.from(JSON.stringify(body)),
});

test("answers are compared but for what says when they were made", () => {
  const body = { status: "success", local_time: "1", results: [{ id: "a", walk: { meters: 3 } }] };
  assert.equal(findUnlike(answer(body), answer({ ...body, local_time: "2" })), null);
  const other = { ...body, results: [{ id: "a", walk: { meters: 4 } }] };
  assert.equal(findUnlike(answer(body), answer(other))?.path, ".results[].walk.meters");
  assert.equal(findUnlike(answer(body), answer({ ...body, results: [] }))?.path, ".results[]");
  assert.equal(findUnlike(answer({ ...body, results: [] }), answer(body))?.path, ".results[]");
  assert.equal(findUnlike(answer(body), answer(body, 503))?.path, "status");
  assert.ok(hasContent(answer(body)));
  assert.ok(!hasContent(answer({ ...body, results: [] })));
  assert.ok(!hasContent(answer({ ...body, results: { places: [] } })));
});

test("corners of cells are where four of them meet", () => {
  assert.deepEqual(cornerNear({ lat: 1, lon: -2 }, 1), { lat: 0, lon: 0 });
  const { lat, lon } = cornerNear({ lat: 47.14, lon: 9.52 }, 11);
  assert.equal((lon / 360 + 0.5) * 2048, Math.round((lon / 360 + 0.5) * 2048));
  assert.ok(Math.abs(lat - 47.14) < 0.07, String(lat));
});
