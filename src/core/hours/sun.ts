/** Dawn, sunrise, sunset and dusk in minutes of the local day. */
import { getTimes } from "suncalc";
import { DAY_MIN, type SunTime } from "#core/hours/model.ts";
import type { Stretch } from "#core/hours/zones.ts";
import { DAY_MS } from "#core/time.ts";

type Where = {
  day: number;
  place: { lat: number; lon: number };
  find: (at_ms: number) => Stretch | null;
};

/** Returns the minute from local midnight; null where the sun does not do so that day. */
export function findSun_min(
  { event, offset_min }: SunTime,
  { day, place, find }: Where,
): number | null {
  const noon_ms = day * DAY_MS + DAY_MS / 2;
  // Far from Greenwich the local noon may have another offset than the same hour there.
  const offset_ms = find(noon_ms)?.offset_ms ?? 0;
  const times = getTimes(new Date(noon_ms - offset_ms), place.lat, place.lon);
  const at_ms = times[event]?.getTime();
  if (at_ms === undefined || Number.isNaN(at_ms)) return null;
  const local_ms = at_ms + (find(at_ms)?.offset_ms ?? 0) - day * DAY_MS;
  const minute = Math.floor(local_ms / 60_000) + offset_min;
  return minute < 0 || minute >= 2 * DAY_MIN ? null : minute;
}
