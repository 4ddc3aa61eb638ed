/** What the simulator's encoder writes is what the reader reads; they share no code. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  BlockReader,
  type BlockSink,
  HAS_NODES,
  HAS_RELATIONS,
  HAS_WAYS,
} from "../../pbf/block.ts";
import { encodeBlock } from "../../../../sandbox/pbf/block.ts";
import type {
  PbfNode,
  PbfObject,
  PbfOptions,
  PbfRelation,
  PbfWay,
} from "../../../../sandbox/pbf/objects.ts";
import { anyText } from "../../../../test/support/any-text.ts";

const KINDS = { node: HAS_NODES, way: HAS_WAYS, relation: HAS_RELATIONS } as const;

/** Negative ids are those of editors; those of the map are beyond 2^33. */
const id = fc.oneof(
  fc.integer({ min: 1, max: 1_000 }),
  fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
  fc.integer({ min: 2 ** 33, max: 2 ** 33 + 50 }),
);
const text = fc.oneof(
  anyText({ maxLength: 12 }),
  fc.constantFrom("name", "highway", "__proto__", "constructor", "", "addr:street", "Ä\u2028ß"),
);
const tags = fc
  .array(fc.tuple(text, text), { maxLength: 4 })
  .map((pairs) => Object.fromEntries(pairs));
const lat7 = fc.integer({ min: -900_000_000, max: 900_000_000 });
const lon7 = fc.integer({ min: -1_800_000_000, max: 1_800_000_000 });
const changed_at_s = fc.integer({ min: 1_200_000_000, max: 1_900_000_000 });
const common = { id, tags, changed_at_s, visible: fc.boolean() };
const PLAIN = { noNullPrototype: true };
const node: fc.Arbitrary<PbfNode> = fc.record(
  {
    type: fc.constant("node" as const),
    ...common,
    lat7,
    lon7,
  },
  PLAIN,
);
const way: fc.Arbitrary<PbfWay> = fc
  .record(
    {
      type: fc.constant("way" as const),
      ...common,
      nodes: fc.array(fc.tuple(id, lat7, lon7), { maxLength: 6 }),
    },
    PLAIN,
  )
  .map(({ nodes, ...rest }) => ({
    ...rest,
    refs: nodes.map(([ref]) => ref),
    points: nodes.flatMap(([, lat, lon]) => [lat, lon]),
  }));
const relation: fc.Arbitrary<PbfRelation> = fc.record(
  {
    type: fc.constant("relation" as const),
    ...common,
    members: fc.array(
      fc.record({ type: fc.constantFrom("node", "way", "relation"), id, role: text }, PLAIN),
      { maxLength: 5 },
    ),
  },
  PLAIN,
);
const objects = fc.array(fc.oneof(node, way, relation), { maxLength: 30 });
const options: fc.Arbitrary<PbfOptions> = fc.record({
  dense: fc.boolean(),
  metadata: fc.boolean(),
  locations_on_ways: fc.boolean(),
});

function readAll(bytes: Uint8Array, sink: Partial<BlockSink> = {}) {
  const reader = new BlockReader();
  const nodes: unknown[] = [];
  const tagged = new Map<string, [string, string][]>();
  const rest: unknown[] = [];
  const outside: number[] = [];
  const kinds = reader.read(bytes, {
    nodeKeys: () => 1,
    times: true,
    node: ({ id: n, lat7: lat, lon7: lon, tags: matching_tags }) =>
      tagged.set(`${n} ${lat} ${lon}`, [...matching_tags]),
    nodes: ({ count, ids, lat7: lats, lon7: lons }) => {
      for (let i = 0; i < count; i++) nodes.push([ids[i], lats[i], lons[i]]);
    },
    nodeOutside: (n) => outside.push(n),
    way: (match, scale) => {
      const refs = [...match.refs()];
      const points = match.points(refs.length, scale);
      rest.push(["way", match.id, [...match.tags()], refs, points && [...points]]);
    },
    relation: (match) => rest.push(["relation", match.id, [...match.tags()], match.members()]),
    ...sink,
  });
  return { kinds, nodes, tagged, rest, outside, newest_ms: reader.newest_ms };
}

const pairsOf = (object: PbfObject): [string, string][] => Object.entries(object.tags ?? {});

test("every object of a block is read as it was written, deleted ones apart", () => {
  fc.assert(
    fc.property(objects, options, (input, how) => {
      const match = readAll(encodeBlock(input, how));
      const remaining = input.filter(({ visible }) => visible !== false || !how.metadata);
      const ofNodes = remaining.filter((one) => one.type === "node");
      assert.equal(
        match.kinds,
        input.reduce((bits, { type }) => bits | KINDS[type], 0),
      );
      assert.deepEqual(
        match.nodes,
        ofNodes.map((one) => [one.id, one.lat7, one.lon7]),
      );
      // Of nodes that are alike in all else, the last one counts.
      const tagged = ofNodes.filter((one) => pairsOf(one).length > 0);
      assert.deepEqual(
        match.tagged,
        new Map(tagged.map((one) => [`${one.id} ${one.lat7} ${one.lon7}`, pairsOf(one)])),
      );
      assert.deepEqual(
        match.rest,
        remaining
          .filter((one) => one.type !== "node")
          .map((one) =>
            one.type === "way"
              ? [
                  "way",
                  one.id,
                  pairsOf(one),
                  one.refs,
                  how.locations_on_ways && one.refs.length > 0 ? one.points : null,
                ]
              : ["relation", one.id, pairsOf(one), one.members],
          ),
      );
    }),
  );
});

test("the newest time of a block is that of its newest object, in any unit of time", () => {
  fc.assert(
    fc.property(objects, fc.constantFrom(1000, 1, 500), fc.boolean(), (input, unit, dense) => {
      const visible = input.map((one) => ({ ...one, visible: true }));
      const bytes = encodeBlock(visible, { metadata: true, date_granularity: unit, dense });
      const newest_s = Math.max(0, ...input.map((one) => one.changed_at_s!));
      assert.equal(readAll(bytes).newest_ms, newest_s * 1000);
      assert.equal(readAll(bytes, { times: false }).newest_ms, 0);
    }),
  );
});

test("a block's origin and granularity are applied", () => {
  const pbf_node: PbfNode = { type: "node", id: 7, lat7: -123_456_700, lon7: 1_712_345_600 };
  for (const dense of [true, false]) {
    const scaled = { dense, granularity: 10_000, lat_offset: -5_000_000, lon_offset: 123_000_000 };
    assert.deepEqual(readAll(encodeBlock([pbf_node], scaled)).nodes, [
      [7, -123_456_700, 1_712_345_600],
    ]);
  }
});

test("a node outside the globe is named, and is no node", () => {
  const nodes: PbfNode[] = [
    { type: "node", id: 1, lat7: 900_000_001, lon7: 0, tags: { name: "x" } },
    { type: "node", id: 2, lat7: 0, lon7: 1_800_000_000, tags: { name: "y" } },
    { type: "node", id: 3, lat7: 0, lon7: 3_000_000_000 },
  ];
  for (const dense of [true, false]) {
    const match = readAll(encodeBlock(nodes, { dense }));
    assert.deepEqual(match.outside, [1, 3]);
    assert.deepEqual(match.nodes, [[2, 0, 1_800_000_000]]);
    assert.deepEqual([...match.tagged], [["2 0 1800000000", [["name", "y"]]]]);
  }
});

test("a text is cut at 255 characters, whole ones", () => {
  const long = "😀".repeat(300);
  const node255: PbfNode = { type: "node", id: 1, lat7: 0, lon7: 0, tags: { [long]: `${long}x` } };
  const [[key, value]] = readAll(encodeBlock([node255], {})).tagged.get("1 0 0") as [
    [string, string],
  ];
  assert.equal(key, "😀".repeat(255));
  assert.equal(value, "😀".repeat(255));
  const mixed = { ...node255, tags: { name: "a😀".repeat(200) } };
  assert.deepEqual(readAll(encodeBlock([mixed], {})).tagged.get("1 0 0"), [
    ["name", `${"a😀".repeat(127)}a`],
  ]);
  const exact = { ...node255, tags: { name: "é".repeat(255) } };
  assert.deepEqual(readAll(encodeBlock([exact], {})).tagged.get("1 0 0"), [
    ["name", "é".repeat(255)],
  ]);
});

test("kinds without a callback are not decoded, and only wanted keys make a tagged node", () => {
  const nodes: PbfNode[] = [
    { type: "node", id: 1, lat7: 1, lon7: 1, tags: { shop: "x", name: "y" } },
    { type: "node", id: 2, lat7: 2, lon7: 2, tags: { source: "x" } },
  ];
  const masks: number[] = [];
  for (const dense of [true, false])
    readAll(encodeBlock(nodes, { dense }), {
      nodeKeys: (key) => (key === "shop" ? 2 : key === "name" ? 4 : 0),
      node: ({ mask }) => masks.push(mask),
    });
  assert.deepEqual(masks, [6, 6]);
});
