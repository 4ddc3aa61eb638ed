/** Which pages touch a box, against the table of pages; and cells cut from counts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOfCell, cellAt, type PageCell } from "../../../pages/page-cell.ts";
import { PageTable } from "../../../pages/page-table.ts";
import { cutCells, SquareSums } from "../../../reader/split/cut-cells.ts";
import { LatRows } from "../../../reader/split/lat-rows.ts";
import { PageGrid } from "../../../reader/split/page-grid.ts";
import { FULL_BITS, toX, toY } from "../../../tiles/grid.ts";

const WORLD = 2 ** FULL_BITS;

function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Cells around some places where there are many nodes. */
function someCells(): { cells: PageCell[]; counts: SquareSums } {
  const random = createRandom(1);
  const counts = new SquareSums();
  for (let i = 0; i < 20_000; i++) {
    const spread = i % 2 === 0 ? 1e6 : 1e9;
    const [lat7, lon7] = [480_000_000 + random() * spread * 0.4, random() * spread];
    counts.add(lat7, lon7, 1);
  }
  return { cells: cutCells(counts.pyramid(), "ground", 150), counts };
}

test("cells make up the world, and have no more nodes than they may but where they are smallest", () => {
  const { cells, counts } = someCells();
  assert.ok(cells.length > 100);
  const area = cells.reduce((sum, { z }) => sum + 4 ** -z, 0);
  assert.equal(area, 1);
  const pyramid = counts.pyramid();
  for (const { z, x, y } of cells)
    assert.ok(z === 11 || pyramid[11 - z]![y * 2 ** z + x]! <= 150, `${z}/${x}/${y}`);
  assert.equal(counts.pyramid().at(-1)![0], 20_000);
  assert.equal(pyramid[11]![0], 20_000);
});

test("boxes touch the pages that the table of pages says", () => {
  const { cells } = someCells();
  const grid = new PageGrid("ground", cells, { first: 7, spend: () => undefined });
  const table = new PageTable(cells);
  const random = createRandom(2);
  for (let i = 0; i < 3_000; i++) {
    const size = WORLD * random() ** 8;
    const [west, north] = [random() * WORLD - size / 2, random() * WORLD - size / 2].map(
      Math.floor,
    );
    const box = {
      west: west!,
      north: north!,
      east: Math.floor(west! + size),
      south: Math.floor(north! + size),
    };
    const pages: number[] = [];
    grid.touching(box, (page) => pages.push(page - 7));
    const inner = {
      west: Math.max(0, box.west),
      north: Math.max(0, box.north),
      east: Math.min(WORLD - 1, box.east),
      south: Math.min(WORLD - 1, box.south),
    };
    // The table takes the east and the south of a box as outside of it.
    const expected = table.touching({ ...inner, east: inner.east + 1, south: inner.south + 1 });
    assert.deepEqual(
      pages.sort((a, b) => a - b),
      expected,
    );
    const only = grid.onlyIn(box);
    assert.equal(only, expected.length === 1 ? expected[0]! + 7 : -1);
  }
});

test("what is looked at for a box is paid for, and is never more than a few times the pages", () => {
  const { cells } = someCells();
  let spent = 0;
  const grid = new PageGrid("ground", cells, { first: 0, spend: (work) => (spent += work) });
  grid.touching({ west: 0, north: 0, east: WORLD, south: WORLD }, () => undefined);
  assert.equal(spent, cells.length);
  grid.touching({ west: 5, north: 5, east: 5, south: 5 }, () => undefined);
  assert.equal(spent, cells.length + 1);
});

test("rows of latitudes are those of the grid, also next to their edges", () => {
  const rows = new LatRows(11);
  const random = createRandom(3);
  const rowOf = (lat7: number): number => cellAt(11, lat7, 0).y;
  for (let row = 1; row < 2048; row += 13) {
    const { north } = boxOfCell({ z: 11, x: 0, y: row });
    let [low, high] = [-900_000_000, 900_000_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (toY(middle) >= north) low = middle;
      else high = middle;
    }
    for (const lat7 of [low - 1, low, low + 1, high + 1]) assert.equal(rows.at(lat7), rowOf(lat7));
  }
  for (let i = 0; i < 2_000; i++) {
    const lat7 = Math.round((random() - 0.5) * 1.8e9);
    assert.equal(rows.at(lat7), rowOf(lat7));
  }
  for (const lat7 of [-900_000_000, 900_000_000]) assert.equal(rows.at(lat7), rowOf(lat7));
  assert.equal(toX(1_800_000_000), WORLD);
});
