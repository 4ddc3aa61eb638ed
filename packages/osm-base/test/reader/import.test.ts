/** An extract becomes a base: what sections receive, what the pack says, and how it is stopped. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { BaseSection } from "../../base/base-features.ts";
import { columnOf } from "#kit/pack.ts";
import {
  type BaseImportOptions,
  type BaseReport,
  importBase,
  openPack,
} from "../../reader/import-extract.ts";
import type { BaseProgress } from "../../reader/import-progress.ts";
import type { PbfObject, PbfOptions } from "../../../../sandbox/pbf/objects.ts";
import { listCountry } from "../../../../sandbox/pbf/country.ts";
import { collect, type Collected, writeExtract } from "../../../../test/support/base.ts";

const OPTIONS = { id: "town", region: "XX", now_ms: 1_700_000_000_000 };

const node = (id: number, lat7: number, lon7: number, tags = {}): PbfObject => ({
  type: "node",
  id,
  lat7,
  lon7,
  tags,
});
const way = (id: number, refs: number[], tags = {}): PbfObject => ({ type: "way", id, refs, tags });

/** A square wood with a clearing, its two halves untagged ways; a shop; a route. */
const TOWN: readonly PbfObject[] = [
  node(-5, 30, 40, { shop: "bakery", name: "Müller" }),
  node(1, 0, 0),
  node(2, 0, 100),
  node(3, 100, 100),
  node(4, 100, 0),
  node(11, 40, 40),
  node(12, 40, 60),
  node(13, 60, 50),
  node(2 ** 33 + 1, 500, 600, { source: "survey" }),
  way(21, [1, 2, 3]),
  way(22, [1, 4, 3]),
  way(23, [11, 12, 13, 11], { natural: "grass" }),
  way(24, [1, 2, 3, 4, 1], { building: "yes" }),
  way(25, [3, 99, 4], { highway: "path" }),
  way(26, [98, 99], { highway: "path" }),
  way(27, [1, 2], { highway: "path", name: "open" }),
  {
    type: "relation",
    id: 31,
    tags: { type: "multipolygon", natural: "wood" },
    members: [
      { type: "way", id: 21, role: "outer" },
      { type: "way", id: 22, role: "outer" },
      { type: "way", id: 22, role: "outer" },
      { type: "way", id: 23, role: "inner" },
    ],
  },
  {
    type: "relation",
    id: 32,
    tags: { type: "route", route: "bus" },
    members: [
      { type: "node", id: 2 ** 33 + 1, role: "stop" },
      { type: "way", id: 27, role: "" },
      { type: "way", id: 999, role: "" },
      { type: "relation", id: 31, role: "part" },
    ],
  },
  {
    type: "relation",
    id: 33,
    tags: { type: "boundary", boundary: "administrative" },
    members: [
      { type: "way", id: 21, role: "outer" },
      { type: "node", id: -5, role: "admin_centre" },
    ],
  },
];

const KEYS: BaseSection["keys"] = {
  node: ["shop"],
  way: ["building", "highway"],
  relation: ["type"],
};

async function load(
  t: TestContext,
  objects: Iterable<PbfObject>,
  input: { pbf?: PbfOptions; sections?: BaseSection[] } & Partial<BaseImportOptions> = {},
) {
  const { pbf, ...options } = input;
  const path = await writeExtract(t, objects, pbf);
  const result = await importBase(path, { ...OPTIONS, sections: [], ...options });
  assert.ok(result.ok, result.ok ? "" : result.problem);
  return { ...result, ...openPack(result.pack)! };
}

function plain({ nodes, ways, relations }: Collected) {
  return {
    nodes: nodes.map(({ tags, ...rest }) => ({ ...rest, tags: Object.fromEntries(tags) })),
    ways: ways.map(({ tags, points, nodes: of_way, ...rest }) => ({
      ...rest,
      points: [...points],
      nodes: [...of_way],
      tags: Object.fromEntries(tags),
    })),
    relations: relations.map(({ tags, rings, ...rest }) => ({
      ...rest,
      rings: rings.map(({ points, inner }) => ({ points: [...points], inner })),
      tags: Object.fromEntries(tags),
    })),
  };
}

const EXPECTED = {
  nodes: [{ type: "node", id: -5, lat7: 30, lon7: 40, tags: { shop: "bakery", name: "Müller" } }],
  ways: [
    {
      type: "way",
      id: 24,
      closed: true,
      points: [0, 0, 0, 100, 100, 100, 100, 0, 0, 0],
      nodes: [1, 2, 3, 4, 1],
      tags: { building: "yes" },
    },
    {
      type: "way",
      id: 25,
      closed: false,
      points: [100, 100, 100, 0],
      nodes: [3, 4],
      tags: { highway: "path" },
    },
    {
      type: "way",
      id: 27,
      closed: false,
      points: [0, 0, 0, 100],
      nodes: [1, 2],
      tags: { highway: "path", name: "open" },
    },
  ],
  relations: [
    {
      type: "relation",
      id: 31,
      whole: true,
      members: [
        { type: "way", id: 21, role: "outer" },
        { type: "way", id: 22, role: "outer" },
        { type: "way", id: 22, role: "outer" },
        { type: "way", id: 23, role: "inner" },
      ],
      box: [0, 0, 100, 100],
      rings: [
        { points: [0, 0, 0, 100, 100, 100, 100, 0, 0, 0], inner: false },
        { points: [40, 40, 40, 60, 60, 50, 40, 40], inner: true },
      ],
      tags: { type: "multipolygon", natural: "wood" },
    },
    {
      type: "relation",
      id: 32,
      whole: false,
      members: [
        { type: "node", id: 2 ** 33 + 1, role: "stop" },
        { type: "way", id: 27, role: "" },
        { type: "way", id: 999, role: "" },
        { type: "relation", id: 31, role: "part" },
      ],
      box: [0, 0, 500, 600],
      rings: [],
      tags: { type: "route", route: "bus" },
    },
    {
      type: "relation",
      id: 33,
      whole: false,
      members: [
        { type: "way", id: 21, role: "outer" },
        { type: "node", id: -5, role: "admin_centre" },
      ],
      box: [0, 0, 100, 100],
      rings: [],
      tags: { type: "boundary", boundary: "administrative" },
    },
  ],
};

const WAYS_TO_WRITE: Readonly<Record<string, PbfOptions>> = {
  "dense and sorted": {},
  "plain nodes": { dense: false },
  "raw blobs": { compression: "none" },
  "one object per block": { objects_per_block: 1 },
  "kinds mixed in a block": { sorted: false, objects_per_block: 10 },
  "with metadata": { metadata: true },
};

for (const [name, pbf] of Object.entries(WAYS_TO_WRITE))
  test(`features are the same however the file is written: ${name}`, async (t) => {
    const all = collect(KEYS);
    await load(t, TOWN, { pbf, sections: [all.section] });
    assert.deepEqual(plain(all), EXPECTED);
    assert.deepEqual(
      all.calls.filter((call, i) => call !== all.calls[i - 1]),
      ["node", "relation", "way", "finish"],
    );
  });

test("a way is closed when it ends where it begins, and no node is missing", async (t) => {
  const all = collect({ way: ["name"] });
  const name = { name: "x" };
  await load(
    t,
    [
      ...TOWN.filter(({ type }) => type === "node"),
      way(1, [1, 2, 3, 1], name),
      way(2, [1, 99, 2, 3, 1], name),
      way(3, [1, 2, 3, 4], name),
      way(4, [1, 2, 1], name),
    ],
    { sections: [all.section] },
  );
  assert.deepEqual(
    all.ways.map(({ id, closed }) => [id, closed]),
    [
      [1, true],
      [2, false],
      [3, false],
      [4, false],
    ],
  );
});

test("a file that is not in order is read all the same", async (t) => {
  const all = collect(KEYS);
  const shuffled = TOWN.toReversed();
  await load(t, shuffled, {
    pbf: { sorted: false, objects_per_block: 3 },
    sections: [all.section],
  });
  const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
  const match = plain(all);
  assert.deepEqual(match.nodes, EXPECTED.nodes);
  assert.deepEqual(match.ways.sort(byId), EXPECTED.ways);
  assert.deepEqual(match.relations.sort(byId), EXPECTED.relations);
});

test("positions that lie with the ways are taken from there", async (t) => {
  const places = new Map(
    TOWN.flatMap((one) => (one.type === "node" ? [[one.id, [one.lat7, one.lon7]] as const] : [])),
  );
  const beyond = 2_147_483_647;
  const located = TOWN.flatMap((one): PbfObject[] => {
    if (one.type === "node") return Object.keys(one.tags ?? {}).length > 0 ? [one] : [];
    if (one.type !== "way") return [one];
    return [{ ...one, points: one.refs.flatMap((ref) => places.get(ref) ?? [beyond, beyond]) }];
  });
  const all = collect(KEYS);
  const { meta } = await load(t, located, {
    pbf: { locations_on_ways: true },
    sections: [all.section],
  });
  assert.deepEqual(plain(all), EXPECTED);
  assert.deepEqual(meta.box, [0, 0, 0.00005, 0.00006]);
});

test("each section receives what it names, by key or by prefix", async (t) => {
  const shops = collect({ node: ["shop"] }, "shops");
  const names = collect({ node: ["na:", "source"], way: ["name"] }, "names");
  const none = collect({}, "none");
  await load(t, [node(-7, 5, 5, { "na:me": "x" }), ...TOWN], {
    sections: [shops.section, names.section, none.section],
  });
  assert.deepEqual(shops.calls, ["node", "finish"]);
  assert.deepEqual(
    names.nodes.map(({ id }) => id),
    [-7, 2 ** 33 + 1],
  );
  assert.deepEqual(
    names.ways.map(({ id }) => id),
    [27],
  );
  assert.deepEqual(none.calls, ["finish"]);
});

test("the pack says what it holds, and the columns of a section have its name", async (t) => {
  const one = collect({ node: ["shop"] }, "one");
  const two = collect({ node: ["source"] }, "two");
  const { meta, columns, report, pack } = await load(t, TOWN, {
    sections: [one.section, two.section],
    pbf: { data_at_s: 1_690_000_000 },
  });
  assert.deepEqual([...columnOf(columns, "one.ids", Float64Array)], [-5]);
  assert.deepEqual([...columnOf(columns, "two.ids", Float64Array)], [2 ** 33 + 1]);
  assert.deepEqual(
    [...columnOf(columns, "cells", Uint32Array)],
    [2048 * 4096 + 2047, 2048 * 4096 + 2048],
  );
  const { dropped, repaired } = meta;
  assert.deepEqual(meta, {
    id: "town",
    region: "XX",
    data_at_s: 1_690_000_000,
    imported_at_ms: OPTIONS.now_ms,
    box: [0, 0, 0.00005, 0.00006],
    counts: { nodes: 9, ways: 7, relations: 3 },
    terms: { licence: "ODbL-1.0", attribution: "© OpenStreetMap contributors" },
    sections: { one: { kept: 2 }, two: { kept: 2 } },
    section_counts: { one: { nodes: 1 }, two: { nodes: 1 } },
    dropped,
    repaired,
  });
  const { sections: _, ...facts } = meta;
  const { file_bytes, pack_bytes, elapsed_ms, ...rest } = report satisfies BaseReport;
  assert.deepEqual(rest, facts);
  assert.equal(pack_bytes, pack.byteLength);
  assert.ok(file_bytes > 0 && elapsed_ms > 0);
  assert.equal(openPack(pack.slice(0, -8)), null);
});

test("a column is freed once the pack has it", async (t) => {
  const { section } = collect({ node: ["shop"] }, "kept");
  const columns = { ids: Float64Array.of(1, 2, 3), marks: Uint8Array.of(4) };
  const { columns: packed } = await load(t, TOWN, {
    sections: [
      {
        ...section,
        *finish() {
          yield;
          return { columns, meta: {}, counts: {} };
        },
      },
    ],
  });
  assert.deepEqual([...columnOf(packed, "kept.ids", Float64Array)], [1, 2, 3]);
  assert.deepEqual([...columnOf(packed, "kept.marks", Uint8Array)], [4]);
  assert.deepEqual([columns.ids.length, columns.marks.length], [0, 0]);
});

test("what is lost or mended is counted with examples", async (t) => {
  const { meta } = await load(t, TOWN, {
    sections: [collect(KEYS).section],
  });
  assert.deepEqual(meta.dropped, [
    { reason: "way_without_known_nodes", count: 1, examples: ["W26"] },
  ]);
  assert.deepEqual(meta.repaired, [
    { reason: "member_repeated", count: 1, examples: ["R31"] },
    { reason: "relation_with_missing_ways", count: 1, examples: ["R32"] },
    { reason: "ring_not_closed", count: 1, examples: ["R33"] },
    { reason: "way_with_missing_nodes", count: 1, examples: ["W25"] },
  ]);
});

test("the date is that of the header, else of the newest object, else unknown", async (t) => {
  const of = (changed_at_s: number): PbfObject[] => [
    { type: "node", id: 1, lat7: 0, lon7: 0, changed_at_s },
    { type: "way", id: 2, refs: [1], changed_at_s: changed_at_s - 5 },
  ];
  const dateOf = async (objects: PbfObject[], pbf: PbfOptions): Promise<number | null> =>
    (await load(t, objects, { pbf })).meta.data_at_s;
  const at_s = 1_600_000_000;
  assert.equal(await dateOf(of(at_s), { metadata: true, data_at_s: at_s + 9 }), at_s + 9);
  assert.equal(await dateOf(of(at_s), { metadata: true }), at_s);
  assert.equal(await dateOf(of(at_s), { metadata: true, dense: false }), at_s);
  assert.equal(await dateOf(of(at_s), {}), null);
  assert.equal(await dateOf(of(1), { metadata: true }), null);
});

test("an extract without objects is a base without a box", async (t) => {
  const { meta, columns } = await load(t, []);
  assert.equal(meta.box, null);
  assert.deepEqual(meta.counts, { nodes: 0, ways: 0, relations: 0 });
  assert.equal(columns["cells"]!.length, 0);
});

test("progress never goes back and ends at the end", async (t) => {
  const progresses: BaseProgress[] = [];
  await load(t, listCountry({ quarters: 60 }), {
    pbf: { objects_per_block: 500 },
    sections: [collect(KEYS).section],
    onProgress: (progress) => progresses.push(progress),
  });
  assert.ok(progresses.length > 20);
  assert.ok(
    progresses.every(({ fraction }, i) => i === 0 || fraction >= progresses[i - 1]!.fraction),
  );
  assert.ok(progresses.every(({ bytes, total_bytes }) => bytes <= total_bytes));
  assert.deepEqual(
    [...new Set(progresses.map(({ pass }) => pass))],
    ["relations", "member_ways", "nodes", "features", "packing"],
  );
  assert.equal(progresses.at(-1)!.fraction, 1);
  assert.deepEqual(progresses.at(-1)!.counts, { nodes: 60 * 216, ways: 60 * 26, relations: 60 });
});

test("an import that is stopped is one line, and hands nothing more to its sections", async (t) => {
  const path = await writeExtract(t, listCountry({ quarters: 60 }), { objects_per_block: 500 });
  const stop = new AbortController();
  const all = collect(KEYS);
  const result = await importBase(path, {
    ...OPTIONS,
    sections: [all.section],
    signal: stop.signal,
    onProgress: ({ pass }) => {
      if (pass === "nodes") stop.abort();
    },
  });
  assert.deepEqual(result, { ok: false, problem: "the import was stopped" });
  assert.ok(!all.calls.includes("relation"));
});

test("a fault of a section is one line too", async (t) => {
  const path = await writeExtract(t, TOWN);
  const { section } = collect({ node: ["shop"] });
  const broken: BaseSection = {
    ...section,
    node() {
      throw new TypeError("not\nready");
    },
  };
  const result = await importBase(path, { ...OPTIONS, sections: [broken] });
  assert.ok(!result.ok);
  assert.match(result.problem, /^extract: not\?ready \(block at byte \d+\)$/);
});
