/** Scale of a block: its units to ten-millionths of a degree and to milliseconds. */

const NANO_PER_UNIT = 100;
const MAX_LAT7 = 900_000_000;
const MAX_LON7 = 1_800_000_000;

export type BlockScale = {
  /** Whole ten-millionths of a degree; not a number on the globe for a damaged value. */
  lat7: (value: number) => number;
  lon7: (value: number) => number;
  /** Takes note of the time of an object; null: times are not wanted. */
  see: ((time: number) => void) | null;
};

export type ScaleFields = { granularity: number; lat_offset: number; lon_offset: number };

/** Offsets and granularity are in nanodegrees. */
export function toLat7({ granularity, lat_offset }: ScaleFields): BlockScale["lat7"] {
  return converter(granularity, lat_offset);
}

export function toLon7({ granularity, lon_offset }: ScaleFields): BlockScale["lon7"] {
  return converter(granularity, lon_offset);
}

/** False also for what is not a number. */
export function isOnGlobe(lat7: number, lon7: number): boolean {
  return lat7 >= -MAX_LAT7 && lat7 <= MAX_LAT7 && lon7 >= -MAX_LON7 && lon7 <= MAX_LON7;
}

function converter(granularity: number, offset: number): (value: number) => number {
  if (granularity === NANO_PER_UNIT && offset === 0) return (value) => value;
  return (value) => Math.round((offset + granularity * value) / NANO_PER_UNIT);
}
