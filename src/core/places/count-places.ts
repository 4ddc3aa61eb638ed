/** Places of a kind that one source alone has here: counted by their columns, made where they are shown. */
import type { Budget } from "#kit/budget.ts";
import type { Location } from "#kit/geo.ts";
import { judgeFits, KNOWN, LEFT_OUT, type Nearest } from "../filter-match.ts";
import { readFact } from "./place-facts.ts";
import { type PlaceHit, type PlaceHits, NO_FACTS } from "./place-hits.ts";
import type { PlaceKind } from "./place.ts";
import type { NearestKnown } from "#api/filter-match.ts";
import { type OpenItem, statedOf } from "./place-results.ts";
import type { Spots } from "./spots.ts";
import type { PlaceTally } from "./tally.ts";
import { isUncertain, type ServiceToken, tokenFor } from "./place-tokens.ts";
import type { Wish } from "./usable-filter.ts";

/** Hits of one kind. */
export type Listed = { kind: PlaceKind; hits: PlaceHits; own: ArrayLike<number> };

/** Hits that fit. */
export type Counted = { hits: PlaceHits; fitting: ArrayLike<number> };

/** Hits that fit, those that come after all others apart (tokens.ts). */
export type CountedTwice = { first: Counted; last: Counted };

type Wishes = readonly Wish<OpenItem>[];

/** Whether columns answer all that is counted of this kind. */
export function isCountable(kind: PlaceKind, { hits, own }: Listed, wishes: Wishes): boolean {
  const judged = wishes.filter((wish) => isOf(wish, kind));
  if (judged.some(({ fact }) => fact === undefined)) return false;
  if (kind !== "water" && judged.length === 0) return true;
  for (let n = 0; n < own.length; n++) if (hits.facts[own[n]!] === NO_FACTS) return false;
  return true;
}

function isOf(wish: Wish<OpenItem>, kind: PlaceKind): boolean {
  return wish.kind === undefined || wish.kind === kind;
}

type Counting = {
  within_m: number;
  tokens: readonly ServiceToken[];
  wishes: Wishes;
  /** Whether what is unknown is left out. */
  strict: boolean;
  tally: PlaceTally;
  /** Takes what is known to fit, but for what comes after all others. */
  nearest: Nearest;
  toNearest: (hit: PlaceHit) => NearestKnown;
  /** Distances of those that fit, and of those of them that come after all others. */
  first: Distances;
  last: Distances;
  /** Takes undrinkable water; null: it is only counted. */
  undrinkable: Spots | null;
};

export function countHits(
  kind: PlaceKind,
  { hits, own }: Listed,
  counting: Counting,
): CountedTwice {
  const { within_m, tokens, wishes, strict, tally, nearest, toNearest, undrinkable } = counting;
  const judged = wishes.filter((wish) => isOf(wish, kind));
  const [first, last]: [number[], number[]] = [[], []];
  /** By their facts: how many there are, how they are judged, and whether they come last. */
  const alike: (({ things: number; isLast: boolean } & Verdict) | undefined)[] = [];
  for (let n = 0; n < own.length; n++) {
    const hit = own[n]!;
    const metres = hits.metres[hit]!;
    if (metres > within_m) continue;
    const facts = Math.max(0, hits.facts[hit]!);
    const those = (alike[facts] ??= {
      things: 0,
      ...judgeFacts(kind, facts, tokens, { judged, strict }),
      isLast: isUncertain(kind, readFact(facts, "potable"), tokens),
    });
    those.things++;
    if (undrinkable !== null && readFact(facts, "potable") === false)
      undrinkable.add(metres, () => locationOf(hits.placeAt(hit)));
    if (!those.fits) continue;
    (those.isLast ? last : first).push(hit);
    counting[those.isLast ? "last" : "first"].add(statedOf(metres));
    if (those.isKnown && !those.isLast)
      nearest.add(statedOf(metres), () => toNearest(hits.foundAt(hit)));
  }
  alike.forEach((those, facts) => {
    if (!those) return;
    const potable = readFact(facts, "potable");
    if (potable === false) tally.addUndrinkable(those.things);
    if (those.isLeftOut) tally.addUnknown("left_out", those.things);
    if (!those.fits) return;
    if (those.isLast) tally.addUncertain(those.things);
    else tally.add(tokenFor(kind, potable, tokens), those.things);
    for (const wish of judged)
      if (readFact(facts, wish.fact!) === null) tally.addUnknown(wish.count, those.things);
  });
  return { first: { hits, fitting: first }, last: { hits, fitting: last } };
}

function locationOf({ lat, lon }: Location): Location {
  return { lat, lon };
}

/** `isLeftOut`: only since it is unknown. */
type Verdict = { fits: boolean; isKnown: boolean; isLeftOut: boolean };

function judgeFacts(
  kind: PlaceKind,
  facts: number,
  tokens: readonly ServiceToken[],
  { judged, strict }: { judged: Wishes; strict: boolean },
): Verdict {
  const potable = readFact(facts, "potable");
  const isWanted = tokens.includes(tokenFor(kind, potable, tokens));
  const verdict =
    isWanted || isUncertain(kind, potable, tokens)
      ? judgeFits(judged.map(({ fact }) => readFact(facts, fact!)))
      : LEFT_OUT;
  const isKnown = verdict === KNOWN;
  const stays = verdict !== LEFT_OUT;
  return { fits: stays && (isKnown || !strict), isKnown, isLeftOut: stays && !isKnown && strict };
}

/** Makes those that state at most this distance, nearest first, as far as the budget goes. */
export function makeNearest(
  { hits, fitting }: Counted,
  last_m: number,
  budget: Budget,
): PlaceHit[] {
  const matches: PlaceHit[] = [];
  const last: number[] = [];
  for (let n = 0; n < fitting.length; n++) {
    const hit = fitting[n]!;
    const stated = statedOf(hits.metres[hit]!);
    if (stated < last_m && budget.keep()) matches.push(hits.foundAt(hit));
    else if (stated === last_m) last.push(hit);
  }
  for (const hit of last) if (budget.keep()) matches.push(hits.foundAt(hit));
  return matches;
}

/** From here on distances are sorted rather than counted. */
const TABLE_M = 65_536;

/** The distances that things state, whole metres. */
export class Distances {
  readonly #stated: number[] = [];
  #most = 0;

  add(stated_m: number): void {
    this.#stated.push(stated_m);
    if (stated_m > this.#most) this.#most = stated_m;
  }

  /** The distance of the `n`th; Infinity: there are no more than that. */
  nth(n: number): number {
    if (this.#stated.length <= n) return Number.POSITIVE_INFINITY;
    if (this.#most >= TABLE_M) return Float64Array.from(this.#stated).sort()[n - 1]!;
    const table = new Uint32Array(this.#most + 1);
    for (const stated_m of this.#stated) table[stated_m]!++;
    let [metre, seen] = [0, table[0]!];
    while (seen < n) seen += table[++metre]!;
    return metre;
  }
}
