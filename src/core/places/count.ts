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
export type Listed = { hits: Hits; own: readonly number[] };

/** Hits that fit, with the distance that each states. */
export type Counted = { hits: Hits; fitting: readonly number[]; stated: readonly number[] };

type Wishes = readonly Wish<OpenItem>[];

/** Whether columns answer all that is counted of this kind. */
export function isCountable(kind: PlaceKind, { hits, own }: Listed, wishes: Wishes): boolean {
  const judged = wishes.filter((wish) => isOf(wish, kind));
  if (judged.some(({ fact }) => fact === undefined)) return false;
  const needs = kind === "water" || judged.length > 0;
  return !needs || own.every((hit) => hits.facts[hit] !== NO_FACTS);
}

function isOf(wish: Wish<OpenItem>, kind: PlaceKind): boolean {
  return wish.kind === undefined || wish.kind === kind;
}

type Counting = {
  within_m: number;
  tokens: readonly ServiceToken[];
  wishes: Wishes;
  tally: Tally;
};

export function countHits(
  kind: PlaceKind,
  { hits, own }: Listed,
  { within_m, tokens, wishes, tally }: Counting,
): Counted {
  const judged = wishes.filter((wish) => isOf(wish, kind));
  const [fitting, stated]: [number[], number[]] = [[], []];
  for (const hit of own) {
    if (hits.metres[hit]! > within_m) continue;
    const facts = Math.max(0, hits.facts[hit]!);
    const potable = readFact(facts, "potable");
    if (potable === false) tally.addUndrinkable();
    const token = tokenFor(kind, potable, tokens);
    if (!tokens.includes(token)) continue;
    if (judged.some(({ fact }) => readFact(facts, fact!) === false)) continue;
    for (const { count, fact } of judged)
      if (readFact(facts, fact!) === null) tally.addUnknown(count);
    tally.add(token);
    fitting.push(hit);
    stated.push(statedOf(hits.metres[hit]!));
  }
  return { hits, fitting, stated };
}

/** Makes those that state at most this distance, nearest first, as far as the budget goes. */
export function makeNearest(
  { hits, fitting, stated }: Counted,
  last_m: number,
  budget: Budget,
): Found[] {
  const found: Found[] = [];
  const make = (wanted: (stated_m: number) => boolean): void => {
    for (let n = 0; n < fitting.length; n++)
      if (wanted(stated[n]!) && budget.keep()) found.push(hits.foundAt(fitting[n]!));
  };
  make((stated_m) => stated_m < last_m);
  make((stated_m) => stated_m === last_m);
  return found;
}

/** From here on a distance is no row of a table. */
const TABLE_M = 65_536;

/** The distance that the `count`th states; Infinity: there are no more than that. */
export function lastStated(stated: readonly number[], count: number): number {
  if (stated.length <= count) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (const each of stated) most = Math.max(most, each);
  if (most >= TABLE_M) return Float64Array.from(stated).sort()[count - 1]!;
  const table = new Uint32Array(most + 1);
  for (const each of stated) table[each]!++;
  let [metre, seen] = [0, table[0]!];
  while (seen < count) seen += table[++metre]!;
  return metre;
}
