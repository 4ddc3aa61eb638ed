/**
 * GET /v1/departures/nearby and GET /v1/departures/{station_id}: departures of all publishers that
 * know the place, merged, in order of time (docs/design/departures.md).
 */
import { LIMITS } from "#contract/limits.ts";
import type { DEPARTURES_PARAMETERS, STATION_DEPARTURES_PARAMETERS } from "#contract/departures.ts";
import type { Decoded } from "#contract/primitives.ts";
import { type AskedSource, type Coverage, judgeCoverage } from "#core/coverage.ts";
import { distance_m } from "#core/geo.ts";
import { hash32 } from "#core/ids.ts";
import { type Notice, ofAlertCut, ofLaterCut } from "#core/notices.ts";
import { createTimestamps, REPLY_MARGIN_MS, toRfc3339 } from "#core/time.ts";
import {
  type Board,
  mergeBoards,
  type MergedDeparture,
  type MergedEntry,
  nameOf,
} from "#core/transit/boards.ts";
import type { LiveAlertItem } from "#core/transit/live-alerts.ts";
import { type MergedStation, NEAR_M } from "#core/transit/merge.ts";
import { transitId } from "#core/transit/results.ts";
import type { CallKind } from "#core/transit/timetable/timetable.ts";
import type { TransitRoute, TransitStation } from "#core/transit/station.ts";
import type { Clock } from "#ports.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { type FindTimezone, toLocalTime } from "../timezone.ts";
import {
  listAsked,
  remaining_s,
  type Search,
  type SearchInput,
  type SearchReply,
  type SourceFinding,
} from "../search.ts";
import type { DepartureFinder, DepartureFinding, DepartureQuestion } from "./departure-finder.ts";

export type DeparturesDeps = {
  finders: readonly DepartureFinder[];
  clock: Clock;
  timezones: () => Promise<FindTimezone>;
};

type DeparturesQuestion = Decoded<typeof DEPARTURES_PARAMETERS>;
type StationDeparturesQuestion = Decoded<typeof STATION_DEPARTURES_PARAMETERS>;
/** The id is not known here, and it costs nothing. */
export type UnknownStation = { kind: "refused"; code: "unknown_station"; message: string };

export type Departures = {
  nearby: Search<DeparturesQuestion>;
  station: Search<StationDeparturesQuestion, UnknownStation>;
};

const { within_max, limit_max, alerts_max, radius_max } = LIMITS.departures;
const MINUTE_MS = 60_000;
const PREFIX = "svc_departure_";

export function createDepartures(deps: DeparturesDeps): Departures {
  return {
    async nearby(input) {
      const { question } = input;
      const { lat, lon } = question;
      const radius_m = Math.min(question.radius, radius_max);
      const found = await gather(deps, input, {
        // Of a station on the edge also the pin that lies outside.
        circle: { lat, lon, radius_m: radius_m + NEAR_M },
        kind: "departures",
        station_id: null,
        station: null,
        isWanted: ({ lead }) => distance_m(lat, lon, lead.lat, lead.lon) <= radius_m,
      });
      const coverage = judge(deps, found, radius_m);
      return await toReply(deps, input, {
        found,
        coverage,
        at: { lat, lon },
        from: { lat, lon },
        members: { query_origin: { lat, lon }, radius: radius_m },
      });
    },
    async station(input) {
      const { question } = input;
      const place = findStation(deps.finders, question.station_id);
      if (place === null) return UNKNOWN;
      const { lat, lon } = place;
      const kind: CallKind = question.arrivals ? "arrivals" : "departures";
      let shown = { id: question.station_id, name: place.name, location: { lat, lon } };
      const found = await gather(deps, input, {
        circle: { lat, lon, radius_m: 2 * NEAR_M },
        kind,
        station_id: question.station_id,
        station: place,
        isWanted: (station) => {
          if (!station.sources.some((source) => transitId(source) === question.station_id))
            return false;
          const { lead, name } = station;
          const location = { lat: lead.lat, lon: lead.lon };
          shown = { id: transitId(lead.source), name, location };
          return true;
        },
      });
      const coverage = judge(deps, found, NEAR_M);
      return await toReply(deps, input, {
        found,
        coverage,
        at: { lat, lon },
        from: null,
        members: { station: shown, kind },
      });
    },
  };
}

const UNKNOWN: UnknownStation = {
  kind: "refused",
  code: "unknown_station",
  message: "no station has this id; ask GET /v1/departures/nearby again",
};

function findStation(finders: readonly DepartureFinder[], id: string): TransitStation | null {
  for (const finder of finders) {
    const found = finder.findStation(id);
    if (found !== null) return found;
  }
  return null;
}

type Filters = Pick<
  DeparturesQuestion,
  "modes" | "lines" | "within" | "limit" | "language" | "debug"
>;
type Wish = Pick<DepartureQuestion, "circle" | "kind"> & {
  isWanted: (station: MergedDeparture["station"]) => boolean;
  station_id: string | null;
  /** The station of that id, as its source describes it; null: none is asked for. */
  station: TransitStation | null;
};
type Gathered = {
  there: readonly DepartureFinder[];
  findings: readonly DepartureFinding[];
  departures: readonly MergedEntry[];
  from_ms: number;
  to_ms: number;
};

async function gather(
  { finders, clock }: DeparturesDeps,
  input: SearchInput<Filters>,
  { circle, kind, station_id, station, isWanted }: Wish,
): Promise<Gathered> {
  const { question, now_ms, deadline_ms, keyed = false } = input;
  const there = finders.filter((finder) => finder.isThere());
  const until_ms = deadline_ms - REPLY_MARGIN_MS;
  using deadline = createDeadline(clock, until_ms, input.signal);
  // What leaves in this minute has not left.
  const from_ms = Math.floor(now_ms / MINUTE_MS) * MINUTE_MS;
  const end_ms = now_ms + Math.min(question.within, within_max) * MINUTE_MS;
  // Departures are whole seconds, and so is the window.
  const to_ms = Math.ceil(end_ms / 1_000) * 1_000;
  const { signal } = deadline;
  const language = question.language ?? null;
  const asking: DepartureQuestion = {
    circle,
    kind,
    station_id,
    from_ms,
    to_ms,
    language,
    now_ms,
    until_ms,
    signal,
    keyed,
    freshness: null,
  };
  const findings: DepartureFinding[] = [];
  const fits = toFilter(question);
  let departures: readonly MergedEntry[] = [];
  // Own feeds answer from memory; another is asked where they have nothing.
  for (const finder of there.filter((each) => each.covers(asking))) {
    findings.push(await finder.find(asking));
    const publishers = findings.flatMap((finding) => finding.publishers);
    const named = station ? toNamed(station, publishers) : [];
    const merged = mergeBoards([...publishers, named]);
    const wanted = new Set(
      [...new Set(merged.map((entry) => entry.station))].filter((each) => isWanted(each)),
    );
    departures = merged.filter((entry) => wanted.has(entry.station));
    // A station that this source knows itself needs no other.
    const isKnown = station !== null && named.length === 0;
    const isEnough = station ? isKnown || departures.length > 0 : publishers.length > 0;
    if (signal.aborted || isEnough) break;
  }
  return { there, findings, departures: departures.filter(fits), from_ms, to_ms };
}

/** The station that is asked for, which another source may describe than the one that knows its departures. */
function toNamed(station: TransitStation, publishers: readonly (readonly Board[])[]): Board[] {
  const { provider, feed_id, source_id } = station.source;
  const isThere = publishers
    .flat()
    .some(
      ({ station: { source } }) =>
        source.provider === provider &&
        source.feed_id === feed_id &&
        source.source_id === source_id,
    );
  return isThere ? [] : [{ station, departures: [] }];
}

function toFilter({ modes, lines }: Filters): (departure: MergedEntry) => boolean {
  const names = lines && new Set(lines.split(",").map((line) => line.trim().toLowerCase()));
  return (departure) =>
    (!modes || modes.includes(departure.route.mode)) && (!names || names.has(nameOf(departure)));
}

function judge({ clock }: DeparturesDeps, found: Gathered, radius_m: number): Coverage {
  const { there, findings, departures } = found;
  const all = findings.flatMap(({ live, ...finding }): SourceFinding[] => [finding, ...live]);
  const asked: AskedSource[] = listAsked(all, clock.now());
  return judgeCoverage({
    asked,
    unserved: there.length === 0 ? ["departures"] : [],
    uncovered: there.length > 0 && findings.length === 0 ? ["the timetable data"] : [],
    unsurveyed: 0,
    found: departures.length,
    radius_m,
    radius_max,
  });
}

type Rendering = {
  found: Gathered;
  coverage: Coverage;
  at: { lat: number; lon: number };
  /** Where distances are measured from; null: nowhere. */
  from: { lat: number; lon: number } | null;
  members: object;
};

async function toReply(
  { clock, timezones }: DeparturesDeps,
  { question, now_ms }: SearchInput<Filters>,
  { found, coverage, at, from, members }: Rendering,
): Promise<SearchReply> {
  const { departures, findings, from_ms, to_ms } = found;
  const limit = Math.min(question.limit, limit_max);
  const shown = departures.slice(0, limit).map((entry) => entry.read());
  const named = alertsOf(findings, shown);
  const alerts = named.slice(0, alerts_max);
  const notices = [...coverage.notices, ...listCuts(found, limit, named.length)];
  const time_zone = (await timezones())(at.lat, at.lon);
  const complete = coverage.status !== "partial" && !question.debug;
  const sources = findings.flatMap(({ live, ...finding }): SourceFinding[] => [finding, ...live]);
  return {
    body: {
      status: coverage.status,
      ...(coverage.message === null ? {} : { message: coverage.message }),
      ...(notices.length === 0 ? {} : { notices }),
      ...members,
      window: { from: toRfc3339(from_ms / 1_000), to: toRfc3339(to_ms / 1_000) },
      local_time: toLocalTime(time_zone, now_ms),
      time_zone,
      total: departures.length,
      results: { departures: toItems(shown, from), alerts },
      ...(question.debug ? { debug: toDebug(sources, question, shown.length) } : {}),
    },
    max_age_s: complete ? remaining_s(sources, clock.now()) : null,
    metered: {
      void: coverage.status === "partial" && shown.length === 0,
      objects: shown.length,
      maps_categories: 0,
    },
  };
}

function listCuts({ departures, findings }: Gathered, limit: number, alerts: number): Notice[] {
  const cuts: Notice[] = [];
  const total = departures.length;
  if (limit < total) {
    const last_ms = departures[limit - 1]!.at_ms;
    cuts.push(ofLaterCut({ shown: limit, total, last_ms }, limit < limit_max));
  }
  if (alerts > alerts_max) cuts.push(ofAlertCut(alerts_max, alerts));
  if (findings.some(({ isCut }) => isCut)) cuts.push(ofLaterCut(null, false));
  return cuts;
}

/** The alerts about what is shown, each once. */
function alertsOf(
  findings: readonly DepartureFinding[],
  shown: readonly MergedDeparture[],
): LiveAlertItem[] {
  const named = new Set(shown.flatMap(({ alerts }) => alerts));
  const found = Array.from(named, (id) =>
    findings.map(({ findAlert }) => findAlert(id)).find((alert) => alert !== null),
  );
  return found.filter((alert) => alert !== undefined);
}

/** Stations and times are written once, since most are those of several departures. */
function toItems(
  shown: readonly MergedDeparture[],
  from: { lat: number; lon: number } | null,
): object[] {
  const toTimestamp = createTimestamps();
  const stations = new Map(
    [...new Set(shown.map(({ station }) => station))].map((each) => [each, toStation(each, from)]),
  );
  return shown.map((each) => toItem(each, stations.get(each.station)!, toTimestamp));
}

function toStation(
  { lead, name }: MergedStation,
  from: { lat: number; lon: number } | null,
): object {
  const { lat, lon } = lead;
  const away = from && Math.floor(distance_m(from.lat, from.lon, lat, lon) + 0.5);
  return { id: transitId(lead.source), name, location: { lat, lon }, distance_meters: away };
}

function toItem(
  departure: MergedDeparture,
  station: object,
  toTimestamp: (epoch_s: number) => string,
): object {
  const say = (at_ms: number | null): string | null =>
    at_ms === null ? null : toTimestamp(Math.floor(at_ms / 1_000));
  const { route, planned_ms, expected_ms, observed_ms, headway_s, sources } = departure;
  const { continues } = departure;
  const isBoth = planned_ms !== null && expected_ms !== null;
  return {
    id: PREFIX + hash32(departure.key),
    station,
    platform: departure.platform,
    line: toLine(route, sources[0]!.feed_id ?? sources[0]!.provider),
    operator: departure.operator,
    headsign: departure.headsign,
    planned_at: say(planned_ms),
    expected_at: say(expected_ms),
    delay_seconds: isBoth ? Math.round((expected_ms - planned_ms) / 1000) : null,
    realtime: departure.realtime,
    status: departure.status,
    ...(headway_s === null ? {} : { headway_seconds: headway_s }),
    ...(departure.approximate ? { approximate: true } : {}),
    wheelchair: departure.wheelchair,
    continues_as: continues && {
      line: toLine(continues.route, continues.feed_id),
      headsign: continues.headsign,
    },
    alerts: departure.alerts,
    observed_at: say(observed_ms),
    sources,
  };
}

function toLine(route: TransitRoute, publisher: string): object {
  const { id, short_name, long_name, mode, color, text_color } = route;
  return {
    id: `${publisher}:${id}`,
    short_name,
    long_name,
    mode,
    ...(color && { color }),
    ...(text_color && { text_color }),
  };
}

function toDebug(findings: readonly SourceFinding[], { limit }: Filters, returned: number): object {
  const providers = findings.map(({ key, status, raw, reason }) => [
    key,
    { status, raw_count: raw, returned_count: returned, ...(reason ? { reason } : {}) },
  ]);
  return {
    providers: Object.fromEntries(providers) as object,
    provider_calls: findings.reduce((sum, { calls }) => sum + calls, 0),
    requested_limit: limit,
    applied_limit: Math.min(limit, limit_max),
  };
}
