// Transitland's departures of one stop (interline-io/transitland-lib,
// server/rest/stop_departure_request.go and .gql): the stop, and its platforms as children.
import { liveStyleOf } from "../gtfs-rt/style.ts";
import { callHeadsign, tripHeadsign } from "../gtfs/headsigns.ts";
import { tripIdOf } from "../gtfs/ids.ts";
import { listFeeds } from "../gtfs/style.ts";
import { isRough, sequenceOf, toClock } from "../gtfs/times.ts";
import { answerJson, type Reply } from "../http.ts";
import { type BoardCall, listBoard } from "../world/transit-boards.ts";
import { lengthOf } from "../world/transit-runs.ts";
import type { World } from "../world/world.ts";
import { feedOnestopIdOf, print as printStop, printRoute, type Stop } from "./stops.ts";

export type Boards = {
  readonly world: World;
  readonly now: () => number;
  readonly stops: readonly Stop[];
  readonly query: URLSearchParams;
};

const USUAL_S = 3600;
const LIMIT = { usual: 20, most: 1000 } as const;
const MINUTE_MS = 60_000;

/** `key`: a number, a Onestop id, or the id of a feed and that of the stop in it. */
export function answerDepartures(boards: Boards, key: string): Reply {
  const { query, stops } = boards;
  const next_s = Number(query.get("next") ?? USUAL_S);
  const limit = Math.min(Number(query.get("limit") ?? LIMIT.usual), LIMIT.most);
  if (!(next_s > 0 && limit > 0)) return answerJson(500, { error: "parameter error" });
  const [feed_id, stop_id] = key.includes(":") ? splitAt(key) : [null, null];
  const matches = stops.filter((stop) =>
    feed_id === null
      ? String(stop.id) === key || stop.onestop_id === key
      : stop.row.stop_id === stop_id && feedOnestopIdOf(stop.feed.city, stop.feed.part) === feed_id,
  );
  const own = (stop: Stop): unknown[] => list(boards, stop, next_s).slice(0, limit);
  return answerJson(200, {
    stops: matches.map((stop) => ({
      ...(printStop(stop, false) as object),
      departures: own(stop),
      children: stops
        .filter(({ parent }) => parent === stop)
        .map((child) => ({ ...(printStop(child, false) as object), departures: own(child) })),
    })),
  });
}

function splitAt(key: string): [string, string] {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}

function list({ world, now }: Boards, { row, feed }: Stop, next_s: number): unknown[] {
  const { station, platform, location_type } = row;
  if (platform === null || location_type !== 0) return [];
  const own = listFeeds(world).find(({ city, part }) => city === feed.city && part === feed.part);
  if (own === undefined) return [];
  const calls = listBoard(own.timetable(), {
    part: feed.part,
    live: liveStyleOf(own) !== null,
    kind: "departures",
    from_ms: now(),
    to_ms: now() + next_s * 1000,
    now_ms: now(),
    isWanted: (other, index) => other === station && index === platform.index,
  });
  return calls.map((call) => {
    const { run, n } = call;
    const { way } = run;
    const network = own.network();
    const via = callHeadsign(network, way, { part: feed.part, style: own.style, call: n });
    return {
      ...printCall(call, now()),
      stop_headsign: via === "" ? null : via,
      timepoint: isRough(own.style, way, n) ? 0 : 1,
      trip: {
        trip_id: tripIdOf(way, run.trip, feed.part),
        trip_headsign: tripHeadsign(network, way, feed.part),
        wheelchair_accessible: { yes: 1, no: 2, unknown: 0 }[run.trip.wheelchair],
        timestamp: isSaid(call)
          ? new Date(Math.floor(now() / MINUTE_MS) * MINUTE_MS).toISOString()
          : null,
        frequencies: run.trip.repeats.map((repeat, id) => ({
          id,
          start_time: toClock(repeat.from_s),
          end_time: toClock(repeat.to_s),
          headway_secs: repeat.headway_s,
          exact_times: repeat.is_exact ? 1 : 0,
        })),
        route: printRoute(way.line, feed),
      },
    };
  });
}

const isSaid = ({ expected_ms, fate }: BoardCall): boolean => expected_ms !== null || fate !== null;

const RELATIONS = { cancelled: "CANCELED", skipped: "SKIPPED", added: "ADDED" } as const;

function printCall(call: BoardCall, now_ms: number): object {
  const { run, n, planned_ms, expected_ms, fate } = call;
  const { way } = run;
  const at_s = run.start_s + (way.departs_s[n] ?? 0);
  const relation = fate === null ? (isSaid(call) ? "SCHEDULED" : "STATIC") : RELATIONS[fate];
  const day = new Date(run.day * 86_400_000).toISOString().slice(0, 10);
  const event = {
    scheduled: toClock(at_s),
    scheduled_utc: toTime(planned_ms),
    estimated_utc: toTime(expected_ms),
    estimated_delay:
      planned_ms === null || expected_ms === null ? null : (expected_ms - planned_ms) / 1000,
  };
  return {
    stop_sequence: sequenceOf(n),
    pickup_type: 0,
    drop_off_type: 0,
    interpolated: null,
    service_date: day,
    date: new Date(now_ms).toISOString().slice(0, 10),
    departure_time: toClock(at_s),
    arrival_time: toClock(Math.min(at_s, run.start_s + lengthOf(way))),
    schedule_relationship: relation,
    departure: event,
    arrival: event,
  };
}

const toTime = (at_ms: number | null): string | null =>
  at_ms === null ? null : new Date(at_ms).toISOString().replace(".000Z", "Z");
