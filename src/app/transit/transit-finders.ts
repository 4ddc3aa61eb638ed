/** The ways of finding stations: asking page by page, and the feeds that are held. */
import type { TransitProvider, TransitSource, TransitStation } from "#transit/schedule/station.ts";
import { MOST_STATIONS, type OpenFeed } from "#transit/schedule/feed-pack.ts";
import { joinStations, type TransitPage, type TransitQuery } from "#providers/transit-lookup.ts";
import type { Failure } from "#kit/outcome.ts";
import type { Ask, AskOptions, LookupReply } from "#upstream/lookup/ask-source.ts";
import { heldOf, toOutcome } from "../lookup-outcome.ts";
import type { TransitFinder, TransitFinding, TransitQuestion } from "./transit-finder.ts";
import { findOutOfDays, listMissing, toMissing, toTimetables } from "./gaps.ts";
import { type HeldFeed, touches } from "#upstream/transit/held-feed.ts";

export type LookupFinder = {
  provider: TransitProvider;
  key: string;
  /** As people know it; absent: the key. */
  name?: string;
  ask: Ask<TransitQuery, TransitPage>;
  /** What else is known of them, asked at the same time; its failure leaves it unknown. */
  refine?: (question: TransitQuestion) => Promise<(stations: TransitStation[]) => TransitStation[]>;
};

/** A source that never ends must not keep a question for ever. */
const MOST_PAGES = 10;

export function lookupFinder({
  provider,
  key,
  name = key,
  ask,
  refine,
}: LookupFinder): TransitFinder {
  return {
    provider,
    key,
    covers: () => true,
    async find(question) {
      const [pages, refined] = await Promise.all([
        askPages(ask, question),
        refine?.(question) ?? ((stations: TransitStation[]) => stations),
      ]);
      const unended = pages.every(({ status }) => status === "ok") ? endOf(pages) : null;
      const stored = pages.flatMap((reply) => heldOf(reply) ?? []);
      const stations = stored.flatMap(({ value, fetched_at_ms }) =>
        value.stations.map((station) => dated(station, fetched_at_ms)),
      );
      return {
        key,
        name,
        uncovered: stored.some(({ value }) => value.covered === false),
        groups: byPublisher(refined(joinStations(stations)), ({ source }) => source),
        ...toOutcome(pages, unended),
        ...(unended && { held_at_ms: null }),
      };
    },
  };
}

/** A provider may have several publishers, who know of one station each; in an order that stays. */
export function byPublisher<T>(
  items: readonly T[],
  sourceOf: (item: T) => Pick<TransitSource, "feed_id">,
): T[][] {
  const feeds = Map.groupBy(items, (item) => sourceOf(item).feed_id ?? "");
  return [...feeds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => own);
}

type PageReply = LookupReply<TransitPage>;

async function askPages(
  ask: Ask<TransitQuery, TransitPage>,
  { circle, language, signal, keyed, freshness }: TransitQuestion,
): Promise<PageReply[]> {
  const options: AskOptions = { signal, keyed, freshness };
  const { lat, lon, radius_m } = circle;
  const pages: PageReply[] = [];
  let page: string | null = null;
  do {
    const reply: PageReply = await ask({ lat, lon, radius_m, language, page }, options);
    pages.push(reply);
    page = heldOf(reply)?.value.next ?? null;
  } while (page !== null && pages.length < MOST_PAGES);
  return pages;
}

/** What was left unasked may be near, where a source has an order of its own. */
function endOf(pages: readonly PageReply[]): Failure | null {
  const isWhole = heldOf(pages.at(-1)!)?.value.next == null;
  return isWhole ? null : { status: "unavailable", reason: "too_many_pages" };
}

/** Adapters have no clock: what they do not date was fetched with the answer. */
function dated(station: TransitStation, fetched_at_ms: number): TransitStation {
  return station.fetched_at_ms > 0 ? station : { ...station, fetched_at_ms };
}

/** Feeds of the deployment's own: from memory, without a call. */
export function feedFinder(list: () => readonly HeldFeed[], fresh_ms: number): TransitFinder {
  return {
    provider: "gtfs",
    key: "gtfs",
    isHeld: true,
    isThere: () => list().length > 0,
    covers: ({ circle }) => list().some((stored) => touches(stored, circle)),
    // oxlint-disable-next-line typescript/require-await -- a finder answers with a promise
    async find({ circle, now_ms }) {
      const feeds = list();
      const [missing, ...others] = listMissing(feeds, circle);
      const { groups, within_m, here } = stationsOf(feeds, circle);
      const now = { from_ms: now_ms, to_ms: now_ms + 1 };
      return {
        ...toTimetables(missing, now_ms + fresh_ms),
        groups,
        gaps: [
          ...others.map(toMissing),
          ...here.flatMap((stored) => findOutOfDays(stored, now) ?? []),
        ],
        uncovered: !missing && groups.length === 0 && !feeds.some((feed) => isAtHome(feed, circle)),
        cut: within_m === null ? null : toCut(within_m),
        raw: groups.reduce((sum, stations) => sum + stations.length, 0),
      };
    },
  };
}

/** Nearest station beyond which a timetable says nothing of a place, metres. */
const REACH_M = 10_000;

/** Whether no station here is an answer of the timetable. */
export function isAtHome({ feed }: HeldFeed, { lat, lon }: TransitQuestion["circle"]): boolean {
  return feed !== null && feed.search(lat, lon, REACH_M, 1).length > 0;
}

function toCut(within_m: number): NonNullable<TransitFinding["cut"]> {
  return {
    shown: MOST_STATIONS,
    total: null,
    within_m: Math.floor(within_m),
    of: "public transport",
  };
}

/** A station of a feed near a point, by its row. */
export type NearStation = { stored: HeldFeed; feed: OpenFeed; row: number };

/**
 * Finds the nearest stations of all feeds, nearest first and then in the order of the feeds;
 * `within_m`: those up to there are all, null: all are.
 */
export function nearestStations(
  feeds: readonly HeldFeed[],
  { lat, lon, radius_m }: TransitQuestion["circle"],
): { near: NearStation[]; within_m: number | null } {
  const hits = feeds
    .flatMap((stored) =>
      (stored.feed?.search(lat, lon, radius_m, MOST_STATIONS + 1) ?? []).map((hit) => ({
        stored,
        feed: stored.feed!,
        ...hit,
      })),
    )
    .sort((a, b) => a.distance_m - b.distance_m);
  const isCut = hits.length > MOST_STATIONS;
  const near = isCut ? hits.slice(0, MOST_STATIONS) : hits;
  return { near, within_m: isCut ? near.at(-1)!.distance_m : null };
}

/**
 * Lists the nearest stations, of each feed in an order that survives a restart: the first names a
 * station. `here`: the feeds that they are of, in that order.
 */
export function stationsOf(
  feeds: readonly HeldFeed[],
  circle: TransitQuestion["circle"],
): { groups: TransitStation[][]; within_m: number | null; here: readonly HeldFeed[] } {
  const ordered = feeds.toSorted((a, b) => (a.feed_id < b.feed_id ? -1 : 1));
  const { near, within_m } = nearestStations(ordered, circle);
  const byFeedHere = [...Map.groupBy(near, ({ stored }) => stored)].sort(
    ([a], [b]) => ordered.indexOf(a) - ordered.indexOf(b),
  );
  const groups = byFeedHere.map(([{ realtime, alerts }, own]) =>
    own.map(({ feed, row }) => {
      const station = feed.station(row);
      return {
        ...station,
        realtime: realtime ?? station.realtime,
        alerts: alerts ?? station.alerts,
      };
    }),
  );
  return { groups, within_m, here: byFeedHere.map(([stored]) => stored) };
}
