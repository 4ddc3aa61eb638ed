/**
 * Which car parks or charging stations of several sources are one, after
 * docs/identity.md, "Car parks and charging stations". Keys decide first; then pairs within reach are
 * weighed, and one is made where it is far likelier than every other that either side could be part of. A
 * group has one place of each source, unless another source has as a whole what this one has in parts.
 * The order of sources decides who leads, no more.
 */
import { distance_m } from "#kit/geo.ts";
import { createLexicon, type Lexicon } from "#kit/names/name.ts";
import { observerOf } from "./merged-facts.ts";
import { NearCells } from "./near-cells.ts";
import type { Place } from "./place.ts";

export type PlaceGroup = { place: Place; others: readonly Place[] };

/** What distinguishes things of one kind. `F`: of a place, prepared once. */
export type FacilityIdentity<F> = {
  /** Beyond this nearness says nothing, metres. */
  reach_m: number;
  /** Keys of a place, those that its id implies included. */
  keysOf(place: Place): readonly string[];
  /** Whether a place may have several keys of this kind, each of a part of it. */
  isOfPart(key: string): boolean;
  featuresOf(place: Place, lexicon: Lexicon): F;
  /** Natural logarithm of how many times likelier they are one than two; null: they are two. */
  weigh(a: F, b: F, metres: number, lexicon: Lexicon): number | null;
  /** Whether it matters little which of two is taken: they are of one site for all that is known. */
  areAlike(a: F, b: F): boolean;
  /** Whether places of one source may be the parts of what another source has as a whole. */
  mayBeParts(parts: readonly F[], whole: F): boolean;
};

/** Ids of parts are believed within this distance: a copied one is elsewhere. */
const PARTS_M = 1_000;
/** A key that more places have names none of them. */
const MOST_OF_A_KEY = 64;
/** Places of a group. */
const MOST_OF_A_GROUP = 64;
/** A pair that is weighed counts as this many more. */
const WEIGHING_COST = 1;
/** Probability from which a pair is one. */
const MERGE = 0.8;
/** Pairs that are less likely are no rivals either. */
const FLOOR = -1;
/** What every two places of two groups weigh, unless some agree: no chain joins what differs. */
const LEAST_OF_TWO = -2;
const MOST_ROUNDS = 8;
/** More rivals than this are not compared with each other. */
const MOST_ALIKE = 32;
/** How near a part is to another, and how likely it is one with the whole. */
const PARTS_APART_M = 30;
const LEAST_OF_A_PART = 2;

type Pair = { a: number; b: number; metres: number };
type KeyPair = Pair & { shared: number; is_of_parts: boolean };
type WeighedPair = Pair & { weight: number; odds: number };
type Rivals = { pairs: WeighedPair[]; odds: number };

/** Places that are prepared, and pairs that are looked at, in one step. */
const STEP_PLACES = 20;
const STEP_PAIRS = 250;

/** Groups of the places of each source, leading ones first, in steps; null: more than `most` pairs. */
export function* groupFacilities<F>(
  sources: readonly (readonly Place[])[],
  identity: FacilityIdentity<F>,
  most: number,
): Generator<void, PlaceGroup[] | null> {
  const grouping = new Grouping(identity, most);
  yield* grouping.prepare(sources);
  if (!grouping.joinByKeys()) return null;
  yield;
  const pairs = yield* grouping.listPairs();
  if (pairs === null) return null;
  yield* grouping.joinSure(pairs);
  grouping.joinParts(pairs);
  yield;
  return grouping.finish();
}

type Member<F> = { place: Place; source: number; keys: readonly string[]; features: F };

class Grouping<F> {
  readonly #identity: FacilityIdentity<F>;
  readonly #lexicon = createLexicon();
  readonly #members: Member<F>[] = [];
  readonly #most: number;
  #looked = 0;
  /** The members of the group of each member: one list a group. */
  readonly #groups: number[][] = [];

  constructor(identity: FacilityIdentity<F>, most: number) {
    this.#identity = identity;
    this.#most = most;
  }

  /** Takes the places of each source, leading ones first. */
  *prepare(sources: readonly (readonly Place[])[]): Generator<void, void> {
    for (const [source, places] of sources.entries())
      for (const place of places) {
        const keys = this.#identity.keysOf(place);
        const features = this.#identity.featuresOf(place, this.#lexicon);
        this.#groups.push([this.#members.length]);
        this.#members.push({ place, source, keys, features });
        if (this.#members.length % STEP_PLACES === 0) yield;
      }
  }

  /** false: beyond the bound. */
  joinByKeys(): boolean {
    const pairs = this.#listKeyPairs();
    if (this.#looked > this.#most) return false;
    const linked = new Set(pairs.flatMap((pair) => (pair.is_of_parts ? linkOf(pair) : [])));
    pairs.sort(
      (x, y) =>
        Number(x.is_of_parts) - Number(y.is_of_parts) ||
        y.shared - x.shared ||
        x.metres - y.metres ||
        this.#compare(x, y),
    );
    for (const pair of pairs) {
      const [group, other] = [this.#groups[pair.a]!, this.#groups[pair.b]!];
      if (group === other) continue;
      const clashes = this.#listClashes(group, other);
      if (clashes.length === 0 || (pair.is_of_parts && this.#areParts(clashes, pair, linked)))
        this.#join(group, other);
    }
    return true;
  }

  #listKeyPairs(): KeyPair[] {
    const byKey = new Map<string, number[]>();
    this.#members.forEach(({ keys }, i) => {
      for (const key of new Set(keys)) {
        const entry = byKey.get(key);
        if (entry) entry.push(i);
        else byKey.set(key, [i]);
      }
    });
    const pairs = new Map<number, KeyPair>();
    for (const [key, owners] of byKey) {
      if (owners.length < 2 || owners.length > MOST_OF_A_KEY) continue;
      const is_of_parts = this.#identity.isOfPart(key);
      for (const a of owners)
        for (const b of owners) {
          if (a >= b || this.#members[a]!.source === this.#members[b]!.source) continue;
          if (++this.#looked > this.#most) return [];
          const entry = pairs.get(a * this.#members.length + b);
          if (entry) {
            entry.shared++;
            entry.is_of_parts &&= is_of_parts;
            continue;
          }
          const metres = this.#metres(a, b);
          if (is_of_parts && metres > PARTS_M) continue;
          pairs.set(a * this.#members.length + b, { a, b, metres, shared: 1, is_of_parts });
        }
    }
    return [...pairs.values()];
  }

  /** Pairs of two groups that are of one source. */
  #listClashes(group: readonly number[], other: readonly number[]): Pair[] {
    return group.flatMap((a) =>
      other.flatMap((b) =>
        this.#members[a]!.source === this.#members[b]!.source
          ? [{ a, b, metres: this.#metres(a, b) }]
          : [],
      ),
    );
  }

  /** Whether each two of one source are parts of a place that has ids of both, and they have none in common. */
  #areParts(clashes: readonly Pair[], { a, b }: Pair, linked: ReadonlySet<string>): boolean {
    const all = [...this.#groups[a]!, ...this.#groups[b]!];
    if (all.length > MOST_OF_A_GROUP) return false;
    return clashes.every(({ a: one, b: two, metres }) => {
      if (metres > this.#identity.reach_m) return false;
      const keys = new Set(this.#members[one]!.keys);
      if (this.#members[two]!.keys.some((key) => keys.has(key))) return false;
      return all.some((site) => linked.has(`${site} ${one}`) && linked.has(`${site} ${two}`));
    });
  }

  /** Pairs of two sources within reach that are likely enough, the likeliest first; null: beyond the bound. */
  *listPairs(): Generator<void, WeighedPair[] | null> {
    const { reach_m } = this.#identity;
    const cells = new NearCells(reach_m);
    const pairs: WeighedPair[] = [];
    let stepped = this.#looked;
    for (const [b, { place, source }] of this.#members.entries()) {
      if (this.#looked - stepped >= STEP_PAIRS) {
        stepped = this.#looked;
        yield;
      }
      for (const a of cells.around(place)) {
        if (++this.#looked > this.#most) return null;
        if (this.#members[a]!.source === source || this.#groups[a] === this.#groups[b]) continue;
        const metres = this.#metres(a, b);
        if (metres > reach_m) continue;
        this.#looked += WEIGHING_COST;
        const weight = this.#weigh(a, b, metres);
        if (weight === null || weight < FLOOR) continue;
        pairs.push({ a, b, metres, weight, odds: Math.exp(weight) });
      }
      cells.add(place, b);
    }
    yield;
    return pairs.sort((x, y) => y.weight - x.weight || x.metres - y.metres || this.#compare(x, y));
  }

  /** Joins pairs that are far likelier than their rivals, until no more are: each takes rivals from others. */
  *joinSure(all: readonly WeighedPair[]): Generator<void, void> {
    let pairs = yield* this.#listFitting(all);
    for (let round = 0; round < MOST_ROUNDS && pairs.length > 0; round++) {
      const rivals = yield* this.#indexRivals(pairs);
      const sure: WeighedPair[] = [];
      for (const [i, pair] of pairs.entries()) {
        if (i % STEP_PAIRS === 0) yield;
        if (this.#isSure(pair, rivals)) sure.push(pair);
      }
      if (sure.length === 0) return;
      yield;
      for (const { a, b } of sure)
        if (this.#fit(this.#groups[a]!, this.#groups[b]!))
          this.#join(this.#groups[a]!, this.#groups[b]!);
      pairs = yield* this.#listFitting(pairs);
    }
  }

  /** Those of which the two groups may be one as they are now. */
  *#listFitting(pairs: readonly WeighedPair[]): Generator<void, WeighedPair[]> {
    const fitting: WeighedPair[] = [];
    for (const [i, pair] of pairs.entries()) {
      if (i % STEP_PAIRS === 0) yield;
      if (this.#fit(this.#groups[pair.a]!, this.#groups[pair.b]!)) fitting.push(pair);
    }
    return fitting;
  }

  /** Joins what is left alone next to a part that is joined, where another source has the whole. */
  joinParts(pairs: readonly WeighedPair[]): void {
    for (const { a, b, weight } of pairs) {
      if (weight < LEAST_OF_A_PART) return;
      if (this.#isPart(a, b)) this.#join(this.#groups[b]!, this.#groups[a]!);
      else if (this.#isPart(b, a)) this.#join(this.#groups[a]!, this.#groups[b]!);
    }
  }

  #isPart(part: number, whole: number): boolean {
    const group = this.#groups[whole]!;
    if (this.#groups[part]!.length > 1 || group.length >= MOST_OF_A_GROUP) return false;
    const { source, features } = this.#members[part]!;
    const others = group.filter((member) => this.#members[member]!.source === source);
    if (others.length === 0) return false;
    if (!others.some((other) => this.#metres(part, other) <= PARTS_APART_M)) return false;
    const parts = [features, ...others.map((other) => this.#members[other]!.features)];
    return this.#identity.mayBeParts(parts, this.#members[whole]!.features);
  }

  /** By member and source: its pairs with places of that source, and their odds together. */
  *#indexRivals(pairs: readonly WeighedPair[]): Generator<void, Map<number, Rivals>> {
    const rivals = new Map<number, Rivals>();
    const add = (one: number, other: number, pair: WeighedPair): void => {
      const key = this.#rivalKey(one, other);
      const entry = rivals.get(key);
      if (entry) {
        entry.pairs.push(pair);
        entry.odds += pair.odds;
      } else rivals.set(key, { pairs: [pair], odds: pair.odds });
    };
    for (const [i, pair] of pairs.entries()) {
      if (i % STEP_PAIRS === 0) yield;
      add(pair.a, pair.b, pair);
      add(pair.b, pair.a, pair);
    }
    return rivals;
  }

  #rivalKey(one: number, other: number): number {
    return this.#members[other]!.source * this.#members.length + one;
  }

  /** Whether it is far likelier than that one of its sides belongs elsewhere, or nowhere. */
  #isSure(pair: WeighedPair, index: ReadonlyMap<number, Rivals>): boolean {
    const { a, b, odds } = pair;
    const [ofA, ofB] = [index.get(this.#rivalKey(a, b))!, index.get(this.#rivalKey(b, a))!];
    const all = 1 + ofA.odds + ofB.odds - odds;
    if (odds / all >= MERGE) return true;
    const alike = this.#sumAlike(pair, ofA, b) + this.#sumAlike(pair, ofB, a);
    return odds / (all - alike) >= MERGE;
  }

  /** Odds of rivals, no likelier, that are of one site with this side for all that is known. */
  #sumAlike(pair: WeighedPair, { pairs }: Rivals, side: number): number {
    if (pairs.length > MOST_ALIKE) return 0;
    let sum = 0;
    for (const rival of pairs) {
      if (rival === pair || rival.weight > pair.weight) continue;
      const rest = rival.a === pair.a || rival.a === pair.b ? rival.b : rival.a;
      if (this.#areAlike(side, rest)) sum += rival.odds;
    }
    return sum;
  }

  #areAlike(a: number, b: number): boolean {
    return this.#identity.areAlike(this.#members[a]!.features, this.#members[b]!.features);
  }

  /** Whether two groups may be one: no two of one source, and on the whole they are alike. */
  #fit(group: readonly number[], other: readonly number[]): boolean {
    if (group === other) return false;
    // Weighed already.
    if (group.length === 1 && other.length === 1) return true;
    let [isAgreed, differs] = [false, false];
    for (const a of group)
      for (const b of other) {
        if (this.#members[a]!.source === this.#members[b]!.source) return false;
        const metres = this.#metres(a, b);
        const weight = metres > 2 * this.#identity.reach_m ? null : this.#weigh(a, b, metres);
        if (weight === null) return false;
        isAgreed ||= this.#areAlike(a, b);
        differs ||= weight < LEAST_OF_TWO;
      }
    return isAgreed || !differs;
  }

  #weigh(a: number, b: number, metres: number): number | null {
    const [one, other] = [this.#members[a]!.features, this.#members[b]!.features];
    return this.#identity.weigh(one, other, metres, this.#lexicon);
  }

  #metres(a: number, b: number): number {
    const [one, other] = [this.#members[a]!.place, this.#members[b]!.place];
    return distance_m(one.lat, one.lon, other.lat, other.lon);
  }

  #join(group: number[], other: readonly number[]): void {
    for (const member of other) {
      group.push(member);
      this.#groups[member] = group;
    }
  }

  /** By what the places are, not by where their sources are in the list. */
  #compare(x: Pair, y: Pair): number {
    const [one, other] = [this.#nameOf(x), this.#nameOf(y)];
    return one < other ? -1 : one > other ? 1 : 0;
  }

  #nameOf({ a, b }: Pair): string {
    const names = [a, b].map((member) => {
      const { place } = this.#members[member]!;
      return `${observerOf(place)} ${place.external_id}`;
    });
    return names.sort().join("\n");
  }

  /** The leading place of each group, then the others in the order of their sources; parts with more ids first. */
  finish(): PlaceGroup[] {
    const seen = new Set<readonly number[]>();
    return this.#groups.flatMap((group) => {
      if (seen.has(group)) return [];
      seen.add(group);
      const [lead, ...others] = group
        .map((member) => this.#members[member]!)
        .sort(
          (x, y) =>
            x.source - y.source ||
            y.keys.length - x.keys.length ||
            (x.place.external_id < y.place.external_id ? -1 : 1),
        );
      return [{ place: lead!.place, others: others.map(({ place }) => place) }];
    });
  }
}

/** Both ways. */
function linkOf({ a, b }: Pair): string[] {
  return [`${a} ${b}`, `${b} ${a}`];
}
