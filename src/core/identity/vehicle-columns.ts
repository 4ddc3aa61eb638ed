/**
 * Two orders of the vehicles of a feed, made where its file is parsed, so that the vehicles of two feeds
 * are compared in one pass over both (./vehicle-pairs): by their keys, and by strips of latitude.
 */
import { DISTINCTIVE_ID, vehicleKey } from "./vehicle-key.ts";

export type VehicleColumns = {
  /** Keys of the vehicles that have one of their own, ascending; odd: the id is distinctive. */
  keys: Float64Array;
  /** Their rows. */
  keys_row: Uint32Array;
  /** All rows by strip (`stripOf`), then longitude. */
  by_place: Uint32Array;
};

/** The bare id of a vehicle, and its modes as a mask: two kinds of things may have one number. */
export type KeyedVehicle = { id: string; modes: number };

/** Two vehicles this close may be one. */
export const NEAR_M = 5;
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
  const all = Float64Array.from(vehicles, keyOf);
  const order = Uint32Array.from(all, (_, row) => row);
  order.sort((a, b) => all[a]! - all[b]! || a - b);
  // A key that two vehicles of one feed share names neither.
  const own = order.filter(
    (row, i) =>
      all[row] !== 0 && all[row] !== all[order[i - 1]!] && all[row] !== all[order[i + 1]!],
  );
  const strips = Int32Array.from(lat, stripOf);
  const by_place = Uint32Array.from(all, (_, row) => row);
  by_place.sort((a, b) => strips[a]! - strips[b]! || lon[a]! - lon[b]! || a - b);
  return { keys: Float64Array.from(own, (row) => all[row]!), keys_row: own, by_place };
}

function keyOf({ id, modes }: KeyedVehicle): number {
  const key = vehicleKey(id, modes);
  if (key === 0) return 0;
  return key - (key % 2) + (id.length >= DISTINCTIVE_ID ? 1 : 0);
}
