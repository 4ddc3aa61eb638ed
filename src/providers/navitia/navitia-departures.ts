/**
 * Departures around a point or of a stop area. Reference: hove-io/navitia, documentation/slate
 * (Departures; Realtime) and source/time_tables/passages.cpp. Runs that do not take place are left
 * out there, so that none is ever cancelled here.
 */
import { parseAnswer } from "#kit/json.ts";
import type { FoundDeparture } from "#transit/schedule/boards.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import { type Row, toId, toList, toName, toRow, toText, toTexts } from "#kit/coerce.ts";
import {
  ask,
  type NavitiaSettings,
  openNavitia,
  navitiaPoint,
} from "#providers/navitia/navitia-asking.ts";
import { disruptionIds, toAlerts } from "#providers/navitia/disruptions.ts";
import { navitiaModes } from "#providers/navitia/navitia-modes.ts";
import type { WireAnswer } from "#providers/lookup.ts";
import { failureOf, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { type Dropped, toLocation } from "#providers/place-rows.ts";
import type { BoardReader } from "#providers/source.ts";
import {
  BOARD_LIFE,
  boardKey,
  type BoardQuery,
  type BoardRow,
  createLocalClock,
  type LocalClock,
  toBoards,
} from "#providers/transit-departures.ts";
import { toColors } from "#providers/transit-lookup.ts";

/** Rows of an answer: the next ones, in order of time. */
const COUNT = 200;

export const navitiaDepartures: BoardReader<NavitiaSettings> = {
  ...BOARD_LIFE,
  operation: "getDeparturesNearby",
  keyOf: boardKey,
  request: (query, settings) => ask(`${pathOf(query)}?${toParameters(query)}`, settings),
  read: (wire, query, { settings, trail }) => {
    const opened = openNavitia(wire);
    const nothing = { boards: [], alerts: [], isCut: false };
    if (!opened.ok) return isEmpty(wire, query) ? { ok: true, value: nothing, raw: 0 } : opened;
    // Of a station that it has described it does know the region: the id has become another one.
    if (!opened.covered)
      return query.station
        ? { ok: false, ...failureOf(404, {}) }
        : { ok: true, value: { ...nothing, covered: false }, raw: 0 };
    const answer = toRow(opened.json);
    const rows = answer?.[query.kind];
    if (!Array.isArray(rows) || !isOfThis(rows)) return { ok: false, ...WRONG_SHAPE };
    const zone = toText(toRow(answer?.["context"])?.["timezone"]);
    const clocks = createClocks();
    const region = query.station?.source.region ?? settings.region ?? null;
    const { boards, isCut } = toBoards(rows, query, {
      read: (row) => toBoardRow(row, { query, region, zone, clocks }),
      trail,
    });
    const names = boards.flatMap(({ departures }) => departures.flatMap(({ alerts }) => alerts));
    const clock = clocks(zone);
    const alerts = toAlerts(answer?.["disruptions"], new Set(names), {
      clock,
      near_ms: query.from_ms,
    });
    const value = { boards, alerts, isCut: isCut || rows.length >= COUNT };
    return { ok: true, value, raw: rows.length };
  },
};

/** A stop area lies in the region that its point lies in. */
function pathOf(query: BoardQuery): string {
  const { kind, station } = query;
  if (!station) return `/coverage/${navitiaPoint(query)}/coords/${navitiaPoint(query)}/${kind}`;
  const id = encodeURIComponent(station.source.source_id);
  return `/coverage/${navitiaPoint(station)}/stop_areas/${id}/${kind}`;
}

function toParameters({ radius_m, from_ms, to_ms, station }: BoardQuery): string {
  const parameters = new URLSearchParams({
    ...(station ? {} : { distance: String(Math.ceil(radius_m)) }),
    from_datetime: new Date(from_ms).toISOString().replaceAll(/[-:]|\.\d+/g, ""),
    duration: String(Math.ceil((to_ms - from_ms) / 1_000)),
    count: String(COUNT),
    data_freshness: "realtime",
    disable_geojson: "true",
  });
  return parameters.toString();
}

/** A circle without stops is said to be a filter that nothing passes. */
function isEmpty({ status, body }: WireAnswer, { station }: BoardQuery): boolean {
  if (station !== null || status < 400 || status > 404) return false;
  return toId(toRow(toRow(parseAnswer(body))?.["error"])?.["id"]) === "bad_filter";
}

/** A list in which nothing is a passage is no empty one: it is another protocol. */
function isOfThis(rows: readonly unknown[]): boolean {
  return rows.length === 0 || rows.some((row) => toRow(toRow(row)?.["stop_date_time"]) !== null);
}

function createClocks(): (zone: string | null) => LocalClock | null {
  const clocks = new Map<string, LocalClock | null>();
  return (zone) => {
    if (zone === null) return null;
    let clock = clocks.get(zone);
    if (clock === undefined) clocks.set(zone, (clock = createLocalClock(zone)));
    return clock;
  };
}

type Frame = {
  query: BoardQuery;
  region: string | null;
  /** The zone of the answer's times; null: that of each station. */
  zone: string | null;
  clocks(zone: string | null): LocalClock | null;
};

function toBoardRow(row: Row, frame: Frame): BoardRow | Dropped {
  const point = toRow(row["stop_point"]);
  const area = toRow(point?.["stop_area"]);
  const station = toStation(point, area, frame.region);
  if (typeof station === "string") return station;
  const text = toText(area?.["timezone"]);
  const clock = frame.clocks(frame.zone ?? text);
  if (clock === null) return "time_zone_unknown";
  const departure = toDeparture(row, { clock, query: frame.query, point });
  if (typeof departure === "string") return departure;
  return { station, departure, time_zone: text ?? frame.zone };
}

function toStation(
  point: Row | null,
  area: Row | null,
  region: string | null,
): TransitStation | Dropped {
  const id = toId(area?.["id"]);
  if (id === null) return "stop_area_missing";
  const at = toRow(area?.["coord"]) ?? toRow(point?.["coord"]);
  const location = toLocation(at?.["lat"], at?.["lon"]);
  if (typeof location === "string") return location;
  const name = toName(area?.["name"]) ?? toName(area?.["label"]);
  if (name === null) return "name_missing";
  return {
    ...location,
    name,
    modes: [],
    operators: [],
    routes: [],
    realtime: null,
    alerts: null,
    wheelchair: "unknown",
    fetched_at_ms: 0,
    source: { provider: "navitia", region, source_id: id, operator_id: null, feed_id: null },
  };
}

type Reading = { clock: LocalClock; query: BoardQuery; point: Row | null };

function toDeparture(row: Row, { clock, query, point }: Reading): FoundDeparture | Dropped {
  const shown = toRow(row["display_informations"]) ?? {};
  const times = timesOf(row, { clock, query });
  if (times.planned_ms === null && times.expected_ms === null) return "time_missing";
  const ids = linkedIds(row);
  const route = toRoute(row, { shown, ids });
  if (typeof route === "string") return route;
  const trip_id = ids.get("vehicle_journey") ?? null;
  const network_id = ids.get("network") ?? null;
  const network = toName(shown["network"]);
  const at_ms = times.planned_ms ?? times.expected_ms;
  return {
    source: { provider: "navitia", feed_id: null, trip_id, service_date: null },
    key: JSON.stringify(["navitia", trip_id ?? route.id, toId(point?.["id"]), at_ms, query.kind]),
    route: { ...route, operator_id: network_id },
    operator: network_id !== null && network !== null ? { id: network_id, name: network } : null,
    headsign: toName(shown["direction"]),
    ...times,
    platform: null,
    headway_s: null,
    approximate: toTexts(toRow(row["stop_date_time"])?.["additional_informations"]).includes(
      "date_time_estimated",
    ),
    // What is not listed may be missing or not recorded: it is never a "no".
    wheelchair: toTexts(shown["equipments"]).includes("has_wheelchair_accessibility")
      ? "yes"
      : "unknown",
    continues: null,
    alerts: disruptionIds(shown),
    observed_ms: null,
  };
}

/** Nothing is listed that was before the question: of two times an hour apart it is the one after it. */
const HALF_HOUR_MS = 1_800_000;

/**
 * Only `realtime` speaks of the run. What is adapted is the timetable with its announced changes, and
 * a run without base times is in no timetable.
 */
function timesOf(
  row: Row,
  { clock, query }: Omit<Reading, "point">,
): Pick<FoundDeparture, "planned_ms" | "expected_ms" | "realtime" | "status"> {
  const times = toRow(row["stop_date_time"]) ?? {};
  const event = query.kind === "departures" ? "departure_date_time" : "arrival_date_time";
  const shown_ms = clock(toText(times[event]), query.from_ms + HALF_HOUR_MS);
  const base = toText(times[`base_${event}`]);
  const freshness = toText(times["data_freshness"]);
  if (freshness !== "realtime") {
    const planned_ms = shown_ms ?? clock(base, query.from_ms + HALF_HOUR_MS);
    return { planned_ms, expected_ms: null, realtime: "unknown", status: "scheduled" };
  }
  const planned_ms = clock(base, shown_ms ?? query.from_ms);
  return {
    planned_ms,
    expected_ms: shown_ms,
    realtime: shown_ms === null ? "unknown" : "live",
    status: planned_ms === null && shown_ms !== null ? "added" : "scheduled",
  };
}

/** The ids of a passage by the type of what they name; of each the first. */
function linkedIds(row: Row): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const link of toList(row["links"]).slice(0, 50).map(toRow)) {
    const [type, id] = [toText(link?.["type"]), toId(link?.["id"])];
    if (type !== null && id !== null && !ids.has(type)) ids.set(type, id);
  }
  return ids;
}

function toRoute(
  row: Row,
  { shown, ids }: { shown: Row; ids: ReadonlyMap<string, string> },
): FoundDeparture["route"] | Dropped {
  const line = toRow(toRow(row["route"])?.["line"]);
  const id = ids.get("line") ?? toId(line?.["id"]);
  if (id === null) return "line_missing";
  const [linked] = navitiaModes([{ id: ids.get("physical_mode") }]);
  const mode = linked ?? navitiaModes(line?.["physical_modes"])[0];
  if (mode === undefined) return "modes_unknown";
  return {
    id,
    short_name: toName(shown["code"]) ?? toName(line?.["code"]),
    long_name: toName(shown["name"]) ?? toName(line?.["name"]),
    mode,
    operator_id: null,
    ...toColors(shown["color"], shown["text_color"]),
  };
}
