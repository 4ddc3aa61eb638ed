/**
 * What a source has within a circle, as columns: how far each place is, its kind and what is counted
 * of it. The place itself is made when it is read, so that a search costs by what it shows.
 */
import type { Budget } from "#kit/budget.ts";
import { distance_m } from "#kit/geo.ts";
import { countedFactsOf } from "./place-facts.ts";
import { type Place, PLACE_KINDS, type PlaceKind } from "./place.ts";

/** A place with its distance from the question's point, metres. */
export type PlaceHit = { place: Place; distance_m: number };

type Circle = { lat: number; lon: number; radius_m: number };

/** Facts that are not at hand. */
export const NO_FACTS = -1;

export type HitColumns = {
  /** Distances from the question's point, in no particular order. */
  readonly metres: ArrayLike<number>;
  /** Places of the kinds in `PLACE_KINDS`. */
  readonly kinds: ArrayLike<number>;
  /** Of `countedFactsOf`; NO_FACTS: only the place knows. */
  readonly facts: ArrayLike<number>;
};

export class PlaceHits implements Iterable<PlaceHit>, HitColumns {
  readonly metres: ArrayLike<number>;
  readonly kinds: ArrayLike<number>;
  readonly facts: ArrayLike<number>;
  /** Beyond this not all was looked at; Infinity: all of the circle was. */
  readonly whole_m: number;
  readonly #make: (hit: number) => Place;

  constructor(
    { metres, kinds, facts }: HitColumns,
    make: (hit: number) => Place,
    whole_m = Number.POSITIVE_INFINITY,
  ) {
    this.metres = metres;
    this.kinds = kinds;
    this.facts = facts;
    this.whole_m = whole_m;
    this.#make = make;
  }

  get length(): number {
    return this.metres.length;
  }

  placeAt(hit: number): Place {
    return this.#make(hit);
  }

  foundAt(hit: number): PlaceHit {
    return { place: this.#make(hit), distance_m: this.metres[hit]! };
  }

  kindAt(hit: number): PlaceKind {
    return PLACE_KINDS[this.kinds[hit]!]!;
  }

  *[Symbol.iterator](): Generator<PlaceHit> {
    for (let hit = 0; hit < this.length; hit++) yield this.foundAt(hit);
  }

  /** Those of these numbers, in their order. */
  pick(hits: readonly number[]): PlaceHits {
    const of = (column: ArrayLike<number>): number[] => hits.map((hit) => column[hit]!);
    return new PlaceHits(
      { metres: of(this.metres), kinds: of(this.kinds), facts: of(this.facts) },
      (hit) => this.#make(hits[hit]!),
      this.whole_m,
    );
  }

  /** The same places under another name: kind, position and what is counted remain. */
  publishedAs(as: (place: Place) => Place): PlaceHits {
    return new PlaceHits(this, (hit) => as(this.#make(hit)), this.whole_m);
  }
}

export function noHits(): PlaceHits {
  return hitsOf([]);
}

/** Of an answer that is at hand. Tested against the radius before rounding (decisions, Conventions). */
export function hitsAmong(
  places: readonly Place[],
  { lat, lon, radius_m }: Circle,
  budget: Budget,
): PlaceHits {
  const most = budget.look(places.length) ? places.length : budget.looksLeft;
  const matches: PlaceHit[] = [];
  for (let row = 0; row < most; row++) {
    const place = places[row]!;
    const metres = distance_m(lat, lon, place.lat, place.lon);
    if (metres <= radius_m) matches.push({ place, distance_m: metres });
  }
  return hitsOf(matches, most < places.length ? 0 : Number.POSITIVE_INFINITY);
}

export function hitsOf(
  matches: readonly PlaceHit[],
  whole_m = Number.POSITIVE_INFINITY,
): PlaceHits {
  return new PlaceHits(
    {
      metres: matches.map(({ distance_m: metres }) => metres),
      kinds: matches.map(({ place }) => PLACE_KINDS.indexOf(place.kind)),
      facts: matches.map(({ place }) => countedFactsOf(place)),
    },
    (hit) => matches[hit]!.place,
    whole_m,
  );
}

/** All of them, in their order. */
export function joinHits(lists: readonly PlaceHits[]): PlaceHits {
  const some = lists.filter(({ length, whole_m }) => length > 0 || Number.isFinite(whole_m));
  if (some.length <= 1) return some[0] ?? noHits();
  const starts: number[] = [];
  let length = 0;
  for (const hits of some) {
    starts.push(length);
    length += hits.length;
  }
  const columns = {
    metres: some.flatMap(({ metres }) => Array.from(metres)),
    kinds: some.flatMap(({ kinds }) => Array.from(kinds)),
    facts: some.flatMap(({ facts }) => Array.from(facts)),
  };
  const make = (hit: number): Place => {
    const list = starts.findLastIndex((start) => start <= hit);
    return some[list]!.placeAt(hit - starts[list]!);
  };
  return new PlaceHits(columns, make, Math.min(...some.map(({ whole_m }) => whole_m)));
}

/**
 * At most `most` of the nearest within the radius, nearest first, ties by id; where there are no more
 * than that in all, all of them, and what lies on the fringe of the circle.
 */
export function nearestOf(hits: PlaceHits, radius_m: number, most: number): PlaceHits {
  if (hits.length <= most) return hits;
  const { metres } = hits;
  const isBefore = (a: number, b: number): boolean =>
    metres[a]! < metres[b]! ||
    (metres[a] === metres[b] && hits.placeAt(a).external_id < hits.placeAt(b).external_id);
  const best: number[] = [];
  for (let hit = 0; hit < metres.length; hit++) {
    if (metres[hit]! > radius_m) continue;
    if (best.length === most) {
      if (!isBefore(hit, best[most - 1]!)) continue;
      best.pop();
    }
    let [low, high] = [0, best.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(hit, best[middle]!)) high = middle;
      else low = middle + 1;
    }
    best.splice(low, 0, hit);
  }
  return hits.pick(best);
}
