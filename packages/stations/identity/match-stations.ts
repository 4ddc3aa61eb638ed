/**
 * Decides which observations are one station (§4.9). Pure and deterministic: the same observations
 * give the same stations in any order, and unconnected parts do not affect one another: resolving
 * observations together that no candidate pair connects gives what resolving each part alone gives.
 * So when a feed changes, its feeds and those that reach into its neighbourhood may be resolved
 * without the rest of the world.
 */
import { contextOf, findCandidates } from "./pair-candidates.ts";
import type { Candidates } from "./pair-candidates.ts";
import { solveComponent, weighRivals } from "./cluster.ts";
import { listComponents } from "./components.ts";
import type { Feed, Observation, Overrides } from "./observed-station.ts";
import { compareObservations, pairKey, prepare, separation_m } from "./prepare.ts";
import type { Prepared } from "./prepare.ts";
import { reasonsOf } from "./score.ts";
import type { WeighedReason } from "./score.ts";
import { TUNING } from "./weights.ts";
import type { Tuning } from "./weights.ts";

/** Two observations (indices), how probable it is that they are one station (0..1), and why. */
export type ScoredPair = { a: number; b: number; score: number; reasons: WeighedReason[] };

type Cluster = {
  /** Indices of the observations, best source first; at least two, of different feeds. */
  members: number[];
  /** Probability of its least certain merge, 0..1. */
  confidence: number;
  pairs: ScoredPair[];
};

export type Matching = {
  clusters: Cluster[];
  /** Near misses and conflicts: `possible_match`. */
  possible: ScoredPair[];
  /** Feeds of which one station has more candidates than BOUNDS allows: theirs were left alone. */
  crowded: number[];
};

const NO_OVERRIDES: Overrides = { always: [], never: [] };

export function resolveObservations(
  feeds: readonly Feed[],
  observations: readonly Observation[],
  overrides: Overrides = NO_OVERRIDES,
  tuning: Tuning = TUNING,
): Matching {
  const prepared = prepare(feeds, observations, tuning);
  const candidates = findCandidates(prepared, overrides);
  const probability = new Float64Array(candidates.a.length);
  const matching: Matching = { clusters: [], possible: [], crowded: [...candidates.crowded] };
  for (const component of listComponents(observations.length, candidates)) {
    const { clusters, open } = solveComponent(prepared, candidates, component, probability);
    const toPair = (edge: number): ScoredPair =>
      scoredPair(
        prepared,
        candidates,
        candidates.a[edge]!,
        candidates.b[edge]!,
        probability[edge]!,
      );
    const home = new Map<number, ScoredPair[]>();
    for (const { members, confidence } of clusters) {
      const pairs: ScoredPair[] = [];
      for (const row of members) home.set(row, pairs);
      matching.clusters.push({ members, confidence, pairs });
    }
    for (const edge of component) {
      const pairs = home.get(candidates.a[edge]!);
      if (pairs && pairs === home.get(candidates.b[edge]!)) pairs.push(toPair(edge));
    }
    for (const edge of open)
      if (probability[edge]! >= tuning.possible) matching.possible.push(toPair(edge));
  }
  for (const [a, b] of candidates.far)
    matching.possible.push(scoredPair(prepared, candidates, a, b, tuning.possible));
  matching.possible.push(...listSuccessions(prepared, candidates));
  return sortMatching(prepared, matching);
}

/** Lists the pairs that would be merged if both systems lived, or if neither did. */
function listSuccessions(prepared: Prepared, candidates: Candidates): ScoredPair[] {
  const { a, b } = candidates.succession;
  const probability = new Float64Array(a.length);
  const all = a.map((_, edge) => edge);
  weighRivals(prepared, candidates.succession, all, probability);
  return all
    .filter((edge) => probability[edge]! >= prepared.tuning.possible)
    .map((edge) => {
      const pair = scoredPair(prepared, candidates, a[edge]!, b[edge]!, probability[edge]!);
      return { ...pair, reasons: [...pair.reasons, { code: "succession", weight: 0 }] };
    });
}

function scoredPair(
  prepared: Prepared,
  candidates: Candidates,
  x: number,
  y: number,
  score: number,
): ScoredPair {
  const [a, b] = compareObservations(prepared, x, y) <= 0 ? [x, y] : [y, x];
  const distance_m = separation_m(prepared, a, b);
  const reasons = reasonsOf(prepared, a, b, contextOf(prepared, candidates, a, b, distance_m));
  if (distance_m > prepared.tuning.diameter_m) reasons.push({ code: "too_far", weight: 0 });
  if (candidates.rules.size > 0 && candidates.rules.get(pairKey(prepared, a, b)) === "always")
    reasons.push({ code: "override", weight: 0 });
  return { a, b, score, reasons };
}

/** An order that does not depend on the input's. */
function sortMatching(prepared: Prepared, matching: Matching): Matching {
  const { clusters, possible, crowded } = matching;
  const byPair = (x: ScoredPair, y: ScoredPair): number =>
    compareObservations(prepared, x.a, y.a) || compareObservations(prepared, x.b, y.b);
  for (const { pairs } of clusters) pairs.sort(byPair);
  return {
    clusters: clusters.sort((x, y) => compareObservations(prepared, x.members[0]!, y.members[0]!)),
    possible: possible.sort(byPair),
    crowded: crowded.sort((x, y) => x - y),
  };
}
