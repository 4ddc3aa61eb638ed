/** Positions by id, tiles by position, sections by key. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cellOf, cellsUnder, createCoverage } from "../base/cover-cells.ts";
import { distance_m } from "#kit/geo.ts";
import { createKeyMatcher } from "../base/base-keys.ts";
import { CHUNK_NODES, NodePositions, UNKNOWN7 } from "../base/positions.ts";
import { SortedIds } from "../base/sorted-ids.ts";
import { sized } from "../../../test/support/size.ts";

const id = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.integer({ min: 2 ** 33, max: 2 ** 33 + 40 }),
  fc.maxSafeInteger(),
);

test("an id is found where it is, and nowhere else", () => {
  fc.assert(
    fc.property(fc.uniqueArray(id), fc.array(id), (input, others) => {
      const ids = Float64Array.from(input).sort();
      const index = SortedIds.from(ids);
      for (const one of [...others, ...ids, ...ids.toReversed(), NaN, Infinity])
        assert.equal(index.find(one), ids.indexOf(one));
    }),
  );
});

test("of equal ids the last is found, whatever was looked for before", () => {
  const few = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1 });
  fc.assert(
    fc.property(few, fc.array(fc.integer({ min: 0, max: 7 })), (input, request) => {
      const ids = Float64Array.from(input).sort();
      const index = SortedIds.from(ids);
      for (const one of request) assert.equal(index.find(one), ids.lastIndexOf(one));
    }),
  );
});

test("an id is found however far it is from the one before", () => {
  const ids = Float64Array.from({ length: 200_000 }, (_, i) => 2 ** 32 - 300_000 + i * 3);
  const index = SortedIds.from(ids);
  for (const at of [0, 199_999, 1, 100_000, 99_999, 100_001, 100_064, 150_000, 3])
    assert.deepEqual([index.find(ids[at]!), index.find(ids[at]! + 1)], [at, -1]);
});

test("nodes are found in whatever order they came, and others are unknown", () => {
  fc.assert(
    fc.property(fc.uniqueArray(id), fc.array(id), fc.boolean(), (input, others, sorted) => {
      const ids = sorted ? input.toSorted((a, b) => a - b) : input;
      const positions = new NodePositions();
      const lat7 = Int32Array.from(ids, (_, i) => i);
      const lon7 = Int32Array.from(ids, (_, i) => -i);
      const middle = ids.length >> 1;
      for (const [from, to] of [
        [0, middle],
        [middle, ids.length],
      ] as const)
        positions.add({
          count: to - from,
          ids: Float64Array.from(ids.slice(from, to)),
          lat7: lat7.slice(from, to),
          lon7: lon7.slice(from, to),
        });
      positions.seal();
      const wanted = [...input.toReversed(), ...others];
      assert.deepEqual(
        [...positions.pointsOf(Float64Array.from(wanted))],
        wanted.flatMap((one) => {
          const at = ids.indexOf(one);
          return at < 0 ? [UNKNOWN7, UNKNOWN7] : [at, 0 - at];
        }),
      );
    }),
  );
});

test("nodes of several chunks out of order are found", () => {
  const positions = new NodePositions();
  const count = CHUNK_NODES / 2 + 1_000;
  const columns = (from: number) => ({
    count,
    ids: Float64Array.from({ length: count }, (_, i) => from + i),
    lat7: Int32Array.from({ length: count }, (_, i) => i),
    lon7: Int32Array.from({ length: count }, (_, i) => from + i),
  });
  positions.add(columns(5_000_000));
  positions.add(columns(1_000_000));
  positions.seal();
  assert.equal(positions.count, 2 * count);
  const wanted = [1_000_000, 1_000_000 + count - 1, 5_000_000, 5_000_000 + count - 1, 4_000_000];
  assert.deepEqual(
    [...positions.pointsOf(Float64Array.from(wanted))],
    [
      0,
      1_000_000,
      count - 1,
      1_000_000 + count - 1,
      0,
      5_000_000,
      count - 1,
      5_000_000 + count - 1,
    ].concat([UNKNOWN7, UNKNOWN7]),
  );
});

const lat7 = fc.integer({ min: -900_000_000, max: 900_000_000 });
const lon7 = fc.integer({ min: -1_800_000_000, max: 1_800_000_000 });

test("coverage is the tiles and the box of all points", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(lat7, lon7), { minLength: 1 }), (points) => {
      const coverage = createCoverage();
      const lats = Int32Array.from(points, ([lat]) => lat);
      const lons = Int32Array.from(points, ([, lon]) => lon);
      coverage.add(lats, lons, points.length);
      const keys = points.map(([lat, lon]) => {
        const { x, y } = cellOf(lat, lon);
        return x * 4096 + y;
      });
      assert.deepEqual(
        [...coverage.cells()],
        [...new Set(keys)].sort((a, b) => a - b),
      );
      assert.deepEqual(coverage.box(), [
        Math.min(...lats),
        Math.min(...lons),
        Math.max(...lats),
        Math.max(...lons),
      ]);
    }),
    // Each looks at every tile of the globe.
    { numRuns: sized(10, 100) },
  );
});

test("tiles are those of web mercator at zoom 12", () => {
  assert.deepEqual(cellOf(0, 0), { x: 2048, y: 2048 });
  assert.deepEqual(cellOf(520_000_000, 130_000_000), { x: 2195, y: 1352 });
  assert.deepEqual(cellOf(900_000_000, 1_800_000_000), { x: 4095, y: 0 });
  assert.deepEqual(cellOf(-900_000_000, -1_800_000_000), { x: 0, y: 4095 });
});

test("unknown points are no part of the coverage", () => {
  const coverage = createCoverage();
  assert.equal(coverage.box(), null);
  coverage.addPoints(Int32Array.from([UNKNOWN7, UNKNOWN7]));
  assert.equal(coverage.box(), null);
  coverage.addPoints(Int32Array.from([5, 6, UNKNOWN7, UNKNOWN7]));
  assert.deepEqual(coverage.box(), [5, 6, 5, 6]);
  assert.equal(coverage.cells().length, 1);
});

test("a key is wanted by the sections that name it or its prefix", () => {
  const none = { node: [], way: [], relation: [] };
  const matcher = createKeyMatcher(
    [
      { keys: { ...none, node: ["name", "addr:"] } },
      { keys: { ...none, node: ["addr:street", "addr:", "name"] } },
      { keys: { ...none, way: ["name"] } },
    ],
    "node",
  );
  assert.deepEqual(
    ["name", "names", "addr:street", "addr:", "addr", "", "__proto__"].map(matcher),
    [3, 0, 3, 3, 0, 0, 0],
  );
});

test("the cells under a circle are those of its points, and no others", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: -84, max: 84, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.integer({ min: 1, max: 20_000 }),
      fc.array(fc.tuple(share, share), { minLength: 20, maxLength: 20 }),
      (lat, lon, radius_m, shares) => {
        const cells = [...cellsUnder({ lat, lon, radius_m })].map(({ x, y }) => `${x}/${y}`);
        assert.equal(new Set(cells).size, cells.length);
        const wide = radius_m / 111_000;
        for (const [a, b] of shares) {
          const at = {
            lat: lat + (2 * a - 1) * wide,
            lon: lon + ((2 * b - 1) * wide) / Math.cos(lat * (Math.PI / 180)),
          };
          const east = at.lon - 360 * Math.round(at.lon / 360);
          if (distance_m(lat, lon, at.lat, east) > radius_m * 0.999) continue;
          const { x, y } = cellOf(at.lat * 1e7, east * 1e7);
          assert.ok(cells.includes(`${x}/${y}`), `${x}/${y} of ${cells.join(" ")}`);
        }
        // A tile is 9.8 km wide at the equator, and less elsewhere.
        const tile_m = 9_784 * Math.cos((Math.abs(lat) + wide) * (Math.PI / 180));
        assert.ok(
          cells.length <= (Math.ceil((2.1 * radius_m) / tile_m) + 2) ** 2,
          String(cells.length),
        );
      },
    ),
  );
});
