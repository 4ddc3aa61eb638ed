/** Departures of the deployment's own feeds: from memory, with the newest of their live data. */
import type { Board, BoardEntry, FoundDeparture } from "#transit/schedule/boards.ts";
import type { Departure } from "#transit/schedule/departure-view.ts";
import type { FoundCall } from "#transit/schedule/planned-departures.ts";
import { findEarliest, findOutermost, type CallPlace } from "#transit/schedule/earliest.ts";
import type { LiveAlertItem } from "#transit/schedule/live-alerts.ts";
import type { TransitRoute } from "#transit/schedule/station.ts";
import { type LaterCall, terminusOf, type TowardSearch } from "#transit/schedule/toward.ts";
import { serviceDayOf } from "#transit/timetable/edge-calls.ts";
import type { OpenFeed } from "#transit/schedule/feed-pack.ts";
import type { LiveText, ShownAlert } from "#transit/live/live-model.ts";
import type { LiveTable } from "#transit/live/live-table.ts";
import { knownSpan } from "#transit/timetable/days.ts";
import { DAY_MS, toRfc3339 } from "#kit/time.ts";
import { createTurn, runSteps } from "#kit/run/turn.ts";
import type { SourceFinding } from "../search-reply.ts";
import type { DepartureFinder, DepartureQuestion, TimetableAt } from "./departure-finder.ts";
import { isAtHome, nearestStations, type NearStation } from "./transit-finders.ts";
import { findOutOfDays, listMissing, toMissing, toTimetables } from "./gaps.ts";
import { type HeldFeed, touches } from "#upstream/transit/held-feed.ts";
import type { LiveFeedState } from "#upstream/transit/live-state.ts";

/** Answers of a timetable alone change with the minute. */
const FRESH_MS = 15_000;

/** A feed with stations here, and what is known of its live data. */
type FeedBoard = {
  stored: HeldFeed;
  /** undefined: none are configured; null: nothing is known from them. */
  table: LiveTable | null | undefined;
  /** The live data of the feed, and the timetable itself where it cannot answer. */
  live: readonly SourceFinding[];
  isBroken: boolean;
};

export function feedDepartures(list: () => readonly HeldFeed[]): DepartureFinder {
  return {
    provider: "gtfs",
    isThere: () => list().length > 0,
    covers: ({ circle }) => list().some((stored) => touches(stored, circle)),
    async find(question) {
      const touched = list().filter((stored) => touches(stored, question.circle));
      const [missing, ...others] = listMissing(touched, question.circle);
      const ordered = touched.toSorted((a, b) => (a.feed_id < b.feed_id ? -1 : 1));
      const timed = ordered.filter(({ feed }) => feed?.timetable);
      const { near, within_m } = nearestStations(timed, question.circle);
      const here = new Set(near.map(({ stored }) => stored));
      const requests = await Promise.all(
        timed.filter((stored) => here.has(stored)).map((stored) => askFeed(stored, question)),
      );
      const result = await listBoards(requests, near, question);
      const publishers = requests.flatMap(({ isBroken }, i) =>
        isBroken ? [] : [result.boards[i]!],
      );
      const isSilent = publishers.length === 0 && requests.every(({ live }) => live.length === 0);
      return {
        ...toTimetables(missing, question.now_ms + FRESH_MS),
        publishers,
        // No station near is an answer where the timetable is at home, and none elsewhere.
        uncovered: isSilent && !ordered.some((stored) => isAtHome(stored, question.circle)),
        findAlert: (id) => findAlert(requests, id, question),
        live: [...others.map(toMissing), ...requests.flatMap(({ live }) => live)],
        isCut: result.isCut || within_m !== null,
        isNarrowed: result.isNarrowed,
        raw: publishers.reduce((sum, boards) => sum + countOf(boards), 0),
      };
    },
    timetableAt(circle) {
      const timed = list().filter((stored) => stored.feed?.timetable && touches(stored, circle));
      const { near } = nearestStations(timed, circle);
      return near.length === 0 ? null : toTimetableAt(near);
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

/** The clocks of the nearest station, and the time that the timetables of the stations here know. */
function toTimetableAt(near: readonly NearStation[]): TimetableAt {
  const [{ feed, row }] = near as [NearStation];
  const spans = [...new Set(near.map((each) => each.feed.timetable!))].flatMap(
    (timetable) => knownSpan(timetable) ?? [],
  );
  const first_ms = Math.min(...spans.map(({ from_ms }) => from_ms));
  const end_ms = Math.max(...spans.map(({ to_ms }) => to_ms));
  return { time_zone: feed.timetable!.zoneOf(row), first_ms, end_ms };
}

function countOf(boards: readonly Board[]): number {
  return boards.reduce((sum, { departures }) => sum + departures.length, 0);
}

async function askFeed(stored: HeldFeed, question: DepartureQuestion): Promise<FeedBoard> {
  const { live } = stored;
  const { now_ms, until_ms, signal } = question;
  const gap = findOutOfDays(stored, question);
  if (gap !== null) return { stored, table: null, live: [gap], isBroken: true };
  const state = live && (await live.refresh({ now_ms, until_ms, signal }));
  return {
    stored,
    table: state ? tableFor(stored, state) : undefined,
    live: state ? toFindings(stored, state) : [],
    isBroken: false,
  };
}

type FoundBoards = { boards: Board[][]; isCut: boolean; isNarrowed: boolean };

/** The boards of each feed: all stations of the question share its budget, the nearest first. */
async function listBoards(
  requests: readonly FeedBoard[],
  near: readonly NearStation[],
  question: DepartureQuestion,
): Promise<FoundBoards> {
  const { kind, from_ms, to_ms, now_ms, isWanted, edge } = question;
  const byFeed = new Map(requests.map((each, i) => [each.stored, { ...each, boards: i }]));
  const open = near.filter(({ stored }) => byFeed.get(stored)?.isBroken === false);
  const places = open.map(({ stored, feed, row: station }): CallPlace => {
    const { table: live } = byFeed.get(stored)!;
    return { feed, live, station, max_age_s: stored.live?.max_age_s ?? 0 };
  });
  const turn = createTurn({});
  const query = { kind, from_ms, to_ms, now_ms, isWanted, edge };
  const find = edge === null ? findEarliest : findOutermost;
  const { calls, isCut, isNarrowed } = await runSteps(find(places, query), turn);
  const boards: Board[][] = requests.map(() => []);
  for (const [i, { stored, feed, row }] of open.entries()) {
    const departures = calls[i]!.flatMap((call) => toEntry(feed, call) ?? []);
    const time_zone = feed.timetable!.zoneOf(row);
    boards[byFeed.get(stored)!.boards]!.push({ station: feed.station(row), departures, time_zone });
    await turn();
  }
  return { boards, isCut, isNarrowed };
}

/** null where the timetable has been replaced while its live data were awaited. */
function tableFor({ version }: HeldFeed, state: LiveFeedState): LiveTable | null {
  return state.version === version ? state.table : null;
}

/** null: of a line that the feed does not name, which cannot be shown. */
function toEntry(feed: OpenFeed, call: FoundCall): BoardEntry | null {
  const route = call.route === null ? undefined : feed.meta.routes[call.route];
  return route === undefined ? null : new FeedEntry(feed, route, call);
}

class FeedEntry implements BoardEntry {
  readonly route: TransitRoute;
  readonly planned_ms: number | null;
  readonly expected_ms: number | null;
  readonly realtime: BoardEntry["realtime"];
  readonly status: BoardEntry["status"];
  readonly #feed: OpenFeed;
  readonly #call: FoundCall;

  constructor(feed: OpenFeed, route: TransitRoute, call: FoundCall) {
    this.#feed = feed;
    this.#call = call;
    this.route = route;
    this.planned_ms = call.planned_ms;
    this.expected_ms = call.expected_ms;
    this.realtime = call.realtime;
    this.status = call.status;
  }

  get headsign(): string | null {
    return this.#call.headsign;
  }

  get service_day(): number | null {
    const { day, planned_ms, expected_ms } = this.#call;
    const start_ms = day === null ? null : this.#feed.timetable!.dayStart_ms(day);
    const at_ms = planned_ms ?? expected_ms;
    if (day === null || start_ms === null || at_ms === null) return null;
    return serviceDayOf(day, (at_ms - start_ms) / 1_000);
  }

  get terminus(): string | null {
    const { trip, position } = this.#call;
    return position === null ? null : terminusOf(this.#feed, trip);
  }

  toward(search: TowardSearch): LaterCall | null | undefined {
    const { trip, position, planned_ms } = this.#call;
    if (position === null) return undefined;
    return search.find(this.#feed, { trip, position, planned_ms });
  }

  read(): FoundDeparture {
    return toBoardMatch(this.#feed, this.route, this.#call.read());
  }
}

function toBoardMatch(feed: OpenFeed, route: TransitRoute, departure: Departure): FoundDeparture {
  const { meta } = feed;
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
    stop: { feed_id, stop_id, station_id: feed.station(departure.station).source.source_id },
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
  requests: readonly FeedBoard[],
  id: string,
  { language }: DepartureQuestion,
): LiveAlertItem | null {
  for (const { table, stored } of requests) {
    const { feed_id } = stored;
    const prefix = toAlertId(feed_id, "");
    const alert = id.startsWith(prefix) ? table?.findAlert(id.slice(prefix.length)) : null;
    if (alert) return toAlertItem(alert, id, { feed_id, language });
  }
  return null;
}

function toAlertItem(
  alert: ShownAlert,
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
  const own_text = texts.find((each) => each.language?.slice(0, 2).toLowerCase() === wanted);
  return (own_text ?? texts[0])?.text ?? null;
}

/** The live data as a whole, and each of its files that fails alone. */
function toFindings({ feed_id }: HeldFeed, state: LiveFeedState): SourceFinding[] {
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
