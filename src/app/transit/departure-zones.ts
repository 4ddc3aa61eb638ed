/** Time zones of departures: those that sources state for their stations (decisions, Times about a place). */
import { distance_m } from "#kit/geo.ts";
import type { MergedStation } from "#transit/schedule/merge-boards.ts";
import type { DepartureFinding } from "./departure-finder.ts";

/**
 * The zone that its source states for the nearest station of the answer; null: none does. It goes
 * before the zone of the map (decisions, Clocks and holidays).
 */
export function statedZone(
  findings: readonly DepartureFinding[],
  at: { lat: number; lon: number },
): string | null {
  let [zone, least_m]: [string | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const { station, time_zone } of findings.flatMap(({ publishers }) => publishers.flat())) {
    const metres = time_zone ? distance_m(at.lat, at.lon, station.lat, station.lon) : least_m;
    if (metres < least_m) [zone, least_m] = [time_zone!, metres];
  }
  return zone;
}

/** The zone that a source states for a station; where none does, that of the answer. */
export function createZoneOf(
  findings: readonly DepartureFinding[],
  time_zone: string,
): (station: Pick<MergedStation, "sources">) => string {
  const keyOf = ({ provider, feed_id, source_id }: MergedStation["sources"][number]): string =>
    JSON.stringify([provider, feed_id, source_id]);
  const stated = new Map<string, string>();
  for (const { station, time_zone: own_time_zone } of findings.flatMap((each) =>
    each.publishers.flat(),
  ))
    if (own_time_zone) stated.set(keyOf(station.source), own_time_zone);
  return ({ sources }) => {
    for (const source of sources) {
      const own = stated.get(keyOf(source));
      if (own !== undefined) return own;
    }
    return time_zone;
  };
}
