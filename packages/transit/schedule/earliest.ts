/**
 * The next departures of many stations within one budget (departures.md, Bounds of a question).
 * They are looked for in the whole window at first. Where that is more than the budget allows, they
 * are looked for again up to an earlier moment, so that the list is whole up to it: no station with
 * many hides what leaves next at another.
 */
import { Budget } from "#kit/budget.ts";
import type { DepartureQuery } from "./departure-view.ts";
import {
  type AskedFeed,
  compareCalls,
  findDepartures,
  type FoundCall,
} from "./planned-departures.ts";
import type { TransitRoute } from "./station.ts";

/** A station of one of the feeds, by its row. */
export type CallPlace = AskedFeed & Pick<DepartureQuery, "station" | "max_age_s">;

type EarliestQuery = Pick<DepartureQuery, "kind" | "from_ms" | "to_ms" | "now_ms" | "edge"> & {
  /** Which routes are wanted, where not all that leaves can be looked at; null: all are. */
  isWanted: ((route: TransitRoute) => boolean) | null;
};

export type Earliest = {
  /** Of each place, in the order in which departures are listed. */
  calls: FoundCall[][];
  /** Whether there may be more that are wanted than are listed. */
  isCut: boolean;
  /** Only what is wanted was looked at: of the rest nothing is known. */
  isNarrowed: boolean;
};

/** A dense city's circle of 2 km and six hours has some 17,000 (docs/lab/departures.md). */
export const MOST_CALLS = 20_000;
/** As many at most where that is not enough: more would be counted, and not be shown. */
export const MOST_OF_CUT = 4_000;
/** Profiles, trips, rows of frequencies and live events that a question looks at, and one of its tries. */
const MOST_LOOKS = 400_000;
const MOST_LOOKS_A_TRY = 200_000;
/** With fewer another try would find less than the one before. */
const LEAST_LOOKS = 50_000;
const MOST_TRIES = 6;
const SECOND_MS = 1_000;

/** `places`: nearest first, which counts where a second is too much. In steps. */
export function* findEarliest(
  places: readonly CallPlace[],
  query: EarliestQuery,
): Generator<void, Earliest> {
  const { from_ms, isWanted } = query;
  let { to_ms } = query;
  let wanted: Wanted = null;
  let looks = MOST_LOOKS;
  for (let tried = 1; ; tried++) {
    const keeps = to_ms < query.to_ms ? MOST_OF_CUT : MOST_CALLS;
    const budget = new Budget({ looks: Math.min(looks, MOST_LOOKS_A_TRY), keeps });
    looks -= budget.looksLeft;
    const match = yield* listPlaces(places, { query: { ...query, to_ms }, wanted, budget });
    looks += budget.looksLeft;
    if (budget.isSpent && tried < MOST_TRIES && looks >= LEAST_LOOKS) {
      if (wanted === null && isWanted !== null) {
        wanted = new Map(places.map(({ feed }) => [feed, maskOf(feed, isWanted)]));
        continue;
      }
      yield;
      const share = match.reached / places.length / 4 ** (tried - 1);
      const earlier_ms = Math.max(from_ms + SECOND_MS, momentOf(match.calls, share));
      yield;
      if (earlier_ms < to_ms) {
        to_ms = earlier_ms;
        continue;
      }
    }
    const isCut = budget.isSpent || to_ms < query.to_ms;
    return { calls: yield* sortEach(match.calls), isCut, isNarrowed: wanted !== null };
  }
}

/**
 * The first or last departures of a service day (`query.edge`), of those stations alone that the budget
 * lets be looked at whole, the nearest first: of another, the last that was found need not be the last.
 * In steps.
 */
export function* findOutermost(
  places: readonly CallPlace[],
  query: EarliestQuery,
): Generator<void, Earliest> {
  const { isWanted } = query;
  const wanted =
    isWanted && new Map(places.map(({ feed }) => [feed, maskOf(feed, isWanted)] as const));
  const budget = new Budget({ looks: MOST_LOOKS, keeps: MOST_CALLS });
  const { calls, reached } = yield* listPlaces(places, { query, wanted, budget });
  const whole = calls.map((list, i) => (i < Math.floor(reached) ? list : []));
  return { calls: whole, isCut: budget.isSpent, isNarrowed: wanted !== null };
}

type Wanted = ReadonlyMap<AskedFeed["feed"], Uint8Array> | null;
type Listing = { query: EarliestQuery; wanted: Wanted; budget: Budget };

/** Up to the place at which the budget ends; the others have an empty list. */
function* listPlaces(
  places: readonly CallPlace[],
  { query, wanted, budget }: Listing,
): Generator<void, { calls: FoundCall[][]; reached: number }> {
  const calls: FoundCall[][] = places.map(() => []);
  for (const [i, place] of places.entries()) {
    const { station, max_age_s } = place;
    const routes = wanted?.get(place.feed) ?? null;
    const wish = { ...query, station, max_age_s, routes };
    calls[i] = (yield* findDepartures(place, wish, budget)) ?? [];
    // Of the last one perhaps a half.
    if (budget.isSpent) return { calls, reached: i + 0.5 };
    yield;
  }
  return { calls, reached: places.length };
}

function* sortEach(calls: FoundCall[][]): Generator<void, FoundCall[][]> {
  for (const list of calls) {
    list.sort(compareCalls);
    yield;
  }
  return calls;
}

function maskOf(
  { meta }: AskedFeed["feed"],
  isWanted: (route: TransitRoute) => boolean,
): Uint8Array {
  return Uint8Array.from(meta.routes, (route) => Number(isWanted(route)));
}

/** Leaves room: the places that were not reached may have more than the others. */
const ROOM = 0.8;

/** Guesses up to which moment all places have MOST_OF_CUT, by what a share of them has. */
function momentOf(calls: readonly FoundCall[][], share: number): number {
  const times = Float64Array.from(
    calls.flat(),
    ({ expected_ms, planned_ms }) => expected_ms ?? planned_ms!,
  );
  times.sort();
  const count = Math.min(MOST_OF_CUT, times.length);
  return times[Math.floor(count * share * ROOM)] ?? Number.POSITIVE_INFINITY;
}
