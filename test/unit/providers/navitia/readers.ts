/** The lookups with what they are asked and configured with. */
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import type { NavitiaSettings } from "#providers/navitia/navitia-asking.ts";
import { navitiaDepartures } from "#providers/navitia/navitia-departures.ts";
import { navitiaStations } from "#providers/navitia/navitia-stations.ts";
import type { BoardPage, BoardQuery } from "#providers/transit-departures.ts";
import type { TransitPage, TransitQuery } from "#providers/transit-lookup.ts";

export const SETTINGS: NavitiaSettings = {
  url: "https://navitia.example/v1",
  timeout_ms: 2_500,
  token: "s3cret/token",
  auth: "header",
  wheelchair: true,
  region: null,
};
export const QUERY: TransitQuery = {
  lat: 48.874,
  lon: 2.295,
  radius_m: 999.5,
  language: "fr",
  page: null,
};

export function read(
  wire: WireAnswer,
  trail: TrailRecorder = createTrail(),
  region: string | null = null,
): ReadAnswer<TransitPage> {
  return navitiaStations.read(wire, QUERY, { settings: { ...SETTINGS, region }, trail });
}

/** An hour of a Monday, 09:00 to 10:00 in Paris. */
export const BOARD_QUERY: BoardQuery = {
  lat: 48.874,
  lon: 2.295,
  radius_m: 520,
  kind: "departures",
  from_ms: Date.UTC(2026, 10, 23, 8),
  to_ms: Date.UTC(2026, 10, 23, 9),
  language: null,
  station: null,
};

export function readBoards(
  wire: WireAnswer,
  trail: TrailRecorder = createTrail(),
  { region = null, ...request }: Partial<BoardQuery> & { region?: string | null } = {},
): ReadAnswer<BoardPage> {
  const query = { ...BOARD_QUERY, ...request };
  return navitiaDepartures.read(wire, query, { settings: { ...SETTINGS, region }, trail });
}
