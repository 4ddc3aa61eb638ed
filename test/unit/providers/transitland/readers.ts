/** The lookup with what it is asked and configured with. */
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import type { ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import type { BoardPage, BoardQuery } from "#providers/transit-departures.ts";
import type { TransitPage, TransitQuery } from "#providers/transit-lookup.ts";
import type { TransitlandSettings } from "#providers/transitland/transitland-asking.ts";
import { transitlandDepartures } from "#providers/transitland/transitland-departures.ts";
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
  const request = { ...QUERY, ...query };
  return transitlandStations.read(wire, request, { settings: SETTINGS, trail });
}

/** As `transitlandStations` describes it. */
export const STATION: TransitStation = {
  lat: 37.828,
  lon: -122.267,
  name: "Luna",
  modes: ["metro"],
  operators: [],
  routes: [],
  realtime: null,
  alerts: null,
  wheelchair: "unknown",
  fetched_at_ms: 1_000,
  source: {
    provider: "transitland",
    region: "US-CA",
    source_id: "MCAR",
    operator_id: null,
    feed_id: "f-9q9-bart",
  },
};
/** The hour at midnight in California. */
export const BOARD_QUERY: BoardQuery = {
  lat: 37.828,
  lon: -122.267,
  radius_m: 520,
  kind: "departures",
  from_ms: Date.UTC(2026, 10, 23, 8),
  to_ms: Date.UTC(2026, 10, 23, 9),
  language: null,
  station: STATION,
};

export function readBoards(
  wire: WireAnswer,
  trail: TrailRecorder = createTrail(),
  board_query: Partial<BoardQuery> = {},
): ReadAnswer<BoardPage> {
  const query = { ...BOARD_QUERY, ...board_query };
  return transitlandDepartures.read(wire, query, { settings: SETTINGS, trail });
}
