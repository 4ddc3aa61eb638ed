/** What a split keeps on disk is read as it was written, whatever the room in memory. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { MemberLines } from "../../../reader/split/member-lines.ts";
import { SquareSums } from "../../../reader/split/cut-cells.ts";
import { RefStreams } from "../../../reader/split/ref-streams.ts";
import { Spill } from "../../../reader/split/spill.ts";
import { UNKNOWN7 } from "../../../base/positions.ts";

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "spill-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("streams of one file are read as they were written, and what is added together lies together", (t) => {
  for (const memory_bytes of [0, 20_000, 1e7]) {
    const spill = new Spill(join(aFolder(t), "streams"), 5, memory_bytes);
    const written: Uint8Array[][] = [[], [], [], [], []];
    for (let i = 0; i < 3000; i++) {
      const stream = (i * i) % 4;
      // The longest does not fit into any buffer.
      const bytes = Uint8Array.from({ length: i === 77 ? 2_000_000 : i % 300 }, (_, n) => i + n);
      written[stream]!.push(bytes);
      spill.append(stream, bytes);
    }
    spill.finish();
    for (const [stream, parts] of spill.listParts().entries()) {
      const read: Uint8Array[] = [];
      for (let i = 0; i < parts.length; i += 2) read.push(spill.read(parts[i]!, parts[i + 1]!));
      assert.ok(Buffer.concat(read).equals(Buffer.concat(written[stream]!)), `stream ${stream}`);
    }
    spill.close();
    spill.close();
  }
});

test("ways of relations are the same in memory and on disk", (t) => {
  const ids = Float64Array.from({ length: 400 }, (_, i) => 7 * i);
  for (const memory_bytes of [1e9, 0, 5_000]) {
    const folder = aFolder(t);
    const path = join(folder, "lines");
    const lines = new MemberLines(ids, { most_bytes: 1e9, memory_bytes, path });
    const nodesOf = (id: number): Float64Array =>
      Float64Array.from({ length: (id % 90) + 1 }, (_, i) => 2 ** 33 + id * 100 + i);
    const pointsOf = (id: number): Int32Array =>
      Int32Array.from({ length: 2 * ((id % 90) + 1) }, (_, i) => (i === 0 ? UNKNOWN7 : id - i));
    for (const id of ids) if (id !== 70) lines.add(id, nodesOf(id), pointsOf(id));
    // Not wanted.
    lines.add(3, nodesOf(3), pointsOf(3));
    assert.equal(lines.lengthOf(70), null);
    assert.equal(lines.lineOf(70), null);
    assert.equal(lines.lineOf(3), null);
    for (const id of [...ids].toReversed())
      if (id !== 70) assert.deepEqual(lines.lineOf(id), { ids: nodesOf(id), points: pointsOf(id) });
    assert.equal(readdirSync(folder).length, memory_bytes === 1e9 ? 0 : 1);
    lines.close();
  }
});

test("more ways of relations than any map has are a problem", (t) => {
  const path = join(aFolder(t), "lines");
  const lines = new MemberLines(Float64Array.of(1, 2, 3), {
    ...{ most_bytes: 100, memory_bytes: 1e6, path },
  });
  lines.add(1, new Float64Array(50), new Int32Array(100));
  assert.throws(() => lines.add(2, new Float64Array(50), new Int32Array(100)), /more ways/);
});

test("positions come in the order of the references, whatever their ids", (t) => {
  const ids = [5, -7, 2 ** 22, 2 ** 22 + 1, 2 ** 33, 2 ** 34 - 1, 2 ** 34, 2 ** 40, 6];
  const missing = [4, 2 ** 23, -8, 2 ** 41];
  for (const sorted of [true, false])
    for (const memory_bytes of [100, 1e7]) {
      const sums = new SquareSums();
      const refs = new RefStreams({ folder: aFolder(t), memory_bytes, sorted, sums });
      const lists = [ids, missing, [...ids].toReversed(), [5, 5, 4, 5]];
      for (const list of lists) refs.addRefs(Float64Array.from(list), { first: 500, each: 3 });
      refs.endRefs();
      const nodes = sorted ? ids.toSorted((a, b) => a - b) : [...ids].toReversed();
      for (const id of nodes)
        refs.addNodes({
          count: 1,
          ids: Float64Array.of(id),
          lat7: Int32Array.of(ids.indexOf(id)),
          lon7: Int32Array.of(-1 - ids.indexOf(id)),
        });
      refs.endNodes();
      for (const list of lists)
        assert.deepEqual(
          [...refs.pointsOf(Float64Array.from(list))],
          list.flatMap((id) => {
            const at = ids.indexOf(id);
            return at < 0 ? [UNKNOWN7, UNKNOWN7] : [at, -1 - at];
          }),
        );
      const weights = lists.flatMap((list) =>
        list.map((id, i) => (ids.includes(id) ? (id < 0 || id >= 2 ** 34 ? 22 : i ? 3 : 500) : 0)),
      );
      assert.equal(
        sums.pyramid().at(-1)![0],
        weights.reduce<number>((sum, each) => sum + each, 0),
      );
      refs.close();
    }
});
