/** The first or last departure of each line and direction on a service day (departures.md, First and last). */
import type { Location } from "#kit/geo.ts";
import { distance_m } from "#kit/geo.ts";
import type { MergedEntry } from "#transit/schedule/boards.ts";
import type { MergedStation } from "#transit/schedule/merge-boards.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import { type DepartureWindow, serviceDayAt } from "./departure-window.ts";

type Wish = {
  /** Where the nearest station is looked for; null: there is one. */
  from: Location | null;
  time_zone: string;
  now_ms: number;
};

type Place = { id: string; metres: number };

/** Entries of several days, each with the window in which it was found. */
export type FoundIn = { window: DepartureWindow; entries: readonly MergedEntry[] };

/**
 * Picks one entry of each line and direction: at the nearest station that it leaves from, of those
 * that take place. Of two days the first one's, unless it has left before the moment of the question.
 */
export function pickOutermost(days: readonly FoundIn[], wish: Wish): MergedEntry[] {
  const placeOf = createPlaceOf(wish.from);
  const groups = new Map<string, { place: Place; picks: Map<number, MergedEntry> }>();
  for (const { window, entries } of days) {
    const { edge, day } = window.edge!;
    for (const entry of entries) {
      if (entry.status === "cancelled" || entry.status === "skipped") continue;
      if ((entry.service_day ?? serviceDayAt(wish.time_zone, entry.at_ms)) !== day) continue;
      const place = placeOf(entry.station);
      const key = JSON.stringify([entry.route.mode, entry.name, entry.direction?.toLowerCase()]);
      let group = groups.get(key);
      if (!group || isNearer(place, group.place))
        groups.set(key, (group = { place, picks: new Map() }));
      if (place.id !== group.place.id) continue;
      const before = group.picks.get(day);
      const isMore = edge === "first" ? -1 : 1;
      if (!before || (entry.at_ms - before.at_ms) * isMore > 0) group.picks.set(day, entry);
    }
  }
  return [...groups.values()].flatMap(
    ({ picks }) => pickDay([...picks.values()], days, wish) ?? [],
  );
}

/** The one that is to come; of a single day the only one. */
function pickDay(
  picks: readonly MergedEntry[],
  days: readonly FoundIn[],
  { now_ms }: Wish,
): MergedEntry | undefined {
  if (days.length === 1) return picks[0];
  return picks
    .filter(({ at_ms }) => !hasLeft(at_ms, now_ms))
    .toSorted((a, b) => a.at_ms - b.at_ms)[0];
}

/** What leaves in this minute has not left. */
export function hasLeft(at_ms: number, now_ms: number): boolean {
  return at_ms < Math.floor(now_ms / MINUTE_MS) * MINUTE_MS;
}

const MINUTE_MS = 60_000;

function createPlaceOf(from: Location | null): (station: MergedStation) => Place {
  const places = new Map<MergedStation, Place>();
  return (station) => {
    let place = places.get(station);
    if (!place) {
      const { lat, lon, source } = station.lead;
      const metres = from === null ? 0 : distance_m(from.lat, from.lon, lat, lon);
      places.set(station, (place = { id: transitId(source), metres }));
    }
    return place;
  };
}

function isNearer(a: Place, b: Place): boolean {
  return a.metres < b.metres || (a.metres === b.metres && a.id < b.id);
}
