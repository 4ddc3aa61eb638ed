/**
 * Departures of one stop or station (interline-io/transitland-lib, server/rest/stop_departure_request.go
 * and .gql, server/gql/stop_time_resolver.go). A station has its platforms as `children`, each with its
 * own departures.
 */
import type { FoundDeparture } from "#transit/schedule/boards.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import { type Row, toId, toList, toName, toNumber, toRow, toText, toTime_s } from "#kit/coerce.ts";
import { listIn } from "#providers/json-lists.ts";
import { openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import type { Dropped } from "#providers/place-rows.ts";
import type { BoardReader } from "#providers/source.ts";
import {
  BOARD_LIFE,
  boardKey,
  type BoardQuery,
  type BoardRow,
  toBoards,
} from "#providers/transit-departures.ts";
import { createStatedZones } from "#kit/stated-zones.ts";
import { openRows } from "#providers/transit-lookup.ts";
import {
  askTransitland,
  type TransitlandSettings,
} from "#providers/transitland/transitland-asking.ts";
import { boardingOf, transitlandFeed } from "#providers/transitland/stop.ts";
import { toOperator, toTransitlandRoute } from "#providers/transitland/transitland-routes.ts";

/** Departures of each stop of an answer. */
const COUNT = 200;
/** Its window begins when it is asked: what has just left in the minute is not listed. */
const SPARE_S = 60;

export const transitlandDepartures: BoardReader<TransitlandSettings> = {
  ...BOARD_LIFE,
  operation: "getDeparturesNearby",
  keyOf: boardKey,
  request: (query, settings) =>
    askTransitland(`/stops/${keyOf(query.station)}/departures?${toParameters(query)}`, settings),
  read: (wire, query, { trail }) => {
    const { station } = query;
    const opened = openAnswer(wire, {});
    if (!opened.ok) return opened;
    const stops = openRows(listIn(opened.json, "stops"), "id", trail);
    if (!stops || !station) return { ok: false, ...WRONG_SHAPE };
    // A Onestop id may be that of stops in several feeds.
    const own_stops = stops.filter(({ row }) => transitlandFeed(row) === station.source.feed_id);
    const lists = own_stops.flatMap(({ row }) => [row, ...childrenOf(row)]).map(openStop);
    const rows = lists.flatMap(({ stop, departures }) =>
      departures.map((call) => ({ call, stop })),
    );
    const { boards, isCut } = toBoards(rows, query, {
      read: (row) => toBoardRow(row, station),
      trail,
    });
    // A station of which nothing leaves is there all the same, and may be the one that leads.
    if (boards.length === 0) {
      const time_zone = createStatedZones(trail)(zoneOf(own_stops[0]?.row));
      boards.push({ station: withoutLists(station), departures: [], time_zone });
    }
    const isFull = lists.some(({ departures }) => departures.length >= COUNT);
    return { ok: true, value: { boards, alerts: [], isCut: isCut || isFull }, raw: rows.length };
  },
};

const ONESTOP_ID = /^s-[0-9a-z]+-/;

/** A Onestop id, or the id of the feed and that of the stop in it. */
function keyOf(station: TransitStation | null): string {
  const { source_id, feed_id } = station?.source ?? { source_id: "0", feed_id: null };
  const isAlone = feed_id === null || ONESTOP_ID.test(source_id);
  return encodeURIComponent(isAlone ? source_id : `${feed_id}:${source_id}`);
}

/** Without its fall-back a timetable that has ended shows no other week's departures. */
function toParameters({ from_ms, to_ms }: BoardQuery): string {
  const parameters = new URLSearchParams({
    next: String(Math.ceil((to_ms - from_ms) / 1_000) + SPARE_S),
    limit: String(COUNT),
    use_service_window: "false",
  });
  return parameters.toString();
}

const MOST_CHILDREN = 200;

function childrenOf(row: Row): Row[] {
  return toList(row["children"])
    .slice(0, MOST_CHILDREN)
    .map(toRow)
    .filter((child) => child !== null);
}

function openStop(stop: Row): { stop: Row; departures: unknown[] } {
  return { stop, departures: toList(stop["departures"]) };
}

function toBoardRow(row: Row, station: TransitStation): BoardRow | Dropped | null {
  const [call, stop] = [toRow(row["call"]), toRow(row["stop"]) ?? {}];
  const trip = toRow(call?.["trip"]);
  const line = toRow(trip?.["route"]);
  if (!call || !trip) return "row_malformed";
  if (toNumber(call["pickup_type"]) === NO_PICKUP) return null;
  // Of a trip that repeats the template is listed, which need not run.
  if (toList(trip["frequencies"]).length > 0) return "frequency_based";
  const route = line && toTransitlandRoute(line);
  if (!route) return "line_missing";
  const times = timesOf(call);
  if (times.planned_ms === null && times.expected_ms === null) return "time_missing";
  const trip_id = toId(trip["trip_id"]);
  const service_date = dateOf(call["service_date"]);
  const call_id = [toId(stop["id"]), toNumber(call["stop_sequence"])];
  const at_ms = times.planned_ms ?? times.expected_ms;
  const { feed_id } = station.source;
  const platform = toName(stop["platform_code"]);
  return {
    station: withoutLists(station),
    time_zone: zoneOf(stop),
    departure: {
      source: { provider: "transitland", feed_id, trip_id, service_date },
      key: JSON.stringify(["transitland", feed_id, trip_id ?? route.id, ...call_id, at_ms]),
      route,
      operator: toOperator(toRow(line["agency"])),
      headsign: toName(call["stop_headsign"]) ?? toName(trip["trip_headsign"]),
      ...times,
      platform: platform === null ? null : { planned: platform, live: null },
      headway_s: null,
      approximate: toNumber(call["timepoint"]) === 0 || toNumber(call["interpolated"]) === 1,
      wheelchair: boardingOf({ wheelchair_boarding: trip["wheelchair_accessible"] }),
      continues: null,
      alerts: [],
      observed_ms: times.realtime === "live" ? timeIn(trip, "timestamp") : null,
    },
  };
}

function zoneOf(stop: Row | undefined): string | null {
  return toText(stop?.["stop_timezone"]);
}

function withoutLists(station: TransitStation): TransitStation {
  return { ...station, operators: [], routes: [] };
}

const NO_PICKUP = 1;

const STATUSES: ReadonlyMap<string, FoundDeparture["status"]> = new Map(
  Object.entries({
    CANCELED: "cancelled",
    DELETED: "cancelled",
    SKIPPED: "skipped",
    ADDED: "added",
  }),
);

/** An estimate is there only where a live feed has given one. */
function timesOf(
  call: Row,
): Pick<FoundDeparture, "planned_ms" | "expected_ms" | "realtime" | "status"> {
  const event = toRow(call["departure"]) ?? {};
  const status = STATUSES.get(toText(call["schedule_relationship"]) ?? "") ?? "scheduled";
  const isOff = status === "cancelled" || status === "skipped";
  const expected_ms = isOff ? null : timeIn(event, "estimated_utc");
  return {
    planned_ms: status === "added" ? null : timeIn(event, "scheduled_utc"),
    expected_ms,
    realtime: isOff || expected_ms !== null ? "live" : "unknown",
    status,
  };
}

function timeIn(row: Row, member: string): number | null {
  const time_s = toTime_s(row[member]);
  return time_s === null ? null : time_s * 1_000;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

function dateOf(wire: unknown): string | null {
  const text = toText(wire);
  return text !== null && DATE.test(text) ? text : null;
}
