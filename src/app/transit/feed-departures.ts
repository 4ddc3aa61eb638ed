/** Departures of the deployment's own feeds: from memory, with the newest of their live data. */
import type { Board, BoardEntry, FoundDeparture } from "#core/transit/boards.ts";
import { type Departure, findDepartures, type FoundCall } from "#core/transit/departures.ts";
import type { LiveAlertItem } from "#core/transit/live-alerts.ts";
import type { TransitRoute } from "#core/transit/station.ts";
import type { OpenFeed } from "#core/transit/feed-pack.ts";
import type { LiveAlert, LiveText } from "#core/transit/live/model.ts";
import type { LiveTable } from "#core/transit/live/table.ts";
import { DAY_MS, toRfc3339 } from "#core/time.ts";
import type { SourceFinding } from "../search.ts";
import type { DepartureFinder, DepartureQuestion } from "./departure-finder.ts";
import { type HeldFeed, touches } from "./finders.ts";
import type { LiveState } from "./live.ts";

/** Answers of a timetable alone change with the minute. */
const FRESH_MS = 15_000;

/** Nearest station beyond which a timetable says nothing of a place, metres. */
const REACH_M = 10_000;

type Read = {
  boards: readonly Board[];
  findAlert(id: string): LiveAlertItem | null;
  /** The live data of the feed, and the timetable itself where it cannot answer. */
  live: readonly SourceFinding[];
  isCut: boolean;
};

export function feedDepartures(list: () => readonly HeldFeed[]): DepartureFinder {
  return {
    provider: "gtfs",
    isThere: () => list().length > 0,
    covers: ({ circle }) => list().some((held) => touches(held, circle)),
    async find(question) {
      const near = list().filter((held) => touches(held, question.circle));
      const missing = near.find(({ feed }) => feed === null);
      const name = missing ? `the timetable ${missing.feed_id}` : "the timetable data";
      const ordered = near.toSorted((a, b) => (a.feed_id < b.feed_id ? -1 : 1));
      const read = await Promise.all(ordered.map((held) => readFeed(held, question)));
      const { now_ms } = question;
      const publishers = read.map(({ boards }) => boards).filter((boards) => boards.length > 0);
      const isSilent = publishers.length === 0 && read.every(({ live }) => live.length === 0);
      return {
        key: "gtfs",
        name,
        publishers,
        // No station near is an answer where the timetable is at home, and none elsewhere.
        uncovered: isSilent && !ordered.some(({ feed }) => isAtHome(feed, question)),
        findAlert: (id) => read.map((each) => each.findAlert(id)).find(Boolean) ?? null,
        live: read.flatMap(({ live }) => live),
        isCut: read.some(({ isCut }) => isCut),
        raw: read.reduce((sum, { boards }) => sum + countOf(boards), 0),
        ...(missing
          ? { status: "unavailable", reason: missing.failure ?? "not_loaded", good_until_ms: null }
          : { status: "ok", reason: null, good_until_ms: now_ms + FRESH_MS }),
        calls: 0,
        cache: "hit",
      };
    },
    findStation(id) {
      for (const { feed } of list()) {
        const row = feed?.findPublic(id) ?? null;
        if (row !== null) return feed!.station(row);
      }
      return null;
    },
  };
}

function countOf(boards: readonly Board[]): number {
  return boards.reduce((sum, { departures }) => sum + departures.length, 0);
}

async function readFeed(held: HeldFeed, question: DepartureQuestion): Promise<Read> {
  const { feed, live } = held;
  const { lat, lon, radius_m } = question.circle;
  const rows = feed?.timetable ? feed.search(lat, lon, radius_m).map(({ row }) => row) : [];
  if (feed === null || rows.length === 0)
    return { boards: [], findAlert: () => null, live: [], isCut: false };
  const { now_ms, until_ms, signal, kind, from_ms, to_ms } = question;
  const problem = problemOf(feed, question);
  if (problem !== null)
    return { boards: [], findAlert: () => null, live: [toBroken(held, problem)], isCut: false };
  const state = live && (await live.refresh({ now_ms, until_ms, signal }));
  const table = state ? tableFor(held, state) : undefined;
  const max_age_s = live?.max_age_s ?? 0;
  let isCut = false;
  const boards = rows.map((station): Board => {
    const query = { station, kind, from_ms, to_ms, now_ms, max_age_s };
    const found = findDepartures(feed, table, query) ?? NONE_KNOWN;
    isCut ||= found.cut;
    return {
      station: feed.station(station),
      departures: found.calls.flatMap((call) => toEntry(feed, call) ?? []),
    };
  });
  return {
    boards,
    findAlert: (id) => (table ? findAlert(table, id, { feed_id: held.feed_id, question }) : null),
    live: state ? toFindings(held, state) : [],
    isCut,
  };
}

/** Why a timetable with stations here cannot say what leaves; null: it can. */
function problemOf({ timetable }: OpenFeed, { from_ms, to_ms }: DepartureQuestion): string | null {
  const { days, max_time_s } = timetable!.meta;
  const [first_ms, last_ms] = (days ?? []).map((day) => timetable!.dayStart_ms(day));
  if (first_ms === undefined || last_ms === undefined) return "outdated";
  if (first_ms === null || last_ms === null) return "wrong_shape";
  const end_ms = last_ms + Math.max(DAY_MS, max_time_s * 1_000);
  return to_ms <= first_ms || from_ms >= end_ms ? "outdated" : null;
}

function toBroken({ feed_id }: HeldFeed, reason: string): SourceFinding {
  return {
    key: `gtfs:${feed_id}`,
    name: `the timetable ${feed_id}`,
    status: "error",
    reason,
    raw: 0,
    calls: 0,
    cache: "hit",
    good_until_ms: null,
  };
}

function isAtHome(feed: OpenFeed | null, { circle: { lat, lon } }: DepartureQuestion): boolean {
  return feed !== null && feed.search(lat, lon, REACH_M).length > 0;
}

/** null where the timetable has been replaced while its live data were awaited. */
function tableFor({ version }: HeldFeed, state: LiveState): LiveTable | null {
  return state.version === version ? state.table : null;
}

const NONE_KNOWN = { calls: [], cut: false };

/** null: of a line that the feed does not name, which cannot be shown. */
function toEntry(feed: OpenFeed, call: FoundCall): BoardEntry | null {
  const { route: place, planned_ms, expected_ms, realtime, status } = call;
  const route = place === null ? undefined : feed.meta.routes[place];
  if (route === undefined) return null;
  const read = (): FoundDeparture => toFound(feed, route, call.read());
  return { route, planned_ms, expected_ms, realtime, status, read };
}

function toFound({ meta }: OpenFeed, route: TransitRoute, departure: Departure): FoundDeparture {
  const { trip_id, day, start_s, stop_id, planned_ms, expected_ms, status, realtime } = departure;
  const { observed_s, headsign, platform, headway_s, approximate, wheelchair, alerts } = departure;
  const { feed_id } = meta;
  return {
    source: {
      provider: "gtfs",
      feed_id,
      trip_id,
      service_date: day === null ? null : new Date(day * DAY_MS).toISOString().slice(0, 10),
    },
    key: JSON.stringify(["gtfs", feed_id, trip_id, day, start_s, stop_id, planned_ms]),
    route,
    operator: meta.operators.find(({ id }) => id === route.operator_id) ?? null,
    headsign,
    planned_ms,
    expected_ms,
    realtime,
    status,
    platform,
    headway_s,
    approximate,
    wheelchair,
    continues: toContinues(meta, departure),
    alerts: alerts.map((id) => toAlertId(feed_id, id)),
    observed_ms: observed_s === null ? null : observed_s * 1_000,
  };
}

function toContinues(
  { routes, feed_id }: OpenFeed["meta"],
  { continues }: Departure,
): FoundDeparture["continues"] {
  const route = continues && routes[continues.route];
  return route ? { feed_id, route, headsign: continues.headsign } : null;
}

/** Ids of alerts are the feed's own. */
function toAlertId(feed_id: string, id: string): string {
  return `${feed_id}:${id}`;
}

/** An alert in the language that is wanted, else in the first. */
function findAlert(
  table: LiveTable,
  id: string,
  { feed_id, question }: { feed_id: string; question: DepartureQuestion },
): LiveAlertItem | null {
  const prefix = toAlertId(feed_id, "");
  const alert = id.startsWith(prefix) ? table.findAlert(id.slice(prefix.length)) : null;
  return alert && toAlertItem(alert, id, { feed_id, language: question.language });
}

function toAlertItem(
  alert: LiveAlert,
  id: string,
  { feed_id, language }: { feed_id: string; language: string | null },
): LiveAlertItem {
  const say = (texts: readonly LiveText[]): string | null => pickText(texts, language);
  const toTime = (s: number | null): string | null => (s === null ? null : toRfc3339(s));
  return {
    id,
    feed_id,
    cause: alert.cause,
    effect: alert.effect,
    header: say(alert.header),
    description: say(alert.description),
    url: say(alert.url),
    active_periods: alert.periods.map(({ from_s, to_s }) => ({
      from: toTime(from_s),
      to: toTime(to_s),
    })),
  };
}

function pickText(texts: readonly LiveText[], language: string | null): string | null {
  const wanted = language?.slice(0, 2).toLowerCase();
  const own = texts.find((each) => each.language?.slice(0, 2).toLowerCase() === wanted);
  return (own ?? texts[0])?.text ?? null;
}

/** The live data as a whole, and each of its files that fails alone. */
function toFindings({ feed_id }: HeldFeed, state: LiveState): SourceFinding[] {
  const { problems, good_until_ms, table } = state;
  const whole: SourceFinding = {
    key: `gtfs:${feed_id}:realtime`,
    name: `the live data of ${feed_id}`,
    status: "ok",
    reason: null,
    raw: table?.meta.counts.runs ?? 0,
    calls: 0,
    cache: "hit",
    good_until_ms,
  };
  return [
    ...(problems.some(({ file }) => file === null) ? [] : [whole]),
    ...problems.map(({ file, status, reason, held_at_ms }): SourceFinding => {
      const failure = { status, reason, held_at_ms, good_until_ms: null };
      if (file === null) return { ...whole, ...failure };
      const [key, name] = [`${whole.key}:${file}`, `${whole.name} (${file.replace("_", " ")})`];
      return { ...whole, key, name, raw: 0, ...failure };
    }),
  ];
}
