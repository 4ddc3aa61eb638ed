/** Ways become rings, and inner rings follow the outer one that they lie in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  arrangeRings,
  isPointInRing,
  joinRings,
  type RingMember,
  touchesItself,
} from "../base/ring-assembly.ts";

/** Node n lies at (n, 2n), so that a position shows whose it is. */
function line(ids: number[], inner: boolean | null = false): RingMember {
  return {
    ids: Float64Array.from(ids),
    points: Int32Array.from(ids.flatMap((id) => [id, 2 * id])),
    inner,
  };
}

const idsOf = (members: RingMember[]): number[][] =>
  joinRings(members).rings.map(({ ids }) => [...ids]);

test("ways are joined whatever their direction and order", () => {
  const ring = [1, 2, 3, 4, 5, 6, 1];
  const joined = joinRings([line([3, 2, 1]), line([5, 6, 1]), line([5, 4, 3])]);
  assert.equal(joined.rings.length, 1);
  const [match] = joined.rings;
  assert.equal(match!.ids[0], match!.ids.at(-1));
  assert.deepEqual(
    match!.ids.toSorted(),
    Float64Array.from([...ring.slice(1), match!.ids[0]!]).sort(),
  );
  assert.deepEqual(
    [...match!.points],
    [...match!.ids].flatMap((id) => [id, 2 * id]),
  );
  assert.deepEqual(joined.open, []);
});

test("a closed way is a ring of its own", () => {
  assert.deepEqual(idsOf([line([1, 2, 3, 1]), line([7, 8, 9, 7])]), [
    [1, 2, 3, 1],
    [7, 8, 9, 7],
  ]);
});

test("rings that touch at a node are kept apart", () => {
  const rings = idsOf([line([1, 2, 3]), line([3, 4, 1]), line([1, 5, 6]), line([6, 7, 1])]);
  assert.deepEqual(
    rings.map((ids) => ids.toSorted((a, b) => a - b)),
    [
      [1, 1, 2, 3, 4],
      [1, 1, 5, 6, 7],
    ],
  );
});

test("what hangs loose is open, and keeps no ring from closing, in any order", () => {
  const ring = [line([1, 2, 3]), line([3, 4, 1])];
  const loose = [line([3, 50, 51]), line([51, 52]), line([80, 81])];
  for (const input of [
    [...ring, ...loose],
    [...loose, ...ring],
    [ring[0]!, ...loose, ring[1]!],
  ]) {
    const joined = joinRings(input);
    assert.deepEqual(new Set(joined.open.map((i) => input[i])), new Set(loose));
    assert.equal(joined.rings.length, 1);
  }
});

test("a line without nodes is passed over", () => {
  assert.deepEqual(joinRings([line([])]), { rings: [], open: [] });
});

test("every line is in one ring or open, and every ring is closed", () => {
  const lines = fc.array(
    fc
      .array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 4 })
      .map((ids) => line(ids)),
    { maxLength: 25 },
  );
  const edges = (ids: Float64Array): string[] =>
    [...ids].slice(1).map((id, i) => [id, ids[i]!].sort((a, b) => a - b).join("-"));
  fc.assert(
    fc.property(lines, (input) => {
      const { rings, open } = joinRings(input);
      for (const { ids } of rings) assert.equal(ids[0], ids.at(-1));
      const matches = [...rings, ...open.map((i) => input[i]!)].flatMap(({ ids }) => edges(ids));
      assert.deepEqual(matches.sort(), input.flatMap(({ ids }) => edges(ids)).sort());
    }),
  );
});

test("lines whose ends all meet in pairs leave nothing open", () => {
  const rings = fc.array(
    fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 3, maxLength: 7 }),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(rings, (input) => {
      // One line per edge, so that many rings share nodes.
      const lines = input.flatMap((ids) =>
        ids.map((id, i) => line([id, ids[(i + 1) % ids.length]!])),
      );
      assert.deepEqual(joinRings(lines).open, []);
    }),
  );
});

const square = (south: number, west: number, side: number): Int32Array =>
  Int32Array.from([
    ...[south, west],
    ...[south, west + side],
    ...[south + side, west + side],
    ...[south + side, west],
    ...[south, west],
  ]);

test("inner rings follow the outer one that they lie in", () => {
  const [a, b] = [square(0, 0, 100), square(0, 200, 100)];
  const [inA, inB, alsoInB] = [square(10, 10, 5), square(10, 210, 5), square(50, 250, 5)];
  const match = arrangeRings([
    { points: inB, inner: true },
    { points: a, inner: false },
    { points: inA, inner: true },
    { points: b, inner: false },
    { points: alsoInB, inner: true },
  ]);
  assert.deepEqual(match.alone, []);
  assert.deepEqual(
    match.rings.map(({ points, inner }) => [points, inner]),
    [
      [a, false],
      [inA, true],
      [b, false],
      [inB, true],
      [alsoInB, true],
    ],
  );
});

test("an island in a lake: the inner ring belongs to the smallest outer one around it", () => {
  const [land, lake, island, pond] = [
    square(0, 0, 100),
    square(10, 10, 80),
    square(20, 20, 50),
    square(30, 30, 10),
  ];
  const match = arrangeRings([
    { points: pond, inner: true },
    { points: island, inner: false },
    { points: lake, inner: true },
    { points: land, inner: false },
  ]);
  assert.deepEqual(
    match.rings.map(({ points }) => points),
    [land, lake, island, pond],
  );
});

test("without a role, a ring in another one is inner, and an inner one in none is outer", () => {
  const [outer, within, apart] = [square(0, 0, 100), square(10, 10, 10), square(500, 500, 10)];
  const match = arrangeRings([
    { points: apart, inner: true },
    { points: within, inner: null },
    { points: outer, inner: null },
  ]);
  assert.deepEqual(match.alone, [0]);
  assert.deepEqual(
    match.rings.map(({ points, inner }) => [points, inner]),
    [
      [outer, false],
      [within, true],
      [apart, false],
    ],
  );
});

test("a point is in a ring when a ray from it crosses the edges an odd number of times", () => {
  // A horseshoe that opens to the north.
  const horseshoe = Int32Array.from([
    0, 0, 0, 30, 30, 30, 30, 20, 10, 20, 10, 10, 30, 10, 30, 0, 0, 0,
  ]);
  assert.ok(isPointInRing(horseshoe, 20, 5));
  assert.ok(isPointInRing(horseshoe, 20, 25));
  assert.ok(isPointInRing(horseshoe, 5, 15));
  assert.ok(!isPointInRing(horseshoe, 20, 15));
  assert.ok(!isPointInRing(horseshoe, 40, 5));
  assert.ok(!isPointInRing(horseshoe, -1, 5));
});

test("a ring touches itself when a node comes up twice", () => {
  assert.ok(!touchesItself(line([1, 2, 3, 1])));
  assert.ok(touchesItself(line([1, 2, 3, 2, 4, 1])));
});
