/** Which pairs are worth considering, and what each of them scores: the edges of the graph. */
import { findKeyPartners, keysBetween } from "./key-pairs.ts";
import type { KeyPartners } from "./key-pairs.ts";
import { DIFFERENT } from "./kinship.ts";
import { visitNeighbours } from "./neighbours.ts";
import { resolveRules } from "./overrides.ts";
import type { Rules } from "./overrides.ts";
import type { Overrides } from "./observation.ts";
import { areModesApart, pairKey, separation_m } from "./prepare.ts";
import type { Prepared } from "./prepare.ts";
import { scorePair } from "./score.ts";
import type { PairContext } from "./score.ts";

/** Pairs as columns, each pair once. */
export type Candidates = {
  a: number[];
  b: number[];
  /** Sum of weights. */
  sum: number[];
  /** Pairs with a key in common that stand too far apart: conflicts, never merged. */
  far: [number, number][];
  keys: KeyPartners;
  rules: Rules;
};

/** What outweighs everything: an operator's word. */
const ALWAYS = 100;

export function findCandidates(prepared: Prepared, overrides: Overrides): Candidates {
  const candidates: Candidates = {
    ...{ a: [], b: [], sum: [], far: [] },
    keys: findKeyPartners(prepared),
    rules: resolveRules(prepared, overrides),
  };
  const { feed, tuning } = prepared;
  visitNeighbours(prepared, tuning.diameter_m, (a, b) => {
    if (feed[a] === feed[b]) return;
    if (prepared.kinship(feed[a]!, feed[b]!) === DIFFERENT) return;
    const distance_m = separation_m(prepared, a, b);
    if (distance_m > tuning.diameter_m) return;
    const pair = contextOf(prepared, candidates, a, b, distance_m);
    if (pair.keys !== "equal") consider(prepared, candidates, a, b, pair);
  });
  addByKey(prepared, candidates);
  addByRule(prepared, candidates);
  return candidates;
}

/** What is known of a pair beside its two observations. */
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

/** Pairs with a key in common, wherever they stand. */
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

function consider(
  prepared: Prepared,
  candidates: Candidates,
  a: number,
  b: number,
  pair: PairContext,
): void {
  if (isRuledOut(prepared, candidates, a, b)) return;
  const sum = scorePair(prepared, a, b, pair);
  if (sum >= prepared.tuning.candidate) push(candidates, a, b, sum);
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

function push(candidates: Candidates, a: number, b: number, sum: number): void {
  candidates.a.push(a);
  candidates.b.push(b);
  candidates.sum.push(sum);
}
