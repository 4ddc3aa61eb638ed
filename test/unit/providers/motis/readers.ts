/** The lookup of departures with what it is asked and configured with. */
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { LookupSettings, ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import { motisDepartures } from "#providers/motis/motis-departures.ts";
import type { BoardPage, BoardQuery } from "#providers/transit-departures.ts";

export const DEPARTURES = [
  ...["departures", "departures-arrivals", "departures-dropped-rows", "departures-empty"],
  ...["departures-refused", "departures-shape", "departures-other-rows"],
];

export const SETTINGS: LookupSettings = { url: "https://motis.example", timeout_ms: 2_500 };
export const BOARD_QUERY: BoardQuery = {
  lat: 52.5,
  lon: 13.4,
  radius_m: 519.5,
  kind: "departures",
  from_ms: Date.UTC(2026, 10, 23, 8),
  to_ms: Date.UTC(2026, 10, 23, 9),
  language: null,
  station: null,
};

export function readBoards(
  wire: WireAnswer,
  trail: TrailRecorder = createTrail(),
  board_query: Partial<BoardQuery> = {},
): ReadAnswer<BoardPage> {
  const query = { ...BOARD_QUERY, ...board_query };
  return motisDepartures.read(wire, query, { settings: SETTINGS, trail });
}
