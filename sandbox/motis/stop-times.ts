// MOTIS stop times: /upstreams/motis/api/v6/stoptimes (motis-project/motis, openapi.yaml and
// src/endpoints/stop_times.cc): the next ones around a point or of a station, to the end of the minute.
import { distance, type Point } from "../geo.ts";
import { liveStyleOf } from "../gtfs-rt/style.ts";
import { tripHeadsign } from "../gtfs/headsigns.ts";
import { routeIdOf, tripIdOf } from "../gtfs/ids.ts";
import type { Feed } from "../gtfs/style.ts";
import { answerJson, type Reply } from "../http.ts";
import { type BoardCall, type BoardWish, listBoard, timeOf } from "../world/transit-boards.ts";
import { nameIn, pinOf, platformIdOf, stationIdOf } from "../world/transit-stops.ts";
import type { TransitStation } from "../world/transit-model.ts";

export type TaggedFeed = { readonly feed: Feed; readonly tag: string };
export type StopTimes = {
  readonly feeds: readonly TaggedFeed[];
  readonly now: () => number;
  readonly query: URLSearchParams;
  wordOf(line: BoardCall["run"]["way"]["line"]): string;
  pointIn(text: string | null): Point | null;
};

/** As servers are set up: n is less than this. */
const MOST = 256;
/** How far it looks. */
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export function answerStopTimes(times: StopTimes): Reply {
  const { query, now, feeds } = times;
  const count = Number(query.get("n") ?? Number.NaN);
  if (!(count > 0)) return answerJson(400, { error: "n is required" });
  if (count >= MOST) return answerJson(422, { error: `n=${count} > ${MOST} not allowed` });
  const isWanted = placeIn(times);
  if (isWanted === null) return answerJson(404, { error: "no such stop" });
  const from_ms = query.has("time") ? Date.parse(query.get("time")!) : now();
  if (Number.isNaN(from_ms)) return answerJson(400, { error: "time" });
  const kind = query.get("arriveBy") === "true" ? "arrivals" : "departures";
  // Of arrivals it lists those before, unless it is said otherwise.
  const direction = query.get("direction") ?? (kind === "arrivals" ? "EARLIER" : "LATER");
  if (direction !== "LATER") return answerJson(200, { stopTimes: [], nextPageCursor: "" });
  const matches = feeds.flatMap((own) =>
    listBoard(own.feed.timetable(), {
      part: own.feed.part,
      live: liveStyleOf(own.feed) !== null,
      kind,
      from_ms,
      to_ms: from_ms + DAY_MS,
      now_ms: now(),
      isWanted: isWanted(own),
    }).map((call) => ({ own, call })),
  );
  const ordered = matches.toSorted((a, b) => timeOf(a.call) - timeOf(b.call));
  const last = ordered[Math.min(count, ordered.length) - 1];
  const end_ms = last ? (Math.floor(timeOf(last.call) / MINUTE_MS) + 1) * MINUTE_MS : 0;
  const page = ordered.filter(({ call }) => timeOf(call) < end_ms);
  return answerJson(200, {
    stopTimes: page.map(({ own, call }) => print(times, own, call)),
    previousPageCursor: page.length === 0 ? "" : `EARLIER|${from_ms / 1000}`,
    nextPageCursor: page.length === 0 ? "" : `LATER|${end_ms / 1000}`,
  });
}

/** null: no stop is asked about, or none that exists. */
function placeIn({
  query,
  feeds,
  pointIn,
}: StopTimes): ((own: TaggedFeed) => BoardWish["isWanted"]) | null {
  const stop_id = query.get("stopId");
  if (stop_id === null) {
    const [center, radius] = [pointIn(query.get("center")), Number(query.get("radius"))];
    if (center === null || !(radius > 0)) return null;
    const near = (station: TransitStation): boolean => distance(center, station) <= radius;
    return () => near;
  }
  const idOf = ({ feed, tag }: TaggedFeed, station: TransitStation): string =>
    `${tag}_${stationIdOf(station, feed.part)}`;
  const exists = feeds.some((feed) =>
    feed.feed.network().stations.some((station) => idOf(feed, station) === stop_id),
  );
  return exists ? (own) => (station) => idOf(own, station) === stop_id : null;
}

function print({ wordOf }: StopTimes, { feed, tag }: TaggedFeed, call: BoardCall): unknown {
  const { run, station, planned_ms, expected_ms, fate } = call;
  const { way, trip } = run;
  const { line } = way;
  const isLive = expected_ms !== null || fate !== null;
  const planned = toTime(planned_ms ?? expected_ms);
  const current = toTime(expected_ms ?? planned_ms);
  const isOff = fate === "cancelled" || fate === "skipped";
  return {
    place: {
      ...printPlace(feed, tag, call),
      departure: current,
      scheduledDeparture: planned,
      arrival: current,
      scheduledArrival: planned,
      ...tracksOf(station, call),
    },
    mode: wordOf(line),
    realTime: isLive,
    headsign: tripHeadsign(feed.network(), way, feed.part),
    agencyId: line.operator.id,
    agencyName: line.operator.name,
    agencyUrl: line.operator.url,
    routeId: `${tag}_${routeIdOf(line)}`,
    directionId: way.back ? "1" : "0",
    routeColor: line.color,
    routeTextColor: line.text_color,
    tripId: `${run.day}_${run.start_s}_${tag}_${tripIdOf(way, trip, feed.part)}`,
    routeType: line.route_type,
    routeShortName: line.short_name,
    routeLongName: line.long_name,
    tripShortName: "",
    displayName: line.short_name || line.long_name,
    pickupDropoffType: isOff ? "NOT_ALLOWED" : "NORMAL",
    cancelled: isOff,
    tripCancelled: fate === "cancelled",
    source: "stop_times.txt:1",
  };
}

function printPlace(feed: Feed, tag: string, { station, platform }: BoardCall): object {
  const { part, city } = feed;
  const { lat, lon } =
    station.form === "pole" ? pinOf(station, part) : (station.platforms[platform] ?? station);
  return {
    name: nameIn(station, part),
    stopId: `${tag}_${platformIdOf(station, part, platform)}`,
    ...(station.form === "pole" ? {} : { parentId: `${tag}_${stationIdOf(station, part)}` }),
    lat,
    lon,
    level: 0,
    tz: city.timezone,
    vertexType: "TRANSIT",
  };
}

function tracksOf({ platforms }: TransitStation, { platform, moved_to }: BoardCall): object {
  const planned = platforms[platform]?.code ?? "";
  const current = platforms[moved_to ?? platform]?.code ?? "";
  return {
    ...(planned === "" ? {} : { scheduledTrack: planned }),
    ...(current === "" ? {} : { track: current }),
  };
}

const toTime = (at_ms: number | null): string =>
  new Date(at_ms ?? 0).toISOString().replace(".000Z", "Z");
