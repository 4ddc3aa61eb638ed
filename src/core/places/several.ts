/**
 * Places of kinds that have to be made to be counted: several sources may see the same thing, or a
 * filter reads the whole place. The nearest of them, up to a bound, are made and merged.
 */
import type { Budget } from "#kit/budget.ts";
import type { Listed } from "./count-places.ts";
import type { PlaceHit } from "./place-hits.ts";
import { mergePlaces } from "./merge-places.ts";
import { type Place, type PlaceKind } from "./place.ts";

/** Places that are merged across sources may lie this far outside the circle on one side. */
const FRINGE_M = 30;
/** Likewise car parks, which are areas, and charging stations, which registers often place next to where they are. */
const FACILITY_FRINGE_M = 150;

/** Of the kinds of a question. */
export function fringeOf_m(kinds: Iterable<PlaceKind>): number {
  for (const kind of kinds) if (kind === "parking" || kind === "charging") return FACILITY_FRINGE_M;
  return FRINGE_M;
}

/** Places made for one question, and pairs of them that are compared. */
const MOST_MADE = 1_500;
const MOST_PAIRS = 30_000;

export type Several = {
  /** Each thing once, where its leading observation puts it. */
  merged: readonly PlaceHit[];
  /** Up to where they are complete, metres; Infinity: everywhere. */
  counted_m: number;
  /** Those that are further away may be half of something, and are not for showing. */
  shown_m: number;
};

/** Places that are made in one step. */
const STEP = 20;

/** In steps. `kinds`: the sources of each kind, leading ones first; `bound`: places that are made at most. */
export function* findSeveral(
  kinds: readonly (readonly Listed[])[],
  budget: Budget,
  bound = MOST_MADE,
): Generator<void, Several> {
  if (kinds.length === 0) return NOTHING;
  const all = kinds.flat().reduce((sum, { own }) => sum + own.length, 0);
  for (let most = bound; ; most = Math.floor(most / 2)) {
    const horizon = horizonOf(kinds, most);
    const merged = yield* mergeWithin(kinds, { ...horizon, most, budget });
    if (merged === null && most > 1) {
      // With the same places again there would be as many pairs.
      while (Math.floor(most / 2) >= all) most = Math.floor(most / 2);
      continue;
    }
    // What one source alone has is not half of anything.
    const shared = kinds.flatMap(([first, other]) => (first && other ? first.kind : []));
    const margin_m = shared.length > 0 ? fringeOf_m(shared) : 0;
    return { merged: merged ?? [], ...reachOf(horizon, margin_m) };
  }
}

const NOTHING: Several = {
  merged: [],
  counted_m: Number.POSITIVE_INFINITY,
  shown_m: Number.POSITIVE_INFINITY,
};

/** `until_m`: those that are nearer are few enough; `split`: not even all at that distance are. */
type Horizon = { until_m: number; split: boolean };

function horizonOf(kinds: readonly (readonly Listed[])[], most: number): Horizon {
  const lists = kinds.flat();
  const all = lists.reduce((sum, { own }) => sum + own.length, 0);
  if (all <= most) return { until_m: Number.POSITIVE_INFINITY, split: false };
  const counts = new Map<number, number>();
  for (const { hits, own } of lists)
    for (let n = 0; n < own.length; n++) {
      const hit = own[n]!;
      const metre = Math.floor(hits.metres[hit]!);
      counts.set(metre, (counts.get(metre) ?? 0) + 1);
    }
  let seen = 0;
  for (let metre = 0; ; metre++) {
    const more = seen + (counts.get(metre) ?? 0);
    if (more > most)
      return seen > 0 ? { until_m: metre, split: false } : { until_m: metre + 1, split: true };
    seen = more;
  }
}

function reachOf(
  { until_m, split }: Horizon,
  margin_m: number,
): Pick<Several, "counted_m" | "shown_m"> {
  if (split) return { counted_m: Math.max(0, until_m - 1 - margin_m), shown_m: until_m };
  const reach_m = Math.max(0, until_m - margin_m);
  return { counted_m: reach_m, shown_m: reach_m };
}

type Bounds = Horizon & { most: number; budget: Budget };

/** null: too many of them are too near each other. */
function* mergeWithin(
  kinds: readonly (readonly Listed[])[],
  { until_m, most, budget }: Bounds,
): Generator<void, PlaceHit[] | null> {
  const merged: PlaceHit[] = [];
  let left = most;
  for (const lists of kinds) {
    const metres = new Map<Place, number>();
    const sources: Place[][] = [];
    for (const { hits, own } of lists) {
      const near: Place[] = [];
      for (let n = 0; n < own.length; n++) {
        const hit = own[n]!;
        if (hits.metres[hit]! >= until_m || left === 0 || !budget.keep()) continue;
        left--;
        const place = hits.placeAt(hit);
        near.push(place);
        metres.set(place, hits.metres[hit]!);
        if (near.length % STEP === 0) yield;
      }
      sources.push(near);
    }
    const things = yield* mergePlaces(sources, MOST_PAIRS);
    if (things === null) return null;
    for (const { place, lead } of things) merged.push({ place, distance_m: metres.get(lead)! });
  }
  return merged;
}
