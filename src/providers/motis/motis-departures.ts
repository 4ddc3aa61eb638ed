/**
 * Departures of a MOTIS server around a point (github.com/motis-project/motis,
 * openapi.yaml and src/endpoints/stop_times.cc, /api/v6/stoptimes). It does not say which runs are
 * in no timetable, and of a stop would leave out what other feeds call otherwise.
 */
import type { FoundDeparture } from "#transit/schedule/boards.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import { cleanDeepLink } from "#kit/uris.ts";
import { type Row, toBool, toId, toName, toRow, toText, toTime_s } from "#kit/coerce.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { modeOf } from "#providers/motis/motis-modes.ts";
import { stationOf } from "#providers/motis/motis-stops.ts";
import { openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { type Dropped, toDegrees, toLocation } from "#providers/place-rows.ts";
import type { BoardReader } from "#providers/source.ts";
import {
  BOARD_LIFE,
  boardKey,
  type BoardQuery,
  type BoardRow,
  toBoards,
} from "#providers/transit-departures.ts";
import { toColors } from "#providers/transit-lookup.ts";

/** A server allows fewer than 256; it goes on to the end of the last minute. */
const COUNT = 200;

export const motisDepartures: BoardReader<LookupSettings> = {
  ...BOARD_LIFE,
  operation: "getDeparturesNearby",
  keyOf: (query) => JSON.stringify([boardKey(query), query.language]),
  request: (query, { url }) => ({
    url: `${url}/api/v6/stoptimes?${toParameters(query)}`,
    headers: { accept: "application/json" },
  }),
  read: (wire, query, { trail }) => {
    const opened = openAnswer(wire, {});
    if (!opened.ok) return opened;
    const rows = toRow(opened.json)?.["stopTimes"];
    if (!Array.isArray(rows) || !isOfThis(rows)) return { ok: false, ...WRONG_SHAPE };
    const { boards, isCut } = toBoards(rows, query, {
      read: (row) => toBoardRow(row, query),
      trail,
    });
    const value = {
      boards,
      alerts: [],
      isCut: isCut || (rows.length >= COUNT && !isEnded(rows, query)),
    };
    return { ok: true, value, raw: rows.length };
  },
};

function toParameters(query: BoardQuery): string {
  const { lat, lon, radius_m, kind, from_ms, language } = query;
  const parameters = new URLSearchParams({
    center: `${toDegrees(lat)},${toDegrees(lon)}`,
    radius: String(Math.ceil(radius_m)),
    exactRadius: "true",
    time: new Date(from_ms).toISOString(),
    n: String(COUNT),
    arriveBy: String(kind === "arrivals"),
    // Of arrivals it would list those before.
    direction: "LATER",
    ...(language !== null && { language }),
  });
  return parameters.toString().replaceAll("%2C", ",");
}

function isOfThis(rows: readonly unknown[]): boolean {
  return rows.length === 0 || rows.some((row) => toRow(toRow(row)?.["place"]) !== null);
}

/** The last one is beyond what was asked for. */
function isEnded(rows: readonly unknown[], query: BoardQuery): boolean {
  const place = toRow(toRow(rows.at(-1))?.["place"]);
  const last_s = place && timeIn(place, query.kind === "departures" ? "departure" : "arrival");
  return last_s !== null && last_s >= query.to_ms;
}

function timeIn(place: Row, member: string): number | null {
  const time_s = toTime_s(place[member]);
  return time_s === null ? null : time_s * 1_000;
}

function toBoardRow(row: Row, query: BoardQuery): BoardRow | Dropped | null {
  const place = toRow(row["place"]);
  if (!place) return "place_missing";
  const station = toStation(place);
  if (typeof station === "string") return station;
  const mode = toText(row["mode"]);
  if (mode === null) return "modes_unknown";
  const isCancelled = toBool(row["cancelled"]) === true || toBool(row["tripCancelled"]) === true;
  // It stops there for other reasons than passengers.
  if (!isCancelled && toText(row["pickupDropoffType"]) === "NOT_ALLOWED") return null;
  const route = toRoute(row, mode);
  if (route === null) return "line_missing";
  const times = timesOf(row, place, { kind: query.kind, isCancelled });
  if (times.planned_ms === null && times.expected_ms === null) return "time_missing";
  const trip_id = toId(row["tripId"]);
  const { feed_id } = station.source;
  const at_ms = times.planned_ms ?? times.expected_ms;
  const key = ["motis", trip_id ?? route.id, toId(place["stopId"]), at_ms, query.kind];
  return {
    station,
    time_zone: toText(place["tz"]),
    departure: {
      source: { provider: "gtfs", feed_id, trip_id, service_date: null },
      key: JSON.stringify(key),
      route,
      operator: toOperator(row),
      headsign: toName(row["headsign"]),
      ...times,
      platform: toPlatform(place, times.realtime === "live"),
      headway_s: null,
      approximate: false,
      wheelchair: "unknown",
      continues: null,
      alerts: [],
      observed_ms: null,
    },
  };
}

/** As `motisStops` has it: platforms by their station, whose own pin is not in this answer. */
function toStation(place: Row): TransitStation | Dropped {
  const own_id = toId(place["stopId"]);
  const id = toId(place["parentId"]) ?? own_id;
  if (id === null) return "id_missing";
  const location = toLocation(place["lat"], place["lon"]);
  if (typeof location === "string") return location;
  const name = toName(place["name"]);
  if (name === null) return "name_missing";
  return stationOf(id, { ...location, name, modes: [] });
}

/** "?" where the feed has no id. */
function toOperator(row: Row): FoundDeparture["operator"] {
  const [id, name] = [toId(row["agencyId"]), toName(row["agencyName"])];
  if (id === null || id === "?" || name === null) return null;
  const url = cleanDeepLink("web", row["agencyUrl"]);
  return { id, name, ...(url !== null && { url }) };
}

function toRoute(row: Row, mode: string): FoundDeparture["route"] | null {
  const short_name = toName(row["routeShortName"]) ?? toName(row["displayName"]);
  const id = toId(row["routeId"]) ?? short_name;
  if (id === null) return null;
  return {
    id,
    short_name,
    long_name: toName(row["routeLongName"]),
    mode: modeOf(mode),
    operator_id: toOperator(row)?.id ?? null,
    ...toColors(row["routeColor"], row["routeTextColor"]),
  };
}

/** Without realtime data the time that is said to be current is the planned one. */
function timesOf(
  row: Row,
  place: Row,
  { kind, isCancelled }: { kind: BoardQuery["kind"]; isCancelled: boolean },
): Pick<FoundDeparture, "planned_ms" | "expected_ms" | "realtime" | "status"> {
  const isDeparture = kind === "departures";
  const current = isDeparture ? "departure" : "arrival";
  const scheduled = isDeparture ? "scheduledDeparture" : "scheduledArrival";
  const isLive = toBool(row["realTime"]) === true;
  const current_ms = timeIn(place, current);
  const planned_ms = timeIn(place, scheduled) ?? (isLive ? null : current_ms);
  const expected_ms = isLive && !isCancelled ? current_ms : null;
  const isSkipped = isCancelled && toBool(row["tripCancelled"]) === false;
  return {
    planned_ms,
    expected_ms,
    realtime: isCancelled || expected_ms !== null ? "live" : "unknown",
    status: isSkipped ? "skipped" : isCancelled ? "cancelled" : "scheduled",
  };
}

function toPlatform(place: Row, isLive: boolean): FoundDeparture["platform"] {
  const planned = toName(place["scheduledTrack"]);
  const live = isLive ? toName(place["track"]) : null;
  return planned === null && live === null ? null : { planned, live };
}
