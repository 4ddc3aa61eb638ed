/** Places of a kind that one source alone has here: counted by their columns, made where they are shown. */
import type { Budget } from "#core/budget.ts";
import { readFact } from "./facts.ts";
import { type Found, type Hits, NO_FACTS } from "./hits.ts";
import type { PlaceKind } from "./place.ts";
import { type OpenItem, statedOf } from "./results.ts";
import type { Tally } from "./tally.ts";
import { type ServiceToken, tokenFor } from "./tokens.ts";
import type { Wish } from "./usable.ts";

/** Hits of one kind. */
export type Listed = { hits: Hits; own: ArrayLike<number> };

/** Hits that fit. */
export type Counted = { hits: Hits; fitting: ArrayLike<number> };

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
  tally: Tally;
  distances: Distances;
};

/** Values that facts may have. */
const ALL_FACTS = 256;

export function countHits(
  kind: PlaceKind,
  { hits, own }: Listed,
  { within_m, tokens, wishes, tally, distances }: Counting,
): Counted {
  const judged = wishes.filter((wish) => isOf(wish, kind));
  const counts = new Uint32Array(ALL_FACTS);
  const fits: (boolean | null)[] = Array.from({ length: ALL_FACTS }, () => null);
  const isFitting = (facts: number): boolean =>
    tokens.includes(tokenFor(kind, readFact(facts, "potable"), tokens)) &&
    judged.every(({ fact }) => readFact(facts, fact!) !== false);
  const fitting = new Uint32Array(own.length);
  let count = 0;
  for (let n = 0; n < own.length; n++) {
    const hit = own[n]!;
    const metres = hits.metres[hit]!;
    if (metres > within_m) continue;
    const facts = Math.max(0, hits.facts[hit]!);
    counts[facts]!++;
    if (!(fits[facts] ??= isFitting(facts))) continue;
    fitting[count++] = hit;
    distances.add(statedOf(metres));
  }
  counts.forEach((things, facts) => {
    if (things === 0) return;
    const potable = readFact(facts, "potable");
    if (potable === false) tally.addUndrinkable(things);
    if (!fits[facts]) return;
    tally.add(tokenFor(kind, potable, tokens), things);
    for (const wish of judged)
      if (readFact(facts, wish.fact!) === null) tally.addUnknown(wish.count, things);
  });
  return { hits, fitting: fitting.subarray(0, count) };
}

/** Makes those that state at most this distance, nearest first, as far as the budget goes. */
export function makeNearest({ hits, fitting }: Counted, last_m: number, budget: Budget): Found[] {
  const found: Found[] = [];
  const last: number[] = [];
  for (let n = 0; n < fitting.length; n++) {
    const hit = fitting[n]!;
    const stated = statedOf(hits.metres[hit]!);
    if (stated < last_m && budget.keep()) found.push(hits.foundAt(hit));
    else if (stated === last_m) last.push(hit);
  }
  for (const hit of last) if (budget.keep()) found.push(hits.foundAt(hit));
  return found;
}

/** From here on a distance is no row of a table. */
const TABLE_M = 16_384;

/** How many state each distance, in whole metres. */
export class Distances {
  readonly #table = new Uint32Array(TABLE_M);
  readonly #far: number[] = [];
  #count = 0;

  add(stated_m: number): void {
    this.#count++;
    if (stated_m < TABLE_M) this.#table[stated_m]!++;
    else this.#far.push(stated_m);
  }

  /** The distance of the `n`th; Infinity: there are no more than that. */
  nth(n: number): number {
    if (this.#count <= n) return Number.POSITIVE_INFINITY;
    let seen = 0;
    for (let metre = 0; metre < TABLE_M; metre++) {
      seen += this.#table[metre]!;
      if (seen >= n) return metre;
    }
    return Float64Array.from(this.#far).sort()[n - seen - 1]!;
  }
}
