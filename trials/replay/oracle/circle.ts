/**
 * The entities inside a circle, found the slow way: by a loop over everything. It shares no code
 * with the service: neither its geometry, nor its index, nor its order.
 */
import type { Mode } from "#stations/shards.ts";

type Kind = "station" | "vehicle";

export type KnownEntity = {
  kind: Kind;
  /** What answers call it: a station's `id`, a vehicle's `source_id`. */
  id: string;
  system: string;
  lat: number;
  lon: number;
  /** Its modes without `other`; none: it is never listed. */
  modes: readonly Mode[];
};

export type Ask = {
  lat: number;
  lon: number;
  radius_m: number;
  modes?: readonly Mode[];
  kinds?: readonly Kind[];
};

/** Decisions, Conventions: the mean sphere. */
const RADIUS_M = 6_371_008.8;

/** Great-circle metres: the angle between two directions, exact for near and far alike. */
function metresBetween(a: { lat: number; lon: number }, b: typeof a): number {
  const phi1 = radians(a.lat);
  const phi2 = radians(b.lat);
  const turn = radians(b.lon - a.lon);
  const east = Math.cos(phi2) * Math.sin(turn);
  // cos φ1 sin φ2 − sin φ1 cos φ2 cos λ, without cancellation for near points.
  const half = Math.sin(turn / 2);
  const north = Math.sin(phi2 - phi1) + 2 * Math.sin(phi1) * Math.cos(phi2) * half * half;
  const up = Math.sin(phi1) * Math.sin(phi2) + Math.cos(phi1) * Math.cos(phi2) * Math.cos(turn);
  return RADIUS_M * Math.atan2(Math.hypot(east, north), up);
}

/** The listed ones, in the order of the answer: stated distance, then the bytes of the id. */
export function listInside(all: Iterable<KnownEntity>, ask: Ask): KnownEntity[] {
  const inside: { known: KnownEntity; tenths: number }[] = [];
  for (const known of all) {
    if (!isAsked(known, ask)) continue;
    const metres = metresBetween(ask, known);
    if (metres <= ask.radius_m) inside.push({ known, tenths: Math.floor(metres * 10 + 0.5) });
  }
  inside.sort((a, b) => a.tenths - b.tenths || compareBytes(a.known.id, b.known.id));
  return inside.map(({ known }) => known);
}

function isAsked(entry: KnownEntity, ask: Ask): boolean {
  if (ask.kinds && !ask.kinds.includes(entry.kind)) return false;
  return entry.modes.some((mode) => ask.modes?.includes(mode) ?? true);
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/**
 * Narrows the loop to the squares a circle touches, for thousands of circles. Generous on purpose,
 * and left aside near the poles and for wide circles, where squares are no help.
 */
export type Grid = { near(ask: Ask): Iterable<KnownEntity> };

const SQUARE_DEG = 0.1;
const COLUMNS = Math.round(360 / SQUARE_DEG);
const WIDE_M = 100_000;

export function createGrid(all: readonly KnownEntity[]): Grid {
  const squares = new Map<number, KnownEntity[]>();
  for (const entry of all) {
    const key = keyOf(rowOf(entry.lat), columnOf(entry.lon));
    const square = squares.get(key);
    if (square) square.push(entry);
    else squares.set(key, [entry]);
  }
  return { near: (ask) => (isSimple(ask) ? squaresAround(squares, ask) : all) };
}

function isSimple({ lat, radius_m }: Ask): boolean {
  return Math.abs(lat) < 80 && radius_m < WIDE_M;
}

/** One degree of latitude is never less than 110 km. */
function* squaresAround(
  squares: ReadonlyMap<number, KnownEntity[]>,
  ask: Ask,
): Generator<KnownEntity> {
  const high = ask.radius_m / 110_000;
  const wide = (high / Math.cos(radians(Math.abs(ask.lat) + high))) * 1.05;
  const columns = Math.ceil(wide / SQUARE_DEG) + 1;
  const column = columnOf(ask.lon);
  for (let row = rowOf(ask.lat - high); row <= rowOf(ask.lat + high); row++) {
    for (let step = -columns; step <= columns; step++) {
      yield* squares.get(keyOf(row, (column + step + COLUMNS) % COLUMNS)) ?? [];
    }
  }
}

function rowOf(lat: number): number {
  return Math.floor((lat + 90) / SQUARE_DEG);
}

function columnOf(lon: number): number {
  return (Math.floor((lon + 180) / SQUARE_DEG) + COLUMNS) % COLUMNS;
}

function keyOf(row: number, column: number): number {
  return row * COLUMNS + column;
}
