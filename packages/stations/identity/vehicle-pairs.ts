/**
 * Vehicles of two feeds of one brand that are one, or may be (R11; decisions, Vehicles and docks): the same id is
 * one vehicle; without a common id, vehicles of one form within 5 m may be one. Two vehicles of one feed
 * are never compared: ids that change with each trip say nothing of one another.
 */
import { MODES_MASK } from "../shard/bits.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import {
  AS_IT_IS,
  FOLDED,
  VEHICLE_NEAR_M,
  stripOf,
  type VehicleColumns,
} from "./vehicle-columns.ts";

/** Confidence of vehicles with a common id, and of neighbours without one (R11). */
export const VEHICLE_CONFIDENCE = { merged: 0.95, possible_match: 0.5 } as const;

/** The vehicles of a feed as they are compared. */
export type ComparedVehicles = {
  count: number;
  index: { lat: Float64Array; lon: Float64Array };
  state: Uint32Array;
  identity: VehicleColumns;
};

/** One side of a pair of feeds. */
export type VehicleSide = {
  /** By row: the row of the other feed that is the same vehicle; NONE: none. */
  same: Int32Array;
  /** By row: the nearest row of the other feed that may be the same one, where neither has its like; NONE: none. */
  near: Int32Array;
};

/** Both sides of a pair; null: the two have nothing in common. */
export type Sides = { a: VehicleSide; b: VehicleSide } | null;

export const NO_VEHICLE = -1;

/** Short ids may be counted up by each feed for itself: they are believed where half of the pairs are together. */
const TOGETHER_M = 500;
/** Vehicles of the other feed that are looked at for one: of a larger heap the others are left unresolved. */
const MOST_LOOKED_AT = 64;
/** Rows between two steps: a fraction of a millisecond, whatever they hold. */
const STEP_ROWS = 512;

/** Compares two feeds of one brand at once, in one pass over both, whatever they hold. */
export function pairVehicles(a: ComparedVehicles, b: ComparedVehicles): Sides {
  const steps = pairSteps(a, b);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps of a fraction of a millisecond, between which others have the thread. */
export function* pairSteps(a: ComparedVehicles, b: ComparedVehicles): Generator<void, Sides> {
  const sides = { a: emptySide(a.count), b: emptySide(b.count) };
  yield;
  const match = (yield* joinKeys(a, b, sides)) + (yield* joinPlaces(a, b, sides));
  return match === 0 ? null : sides;
}

type Both = { a: VehicleSide; b: VehicleSide };

function emptySide(count: number): VehicleSide {
  return {
    same: new Int32Array(count).fill(NO_VEHICLE),
    near: new Int32Array(count).fill(NO_VEHICLE),
  };
}

/**
 * Equal keys in two ascending columns; returns how many are believed. Ids that are equal as they are go
 * first; then those that differ in letter case, of the vehicles that are left.
 */
function* joinKeys(a: ComparedVehicles, b: ComparedVehicles, sides: Both): Generator<void, number> {
  const exact: number[] = [];
  const folded: number[] = [];
  for (let i = 0, j = 0, n = 0; i < a.identity.keys.length && j < b.identity.keys.length; n++) {
    if (n % STEP_ROWS === STEP_ROWS - 1) yield;
    const difference = a.identity.keys[i]! - b.identity.keys[j]!;
    if (difference === 0) {
      const [row, other] = [a.identity.keys_row[i]!, b.identity.keys_row[j]!];
      const both = a.identity.keys_of[i]! & b.identity.keys_of[j]!;
      const isDistinctive = a.identity.keys[i]! % 2;
      if (both & AS_IT_IS) exact.push(row, other, isDistinctive);
      else if (both & FOLDED) folded.push(row, other, isDistinctive);
    }
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  const match = (yield* joinRows(a, b, sides, exact)) + (yield* joinRows(a, b, sides, folded));
  return match;
}

/** `pairs`: of each the two rows, and 1 where their id is distinctive; rows that have their like are left. */
function* joinRows(
  a: ComparedVehicles,
  b: ComparedVehicles,
  sides: Both,
  pairs: readonly number[],
): Generator<void, number> {
  const isFree = (at: number): boolean =>
    sides.a.same[pairs[at]!] === NO_VEHICLE && sides.b.same[pairs[at + 1]!] === NO_VEHICLE;
  let [short, together] = [0, 0];
  for (let at = 0; at < pairs.length; at += 3) {
    if (at % (3 * STEP_ROWS) === 3 * (STEP_ROWS - 1)) yield;
    if (pairs[at + 2] === 1 || !isFree(at)) continue;
    short++;
    if (squareBetween(a, pairs[at]!, b, pairs[at + 1]!) <= TOGETHER_M * TOGETHER_M) together++;
  }
  const believesShort = 2 * together >= short;
  let match = 0;
  for (let at = 0; at < pairs.length; at += 3) {
    if (at % (3 * STEP_ROWS) === 3 * (STEP_ROWS - 1)) yield;
    if ((pairs[at + 2] === 0 && !believesShort) || !isFree(at)) continue;
    sides.a.same[pairs[at]!] = pairs[at + 1]!;
    sides.b.same[pairs[at + 1]!] = pairs[at]!;
    match++;
  }
  return match;
}

/** Neighbours of one form that have no like in the other feed; returns how many have one. */
function* joinPlaces(
  a: ComparedVehicles,
  b: ComparedVehicles,
  sides: Both,
): Generator<void, number> {
  let match = 0;
  for (const step of [-1, 0, 1])
    for (const turn of turnsOf(a)) match += yield* joinStrips(a, b, sides, { step, turn });
  return match;
}

/** Degrees by which longitudes are shifted: what lies on either side of the antimeridian is next to the other. */
function turnsOf({ index: { lon } }: ComparedVehicles): readonly number[] {
  return lon.some((each) => Math.abs(each) > SEAM_LON) ? [0, 360, -360] : [0];
}

/** Nearer to it than `NEAR_M` anywhere but within 300 m of a pole. */
const SEAM_LON = 179;

type Strips = { step: number; turn: number };

/** Compares each strip of `a` with the strip of `b` that lies `step` further north: both are in order, so one pass. */
function* joinStrips(
  a: ComparedVehicles,
  b: ComparedVehicles,
  sides: Both,
  { step, turn }: Strips,
): Generator<void, number> {
  const [mine, theirs] = [a.identity.by_place, b.identity.by_place];
  let match = 0;
  let from = 0;
  for (let n = 0; n < mine.length; n++) {
    if (n % STEP_ROWS === STEP_ROWS - 1) yield;
    const row = mine[n]!;
    const lon = a.index.lon[row]! + turn;
    if (turn !== 0 && Math.abs(lon) > 360 - SEAM_LON) continue;
    const strip = stripOf(a.index.lat[row]!) + step;
    const reach = VEHICLE_NEAR_M / METRES_PER_DEGREE / Math.cos(a.index.lat[row]! * RAD);
    while (from < theirs.length && isBefore(b, theirs[from]!, strip, lon - reach)) from++;
    if (sides.a.same[row] !== NO_VEHICLE) continue;
    const most = Math.min(theirs.length, from + MOST_LOOKED_AT);
    for (let i = from; i < most; i++) {
      const other = theirs[i]!;
      if (stripOf(b.index.lat[other]!) !== strip || b.index.lon[other]! > lon + reach) break;
      if (sides.b.same[other] !== NO_VEHICLE || !isOneForm(a.state[row]!, b.state[other]!))
        continue;
      const square = squareBetween(a, row, b, other);
      if (square > VEHICLE_NEAR_M * VEHICLE_NEAR_M) continue;
      if (sides.a.near[row] === NO_VEHICLE) match++;
      if (isNearer(square, a, row, b, sides.a.near[row]!)) sides.a.near[row] = other;
      if (isNearer(square, b, other, a, sides.b.near[other]!)) sides.b.near[other] = row;
    }
  }
  return match;
}

// oxlint-disable-next-line max-params -- once per pair: no options object here
function isNearer(
  square: number,
  of: ComparedVehicles,
  row: number,
  vehicles: ComparedVehicles,
  known_count: number,
): boolean {
  return known_count === NO_VEHICLE || square < squareBetween(of, row, vehicles, known_count);
}

const RAD = Math.PI / 180;

function isBefore({ index }: ComparedVehicles, row: number, strip: number, west: number): boolean {
  const own_strip = stripOf(index.lat[row]!);
  return own_strip < strip || (own_strip === strip && index.lon[row]! < west);
}

function isOneForm(a: number, b: number): boolean {
  return (a & b & MODES_MASK) !== 0;
}

/** Metres squared between two vehicles; flat, since only a few hundred metres matter. */
function squareBetween(
  a: ComparedVehicles,
  row: number,
  b: ComparedVehicles,
  other: number,
): number {
  const [lat, lat_b] = [a.index.lat[row]!, b.index.lat[other]!];
  let east = Math.abs(a.index.lon[row]! - b.index.lon[other]!);
  if (east > 180) east = 360 - east;
  const x = east * Math.cos(((lat + lat_b) / 2) * RAD) * METRES_PER_DEGREE;
  const y = (lat - lat_b) * METRES_PER_DEGREE;
  return x * x + y * y;
}
