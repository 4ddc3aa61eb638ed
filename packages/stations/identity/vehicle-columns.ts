/**
 * Two orders of the vehicles of a feed, made where its file is parsed, so that the vehicles of two feeds
 * are compared in one pass over both (./vehicle-pairs): by their keys, and by strips of latitude.
 */
import { DISTINCTIVE_ID, foldedId, vehicleKey } from "./vehicle-key.ts";

export type VehicleColumns = {
  /**
   * Keys of the vehicles that have one of their own, ascending: of the id as it is, and of the id in
   * small letters where that is another; odd: the id is distinctive.
   */
  keys: Float64Array;
  /** Their rows. */
  keys_row: Uint32Array;
  /** What each is the key of, as bits. */
  keys_of: Uint8Array;
  /** All rows by strip (`stripOf`), then longitude. */
  by_place: Uint32Array;
};

/** The bare id of a vehicle, and its modes as a mask: two kinds of things may have one number. */
export type KeyedVehicle = { id: string; modes: number };

/** A key is of the id as it is, or in small letters, or of both where they are the same. */
export const AS_IT_IS = 1;
export const FOLDED = 2;

/** Two vehicles this close may be one. */
export const VEHICLE_NEAR_M = 5;
/** Height of a strip in degrees: a little more than that. */
const STRIP_DEG = 0.000_045_1;

/** Strip of a latitude: what is within `NEAR_M` lies in the same one or in one next to it. */
export function stripOf(lat: number): number {
  return Math.floor(lat / STRIP_DEG);
}

/** Makes the columns; `vehicles` in the order of the rows. */
export function identityColumns(
  { lat, lon }: { lat: Float64Array; lon: Float64Array },
  vehicles: readonly KeyedVehicle[],
): VehicleColumns {
  const keys = keysOf(vehicles);
  const strips = Int32Array.from(lat, stripOf);
  const by_place = Uint32Array.from(vehicles, (_, row) => row);
  by_place.sort((a, b) => strips[a]! - strips[b]! || lon[a]! - lon[b]! || a - b);
  return { ...keys, by_place };
}

type Keys = { keys: Float64Array; rows: Uint32Array };

function keysOf(vehicles: readonly KeyedVehicle[]): Omit<VehicleColumns, "by_place"> {
  const own = ownKeys(vehicles);
  const folded = vehicles.map(({ id, modes }) => ({ id: foldedId(id), modes }));
  if (folded.every(({ id }, row) => id === vehicles[row]!.id)) {
    const keys_of = new Uint8Array(own.keys.length).fill(AS_IT_IS | FOLDED);
    return { keys: own.keys, keys_row: own.rows, keys_of };
  }
  return joined(own, ownKeys(folded));
}

/** Keys that no two vehicles share, ascending; a key that two vehicles of one feed share names neither. */
function ownKeys(vehicles: readonly KeyedVehicle[]): Keys {
  const all = Float64Array.from(vehicles, keyOf);
  const order = Uint32Array.from(all, (_, row) => row);
  order.sort((a, b) => all[a]! - all[b]! || a - b);
  const rows = order.filter(
    (row, i) =>
      all[row] !== 0 && all[row] !== all[order[i - 1]!] && all[row] !== all[order[i + 1]!],
  );
  return { keys: Float64Array.from(rows, (row) => all[row]!), rows };
}

/** Both lists in one, in their order; what is in both is one key. */
function joined(own_keys: Keys, folded: Keys): Omit<VehicleColumns, "by_place"> {
  const keys: number[] = [];
  const rows: number[] = [];
  const of: number[] = [];
  let [i, j] = [0, 0];
  while (i < own_keys.keys.length || j < folded.keys.length) {
    const difference = (own_keys.keys[i] ?? Infinity) - (folded.keys[j] ?? Infinity);
    keys.push(difference <= 0 ? own_keys.keys[i]! : folded.keys[j]!);
    rows.push(difference <= 0 ? own_keys.rows[i]! : folded.rows[j]!);
    of.push((difference <= 0 ? AS_IT_IS : 0) | (difference >= 0 ? FOLDED : 0));
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return {
    keys: Float64Array.from(keys),
    keys_row: Uint32Array.from(rows),
    keys_of: Uint8Array.from(of),
  };
}

function keyOf({ id, modes }: KeyedVehicle): number {
  const key = vehicleKey(id, modes);
  if (key === 0) return 0;
  return key - (key % 2) + (id.length >= DISTINCTIVE_ID ? 1 : 0);
}
