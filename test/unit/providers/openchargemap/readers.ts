/** The lookup with what it is asked and configured with. */
import type { Place } from "#core/places/place.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { AroundQuery, ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import type { OcmSettings } from "#providers/openchargemap/index.ts";
import { openChargeMap } from "#providers/openchargemap/index.ts";

export const SETTINGS: OcmSettings = {
  url: "https://ocm.example",
  timeout_ms: 2_500,
  api_key: "secret-key",
};
export const QUERY: AroundQuery = {
  lat: 54.1,
  lon: 9.1,
  radius_m: 1_500,
  limit: 20,
  language: null,
  country: "DE",
};

export function read(wire: WireAnswer, trail: TrailRecorder = createTrail()): ReadAnswer<Place[]> {
  return openChargeMap.read(wire, QUERY, { settings: SETTINGS, trail });
}
