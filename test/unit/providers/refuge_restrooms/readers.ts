/** The lookup with what it is asked and configured with. */
import type { Place } from "#core/places/place.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { AroundQuery, LookupSettings, ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import { refugeRestrooms } from "#providers/refuge_restrooms.ts";

export const SETTINGS: LookupSettings = { url: "https://refuge.example", timeout_ms: 3_000 };
export const QUERY: AroundQuery = {
  lat: 45.5,
  lon: -122.6,
  radius_m: 800,
  limit: 50,
  language: null,
  country: "US",
};

export function read(wire: WireAnswer, trail: TrailRecorder = createTrail()): ReadAnswer<Place[]> {
  return refugeRestrooms.read(wire, QUERY, { settings: SETTINGS, trail });
}
