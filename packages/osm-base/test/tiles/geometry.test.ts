/** Lines and rings on the grid: cut to a box, simplified, joined. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Area, clipArea, doubleAreaOf, splitArea } from "../../tiles/tile-areas.ts";
import { clipLine, clipRing } from "../../tiles/clip.ts";
import { EVERYWHERE, isTouching, tileBox, toGrid, toX, toY } from "../../tiles/grid.ts";
import { joinLines } from "../../tiles/join-ways.ts";
import { doubleArea, isInside, labelPoint } from "../../tiles/tile-rings.ts";
import { simplifyLine, simplifyRing } from "../../tiles/simplify.ts";
import { tries } from "../../../../test/support/size.ts";

const BOX = { minX: -10, minY: -10, maxX: 50, maxY: 50 };
const coordinate = fc.integer({ min: -100, max: 100 });
const line = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 30 })
  .map((points) => points.flat());

function pairsOf(points: ArrayLike<number>): [number, number][] {
  return Array.from({ length: points.length / 2 }, (_, i) => [points[2 * i]!, points[2 * i + 1]!]);
}

function isIn([x, y]: [number, number]): boolean {
  return x >= BOX.minX && x <= BOX.maxX && y >= BOX.minY && y <= BOX.maxY;
}

function distanceTo(points: ArrayLike<number>, [x, y]: [number, number]): number {
  const pairs = pairsOf(points);
  const distances = pairs.slice(1).map(([toX_, toY_], i) => {
    const [fromX, fromY] = pairs[i]!;
    const [dx, dy] = [toX_ - fromX, toY_ - fromY];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : ((x - fromX) * dx + (y - fromY) * dy) / length;
    const at = Math.max(0, Math.min(1, share));
    return Math.hypot(x - fromX - at * dx, y - fromY - at * dy);
  });
  return Math.min(...distances);
}

test("a line that is cut stays in the box, on itself, and keeps all that was inside", () => {
  fc.assert(
    fc.property(line, (points) => {
      const stretches = clipLine(points, BOX);
      for (const stretch of stretches)
        for (const at of pairsOf(stretch)) {
          assert.ok(isIn(at), `${at.join()} is outside`);
          assert.ok(distanceTo(points, at) <= 0.75, `${at.join()} is off the line`);
        }
      const remaining = new Set(stretches.flatMap((each) => pairsOf(each).map(String)));
      const pairs = pairsOf(points);
      for (const [i, at] of pairs.entries()) {
        const moves = [pairs[i - 1], pairs[i + 1]].some(
          (each) => each && String(each) !== String(at),
        );
        const strictly = isIn([at[0] - 1, at[1] - 1]) && isIn([at[0] + 1, at[1] + 1]);
        if (strictly && moves) assert.ok(remaining.has(String(at)), `${at.join()} is lost`);
      }
    }),
  );
});

test("a ring that is cut stays in the box, and points well inside both are inside as before", () => {
  fc.assert(
    fc.property(line, coordinate, coordinate, (ring, x, y) => {
      const clipped = clipRing(ring, BOX);
      for (const at of pairsOf(clipped)) assert.ok(isIn(at), `${at.join()} is outside`);
      const at: [number, number] = [x + 0.31, y + 0.37];
      if (!isIn([x - 2, y - 2]) || !isIn([x + 2, y + 2])) return;
      if (distanceTo([...ring, ring[0]!, ring[1]!], at) < 1.5) return;
      assert.equal(isInside(clipped, ...at), isInside(ring, ...at));
    }),
  );
});

test("a simplified line has the same ends, and no point of the old one is further off than allowed", () => {
  fc.assert(
    fc.property(line, fc.integer({ min: 0, max: 20 }), (points, tolerance) => {
      const simple = simplifyLine(points, tolerance);
      assert.deepEqual(simple.slice(0, 2), points.slice(0, 2));
      assert.deepEqual(simple.slice(-2), points.slice(-2));
      for (const at of pairsOf(points)) assert.ok(distanceTo(simple, at) <= tolerance + 1e-6);
    }),
  );
});

test("however a long line doubles back, it is simplified in stretches", () => {
  const points = Array.from({ length: 200_000 }, (_, i) => (i % 2 === 0 ? i : (i % 7) * 1000));
  const simple = simplifyLine(points, 1);
  assert.ok(simple.length > 2 && simple.length <= points.length);
  assert.ok(simplifyRing(points, 1).length <= points.length);
});

test("a simplified ring keeps what is large, and little is left of what is thin", () => {
  const large = [0, 0, 50, 1, 100, 0, 100, 100, 0, 100];
  assert.deepEqual(simplifyRing(large, 2), [0, 0, 100, 0, 100, 100, 0, 100]);
  assert.ok(Math.abs(doubleArea(simplifyRing([0, 0, 40, 1, 80, 0, 40, 2], 4))) <= 160);
});

test("lines that go on in one another are joined, and never at a crossing", () => {
  const joined = [
    ...joinLines([
      [10, 0, 20, 0],
      [10, 0, 0, 0],
      [20, 0, 30, 5],
    ]),
  ];
  assert.equal(joined.length, 1);
  assert.deepEqual(pairsOf(joined[0]!).map(String).toSorted(), ["0,0", "10,0", "20,0", "30,5"]);
  const crossing = [
    [0, 0, 10, 10],
    [20, 20, 10, 10],
    [10, 10, 0, 20],
  ];
  assert.equal([...joinLines(crossing)].length, 3);
  const loop = [
    ...joinLines([
      [0, 0, 10, 0, 10, 10],
      [10, 10, 0, 10, 0, 0],
    ]),
  ];
  assert.deepEqual(
    loop.map(({ length }) => length),
    [10],
  );
});

test("joining loses no segment and makes none", () => {
  const step = fc.integer({ min: 0, max: 4 });
  const piece = fc.array(fc.tuple(step, step), { minLength: 2, maxLength: 4 });
  const segments = (lines: readonly ArrayLike<number>[]): string[] =>
    lines
      .flatMap((each) => {
        const pairs = pairsOf(each).map(String);
        return pairs.slice(1).map((to, i) => [pairs[i]!, to].toSorted().join(" "));
      })
      .toSorted();
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const lines = pieces.map((each) => each.flat());
      assert.deepEqual(segments([...joinLines(lines)]), segments(lines));
    }),
  );
});

test("an area that is cut up covers what it covered", () => {
  const ring = (count: number, radius: number): number[] =>
    Array.from({ length: count }, (_, i) => {
      const turn = (2 * Math.PI * i) / count;
      return [Math.round(radius * Math.cos(turn)), Math.round(radius * Math.sin(turn))];
    }).flat();
  const area: Area = [
    { points: ring(500, 10_000), inner: false },
    { points: ring(300, 4_000), inner: true },
  ];
  const pieces = splitArea(area, 200, 0, EVERYWHERE);
  assert.ok(pieces.length > 4);
  for (const piece of pieces) {
    const numbers = piece.reduce((sum, { points }) => sum + points.length, 0);
    assert.ok(numbers <= 200, `${numbers} numbers`);
  }
  const sum = pieces.reduce((all, each) => all + doubleAreaOf(each), 0);
  assert.ok(Math.abs(sum / doubleAreaOf(area) - 1) < 1e-3);
  // In a corner the pieces are the same, and the others are left out.
  const corner = { minX: 3_000, minY: 3_000, maxX: 10_000, maxY: 10_000 };
  const near = pieces.filter(([outer]) => isTouching(tileBox(outer!.points), corner));
  assert.deepEqual(splitArea(area, 200, 0, corner), near);
  assert.ok(near.length > 0 && near.length < pieces.length);
});

test("nothing of an area is left in a box that lies in its hole", () => {
  const area: Area = [
    { points: [-100, -100, 200, -100, 200, 200, -100, 200], inner: false },
    { points: [-50, -50, 100, -50, 100, 100, -50, 100], inner: true },
  ];
  assert.equal(clipArea(area, BOX), null);
});

test("a name is written inside its area, however it is bent", () => {
  const bent = [0, 0, 30, 0, 30, 30, 20, 30, 20, 10, 10, 10, 10, 30, 0, 30];
  const at = labelPoint([bent]);
  assert.ok(at !== null && isInside(bent, at.x, at.y), JSON.stringify(at));
  assert.equal(labelPoint([[0, 0, 10, 0]]), null);
});

test("the poles and the antimeridian are the edges of the grid", () => {
  const side = 2 ** 27;
  assert.deepEqual([toY(900_000_000), toY(-900_000_000)], [0, side]);
  assert.deepEqual([toX(-1_800_000_000), toX(0), toX(1_800_000_000)], [0, side / 2, side]);
  assert.equal(toY(0), side / 2);
});

test("a line lies on the grid where each of its points does", () => {
  const lat7 = fc.integer({ min: -900_000_000, max: 900_000_000 });
  fc.assert(
    fc.property(lat7, fc.integer({ min: 1, max: 400 }), (south, step) => {
      const lats = Array.from({ length: 500 }, (_, i) => Math.min(900_000_000, south + i * step));
      const points = Int32Array.from(lats.flatMap((lat, i) => [lat, i * 100]));
      const expected = lats.flatMap((lat, i) => [toX(i * 100), toY(lat)]);
      assert.deepEqual(toGrid(points), expected);
    }),
    { numRuns: tries(1_000) },
  );
});
