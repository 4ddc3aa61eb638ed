/** Judges the real resolver on one set: what it merged, by what the labels say of it. */
import { resolveObservations } from "#stations/index.ts";
import { type ScoredPair, TUNING, type Tuning } from "#stations/resolution.ts";
import { LABELS } from "./sets.ts";
import type { Label, LabelledSet } from "./sets.ts";
import { vary } from "./variants.ts";
import type { Variant } from "./variants.ts";

export type Counts = Record<Label, number>;

/** A merge that the labels call wrong, or a `same` that was missed. */
export type Mistake = { kind: string; a: number; b: number; pair: ScoredPair | null };

export type Card = {
  name: string;
  variant: Variant;
  pairs: Counts;
  merged: Counts;
  /** Merges of no labelled pair, where a label says that one of the two is another station. */
  contradicted: number;
  /** Merges of which the labels say nothing. */
  unlabelled: number;
  /** `same_key_far` rows that the answer shows as possible matches. */
  far_shown: number;
  precision: number;
  recall: number;
  cases: Mistake[];
};

export function judge(set: LabelledSet, variant: Variant, tuning: Tuning = TUNING): Card {
  const observations = vary(set.observations, variant, set.name);
  const { clusters, possible } = resolveObservations(set.feeds, observations, undefined, tuning);
  const keyOf = (a: number, b: number): number =>
    Math.min(a, b) * observations.length + Math.max(a, b);
  const scored = new Map<number, ScoredPair>();
  for (const pair of possible) scored.set(keyOf(pair.a, pair.b), pair);
  const merged = new Map<number, [number, number]>();
  for (const { members, pairs } of clusters) {
    for (const pair of pairs) scored.set(keyOf(pair.a, pair.b), pair);
    members.forEach((a, i) => members.slice(i + 1).forEach((b) => merged.set(keyOf(a, b), [a, b])));
  }
  const card: Card = {
    name: set.name,
    variant,
    pairs: emptyCounts(),
    merged: emptyCounts(),
    contradicted: 0,
    unlabelled: 0,
    far_shown: 0,
    precision: 1,
    recall: 1,
    cases: [],
  };
  const labelled = new Set<number>();
  const listed = new Set(possible.map(({ a, b }) => keyOf(a, b)));
  for (const { a, b, label, drawings } of set.pairs) {
    const key = keyOf(a, b);
    // One dock with two drawings: whichever was merged, the dock was.
    const keys = label === "same" ? drawings.map(([x, y]) => keyOf(x, y)) : [key];
    const isMerged = keys.some((each) => merged.has(each));
    for (const each of keys) labelled.add(each);
    card.pairs[label]++;
    if (isMerged) card.merged[label]++;
    if (label === "same_key_far" && listed.has(key)) card.far_shown++;
    if (label !== "ambiguous" && isMerged !== (label === "same"))
      card.cases.push({ kind: label, a, b, pair: scored.get(key) ?? null });
  }
  judgeUnlabelled(
    set,
    card,
    [...merged].filter(([key]) => !labelled.has(key)),
    (a, b) => scored.get(keyOf(a, b)) ?? null,
  );
  return { ...card, ...rates(card) };
}

/** Merges of pairs without a row of their own; a counterpart elsewhere proves them wrong. */
function judgeUnlabelled(
  set: LabelledSet,
  card: Card,
  merges: readonly (readonly [number, [number, number]])[],
  scoreOf: (a: number, b: number) => ScoredPair | null,
): void {
  const counterpart = new Map<number, string>();
  for (const { a, b, label } of set.pairs)
    if (label === "same") {
      counterpart.set(a, set.ids[b]!);
      counterpart.set(b, set.ids[a]!);
    }
  // An id twice on the map is two drawings of one dock: either is right.
  const isOther = (x: number, y: number): boolean =>
    counterpart.has(x) && counterpart.get(x) !== set.ids[y];
  for (const [, [a, b]] of merges) {
    if (!isOther(a, b) && !isOther(b, a)) {
      card.unlabelled++;
      continue;
    }
    card.contradicted++;
    card.cases.push({ kind: "contradicted", a, b, pair: scoreOf(a, b) });
  }
}

/** Of nothing, everything is right: a set without merges or without `same` rows has rate 1. */
export function rates(card: Pick<Card, "pairs" | "merged" | "contradicted">): {
  precision: number;
  recall: number;
} {
  const { same, different, same_key_far, neighbours } = card.merged;
  const all = same + different + same_key_far + neighbours + card.contradicted;
  return {
    precision: all === 0 ? 1 : same / all,
    recall: card.pairs.same === 0 ? 1 : same / card.pairs.same,
  };
}

function emptyCounts(): Counts {
  return Object.fromEntries(LABELS.map((label) => [label, 0])) as Counts;
}

/** All sets of one variant together. */
export function sumCards(cards: readonly Card[]): {
  pairs: Counts;
  merged: Counts;
  contradicted: number;
  unlabelled: number;
} {
  const sum = { pairs: emptyCounts(), merged: emptyCounts(), contradicted: 0, unlabelled: 0 };
  for (const card of cards) {
    for (const label of LABELS) {
      sum.pairs[label] += card.pairs[label];
      sum.merged[label] += card.merged[label];
    }
    sum.contradicted += card.contradicted;
    sum.unlabelled += card.unlabelled;
  }
  return sum;
}
