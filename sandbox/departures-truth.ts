// What leaves around a point as the world knows it and as each feed says it in this minute, made from
// what is meant to run and what happens to it: no file and no message is read.
import { distance, type Point } from "./geo.ts";
import { callHeadsign, tripHeadsign } from "./gtfs/headsigns.ts";
import { tripIdOf } from "./gtfs/ids.ts";
import { partsServing } from "./gtfs/parts.ts";
import { type Feed, listFeeds } from "./gtfs/style.ts";
import { isRough } from "./gtfs/times.ts";
import { type LiveStyle, liveStyleOf } from "./gtfs-rt/style.ts";
import { headerOf, listAlerts, type TransitAlert } from "./world/transit-alerts.ts";
import { type CallReport, listKnown, MOST_DELAY_S, reportOf } from "./world/transit-live.ts";
import type { TransitStation } from "./world/transit-model.ts";
import { nextOf } from "./world/transit-joints.ts";
import { isAdded, lengthOf, type Run, type Way } from "./world/transit-runs.ts";
import { nameIn, pinOf, stationIdOf } from "./world/transit-stops.ts";
import type { World } from "./world/world.ts";

export type DeparturesQuestion = {
  readonly at: Point;
  readonly radius: number;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly now_ms: number;
  /** Feeds whose live data are out of reach. */
  readonly silent: ReadonlySet<string>;
};

/** One feed's view of a departure. Times are RFC 3339; null: it does not say. */
type Seen = {
  readonly feed_id: string;
  readonly trip_id: string;
  readonly service_date: string;
  readonly headsign: string;
  readonly planned_at: string | null;
  readonly expected_at: string | null;
  readonly realtime: "live" | "planned_only" | "unknown";
  readonly status: "scheduled" | "cancelled" | "skipped" | "added";
  readonly platform: { readonly planned: string | null; readonly live: string | null } | null;
  readonly headway_seconds: number | null;
  readonly approximate: boolean;
  readonly wheelchair: "yes" | "no" | "unknown";
  /** As what the vehicle goes on, riders in it. */
  readonly continues_as: { readonly line: string; readonly headsign: string } | null;
  readonly alerts: readonly string[];
};

export type TrueDeparture = Omit<Seen, "feed_id" | "trip_id" | "service_date"> & {
  readonly station: {
    readonly name: string;
    readonly location: Point;
    readonly distance_m: number;
    /** By feed. */
    readonly ids: Readonly<Record<string, string>>;
  };
  readonly line: {
    readonly short_name: string;
    readonly long_name: string;
    readonly mode: string;
  };
  /** The first one leads. */
  readonly sources: readonly Seen[];
};

type Scene = {
  readonly feed: Feed;
  /** null: it has none, or none that can be read. */
  readonly style: LiveStyle | null;
  readonly hasLive: boolean;
  readonly minute_ms: number;
  readonly alerts: readonly TransitAlert[];
  readonly question: DeparturesQuestion;
};

const MINUTE_MS = 60_000;
const MOST_EARLY_MS = 5 * MINUTE_MS;

/** In order of time. */
export function listDepartures(world: World, question: DeparturesQuestion): TrueDeparture[] {
  const minute_ms = Math.floor(question.now_ms / MINUTE_MS) * MINUTE_MS;
  const matches = listFeeds(world)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .filter(({ city }) => distance(city, question.at) < question.radius + 10_000)
    .flatMap((feed) => listSeen(toScene(feed, question, minute_ms)));
  const groups = Map.groupBy(matches, ({ key }) => key);
  return [...groups.values()]
    .map((rows) => unite(rows, question.at))
    .toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** All alerts that the feeds near a point show in this minute. */
export function listTrueAlerts(world: World, { at, radius, now_ms, silent }: DeparturesQuestion) {
  const minute_ms = Math.floor(now_ms / MINUTE_MS) * MINUTE_MS;
  return listFeeds(world)
    .filter((feed) => distance(feed.city, at) < radius + 10_000 && !silent.has(feed.id))
    .flatMap((feed) =>
      alertsOf(feed, minute_ms).map((alert) => ({
        feed_id: feed.id,
        id: alert.id,
        cause: alert.cause,
        effect: alert.effect,
        header: headerOf(alert),
        from: toTime(alert.from_ms),
        to: toTime(alert.to_ms),
      })),
    );
}

function alertsOf(feed: Feed, minute_ms: number): TransitAlert[] {
  const files = liveStyleOf(feed)?.files ?? [];
  if (!files.includes("alerts") && !files.includes("all")) return [];
  return listAlerts(feed.timetable(), feed.part, minute_ms);
}

function toScene(feed: Feed, question: DeparturesQuestion, minute_ms: number): Scene {
  const live_style = liveStyleOf(feed);
  const style = question.silent.has(feed.id) ? null : live_style;
  const alerts = style === null ? [] : alertsOf(feed, minute_ms);
  return { feed, style, hasLive: live_style !== null, minute_ms, alerts, question };
}

type Row = {
  readonly key: string;
  readonly station: TransitStation;
  readonly way: Way;
  readonly seen: Seen;
};

function listSeen(scene: Scene): Row[] {
  const { feed, question } = scene;
  const { from_ms, to_ms, at, radius } = question;
  const timetable = feed.timetable();
  const { stations } = timetable.network;
  return timetable.ways
    .filter(({ line }) => line.parts.includes(feed.part))
    .flatMap((way) => {
      const near = way.calls.flatMap(({ station }, n) => {
        const match = stations[station];
        const isNear = match !== undefined && distance(match, at) <= radius;
        const isLeft = n < way.calls.length - 1 && n !== way.no_pickup;
        return isNear && isLeft ? [{ station: match, n }] : [];
      });
      if (near.length === 0) return [];
      const first_ms = from_ms - (lengthOf(way) + MOST_DELAY_S) * 1000;
      const runs = listKnown(timetable, way, feed.part, first_ms, to_ms + MOST_EARLY_MS);
      return runs.flatMap((run) => {
        const spoken = speak(scene, run);
        return near.flatMap(({ station, n }): Row[] => {
          const seen = seeCall(scene, run, spoken, { station, n });
          return seen === null ? [] : [{ key: keyOf(run, n), station, way, seen }];
        });
      });
    });
}

/** The same run at the same call, in whichever feed. */
const keyOf = ({ way, trip, day, start_s }: Run, n: number): string =>
  [way.line.key, way.back, trip.index, day, start_s, n].join("/");

type Spoken = ReturnType<typeof reportOf>;

function speak({ feed, style, minute_ms }: Scene, run: Run): Spoken {
  if (style === null) return null;
  const { part } = feed;
  return reportOf(run, feed.network(), { part, drops: style.drops }, minute_ms);
}

type Place = { readonly station: TransitStation; readonly n: number };

/** null: the feed does not list it in this time. */
function seeCall(scene: Scene, run: Run, spoken: Spoken, place: Place): Seen | null {
  const { feed, question, hasLive } = scene;
  const { way, trip, start_ms, headway_s } = run;
  const { n, station } = place;
  const added = isAdded(run);
  if (added && spoken === null) return null;
  const call: CallReport = spoken?.cancelled
    ? { kind: "silent" }
    : (spoken?.calls[n] ?? { kind: "silent" });
  const planned_ms = start_ms + (way.departs_s[n] ?? 0) * 1000;
  const expected_ms = call.kind === "given" ? planned_ms + call.delay_s * 1000 : null;
  // An added run has no plan: without a time of its own it is not there.
  if (added && expected_ms === null) return null;
  const time_ms = expected_ms ?? planned_ms;
  if (time_ms < question.from_ms || time_ms >= question.to_ms) return null;
  const isSaid = spoken?.cancelled === true || call.kind === "given" || call.kind === "skipped";
  const { part, style } = feed;
  const own = callHeadsign(feed.network(), way, { part, style, call: n });
  const isPromised = headway_s !== null || !hasLive;
  return {
    feed_id: feed.id,
    trip_id: tripIdOf(way, trip, part),
    service_date: new Date(run.day * 86_400_000).toISOString().slice(0, 10),
    headsign: own === "" || added ? tripHeadsign(feed.network(), way, part) : own,
    planned_at: added ? null : toTime(planned_ms),
    expected_at: toTime(expected_ms),
    realtime: isSaid ? "live" : isPromised ? "planned_only" : "unknown",
    status: statusOf(spoken, call, added),
    platform: platformOf(station, run, n, call),
    headway_seconds: headway_s,
    approximate: !added && (headway_s !== null || isRough(style, way, n)),
    wheelchair: trip.wheelchair,
    continues_as: added || spoken?.cancelled ? null : seeNext(scene, run),
    alerts: alertsAt(scene, run, station),
  };
}

/** null where the next run does not take place, or is not of this feed. */
function seeNext(scene: Scene, run: Run): Seen["continues_as"] {
  const { feed } = scene;
  const next = nextOf(feed.timetable(), run);
  if (next === null || speak(scene, next)?.cancelled) return null;
  const { way } = next;
  const { part, style } = feed;
  if (!way.line.parts.includes(part)) return null;
  const own = callHeadsign(feed.network(), way, { part, style, call: 0 });
  const headsign = own === "" ? tripHeadsign(feed.network(), way, part) : own;
  return { line: way.line.short_name || way.line.long_name, headsign };
}

function statusOf(spoken: Spoken, call: CallReport, added: boolean): Seen["status"] {
  if (spoken?.cancelled) return "cancelled";
  if (call.kind === "skipped") return "skipped";
  return added ? "added" : "scheduled";
}

/** Poles have no signs. */
function platformOf(station: TransitStation, run: Run, n: number, call: CallReport) {
  const codeOf = (platform: number | null | undefined): string | null =>
    station.platforms[platform ?? -1]?.code || null;
  const code = codeOf(run.way.calls[n]?.platform);
  const other = call.kind === "given" ? codeOf(call.platform) : null;
  const seen = isAdded(run)
    ? { planned: null, live: other ?? code }
    : { planned: code, live: other };
  return seen.planned === null && seen.live === null ? null : seen;
}

/** Those that hold now. */
function alertsAt({ alerts, question }: Scene, { way }: Run, station: TransitStation): string[] {
  const { now_ms } = question;
  return alerts
    .filter(({ line }) => line === null || line.index === way.line.index)
    .filter((alert) => alert.station === null || alert.station.index === station.index)
    .filter(({ from_ms, to_ms }) => (from_ms ?? 0) <= now_ms && now_ms < (to_ms ?? Infinity))
    .map(({ id }) => id)
    .toSorted();
}

/** The first that is live says what happens; the leading one says the rest. */
function unite(rows: readonly Row[], at: Point): TrueDeparture {
  const [lead] = rows;
  if (lead === undefined) throw new Error("a departure that no feed lists");
  const { station, way } = lead;
  const sources = rows.map(({ seen }) => seen);
  const live = sources.find(({ realtime }) => realtime === "live") ?? lead.seen;
  const { short_name, long_name, mode } = way.line;
  const { feed_id: _, trip_id: __, service_date: ___, ...seen } = lead.seen;
  const pin = pinOf(station, partsServing(station)[0] ?? 0);
  return {
    ...seen,
    expected_at: live.expected_at,
    realtime: live.realtime,
    status: live.status,
    platform: live.platform ?? seen.platform,
    continues_as: sources.find((each) => each.continues_as !== null)?.continues_as ?? null,
    alerts: sources.flatMap(({ feed_id, alerts }) => alerts.map((id) => `${feed_id}:${id}`)),
    station: {
      name: nameIn(station, partsServing(station)[0] ?? 0),
      location: { lat: pin.lat, lon: pin.lon },
      distance_m: distance(station, at),
      ids: idsOf(station),
    },
    line: { short_name, long_name, mode },
    sources,
  };
}

const idsOf = (station: TransitStation): Record<string, string> =>
  Object.fromEntries(
    partsServing(station).map((part) => [
      part === 0 ? station.city.id : `${station.city.id}-rail`,
      stationIdOf(station, part),
    ]),
  );

const timeOf = ({ expected_at, planned_at }: TrueDeparture): number =>
  Date.parse(expected_at ?? planned_at ?? "");

function toTime(at_ms: number | null): string | null {
  return at_ms === null ? null : new Date(at_ms).toISOString().replace(".000Z", "Z");
}
