/** A public transport station by its id, with all its lines and its next departures. */
import { isPartial } from "#core/coverage.ts";
import { PLACE_DEPARTURES, PLACE_RADIUS_M } from "#api/agent-place.ts";
import { STATION_DEPARTURES_PARAMETERS } from "#api/departures.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import { defaultsOf } from "#api/primitives.ts";
import { TRANSPORT_MODES } from "#api/tokens.ts";
import { TRANSPORT_PARAMETERS } from "#api/transit.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import { toBriefDeparture, toOmitted } from "../brief.ts";
import { toDepartureNotices } from "../departure-notices.ts";
import { toTransitRecord } from "../tool-records.ts";
import { transitSource } from "../answer-sources.ts";
import type { ToolCall, ToolDeps } from "../tool.ts";
import type { FindPlace, PlaceMissing } from "./place-kinds.ts";
import { toInput } from "./places-tool.ts";

type Body = ReplyAt<"/v1/transport/nearby">;
type Transit = Body["results"]["stations"][number];
type Board = ReplyAt<"/v1/departures/{station_id}">;

export const findTransit: FindPlace = async (deps, { id, at }, query) => {
  // An id that answers have named has a place; one that was forgotten has none.
  const entry = at ? null : await findBoard(deps, id, query);
  const point = at ?? entry?.station.location;
  if (!point) return { kind: "unplaced" };
  const station = await findStation(deps, { id, ...point }, query);
  if ("unknown" in station) return station;
  const { found, body, max_age_s } = station;
  // The search has named it, so that it is known by its id now.
  const board = entry ?? (await findBoard(deps, id, query));
  const { local_time, time_zone } = board ?? {};
  const departures = board?.results.departures ?? [];
  const sources = [...found.sources, ...departures.flatMap((each) => each.sources)];
  return {
    kind: "found",
    record: { ...toTransitRecord(found), ...toDepartures(board) },
    reported: toStatusWords(body, board),
    query_origin: body.query_origin,
    // The clocks that the station's source states.
    local: local_time && time_zone ? { local_time, time_zone } : null,
    provenance: found.sources.map((source) => ({
      source_id: transitSource(source),
      entity_id: source.source_id,
      observed_at: null,
      fetched_at: found.freshness.fetched_at,
    })),
    sources: [...new Set(sources.map(transitSource))],
    freshness: {},
    // Departures are of the minute.
    max_age_s: board ? 0 : max_age_s,
    requested: [
      { operation: "getTransportNearby", metered: ONE_ANSWER },
      ...(board ? [{ operation: "getStationDepartures", metered: ONE_ANSWER } as const] : []),
    ],
  };
};

const STATION = defaultsOf(STATION_DEPARTURES_PARAMETERS);
const TRANSPORT = defaultsOf(TRANSPORT_PARAMETERS);

/** null: no station is known by this id. */
async function findBoard(
  { searches }: ToolDeps,
  station_id: string,
  query: ToolCall,
): Promise<Board | null> {
  const { shown_max: limit, within_min: within } = PLACE_DEPARTURES;
  const question = { ...STATION, station_id, limit, within };
  const reply = await searches.departures.station(toInput(question, query));
  return "kind" in reply ? null : reply.body;
}

type TransitPlace = { found: Transit; body: Body; max_age_s: number | null };

async function findStation(
  { searches }: ToolDeps,
  { id, lat, lon }: { id: string; lat: number; lon: number },
  query: ToolCall,
): Promise<TransitPlace | PlaceMissing> {
  const limit = LIMITS.transport.limit_max;
  const place = { lat, lon, radius: PLACE_RADIUS_M, modes: TRANSPORT_MODES };
  // Ways within a station are looked for with those to it.
  const question = { ...TRANSPORT, ...place, limit, walk: true, every: true, debug: false };
  const reply = await searches.transport(toInput(question, query));
  const { body } = reply;
  const found = body.results.stations.find((each) => isNamed(each, id));
  if (found) return { found, body, max_age_s: reply.max_age_s };
  const unknown = isPartial(body) ? [body.message ?? "A source failed."] : [];
  const metered = { ...ONE_ANSWER, void: unknown.length > 0 };
  const requested = [{ operation: "getTransportNearby", metered } as const];
  return { kind: "missing", radius_m: PLACE_RADIUS_M, unknown, requested };
}

/** Another search may have had another of its sources lead, whose id is as good. */
function isNamed({ id, sources }: Transit, query: string): boolean {
  return id === query || sources.some((source) => transitId(source) === query);
}

/** null: its departures are not known, which is not none. */
function toDepartures(board: Board | null) {
  if (!board) return { departures: null };
  const { departures, alerts } = board.results;
  const listed = departures.map((each) => {
    const brief = toBriefDeparture(each);
    const { station: _, station_id: __, distance_meters: ___, ...members } = brief;
    return members;
  });
  const isUnknown = isPartial(board) && listed.length === 0;
  return isUnknown
    ? { departures: null }
    : {
        departures: listed,
        departures_total: board.total,
        departures_within_minutes: PLACE_DEPARTURES.within_min,
        ...toDepartureNotices(departures, alerts),
      };
}

function toStatusWords({ status, message, notices }: Body, board: Board | null) {
  const own_notices = toOmitted(notices, message).notices ?? [];
  const failed =
    board && isPartial(board) ? [`Departures: ${board.message ?? "a source failed."}`] : [];
  const all = [...own_notices, ...failed];
  return {
    status: board && isPartial(board) ? board.status : status,
    message,
    ...(all.length === 0 ? {} : { notices: all }),
  };
}
