/**
 * Areas of many points during an import: cells that no border crosses have the same areas
 * throughout, and are looked up once.
 */
import type { AreaIndex, Rings } from "./areas.ts";

/** Some 600 metres. */
const CELL = 50_000;
const COLUMNS = 72_001;
/** An edge that spans more cells is marked in steps. */
const FEW_CELLS = 4;

export function createCellFinder(index: AreaIndex, areas: readonly Rings[]): AreaIndex {
  const crossed = new Set<number>();
  for (const rings of areas) for (const ring of rings) markRing(crossed, ring);
  const known = new Map<number, number[]>();
  return {
    at(lat7, lon7) {
      const cell = cellOf(lat7, lon7);
      if (crossed.has(cell)) return index.at(lat7, lon7);
      let areas_there = known.get(cell);
      if (!areas_there) known.set(cell, (areas_there = index.at(lat7, lon7)));
      return areas_there;
    },
  };
}

export function cellOf(lat7: number, lon7: number): number {
  return Math.floor(lat7 / CELL) * COLUMNS + Math.floor(lon7 / CELL);
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
