/** How long a leg takes and how far a vehicle goes: stated assumptions, shown in every answer. */

/** Assumptions of every estimate; distances on the ground are straight lines times `detour`. */
export const ESTIMATE = {
  walk_kmh: 4.8,
  ride_kmh: { bicycle: 14, scooter: 14, moped: 24, car: 20 },
  detour: 1.3,
  take_minutes: 1,
  leave_minutes: 1,
  /** Range of a full battery or tank, where a vehicle states a level and no range. */
  full_charge_km: { bicycle: 30, scooter: 20, moped: 40, car: 150 },
} as const;

const METRES_PER_KM = 1000;
const MINUTES_PER_HOUR = 60;

/** Returns the minutes of a walk over a straight line of `distance_m`. */
export function walkMinutes(distance_m: number): number {
  return minutesOf(distance_m, ESTIMATE.walk_kmh);
}

/** Returns the minutes of a ride over a straight line of `distance_m`; null: the mode has no stated speed. */
export function rideMinutes(distance_m: number, mode: string | null): number | null {
  const speed_kmh = (ESTIMATE.ride_kmh as Readonly<Record<string, number>>)[mode ?? ""];
  return speed_kmh === undefined ? null : minutesOf(distance_m, speed_kmh);
}

function minutesOf(distance_m: number, speed_kmh: number): number {
  const hours = (distance_m * ESTIMATE.detour) / METRES_PER_KM / speed_kmh;
  return toTenths(hours * MINUTES_PER_HOUR);
}

/** Rounds minutes to tenths, so that legs add up to the total that is shown. */
export function toTenths(minutes: number): number {
  return Math.round(minutes * 10) / 10;
}

/** What a vehicle states of its energy. `range_m` metres, `battery` percent. */
export type EnergyEstimate = { range_m?: number | undefined; battery?: number | undefined };

/**
 * Returns whether what a vehicle states is enough for a ride over a straight line of `distance_m`.
 * A vehicle that states nothing is taken to reach.
 */
export function reaches(energy: EnergyEstimate, distance_m: number, mode: string | null): boolean {
  const needed_m = distance_m * ESTIMATE.detour;
  const { range_m, battery } = energy;
  if (range_m !== undefined) return range_m >= needed_m;
  const full_km = (ESTIMATE.full_charge_km as Readonly<Record<string, number>>)[mode ?? ""];
  if (battery === undefined || full_km === undefined) return true;
  return (battery / 100) * full_km * METRES_PER_KM >= needed_m;
}
