/** Stations of a feed that show the clocks of another zone than it (mobility.md 3.1). */
import { NO_PLACE, type TimetableDraft } from "./timetable-draft.ts";
import type { TimetableMeta } from "./timetable-layout.ts";

/** Stations whose first stop with a zone of its own states another than the feed. */
export function listStationZones(
  { stops, time_zone }: TimetableDraft,
  used: readonly number[],
  rows: Uint32Array,
): Pick<TimetableMeta, "station_zones"> {
  const seen = new Set<number>();
  const zones: Record<string, number[]> = {};
  for (const stop of used) {
    const [place, zone] = [stops.station(stop), stops.zone(stop)];
    if (zone === null || place === NO_PLACE || seen.has(place)) continue;
    seen.add(place);
    if (zone !== time_zone) (zones[zone] ??= []).push(rows[place]!);
  }
  return Object.keys(zones).length === 0 ? {} : { station_zones: zones };
}
