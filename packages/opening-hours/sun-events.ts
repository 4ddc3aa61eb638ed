/** Dawn, sunrise, sunset and dusk in minutes of the local day. */
import { getTimes, type SunTimes } from "suncalc";
import { DAY_MIN, type SunTime } from "./hours-model.ts";
import type { Stretch } from "#kit/time-zones.ts";
import { DAY_MS } from "#kit/time.ts";

const MINUTE_MS = 60_000;

type FindStretch = (at_ms: number) => Stretch | null;
type FindSun = (time: SunTime, day: number) => number | null;

/**
 * Creates a function that returns minutes from local midnight of a day; null where the sun does not do
 * so that day.
 */
export function createSun({ lat, lon }: { lat: number; lon: number }, find: FindStretch): FindSun {
  const days = new Map<number, SunTimes>();
  return ({ event, offset_min }, day) => {
    let times = days.get(day);
    if (!times) {
      const noon_ms = day * DAY_MS + DAY_MS / 2;
      times = getTimes(new Date(noon_ms - (find(noon_ms)?.offset_ms ?? 0)), lat, lon);
      days.set(day, times);
    }
    const at_ms = times[event]?.getTime();
    if (at_ms === undefined || Number.isNaN(at_ms)) return null;
    const local_ms = at_ms + (find(at_ms)?.offset_ms ?? 0) - day * DAY_MS;
    const minute = Math.floor(local_ms / MINUTE_MS) + offset_min;
    return minute < 0 || minute >= 2 * DAY_MIN ? null : minute;
  };
}
