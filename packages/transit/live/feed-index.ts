/** A feed as realtime messages speak of it: by the ids of its stops, stations and routes. */
import { readTexts } from "#kit/bytes.ts";
import type { OpenFeed } from "../schedule/feed-pack.ts";
import { NO_ROW, UNTIMED } from "../timetable/timetable-layout.ts";
import { profileOf, type Timetable } from "../timetable/timetable.ts";

export type FeedIndex = {
  timetable: Timetable;
  /** Stop of the timetable; null: nothing is planned to call there. */
  stopOf(id: string): number | null;
  /** Row of a station. */
  stationOf(id: string): number | null;
  /** Place among those within stations, and its kind (access-draft.ts); null: it is none. */
  placeOf(id: string): { place: number; kind: number } | null;
  /** Place in the routes of the feed. */
  routeOf(id: string): number | null;
  /** Places of an operator's routes. */
  routesOf(operator_id: string): readonly number[];
  /** Epoch s at which a service day begins; null: the time zone is unknown. */
  dayStart_s(day: number): number | null;
};

/** null: the feed's departures are not known. Worth keeping: it reads every id once. */
export function indexFeed(feed: OpenFeed): FeedIndex | null {
  const { timetable, meta } = feed;
  if (timetable === null) return null;
  const { stop_ids, stop_id_starts } = timetable.columns;
  const stops = numbered(readTexts({ bytes: stop_ids, offsets: stop_id_starts }));
  const routes = numbered(meta.routes.map(({ id }) => id));
  const byOperator = new Map<string, number[]>();
  for (const [place, { operator_id }] of meta.routes.entries()) {
    if (operator_id === null) continue;
    const entry = byOperator.get(operator_id);
    if (entry) entry.push(place);
    else byOperator.set(operator_id, [place]);
  }
  const starts = new Map<number, number | null>();
  return {
    timetable,
    stopOf: (id) => stops.get(id) ?? null,
    stationOf: (id) => feed.findStation(id),
    placeOf: (id) => feed.access?.findPlace(id) ?? null,
    routeOf: (id) => routes.get(id) ?? null,
    routesOf: (operator_id) => byOperator.get(operator_id) ?? [],
    dayStart_s(day) {
      let start = starts.get(day);
      if (start === undefined) {
        const start_ms = timetable.dayStart_ms(day);
        start = start_ms === null ? null : Math.round(start_ms / 1000);
        if (starts.size >= MOST_DAYS) starts.clear();
        starts.set(day, start);
      }
      return start;
    },
  };
}

const MOST_DAYS = 1_000;

function numbered(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, place) => [id, place]));
}

/** The planned calls of a trip: places in the columns of patterns and profiles, and when it starts. */
export type TripPlan = {
  trip: number;
  pattern: number;
  /** First call in the columns of patterns. */
  first: number;
  /** First call in the columns of profiles. */
  times: number;
  calls: number;
  start_s: number;
  isFrequent: boolean;
};

export function planOf({ timetable: { columns } }: FeedIndex, trip: number): TripPlan {
  const profile = profileOf(columns, trip);
  const pattern = columns.profile_patterns[profile]!;
  const first = columns.pattern_starts[pattern]!;
  return {
    trip,
    pattern,
    first,
    times: columns.profile_starts[profile]!,
    calls: columns.pattern_starts[pattern + 1]! - first,
    start_s: columns.trip_starts_s[trip]!,
    isFrequent: columns.profile_frequent[profile] === 1,
  };
}

/** Seconds from the first departure to the last one that is known. */
export function durationOf({ timetable: { columns } }: FeedIndex, plan: TripPlan): number {
  for (let call = plan.times + plan.calls - 1; call >= plan.times; call--)
    if (columns.profile_departures[call] !== UNTIMED) return columns.profile_departures[call]!;
  return 0;
}

/** Whether two stops belong to one station. */
export function isSameStation(
  { timetable: { columns } }: FeedIndex,
  a: number,
  b: number,
): boolean {
  const station = columns.stop_stations[a]!;
  return a === b || (station !== NO_ROW && station === columns.stop_stations[b]);
}
