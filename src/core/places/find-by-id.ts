/**
 * One place by its id among what sources have here. An id is a hash of what the place alone knows, so
 * places are made until it is among them: nearest first, and up to a bound.
 */
import { Distances } from "./count-places.ts";
import type { PlaceHit, PlaceHits } from "./place-hits.ts";
import type { Place } from "./place.ts";
import { statedOf } from "./place-results.ts";

/** Places that are made to find one: three milliseconds, in steps. */
const MOST_TRIED = 600;
const STEP = 50;

/** `hit`: null: it is not among those that were tried. */
export type FoundById = {
  hit: PlaceHit | null;
  /** Up to where all were tried, metres; Infinity: everywhere. */
  tried_m: number;
};

export function* findById(
  sources: readonly PlaceHits[],
  id: string,
  within_m: number,
  toId: (place: Place) => string,
): Generator<void, FoundById> {
  const distances = new Distances();
  for (const { metres } of sources)
    for (let hit = 0; hit < metres.length; hit++)
      if (metres[hit]! <= within_m) distances.add(statedOf(metres[hit]!));
  const last_m = distances.nth(MOST_TRIED);
  let left = MOST_TRIED;
  for (const isWanted of [
    (stated_m: number) => stated_m < last_m,
    (stated_m: number) => stated_m === last_m,
  ])
    for (const hits of sources)
      for (let hit = 0; hit < hits.length && left > 0; hit++) {
        const metres = hits.metres[hit]!;
        if (metres > within_m || !isWanted(statedOf(metres))) continue;
        if (left-- % STEP === 0) yield;
        const found = hits.foundAt(hit);
        if (toId(found.place) === id) return { hit: found, tried_m: 0 };
      }
  const whole_m = Math.min(...sources.map((hits) => hits.whole_m));
  return { hit: null, tried_m: Math.min(whole_m, last_m - 1) };
}
