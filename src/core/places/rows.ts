/**
 * Packed places, searched by a circle: rows in the order of tiles, and of cells within them, so that a
 * search looks at what lies near it. What is too much for one question is a smaller circle, which the
 * hits state.
 */
import type { Budget } from "#core/budget.ts";
import { distance_m, reachOf } from "#core/geo.ts";
import { Hits, NO_FACTS } from "./hits.ts";
import { type Place, PLACE_KINDS, type PlaceKind } from "./place.ts";
import { spansIn, spansOfCells, type TileIndex } from "./tile-index.ts";
import { cellAt } from "./tiles.ts";

export type Circle = { lat: number; lon: number; radius_m: number };

export type PlaceRows = {
  lats: Float64Array;
  lons: Float64Array;
  /** Places of the kinds in `PLACE_KINDS`. */
  kinds: Uint8Array;
  /** Of `countedFactsOf`; null: they are not at hand. */
  facts: Uint8Array | null;
  index: TileIndex;
  /** Rows of a tile are in the order of their cells. */
  cells: boolean;
  placeAt(row: number): Place;
};

export type SearchOptions = {
  budget: Budget;
  /** From this many on no wider circle is looked at: only the nearest ones are wanted. */
  enough?: number;
};

/** Circles are not divided further: what is nearer than this is looked at together. */
const LEAST_M = 32;
/** The first of the growing circles. */
const FIRST_M = 250;

/** What lies within the circle, in no particular order. */
export function searchRows(
  rows: PlaceRows,
  wanted: readonly PlaceKind[],
  circle: Circle,
  { budget, enough = Number.POSITIVE_INFINITY }: SearchOptions,
): Hits {
  if (Number.isFinite(enough))
    for (let radius_m = FIRST_M; radius_m < circle.radius_m / 2; radius_m *= 2) {
      const near = searchWhole(rows, wanted, { ...circle, radius_m }, budget);
      if (near.length > enough || Number.isFinite(near.whole_m)) return near;
    }
  return searchWhole(rows, wanted, circle, budget);
}

function searchWhole(
  rows: PlaceRows,
  wanted: readonly PlaceKind[],
  circle: Circle,
  budget: Budget,
): Hits {
  const { spans, radius_m } = listSpans(rows, circle, budget);
  // At a point of which not all is looked at, whatever was is shown.
  const looked = radius_m === 0 ? circle : { ...circle, radius_m };
  const hits = collect(rows, maskOf(wanted), looked, spans);
  const whole_m = radius_m < circle.radius_m ? radius_m : Number.POSITIVE_INFINITY;
  return new Hits(hits, (hit) => rows.placeAt(hits.rows[hit]!), whole_m);
}

type Span = readonly [from: number, to: number];

/** Ranges of rows to look at, of the largest circle that the budget allows. */
function listSpans(
  { index, lats, lons, cells }: PlaceRows,
  { lat, lon, radius_m: whole_m }: Circle,
  budget: Budget,
): { spans: readonly Span[]; radius_m: number } {
  const cellOf = (row: number): number => cellAt(lats[row]!, lons[row]!);
  const spansOf = (radius_m: number): Span[] => [
    ...(cells
      ? spansOfCells(index, cellOf, { lat, lon, radius_m })
      : spansIn(index, lat, lon, radius_m)),
  ];
  const { found, radius_m } = narrowed(whole_m, budget, spansOf, ([from, to]) => to - from);
  const spans = found.map(({ part: [from], count }): Span => [from, from + count]);
  return { spans, radius_m };
}

/**
 * The parts of the largest of the circles, each half as wide as the last, that the budget allows to
 * look at, and of each part how much. Radius 0: not even all of one point.
 */
export function narrowed<P>(
  whole_m: number,
  budget: Budget,
  partsOf: (radius_m: number) => readonly P[],
  countOf: (part: P) => number,
): { found: { part: P; count: number }[]; radius_m: number } {
  for (let radius_m = whole_m; ; radius_m /= 2) {
    const parts = partsOf(radius_m);
    const counts = parts.map(countOf);
    if (budget.look(counts.reduce((sum, count) => sum + count, 0)))
      return { found: parts.map((part, n) => ({ part, count: counts[n]! })), radius_m };
    if (radius_m / 2 >= LEAST_M) continue;
    const found = parts.map((part, n) => {
      const count = Math.min(counts[n]!, budget.looksLeft);
      budget.look(count);
      return { part, count };
    });
    return { found, radius_m: 0 };
  }
}

/** One bit a kind. */
function maskOf(kinds: readonly PlaceKind[]): number {
  let mask = 0;
  for (const kind of kinds) mask |= 1 << PLACE_KINDS.indexOf(kind);
  return mask;
}

type Collected = { rows: number[]; metres: number[]; kinds: number[]; facts: number[] };

function collect(
  { lats, lons, kinds, facts }: PlaceRows,
  mask: number,
  { lat, lon, radius_m }: Circle,
  spans: readonly Span[],
): Collected {
  const found: Collected = { rows: [], metres: [], kinds: [], facts: [] };
  const { dlat } = reachOf(lat, radius_m);
  for (const [from, to] of spans)
    for (let row = from; row < to; row++) {
      if ((mask & (1 << kinds[row]!)) === 0 || Math.abs(lats[row]! - lat) > dlat) continue;
      const metres = distance_m(lat, lon, lats[row]!, lons[row]!);
      if (metres > radius_m) continue;
      found.rows.push(row);
      found.metres.push(metres);
      found.kinds.push(kinds[row]!);
      found.facts.push(facts === null ? NO_FACTS : facts[row]!);
    }
  return found;
}
