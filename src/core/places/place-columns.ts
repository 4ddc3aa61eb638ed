/**
 * Packed places, searched by a circle: rows in the order of tiles, and of cells within them, so that a
 * search looks at what lies near it. What is too much for one question is a smaller circle, which the
 * hits state.
 */
import type { Budget } from "#kit/budget.ts";
import { distance_m, reachOf } from "#kit/geo.ts";
import { PlaceHits, NO_FACTS } from "./place-hits.ts";
import { type Place, PLACE_KINDS, type PlaceKind } from "./place.ts";
import { spansIn as spansOfTiles, spansOfCells, type TileIndex } from "#kit/tile-index.ts";
import { cellAt } from "#kit/tiles.ts";

export type PlaceCircle = { lat: number; lon: number; radius_m: number };

/** Packed things; `P`: one of them. */
export type ThingRows<P> = {
  lats: Float64Array;
  lons: Float64Array;
  /** Numbers of their kinds, in the list of those who packed them. */
  kinds: Uint8Array;
  /** Of `countedFactsOf`; null: they are not at hand. */
  facts: Uint8Array | null;
  index: TileIndex;
  /** Rows of a tile are in the order of their cells. */
  cells: boolean;
  placeAt(row: number): P;
};

/** Packed places, their kinds those of `PLACE_KINDS`. */
export type PlaceRows = ThingRows<Place>;

/** What lies within a circle, as columns, in no particular order. */
export type ThingHits<P> = {
  metres: Float64Array;
  kinds: Uint8Array;
  facts: Int16Array;
  placeAt(hit: number): P;
  /** Beyond this not all was looked at; Infinity: all of the circle was. */
  whole_m: number;
};

export type SearchOptions = {
  budget: Budget;
  /** From this many on no wider circle is looked at: only the nearest ones are wanted. */
  enough?: number;
};

/** Circles are not divided further: what is nearer than this is looked at together. */
const LEAST_M = 32;
/** The first of the growing circles, and rows that are looked at rather than divided into circles. */
const FIRST_M = 250;
const FEW_ROWS = 500;

/** What lies within the circle, in no particular order. */
export function searchRows(
  rows: PlaceRows,
  wanted: readonly PlaceKind[],
  circle: PlaceCircle,
  options: SearchOptions,
): PlaceHits {
  return searchParts([rows], wanted, circle, options);
}

/** The same of places that lie in several packs, as if they lay in one. */
export function searchParts(
  all: readonly PlaceRows[],
  wanted: readonly PlaceKind[],
  circle: PlaceCircle,
  options: SearchOptions,
): PlaceHits {
  const kinds = toWanted(wanted.map((kind) => PLACE_KINDS.indexOf(kind)));
  const hits = searchThings(
    all.map((rows) => ({ rows, wanted: kinds })),
    circle,
    options,
  );
  return new PlaceHits(hits, (hit) => hits.placeAt(hit), hits.whole_m);
}

/** Numbers of kinds as marks: 1 where one is wanted. */
export function toWanted(kinds: readonly number[]): Uint8Array {
  const wanted = new Uint8Array(MOST_KINDS);
  for (const kind of kinds) wanted[kind] = 1;
  return wanted;
}
const MOST_KINDS = 256;

/** A pack, and which of its kinds are wanted. */
export type WantedThings<P> = { rows: ThingRows<P>; wanted: Uint8Array };

/** Things of the wanted kinds of several packs, as if they lay in one. */
export function searchThings<P>(
  all: readonly WantedThings<P>[],
  circle: PlaceCircle,
  { budget, enough = Number.POSITIVE_INFINITY }: SearchOptions,
): ThingHits<P> {
  const spans = spansIn(all, circle);
  if (Number.isFinite(enough) && sumOf(spans) > FEW_ROWS)
    for (let radius_m = FIRST_M; radius_m < circle.radius_m / 2; radius_m *= 2) {
      const smaller = { ...circle, radius_m };
      const near = search(all, smaller, { budget, spans: spansIn(all, smaller) });
      if (near.metres.length > enough || Number.isFinite(near.whole_m)) return near;
    }
  return search(all, circle, { budget, spans });
}

function search<P>(
  all: readonly WantedThings<P>[],
  circle: PlaceCircle,
  { budget, spans }: { budget: Budget; spans: PlacePart<Span<P>>[] },
): ThingHits<P> {
  const { parts, radius_m } = narrowed(circle.radius_m, budget, (within_m) =>
    within_m === circle.radius_m ? spans : spansIn(all, { ...circle, radius_m: within_m }),
  );
  // At a point of which not all is looked at, whatever was is shown.
  const looked = radius_m === 0 ? circle : { ...circle, radius_m };
  const { owners, rows, ...columns } = collect(looked, parts);
  const whole_m = radius_m < circle.radius_m ? radius_m : Number.POSITIVE_INFINITY;
  return { ...columns, placeAt: (hit) => owners[hit]!.placeAt(rows[hit]!), whole_m };
}

type Span<P> = { of: WantedThings<P>; from: number; to: number };

/** Rows of other kinds that are passed by in the time that one of a wanted kind takes. */
const PASSED_BY = 16;

/** Ranges of rows that may lie in the circle, and how much it costs to look at each. */
function spansIn<P>(
  all: readonly WantedThings<P>[],
  { lat, lon, radius_m }: PlaceCircle,
): PlacePart<Span<P>>[] {
  const parts: PlacePart<Span<P>>[] = [];
  for (const of of all) {
    const { wanted } = of;
    const { index, lats, lons, kinds, cells } = of.rows;
    const cellOf = (row: number): number => cellAt(lats[row]!, lons[row]!);
    const spans = cells
      ? spansOfCells(index, cellOf, { lat, lon, radius_m })
      : spansOfTiles(index, lat, lon, radius_m);
    for (const [from, to] of spans) {
      let count = (to - from) / PASSED_BY;
      for (let row = from; row < to; row++) count += wanted[kinds[row]!]!;
      parts.push({ part: { of, from, to }, count: Math.ceil(count) });
    }
  }
  return parts;
}

/** Something to look at, and how many rows of it. */
export type PlacePart<P> = { part: P; count: number };

/**
 * The parts of the largest of the circles, each half as wide as the last, that the budget allows.
 * Radius 0: not even all of one point, but as much of each part as its count says.
 */
export function narrowed<P>(
  whole_m: number,
  budget: Budget,
  partsIn: (radius_m: number) => PlacePart<P>[],
): { parts: PlacePart<P>[]; radius_m: number } {
  for (let radius_m = whole_m; ; radius_m /= 2) {
    const parts = partsIn(radius_m);
    if (budget.look(sumOf(parts))) return { parts, radius_m };
    if (radius_m / 2 >= LEAST_M) continue;
    const some = parts.map(({ part, count: all }) => {
      const count = Math.min(all, budget.looksLeft);
      budget.look(count);
      return { part, count };
    });
    return { parts: some, radius_m: 0 };
  }
}

function sumOf(parts: readonly PlacePart<unknown>[]): number {
  let sum = 0;
  for (const { count } of parts) sum += count;
  return sum;
}

type Collected<P> = {
  owners: readonly ThingRows<P>[];
  rows: Uint32Array;
  metres: Float64Array;
  kinds: Uint8Array;
  facts: Int16Array;
};

function collect<P>(
  { lat, lon, radius_m }: PlaceCircle,
  spans: readonly PlacePart<Span<P>>[],
): Collected<P> {
  const most = sumOf(spans);
  const match = {
    owners: new Array<ThingRows<P>>(),
    rows: new Uint32Array(most),
    metres: new Float64Array(most),
    kinds: new Uint8Array(most),
    facts: new Int16Array(most),
  };
  const { dlat } = reachOf(lat, radius_m);
  let hits = 0;
  for (const { part, count } of spans) {
    const { of, from, to } = part;
    const { wanted, rows } = of;
    const { lats, lons, kinds, facts } = rows;
    let left = count;
    for (let row = from; row < to && left > 0; row++) {
      if (wanted[kinds[row]!] === 0) continue;
      left--;
      if (Math.abs(lats[row]! - lat) > dlat) continue;
      const metres = distance_m(lat, lon, lats[row]!, lons[row]!);
      if (metres > radius_m) continue;
      match.owners.push(rows);
      match.rows[hits] = row;
      match.metres[hits] = metres;
      match.kinds[hits] = kinds[row]!;
      match.facts[hits] = facts === null ? NO_FACTS : facts[row]!;
      hits++;
    }
  }
  return {
    owners: match.owners,
    rows: match.rows.subarray(0, hits),
    metres: match.metres.subarray(0, hits),
    kinds: match.kinds.subarray(0, hits),
    facts: match.facts.subarray(0, hits),
  };
}
