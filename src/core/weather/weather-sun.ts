/**
 * Sunrise and sunset at a point, computed here: sources that know the weather need not know the sun.
 * The upper limb on the horizon, with refraction, as almanacs have it.
 */
import { getTimes } from "suncalc";
import type { Location } from "#kit/geo.ts";
import { DAY_S } from "#kit/time.ts";

/** Unix seconds; both null where the sun does not rise or set that day. */
export type SunTimes = { sunrise_s: number | null; sunset_s: number | null };

/** Returns the times of the sun on the day that the local calendar has at this moment. */
export function sunOf(at: Location, at_s: number, timezone_s: number): SunTimes {
  const midnight_s = Math.floor((at_s + timezone_s) / DAY_S) * DAY_S - timezone_s;
  const { sunrise, sunset } = getTimes(toDate(midnight_s + DAY_S / 2), at.lat, at.lon);
  return { sunrise_s: toSeconds(sunrise), sunset_s: toSeconds(sunset) };
}

/**
 * Reports whether the sun is below the horizon: from the noon that is nearest, so that no calendar
 * counts.
 */
export function isNight(at: Location, at_s: number): boolean {
  const { sunrise, sunset, alwaysUp } = getTimes(toDate(at_s), at.lat, at.lon);
  if (!sunrise || !sunset) return alwaysUp !== true;
  const at_ms = at_s * 1_000;
  return at_ms < sunrise.getTime() || at_ms >= sunset.getTime();
}

function toDate(at_s: number): Date {
  return new Date(at_s * 1_000);
}

function toSeconds(date: Date | null): number | null {
  return date && Math.round(date.getTime() / 1_000);
}
