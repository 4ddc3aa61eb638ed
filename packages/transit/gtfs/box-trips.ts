/**
 * What an import for a box keeps: the stations in it, and every trip that calls at one of them, with all
 * of its calls. Those outside have no station, so that nothing is asked about them; but they say where
 * a trip comes from and goes to, which of its calls is the last, and what a delay before the box does
 * to the calls in it: answers about stations of the box are those of the whole feed.
 */
import type { Box } from "#kit/geo.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { NO_PLACE, PATTERN } from "../timetable/timetable-draft.ts";
import type { Sequences } from "../timetable/sequences.ts";
import { textOf } from "./byte-table.ts";
import type { TripTimes } from "./trip-calls.ts";
import type { Trips } from "./trip-table.ts";

const STEP_ROWS = 4_096;

/** Whether a point is in the box, its edges included; one with west > east crosses the antimeridian. */
export function isInBox({ south, west, north, east }: Box, lat: number, lon: number): boolean {
  if (lat < south || lat > north) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

/** Leaves out the trips that call at no station that is kept. In steps. */
export function* leaveOutTrips(
  { patterns, profiles, profileOf }: TripTimes,
  { trips, hasStation }: { trips: Trips; hasStation: (stop: number) => boolean },
  trail: TrailRecorder,
): Generator<void, void> {
  const isKept = new Uint8Array(patterns.count);
  for (let pattern = 0; pattern < patterns.count; pattern++) {
    isKept[pattern] = Number(callsAtOne(patterns, pattern, hasStation));
    if (pattern % STEP_ROWS === 0) yield;
  }
  for (let trip = 0; trip < profileOf.length; trip++) {
    if (trip % STEP_ROWS === 0) yield;
    const profile = profileOf[trip]!;
    if (profile === NO_PLACE || isKept[profiles.at(profile)[0]!] === 1) continue;
    profileOf[trip] = NO_PLACE;
    trail.drop("trip_outside_the_box", textOf(trips.ids, trip));
  }
}

function callsAtOne(
  patterns: Sequences,
  pattern: number,
  hasStation: (stop: number) => boolean,
): boolean {
  const words = patterns.at(pattern);
  for (let at = PATTERN.head; at < words.length; at += PATTERN.call)
    if (hasStation(words[at]!)) return true;
  return false;
}
