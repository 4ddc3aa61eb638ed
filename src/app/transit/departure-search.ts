/**
 * GET /v1/departures/nearby and GET /v1/departures/{station_id}: departures of all publishers that
 * know the place, merged, in order of time (docs/design/departures.md).
 */
import { LIMITS } from "#api/limits.ts";
import type { DEPARTURES_PARAMETERS, STATION_DEPARTURES_PARAMETERS } from "#api/departures.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import { type Coverage, judgeCoverage } from "#core/coverage.ts";
import { distance_m } from "#kit/geo.ts";
import { type Notice, ofAlertCut, ofLaterCut, ofUnlookedCut } from "#core/notices.ts";
import { parseRfc3339, REPLY_MARGIN_MS } from "#kit/time.ts";
import { earliest, type MergedDeparture, type MergedEntry } from "#transit/schedule/boards.ts";
import type { LiveAlertItem } from "#transit/schedule/live-alerts.ts";
import { NEAR_M } from "#transit/schedule/merge-boards.ts";
import { transitId } from "#transit/schedule/schedule-results.ts";
import type { CallKind } from "#transit/timetable/timetable.ts";
import type { TransitStation } from "#transit/schedule/station.ts";
import type { Walks } from "#ports/walks.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { toLocalTime } from "../timezone.ts";
import type { WalkWish } from "../walk/walking.ts";
import {
  listQueried,
  type Radii,
  type Search,
  type SearchInput,
  type SearchRefusal,
  type SourceFinding,
  toReply,
} from "../search-reply.ts";
import { type DepartureMarks, toDepartureItems, toStation } from "./departure-items.ts";
import { createZoneOf, statedZone } from "./departure-zones.ts";
import { readPace, walkToStations } from "./departure-walks.ts";
import type { AccessAnswers, StationAccess } from "./station-access.ts";
import type { DepartureFinder, DepartureFinding } from "./departure-finder.ts";
import {
  type DepartureFilters,
  type GatherDeps,
  gatherDepartures,
  type Gathered,
} from "./gather-departures.ts";
import { hasLeft } from "./outermost.ts";

export type DeparturesDeps = GatherDeps & {
  /** Absent: nothing is known of ways within stations. */
  access?: StationAccess;
  /** Absent: no base has ways on foot. */
  walks?: Walks;
};

type DeparturesQuestion = Decoded<typeof DEPARTURES_PARAMETERS>;
type StationDeparturesQuestion = Decoded<typeof STATION_DEPARTURES_PARAMETERS>;
/** The id is not known here, and it costs nothing. */
export type UnknownStation = { kind: "refused"; code: "unknown_station"; message: string };

export type Departures = {
  nearby: Search<DeparturesQuestion, ReplyAt<"/v1/departures/nearby">, SearchRefusal>;
  station: Search<
    StationDeparturesQuestion,
    ReplyAt<"/v1/departures/{station_id}">,
    UnknownStation | SearchRefusal
  >;
};

const { limit_max, alerts_max, named_alerts_max, periods_max, radius_max } = LIMITS.departures;

export function createDepartures(deps: DeparturesDeps): Departures {
  return {
    async nearby(input) {
      const { question } = input;
      const { lat, lon } = question;
      const radius_m = Math.min(question.radius, radius_max);
      const found = await gatherDepartures(deps, input, {
        // Of a station on the edge also the pin that lies outside.
        circle: { lat, lon, radius_m: radius_m + NEAR_M },
        kind: "departures",
        station_id: null,
        station: null,
        from: { lat, lon },
        isHere: ({ lead }) => distance_m(lat, lon, lead.lat, lead.lon) <= radius_m,
      });
      if ("kind" in found) return found;
      return await render(deps, input, {
        found,
        at: { lat, lon },
        from: { lat, lon },
        reach_m: radius_m,
        radii: { requested_radius: question.radius, applied_radius: radius_m },
        members: { query_origin: { lat, lon }, radius: radius_m },
        wish: readPace(question),
      });
    },
    async station(input) {
      const { question } = input;
      const place = findStation(deps.finders, question.station_id);
      if (place === null) return UNKNOWN;
      const { lat, lon } = place;
      const kind: CallKind = question.arrivals ? "arrivals" : "departures";
      if (kind === "arrivals" && question.toward !== undefined) return NO_WAY_BACK;
      const found = await gatherDepartures(deps, input, {
        circle: { lat, lon, radius_m: 2 * NEAR_M },
        kind,
        station_id: question.station_id,
        station: place,
        from: null,
        isHere: ({ sources }) => sources.some((each) => transitId(each) === question.station_id),
      });
      if ("kind" in found) return found;
      const [merged] = found.stations;
      const station = merged
        ? toStation(merged)
        : { id: question.station_id, name: place.name, location: { lat, lon } };
      return await render(deps, input, {
        found,
        at: { lat, lon },
        from: null,
        reach_m: NEAR_M,
        radii: {},
        members: { station, kind },
        wish: null,
      });
    },
  };
}

const UNKNOWN: UnknownStation = {
  kind: "refused",
  code: "unknown_station",
  message: "no station has this id; ask GET /v1/departures/nearby again",
};

const NO_WAY_BACK: SearchRefusal = {
  kind: "refused",
  code: "invalid_request",
  message: "toward is of departures: of arrivals the stops that follow say nothing",
};

function findStation(finders: readonly DepartureFinder[], id: string): TransitStation | null {
  for (const finder of finders) {
    const station = finder.findStation(id);
    if (station !== null) return station;
  }
  return null;
}

function judge({ clock }: DeparturesDeps, match: Gathered, radius_m: number): Coverage {
  const { available, findings, departures } = match;
  return judgeCoverage({
    requested: listQueried(listSources(match), clock.now()),
    unserved: available.length === 0 ? ["departures"] : [],
    uncovered: available.length > 0 && findings.length === 0 ? ["the timetable data"] : [],
    unsurveyed: 0,
    found: departures.length,
    radius_m,
    radius_max,
  });
}

type Rendering<R, M> = {
  found: Gathered;
  at: { lat: number; lon: number };
  /** Where distances are measured from; null: nowhere. */
  from: { lat: number; lon: number } | null;
  reach_m: number;
  radii: R;
  members: M;
  /** Of ways on foot; null: none are asked for. */
  wish: WalkWish | null;
};

async function render<R extends Partial<Radii>, M extends object>(
  deps: DeparturesDeps,
  input: SearchInput<DepartureFilters>,
  { found, at, from, reach_m, radii, members, wish }: Rendering<R, M>,
) {
  const { question, now_ms } = input;
  const { findings, from_ms, to_ms, towards } = found;
  const coverage = judge(deps, found, reach_m);
  const limit = Math.min(question.limit, limit_max);
  const next = earliest(found.departures, limit);
  const shown = next.map((entry) => entry.read());
  const names = new Set(shown.flatMap(({ alerts }) => alerts.slice(0, named_alerts_max)));
  const time_zone = statedZone(findings, at) ?? (await deps.timezones())(at.lat, at.lon);
  const alerts = listAlerts(findings, names, time_zone);
  const access = wish === null ? undefined : await askAccess(deps, input, shown);
  const answered_ms = deps.clock.now();
  using deadline =
    wish && createDeadline(deps.clock, input.deadline_ms - REPLY_MARGIN_MS, input.signal);
  const leaving = { now_ms: answered_ms, access, ...(deadline && { signal: deadline.signal }) };
  const foot = wish && (await walkToStations(deps.walks, at, shown, { wish, ...leaving }));
  const zoneOf = createZoneOf(findings, time_zone);
  const marks = shown.map((_, i) => toMarks(next[i]!, { towards, now_ms }));
  const departures = toDepartureItems(shown, { from, zoneOf, leaveFor: foot?.leaveFor, marks });
  const ends = listEnds(found, { next, reach_m, alerts: names.size, time_zone });
  const reply = {
    question,
    applied: { limit },
    radii,
    now_ms: answered_ms,
    coverage,
    findings: listSources(found),
    shown,
    cuts: foot?.notice ? [foot.notice, ...ends] : ends,
    isFrom,
    ...(foot && { good_until_ms: foot.good_until_ms }),
  };
  return toReply(reply, {
    ...members,
    ...(foot && { walking: foot.walking }),
    window: { from: toLocalTime(time_zone, from_ms), to: toLocalTime(time_zone, to_ms) },
    local_time: toLocalTime(time_zone, now_ms),
    time_zone,
    total: found.departures.length,
    ...(towards && { unknown: { toward: countUnknown(towards) } }),
    results: { departures, alerts },
  });
}

/** How many of the departures are not known to go where they are wanted to. */
function countUnknown(towards: NonNullable<Gathered["towards"]>): number {
  return [...towards.values()].filter((toward) => toward === null).length;
}

/** What a departure says besides: whether it is gone, and where it goes of what was asked for. */
function toMarks(
  entry: MergedEntry,
  { towards, now_ms }: Pick<Gathered, "towards"> & { now_ms: number },
): DepartureMarks {
  return {
    ...(hasLeft(entry.at_ms, now_ms) && { departed: true as const }),
    ...(towards && { toward: towards.get(entry) ?? null }),
  };
}

/** What is known of ways within the stations of departures; undefined: nothing is asked of any. */
async function askAccess(
  { access, clock }: DeparturesDeps,
  { now_ms, deadline_ms, signal, keyed = false }: SearchInput<DepartureFilters>,
  departures: readonly MergedDeparture[],
): Promise<AccessAnswers | undefined> {
  const until_ms = deadline_ms - REPLY_MARGIN_MS;
  using deadline = createDeadline(clock, until_ms, signal);
  const stations = [...new Set(departures.map(({ station }) => station))];
  return await access?.(stations, { now_ms, until_ms, signal: deadline.signal, keyed });
}

/** The finders that were asked, each with the live data that it reads. */
function listSources({ findings }: Gathered): SourceFinding[] {
  return findings.flatMap(({ live, ...finding }) => [finding, ...live]);
}

type BoardPage = {
  next: readonly MergedEntry[];
  reach_m: number;
  alerts: number;
  /** Of the place. */
  time_zone: string;
};

/** Says where a list by time ends. */
function listEnds(
  { departures, findings }: Gathered,
  { next, reach_m, alerts, time_zone }: BoardPage,
): Notice[] {
  const cuts: Notice[] = [];
  const [shown, total, within_m] = [next.length, departures.length, Math.floor(reach_m)];
  const isLeast = findings.some(({ isCut }) => isCut);
  if (shown < total) {
    const until = toLocalTime(time_zone, next.at(-1)!.at_ms);
    cuts.push(ofLaterCut({ shown, total, within_m, until, isLeast }, shown < limit_max));
  }
  if (alerts > alerts_max) cuts.push(ofAlertCut({ shown: alerts_max, total: alerts, within_m }));
  if (isLeast) cuts.push(ofUnlookedCut(shown, within_m));
  return cuts;
}

/**
 * Whether a source stated a departure: a provider, one of its feeds, or the live data of one, which
 * state what is expected of it.
 */
function isFrom({ sources, speaker, realtime, alerts }: MergedDeparture, key: string): boolean {
  const [provider, feed_id, live, file] = key.split(":");
  if (live === undefined)
    return sources.some(
      (each) => each.provider === provider && (feed_id === undefined || each.feed_id === feed_id),
    );
  if (file === "alerts") return alerts.some((id) => id.startsWith(`${feed_id}:`));
  return realtime === "live" && speaker.feed_id === feed_id && file !== "vehicle_positions";
}

/** The first alerts of these ids, each once, by the clocks of a zone. */
function listAlerts(
  findings: readonly DepartureFinding[],
  ids: ReadonlySet<string>,
  time_zone: string,
): LiveAlertItem[] {
  const say = (time: string | null): string | null => {
    const at_ms = time === null ? null : parseRfc3339(time);
    return at_ms === null ? time : toLocalTime(time_zone, at_ms);
  };
  return Array.from(ids)
    .slice(0, alerts_max)
    .flatMap((id) => {
      const matches = findings.map(({ findAlert }) => findAlert(id));
      const alert = matches.find((each) => each !== null);
      if (!alert) return [];
      const periods = alert.active_periods.slice(0, periods_max);
      return {
        ...alert,
        active_periods: periods.map(({ from, to }) => ({ from: say(from), to: say(to) })),
      };
    });
}
