/** The lookup with what it is asked and configured with. */
import { createTrail, type TrailRecorder } from "#core/trail.ts";
import type { ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import type { TransitPage, TransitQuery } from "#providers/transit-lookup.ts";
import type { TransitlandSettings } from "#providers/transitland/index.ts";
import { transitlandStations } from "#providers/transitland/index.ts";

export const SETTINGS: TransitlandSettings = {
  url: "https://land.example/rest",
  timeout_ms: 2_500,
  api_key: "s3cret/key",
};
export const QUERY: TransitQuery = {
  lat: 37.7,
  lon: -122.4,
  radius_m: 1_000,
  language: null,
  page: null,
};

export function read(
  wire: WireAnswer,
  trail: TrailRecorder = createTrail(),
  query: Partial<TransitQuery> = {},
): ReadAnswer<TransitPage> {
  const asked = { ...QUERY, ...query };
  return transitlandStations.read(wire, asked, { settings: SETTINGS, trail });
}
