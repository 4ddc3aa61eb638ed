/** Ways of relations: read back as they were added, however long, and bounded as a whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemberWays } from "../../reader/member-ways.ts";

/** That many nodes 1, 2, 3 … as the file has them: each a step of one, in a byte. */
const refs = (count: number): Uint8Array => new Uint8Array(count).fill(2);
const none = (): Int32Array => new Int32Array(0);
/** Its first buffer has 64 KiB. */
const FIRST = 64 * 1024;

test("a way of any length, at the end of the room and beyond it", () => {
  for (const count of [1, 255, 256, 257, FIRST, FIRST + 1, 3 * FIRST]) {
    const ways = new MemberWays(Float64Array.of(5, 7, 9));
    ways.add(7, refs(count), null);
    ways.add(9, refs(3), Int32Array.of(1, 2, 3, 4, 5, 6));
    ways.add(8, refs(1), null);
    const line = ways.lineOf(7, none)!;
    assert.deepEqual([line.ids.length, line.ids[0], line.ids.at(-1)], [count, 1, count]);
    assert.deepEqual([...ways.lineOf(9, none)!.points], [1, 2, 3, 4, 5, 6]);
    assert.deepEqual([ways.lengthOf(7), ways.lengthOf(9)], [count, 3]);
    // One that is wanted and is not in the extract, and one that is not wanted.
    for (const id of [5, 8])
      assert.deepEqual([ways.lengthOf(id), ways.lineOf(id, none)], [null, null]);
    assert.deepEqual(
      [5, 7, 8].map((id) => ways.wants(id)),
      [true, true, false],
    );
  }
});

test("ways that take more than there may be are a problem", () => {
  const ids = Float64Array.from({ length: 20 }, (_, i) => i);
  const fill = (most_bytes: number) => (): void => {
    const ways = new MemberWays(ids, most_bytes);
    for (const id of ids) ways.add(id, refs(FIRST / 2), null);
  };
  assert.doesNotThrow(fill(20 * FIRST));
  assert.throws(fill(2 * FIRST), /more ways in relations than a map of this size has/);
});
