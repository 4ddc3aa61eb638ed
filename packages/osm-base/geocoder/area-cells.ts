/**
 * Areas of many points during an import: in a cell, only the areas whose borders cross it need to be
 * compared with a point; all others hold the whole cell or nothing of it.
 */
import type { AreaIndex, Rings } from "./area-index.ts";
import { Lists } from "./number-lists.ts";

/** Some 600 metres. */
const CELL = 50_000;
const COLUMNS = 72_001;
/** An edge that spans more cells is marked in steps. */
const FEW_CELLS = 4;

/** Areas by number: those that hold the whole cell, and those whose borders cross it. */
type Cell = { whole: readonly number[]; crossing: readonly number[] };

export function createCellFinder(index: AreaIndex, areas: readonly Rings[]): Pick<AreaIndex, "at"> {
  const marks = createMarks(areas);
  const cache = new Map<number, Cell>();
  /** Neighbours mostly have the same areas: they share them. */
  const lists = new Lists();
  const shared: (readonly number[])[] = [];
  const share = (numbers: readonly number[]): readonly number[] =>
    (shared[lists.add(numbers)] ??= numbers);
  const cellAt = (lat7: number, lon7: number): Cell => {
    const number = areaCell(lat7, lon7);
    let cell = cache.get(number);
    if (!cell) {
      const crossing = marks(number);
      const whole = index.at(lat7, lon7).filter((area) => !crossing.includes(area));
      cache.set(number, (cell = { whole: share(whole), crossing: share(crossing) }));
    }
    return cell;
  };
  return {
    at(lat7, lon7) {
      const { whole, crossing } = cellAt(lat7, lon7);
      if (crossing.length === 0) return whole;
      const matches = crossing.filter((area) => index.holds(area, lat7, lon7));
      return matches.length === 0 ? whole : [...whole, ...matches].sort((a, b) => a - b);
    },
  };
}

export function areaCell(lat7: number, lon7: number): number {
  return Math.floor(lat7 / CELL) * COLUMNS + Math.floor(lon7 / CELL);
}

/** Areas whose borders cross a cell, or come near it. */
function createMarks(areas: readonly Rings[]): (cell: number) => number[] {
  const lists = new Lists();
  const marks = new Map<number, number>();
  for (const [area, rings] of areas.entries()) {
    const cells = new Set<number>();
    for (const ring of rings) markRing(cells, ring);
    for (const cell of cells)
      marks.set(cell, lists.add([...lists.get(marks.get(cell) ?? 0), area]));
  }
  return (cell) => Array.from(lists.get(marks.get(cell) ?? 0));
}

function markRing(cells: Set<number>, ring: Int32Array): void {
  const n = ring.length;
  for (let i = 0; i < n; i += 2)
    markEdge(cells, [ring[i]!, ring[i + 1]!, ring[(i + 2) % n]!, ring[(i + 3) % n]!]);
}

type Edge = [lat7: number, lon7: number, lat7_b: number, lon7_b: number];

function markEdge(cells: Set<number>, [lat_a, lon_a, lat_b, lon_b]: Edge): void {
  const span = Math.max(Math.abs(lat_b - lat_a), Math.abs(lon_b - lon_a)) / CELL;
  const steps = span <= FEW_CELLS ? 1 : Math.ceil(span);
  for (let step = 0; step < steps; step++) {
    const from = step / steps;
    const to = (step + 1) / steps;
    markBox(
      cells,
      [lat_a + (lat_b - lat_a) * from, lat_a + (lat_b - lat_a) * to],
      [lon_a + (lon_b - lon_a) * from, lon_a + (lon_b - lon_a) * to],
    );
  }
}

type Span = [from: number, to: number];

function markBox(cells: Set<number>, lat: Span, lon: Span): void {
  for (let row = Math.floor(Math.min(...lat) / CELL); row <= Math.max(...lat) / CELL; row++)
    for (
      let column = Math.floor(Math.min(...lon) / CELL);
      column <= Math.max(...lon) / CELL;
      column++
    )
      cells.add(row * COLUMNS + column);
}
