/** The lookup with what it is asked and configured with. */
import type { Place } from "#core/places/place.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import { inpostLockers, type InPostSettings } from "#providers/inpost/index.ts";
import type { AroundQuery, ReadAnswer, WireAnswer } from "#providers/lookup.ts";

export const SETTINGS: InPostSettings = {
  url: "https://points.example",
  timeout_ms: 2_500,
  countries: { GB: "https://uk.points.example/" },
};
export const QUERY: AroundQuery = {
  lat: 51.5,
  lon: -0.12,
  radius_m: 1_500,
  limit: 50,
  language: null,
  country: "PL",
};

export function read(wire: WireAnswer, trail: TrailRecorder = createTrail()): ReadAnswer<Place[]> {
  return inpostLockers.read(wire, QUERY, { settings: SETTINGS, trail });
}
