// The sun over the simulated world, as the almanac's short formula has it: some minutes off at most.
import type { Point } from "../geo.ts";

const DAY_MS = 86_400_000;
const RAD = Math.PI / 180;
/** Centre of the sun when its upper edge is on the horizon. */
const HORIZON = Math.sin(-0.833 * RAD);

export type Day = { readonly sunrise_s: number; readonly sunset_s: number };

/** Returns the solar day around the noon nearest to a moment; null: it does not rise, or does not set. */
export function dayAround({ lat, lon }: Point, at_ms: number): Day | null {
  const day = Math.round(at_ms / DAY_MS - 0.5 + lon / 360) - lon / 360;
  const { declination, late_days } = yearly((day + 0.5) * DAY_MS);
  const cosine =
    (HORIZON - Math.sin(lat * RAD) * Math.sin(declination)) /
    (Math.cos(lat * RAD) * Math.cos(declination));
  if (cosine < -1 || cosine > 1) return null;
  const noon_s = (day + 0.5 - late_days) * 86_400;
  const half_s = (Math.acos(cosine) / (2 * Math.PI)) * 86_400;
  return { sunrise_s: Math.round(noon_s - half_s), sunset_s: Math.round(noon_s + half_s) };
}

export function isDay(at: Point, at_ms: number): boolean {
  const day = dayAround(at, at_ms);
  // Of the half year that it is up all day, where it is so.
  if (day === null) return at.lat * yearly(at_ms).declination > 0;
  return at_ms >= day.sunrise_s * 1000 && at_ms < day.sunset_s * 1000;
}

/** Declination of the sun, and how late its noon is, by the time of the year. */
function yearly(at_ms: number): { declination: number; late_days: number } {
  const days = at_ms / DAY_MS - 10_957.5;
  const anomaly = (357.529 + 0.98560028 * days) * RAD;
  const mean = 280.459 + 0.98564736 * days;
  const longitude = (mean + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RAD;
  const tilt = 23.439 * RAD;
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(longitude), Math.cos(longitude)) / RAD;
  const late = ((((mean - ascension) % 360) + 540) % 360) - 180;
  return { declination: Math.asin(Math.sin(tilt) * Math.sin(longitude)), late_days: late / 360 };
}
