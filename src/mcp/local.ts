/** The time of day at a point, as every answer about one states it. */
import { loadTimezones, toLocalTime } from "#app/timezone.ts";

export type LocalMembers = { local_time: string; weekday: string; time_zone: string };

export async function localAt(
  { lat, lon }: { lat: number; lon: number },
  at_ms: number,
): Promise<LocalMembers> {
  const time_zone = (await loadTimezones())(lat, lon);
  return toLocal(toLocalTime(time_zone, at_ms), time_zone);
}

/** Adds the weekday to a local time with its offset. */
export function toLocal(local_time: string, time_zone: string): LocalMembers {
  const day = new Date(`${local_time.slice(0, 10)}T00:00:00Z`).getUTCDay();
  return { local_time, weekday: WEEKDAYS[day]!, time_zone };
}

const WEEKDAYS = [
  ...["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
] as const;
