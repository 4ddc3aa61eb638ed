/** Pairs worth considering, with their scores: the edges of the graph. */
import { type FeedPair, listFeedPairs } from "./feed-pairs.ts";
import { findKeyPartners, keysBetween } from "./key-pairs.ts";
import type { KeyPartners } from "./key-pairs.ts";
import { indexPlaces, type PlaceIndex, visitNear } from "./neighbours.ts";
import { resolveRules } from "./overrides.ts";
import type { Rules } from "./overrides.ts";
import type { Overrides } from "./observed-station.ts";
import { areModesApart, pairKey, separation_m } from "./prepare.ts";
import type { Prepared } from "./prepare.ts";
import { scorePair } from "./score.ts";
import type { PairContext } from "./score.ts";

/** Pairs as columns, each pair once. */
export type Edges = {
  a: number[];
  b: number[];
  /** Sum of weights. */
  sum: number[];
};

export type Candidates = Edges & {
  /** Pairs of two systems whose docks have states of their own (succession.ts): reported, never merged. */
  succession: Edges;
  /** Pairs with a key in common that are too far apart: conflicts, never merged. */
  far: [number, number][];
  keys: KeyPartners;
  rules: Rules;
  /** Feeds beyond a bound (BOUNDS): no pair of theirs is among the columns. */
  crowded: ReadonlySet<number>;
};

/**
 * How much of a feed one station of another is compared with. Real systems have up to 51 stations
 * within the bound of 150 m, none of which is a candidate without a name or key to speak for it.
 */
const BOUNDS = { near: 1_024, candidates: 64 } as const;

/** What outweighs everything: an operator's word. */
const ALWAYS = 100;

export function findCandidates(prepared: Prepared, overrides: Overrides): Candidates {
  const feedPairs = listFeedPairs(prepared);
  const crowded = new Set<number>();
  const candidates: Candidates = {
    a: [],
    b: [],
    sum: [],
    far: [],
    crowded,
    succession: { a: [], b: [], sum: [] },
    keys: findKeyPartners(prepared, feedPairs),
    rules: resolveRules(prepared, overrides),
  };
  const places = new Map<number, PlaceIndex>();
  const indexOf = (feed: number): PlaceIndex => {
    let index = places.get(feed);
    if (!index)
      places.set(
        feed,
        (index = indexPlaces(prepared, prepared.rows[feed]!, prepared.tuning.diameter_m)),
      );
    return index;
  };
  for (const pair of feedPairs) {
    const [few, many] = bySize(prepared, pair);
    const tooMuch = addNear(prepared, candidates, { few, many, index: indexOf(many) });
    if (tooMuch !== null) crowded.add(tooMuch);
  }
  addByKey(prepared, candidates);
  addByRule(prepared, candidates);
  if (crowded.size > 0) leaveOut(prepared, candidates);
  return candidates;
}

/** The smaller one is looked up in the greater; an order that does not depend on the input's. */
function bySize({ rows, feeds }: Prepared, [a, b]: FeedPair): FeedPair {
  const difference = rows[a]!.length - rows[b]!.length;
  const isFirst = difference === 0 ? feeds[a]!.feed.id <= feeds[b]!.feed.id : difference < 0;
  return isFirst ? [a, b] : [b, a];
}

type Search = { few: number; many: number; index: PlaceIndex };

/** Adds the pairs of two feeds that lie within the bound. Returns the feed beyond BOUNDS, or null. */
function addNear(
  prepared: Prepared,
  candidates: Candidates,
  { few, many, index }: Search,
): number | null {
  const { diameter_m } = prepared.tuning;
  const counts = new Map<number, number>();
  for (const row of prepared.rows[few]!) {
    let near = 0;
    let match = 0;
    let tooMuch: number | null = null;
    visitNear(index, { lat: prepared.lat[row]!, lon: prepared.lon[row]! }, (other) => {
      if (++near > BOUNDS.near) tooMuch = many;
      const distance_m = separation_m(prepared, row, other);
      if (distance_m > diameter_m || tooMuch !== null) return tooMuch === null;
      const pair = contextOf(prepared, candidates, row, other, distance_m);
      if (pair.keys === "equal" || !consider(prepared, candidates, row, other, pair)) return true;
      const met = (counts.get(other) ?? 0) + 1;
      counts.set(other, met);
      if (++match > BOUNDS.candidates) tooMuch = many;
      else if (met > BOUNDS.candidates) tooMuch = few;
      return tooMuch === null;
    });
    if (tooMuch !== null) return tooMuch;
  }
  return null;
}

/** Returns what is known of a pair apart from its two observations. */
export function contextOf(
  prepared: Prepared,
  { keys }: { keys: KeyPartners },
  a: number,
  b: number,
  distance_m: number,
): PairContext {
  return {
    distance_m,
    keys: keysBetween(prepared, keys, a, b),
    kinship: prepared.kinship(prepared.feed[a]!, prepared.feed[b]!),
  };
}

/** Adds pairs with a key in common, at any distance. */
function addByKey(prepared: Prepared, candidates: Candidates): void {
  const { start, partners } = candidates.keys;
  for (let a = 0; a + 1 < start.length; a++)
    for (let i = start[a]!; i < start[a + 1]!; i++) {
      const b = partners[i]!;
      // Each pair once, although it may share several keys.
      if (b <= a || partners.indexOf(b, start[a]) < i) continue;
      const distance_m = separation_m(prepared, a, b);
      const pair = contextOf(prepared, candidates, a, b, distance_m);
      if (distance_m <= prepared.tuning.diameter_m) consider(prepared, candidates, a, b, pair);
      else if (!isRuledOut(prepared, candidates, a, b)) candidates.far.push([a, b]);
    }
}

/** Was it added? */
function consider(
  prepared: Prepared,
  candidates: Candidates,
  a: number,
  b: number,
  pair: PairContext,
): boolean {
  if (isRuledOut(prepared, candidates, a, b)) return false;
  const sum = scorePair(prepared, a, b, pair);
  if (sum < prepared.tuning.candidate) return false;
  const isHandedOn = prepared.succession.parts(sideOf(prepared, a), sideOf(prepared, b), pair.keys);
  push(isHandedOn ? candidates.succession : candidates, a, b, sum);
  return true;
}

function sideOf({ feed, feeds, observations }: Prepared, row: number) {
  return { place: feed[row]!, feed: feeds[feed[row]!]!, dock: observations[row]! };
}

/** By what they rent, or by an operator's word; `always` is added on its own. */
function isRuledOut(prepared: Prepared, { rules }: Candidates, a: number, b: number): boolean {
  if (areModesApart(prepared, a, b)) return true;
  return rules.size > 0 && rules.has(pairKey(prepared, a, b));
}

function addByRule(prepared: Prepared, candidates: Candidates): void {
  const n = prepared.observations.length;
  for (const [key, rule] of candidates.rules)
    if (rule === "always") push(candidates, Math.floor(key / n), key % n, ALWAYS);
}

function push({ a, b, sum }: Edges, row: number, other: number, weight: number): void {
  a.push(row);
  b.push(other);
  sum.push(weight);
}

/** The others are compared among themselves as if the crowded ones were not there. */
function leaveOut(prepared: Prepared, candidates: Candidates): void {
  const isOut = (row: number): boolean => candidates.crowded.has(prepared.feed[row]!);
  const without = ({ a, b, sum }: Edges): Edges => {
    const remaining = a.flatMap((row, i) => (isOut(row) || isOut(b[i]!) ? [] : [i]));
    const pick = (column: readonly number[]): number[] => remaining.map((i) => column[i]!);
    return { a: pick(a), b: pick(b), sum: pick(sum) };
  };
  Object.assign(candidates, without(candidates));
  candidates.succession = without(candidates.succession);
  candidates.far = candidates.far.filter(([x, y]) => !isOut(x) && !isOut(y));
}
