/** Files that are damaged, hostile or of another kind: each is one clear line, at a bounded cost. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import { findExcess } from "#kit/inflation.ts";
import { EXTRACT_BOUNDS } from "../../reader/extract-file.ts";
import { importBase } from "../../reader/import-extract.ts";
import { Bytes } from "../../../../sandbox/pbf/bytes.ts";
import { encodeBlock } from "../../../../sandbox/pbf/block.ts";
import { frame, frameBlob, toPbf } from "../../../../sandbox/pbf/encode.ts";
import type { PbfObject, PbfOptions } from "../../../../sandbox/pbf/objects.ts";
import { collect, writeExtract, writeTemporary } from "../../../../test/support/base.ts";
import { tryDamaged } from "../../../../test/support/damage.ts";
import { sized } from "../../../../test/support/size.ts";

const KEYS = { node: ["name"], way: ["name"], relation: ["type"] };
const NODE: PbfObject = { type: "node", id: 1, lat7: 5, lon7: 6, tags: { name: "x" } };
const HEADER = toPbf([]);
const MB = 1024 * 1024;
const OPTIONS = { id: "x", region: null, now_ms: 1 };

async function problemOf(path: string): Promise<string> {
  const { section } = collect(KEYS);
  const result = await importBase(path, { ...OPTIONS, sections: [section] });
  return result.ok ? "no problem" : result.problem;
}

/** Without the place. */
function what(line: string): string {
  return line.replace(/ \(block at byte \d+\)$/, "");
}

async function ofBytes(t: TestContext, ...parts: Uint8Array[]): Promise<string> {
  return what(await problemOf(await writeTemporary(t, Buffer.concat(parts))));
}

function blobOf(fill: (blob: Bytes) => void, type = "OSMData"): Buffer {
  const blob = new Bytes();
  fill(blob);
  return Buffer.concat([...frameBlob(type, blob.done())]);
}

const dataOf = (content: Uint8Array): Buffer =>
  Buffer.concat([...frame("OSMData", content, { compression: "none" })]);

test("an extract may inflate as maps do, whatever its size, and no bomb may", () => {
  for (const packed of [1e6, 2 ** 32, 86e9, 1e12]) {
    assert.equal(findExcess(EXTRACT_BOUNDS, { packed, unpacked: 6 * packed }), null);
    const unpacked = Math.max(51 * packed, 300 * MB);
    assert.equal(findExcess(EXTRACT_BOUNDS, { packed, unpacked }), "ratio");
  }
});

test("what is no extract is named", async (t) => {
  const path = await writeExtract(t, [NODE]);
  assert.equal(await problemOf(path), "no problem");
  assert.equal(await problemOf(dirname(path)), "extract: a folder, not a file");
  assert.equal(await problemOf(`${path}.missing`), "extract: no such file or folder");
  assert.equal(await problemOf("/dev/zero"), "extract: not a file");
  const pipe = join(dirname(path), "pipe");
  execFileSync("mkfifo", [pipe]);
  assert.equal(await problemOf(pipe), "extract: not a file");
  await mkdir(join(dirname(path), "folder"));
  assert.equal(await problemOf(join(path, "below")), "extract: not a folder");
});

test("another kind of file is no extract", async (t) => {
  const not = "extract: not an .osm.pbf file";
  assert.equal(await ofBytes(t), "extract: an empty file");
  assert.equal(await ofBytes(t, Buffer.from("x")), not);
  assert.equal(await ofBytes(t, Buffer.from('<?xml version="1.0"?><osm version="0.6"/>')), not);
  assert.equal(await ofBytes(t, gzipSync("<osm/>")), not);
  assert.equal(await ofBytes(t, Buffer.alloc(1000)), not);
  assert.equal(await ofBytes(t, Buffer.from([0, 0, 0, 200, 1, 2, 3])), not);
  assert.equal(await ofBytes(t, dataOf(encodeBlock([NODE], {}))), not);
});

test("a header that announces 33 MiB is refused unread", async (t) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(33 * MB);
  assert.equal(await ofBytes(t, length, Buffer.alloc(100)), "extract: not an .osm.pbf file");
  assert.equal(
    await ofBytes(t, HEADER, length, Buffer.alloc(100)),
    `extract: damaged: a header of ${33 * MB} bytes at byte ${HEADER.length}`,
  );
});

test("a file that is cut short is refused before anything is read", async (t) => {
  const whole = toPbf([NODE]);
  const cut = (from: number, to: number): string =>
    `extract: cut short: the block at byte ${from} does not end before ${to}`;
  assert.equal(await ofBytes(t, whole.subarray(0, -1)), cut(HEADER.length, whole.length - 1));
  const inHeader = HEADER.length + 6;
  assert.equal(await ofBytes(t, whole.subarray(0, inHeader)), cut(HEADER.length, inHeader));
  const inLength = HEADER.length + 2;
  assert.equal(await ofBytes(t, whole.subarray(0, inLength)), cut(HEADER.length, inLength));
  assert.equal(await ofBytes(t, HEADER), "no problem");
});

test("a block beyond 32 MiB is refused, packed or inflated", async (t) => {
  const header = new Bytes();
  header.text(1, "OSMData");
  header.number(3, 33 * MB);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.size);
  assert.equal(
    await ofBytes(t, HEADER, length, header.done()),
    `extract: damaged: a block of ${33 * MB} bytes`,
  );
  const inflated = blobOf((blob) => {
    blob.number(2, 33 * MB);
    blob.bytes(3, deflateSync(Buffer.alloc(10)));
  });
  assert.equal(
    await ofBytes(t, HEADER, inflated),
    `extract: damaged: a block that inflates to ${33 * MB} bytes`,
  );
});

test("a bomb ends at the size that it announces, or at 32 MiB", async (t) => {
  const bomb = deflateSync(Buffer.alloc(100 * MB));
  const small = blobOf((blob) => {
    blob.number(2, 1000);
    blob.bytes(3, bomb);
  });
  const silent = blobOf((blob) => blob.bytes(3, bomb));
  assert.equal(await ofBytes(t, HEADER, small), "extract: unpacks to more than it says");
  assert.equal(await ofBytes(t, HEADER, silent), "extract: unpacks to more than it says");
});

test("many blocks that inflate a thousandfold end at a bound of their sum", async (t) => {
  // A field that no reader knows, which is passed over.
  const content = new Bytes();
  content.bytes(15, Buffer.alloc(32 * MB - 10));
  const [block] = [...frame("OSMData", content.done(), { level: 9 })];
  const bytes = Buffer.concat([HEADER, ...Array.from({ length: 80 }, () => block!)]);
  const line = await problemOf(await writeTemporary(t, bytes));
  assert.match(line, /^extract: unpacks to more than 50 times its size \(block at byte \d+\)$/);
});

test("compressions other than zlib are named", async (t) => {
  for (const [field, name] of [
    [4, "lzma"],
    [5, "bzip2"],
    [6, "lz4"],
    [7, "zstd"],
  ] as const) {
    const block = blobOf((blob) => {
      blob.number(2, 100);
      blob.bytes(field, Buffer.alloc(50));
    });
    assert.equal(
      await ofBytes(t, HEADER, block),
      `extract: compressed with ${name}; only zlib and none can be read`,
    );
  }
});

test("a header that needs more than can be read is refused", async (t) => {
  const of = async (feature: string): Promise<string> =>
    problemOf(await writeExtract(t, [NODE], { required_features: [feature] }));
  assert.equal(
    await of("HistoricalInformation"),
    "extract: a history file; an extract of one moment is needed",
  );
  assert.equal(
    await of("Extra\nFeature"),
    'extract: needs the feature "Extra?Feature", which is not known here',
  );
});

test("a file that is not in the order that its header promises is refused", async (t) => {
  const way: PbfObject = { type: "way", id: 5, refs: [1] };
  const path = await writeTemporary(
    t,
    Buffer.concat([
      HEADER,
      dataOf(encodeBlock([way], {})),
      dataOf(encodeBlock([NODE], {})),
      dataOf(encodeBlock([way], {})),
    ]),
  );
  assert.match(await problemOf(path), /^extract: not in the order/);
});

test("two files, one behind the other, are read as one that is not in order", async (t) => {
  const way: PbfObject = { type: "way", id: 5, refs: [1, 2], tags: { name: "w" } };
  const other: PbfObject = { type: "node", id: 2, lat7: 50, lon7: 60 };
  const all = collect(KEYS);
  const path = await writeTemporary(
    t,
    Buffer.concat([toPbf([NODE, way]), toPbf([other, { ...way, id: 6 }])]),
  );
  const result = await importBase(path, { ...OPTIONS, sections: [all.section] });
  assert.ok(result.ok);
  assert.deepEqual(
    all.ways.map(({ id, points }) => [id, ...points]),
    [
      [5, 5, 6, 50, 60],
      [6, 5, 6, 50, 60],
    ],
  );
});

test("more nodes than a file of its size can have are refused", async (t) => {
  const dense = new Bytes();
  const ones = new Uint8Array(8_000_000).fill(2);
  dense.bytes(1, ones);
  dense.bytes(8, new Uint8Array(ones.length));
  dense.bytes(9, new Uint8Array(ones.length));
  const group = new Bytes();
  group.message(2, dense);
  const block = new Bytes();
  block.message(1, new Bytes());
  block.message(2, group);
  const [blob] = [...frame("OSMData", block.done(), { level: 9 })];
  const line = await ofBytes(t, HEADER, ...Array.from({ length: 6 }, () => blob!));
  assert.equal(line, "extract: more nodes than a map of this size has");
});

test("numbers that lead outside a block are damages", async (t) => {
  const of = (fill: (group: Bytes) => void, texts = 1): Promise<string> => {
    const table = new Bytes();
    for (let i = 0; i < texts; i++) table.text(1, "name");
    const group = new Bytes();
    fill(group);
    const block = new Bytes();
    block.message(1, table);
    block.message(2, group);
    return ofBytes(t, HEADER, dataOf(block.done()));
  };
  const wayOf = (fill: (way: Bytes) => void) => (group: Bytes) => {
    const way = new Bytes();
    way.number(1, 5);
    fill(way);
    group.message(3, way);
  };
  const cases: [Promise<string>, string][] = [
    [of(wayOf((way) => way.packed(2, [77]))), "text 77 of 1"],
    [of(wayOf((way) => way.packed(2, [0]))), "no problem"],
    [
      of(
        wayOf((way) => {
          way.packed(2, [0]);
          way.deltas(8, [1]);
        }),
      ),
      "no problem",
    ],
    [
      of((group) => group.bytes(2, Buffer.from([0x0a, 0x02, 0x02, 0x02]))),
      "nodes without positions",
    ],
    // Ids and latitudes, and no longitudes.
    [
      of((group) => group.bytes(2, Buffer.from([0x0a, 2, 2, 2, 0x42, 2, 2, 2]))),
      "nodes without positions",
    ],
    [
      of((group) => group.bytes(3, Buffer.from([0x0a, 0x7f]))),
      "a field does not end where it should",
    ],
    [of((group) => group.bytes(3, Buffer.alloc(12, 0xff))), "a field does not end where it should"],
    [of((group) => group.bytes(3, Buffer.from([0x0b]))), "a field does not end where it should"],
  ];
  for (const [match, expected] of cases) {
    const line = await match;
    assert.equal(line, expected === "no problem" ? expected : `extract: damaged: ${expected}`);
  }
});

test("a way of a million nodes is dropped, not gathered", async (t) => {
  const refs = Array.from({ length: 1_000_001 }, (_, i) => i);
  const options: PbfOptions = { objects_per_block: 1 };
  const all = collect(KEYS);
  const path = await writeExtract(
    t,
    [NODE, { type: "way", id: 7, refs, tags: { name: "long" } }],
    options,
  );
  const result = await importBase(path, { ...OPTIONS, sections: [all.section] });
  assert.ok(result.ok);
  assert.deepEqual(result.report.dropped, [
    { reason: "way_with_too_many_nodes", count: 1, examples: ["W7"] },
  ]);
});

test("a relation of more nodes than any has is dropped", async (t) => {
  const refs = Array.from({ length: 900_000 }, (_, i) => i);
  const ways = Array.from({ length: 9 }, (_, i): PbfObject => ({ type: "way", id: i + 1, refs }));
  const relation = (id: number, count: number): PbfObject => ({
    type: "relation",
    id,
    tags: { type: "multipolygon" },
    members: ways.slice(0, count).map((way) => ({ type: "way", id: way.id, role: "outer" })),
  });
  const all = collect(KEYS);
  const objects = [NODE, ...ways, relation(31, 9), relation(32, 1)];
  const path = await writeExtract(t, objects, { objects_per_block: 1, level: 1 });
  const result = await importBase(path, { ...OPTIONS, sections: [all.section] });
  assert.ok(result.ok, result.ok ? "" : result.problem);
  assert.deepEqual(result.report.dropped, [
    { reason: "relation_with_too_many_nodes", count: 1, examples: ["R31"] },
  ]);
  assert.deepEqual(
    all.relations.map(({ id }) => id),
    [32],
  );
});

test("a member that is repeated a hundred thousand times is read once", async (t) => {
  const refs = Array.from({ length: 100_000 }, (_, i) => i % 50_000);
  const members = Array.from({ length: 100_000 }, () => ({
    type: "way" as const,
    id: 5,
    role: "outer",
  }));
  const all = collect(KEYS);
  const path = await writeExtract(t, [
    NODE,
    { type: "way", id: 5, refs },
    { type: "relation", id: 6, tags: { type: "boundary" }, members },
  ]);
  const result = await importBase(path, { ...OPTIONS, sections: [all.section] });
  assert.ok(result.ok);
  assert.equal(all.relations[0]!.members.length, 100_000);
  assert.ok(result.report.repaired.some(({ reason }) => reason === "member_repeated"));
});

test("more ways in relations than a file of its size can have are refused", async (t) => {
  const relations = [0, 1].map((n): PbfObject => ({
    type: "relation",
    id: n + 1,
    tags: { type: "route" },
    members: Array.from({ length: 600_000 }, (_, i) => ({
      type: "way",
      id: n * 600_000 + i,
      role: "",
    })),
  }));
  const path = await writeExtract(t, relations, { objects_per_block: 1 });
  assert.equal(
    what(await problemOf(path)),
    "extract: more ways in relations than a map of this size has",
  );
});

test("whatever is cut or flipped, a file is read or is one line", async (t) => {
  const report = await tryDamaged(sized(90, 1_000));
  assert.deepEqual(report.wrong, []);
  assert.ok(report.read > 0 && report.refused > 0);
  t.diagnostic(JSON.stringify([...report.lines]));
});
