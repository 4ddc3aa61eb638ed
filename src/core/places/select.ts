/**
 * From what sources have to what an answer shows (§2.3, §4.6): each thing once, counted, filtered,
 * ranked and cut. Places are made where an answer shows them, and where they must be to be counted
 * (several.ts); beyond the bounds of that the answer is that of a smaller circle, and says so.
 */
import { Budget } from "#kit/budget.ts";
import {
  type Counted,
  countHits,
  Distances,
  isCountable,
  type Listed,
  makeNearest,
} from "./count-places.ts";
import { readFact } from "./place-facts.ts";
import { NO_FACTS, type PlaceHit, type PlaceHits } from "./place-hits.ts";
import { type PlaceKind, PLACE_KINDS } from "./place.ts";
import {
  byStatedDistance,
  type ResultDraft,
  type ItemOptions,
  type OpenItem,
  toDraft,
  toVisible,
} from "./place-results.ts";
import { findSeveral, fringeOf_m } from "./several.ts";
import { type NearestSpots, Spots } from "./spots.ts";
import { PlaceTally } from "./tally.ts";
import { isUncertainPlace, type ServiceToken } from "./place-tokens.ts";
import type { NearestKnown } from "#api/filter-match.ts";
import { KNOWN, Nearest, toMatch } from "../filter-match.ts";
import { keepUsable, listDoubts, type Wish } from "./usable-filter.ts";

/** Rows that one question looks at, and places that it makes. */
const BOUNDS = { looks: 60_000, keeps: 6_000 } as const;

/** What one question for places may cost, whatever lies around it. */
export function createPlaceBudget(): Budget {
  return new Budget(BOUNDS);
}

export type Selecting = ItemOptions & {
  radius_m: number;
  /** Items wanted, the nearest. */
  limit: number;
  wishes: readonly Wish<OpenItem>[];
  /** Whether what is not known to fit the wishes is left out; absent: it stays. */
  strict?: boolean;
  budget: Budget;
  /** Car parks, and charging stations, at most, the nearest (§4.6); absent: any number. */
  facilities_max?: number;
  /** Undrinkable water is listed as well, at most this much; absent: it is only counted. */
  list_undrinkable?: number;
};

export type PlaceSelection = Pick<
  PlaceTally,
  "total" | "by_token" | "unknown" | "undrinkable" | "uncertain"
> & {
  /** The nearest that fit, ordered by stated distance, then id; water of unknown quality last (tokens.ts). */
  items: OpenItem[];
  /** The nearest that is known to fit all wishes, cut off or not; null: none is, or there are no wishes. */
  nearest_known: NearestKnown | null;
  /** Up to where all was counted, metres; null: everywhere. */
  counted_m: number | null;
  /** Kinds of which more were found than may be named. */
  ends: readonly KindEnd[];
  /** Where the nearest undrinkable water is; absent: not asked for. */
  undrinkable_at?: NearestSpots;
};

/** Of one kind: how many of it are named, and up to where the nearest lie, metres. */
export type KindEnd = { kind: PlaceKind; shown: number; within_m: number };

/** Places that are judged, or made for showing, in one step: hours that are read first take 0.1 ms. */
const STEP = 8;

/** In steps. `sources`: what each source has, leading ones first, perhaps a little beyond the circle. */
export function* selectPlaces(
  sources: readonly PlaceHits[],
  options: Selecting,
): Generator<void, PlaceSelection> {
  const { tokens, wishes, strict = false, budget, limit, list_undrinkable = 0 } = options;
  const tally = new PlaceTally(tokens, wishes, strict);
  const nearest = new Nearest();
  const undrinkable = list_undrinkable > 0 ? new Spots() : null;
  const [first, last] = [createRank(), createRank()];
  // What a source has not looked at may be the other half of what lies near it.
  const whole_m = Math.min(...sources.map((hits) => hits.whole_m));
  const groups = groupByKind(sources);
  const fringe_m = fringeOf_m([...groups].flatMap(([kind, lists]) => (lists[1] ? kind : [])));
  const within_m = Math.min(options.radius_m, whole_m > fringe_m ? whole_m - fringe_m : Infinity);
  const several: Listed[][] = [];
  const made: Made[] = [];
  for (const [kind, lists] of groups) {
    yield;
    const most = options.facilities_max;
    if (most !== undefined && isCut(kind, lists, { most, wishes })) {
      made.push(yield* makeFacility(kind, lists, within_m, { ...options, most }));
    } else if (lists.length === 1 && isCountable(kind, lists[0]!, wishes)) {
      const counting = {
        within_m,
        tokens,
        wishes,
        strict,
        tally,
        nearest,
        toNearest: (hit: PlaceHit) =>
          toNearest(toDraft(hit.place, hit.distance_m, tokens), options),
        first: first.distances,
        last: last.distances,
        undrinkable,
      };
      const counted = countHits(kind, lists[0]!, counting);
      first.counted.push(counted.first);
      last.counted.push(counted.last);
    } else several.push(lists);
  }
  made.push(yield* makeKinds(several, within_m, options, undrinkable));
  const drafts = made.flatMap((each) => each.drafts);
  tallyItems(
    drafts.map(({ item }) => item),
    options,
    tally,
  );
  for (const { known, left_out_m, undrinkable: bad } of made) {
    for (const draft of known)
      nearest.add(draft.item.distance_meters, () => toNearest(draft, options));
    tally.addUndrinkable(bad);
    if (strict && wishes.length > 0) tally.addUnknown("left_out", left_out_m.length);
  }
  for (const draft of drafts) {
    const rank = isUncertainPlace(draft.place, tokens) ? last : first;
    rank.made.push(draft);
    rank.distances.add(draft.item.distance_meters);
  }
  yield;
  const items = yield* listNearest(first, limit, options);
  if (items.length < limit)
    items.push(...(yield* listNearest(last, limit - items.length, options)));
  if (wishes.length > 0)
    for (const item of items) Object.assign(item, toMatch(listDoubts(item, wishes)));
  const isWhole = items.length === Math.min(limit, tally.total);
  const listed_m = isWhole ? Infinity : (items.at(-1)?.distance_meters ?? 0);
  const counted_m = Math.min(
    options.radius_m,
    whole_m - fringe_m,
    ...made.map((each) => each.counted_m),
    listed_m,
  );
  return {
    items,
    total: tally.total,
    by_token: tally.by_token,
    unknown: tally.unknown,
    undrinkable: tally.undrinkable,
    uncertain: tally.uncertain,
    nearest_known: wishes.length > 0 ? nearest.get() : null,
    ends: made.flatMap(({ end }) => end ?? []),
    counted_m: counted_m < options.radius_m ? Math.max(0, Math.floor(counted_m)) : null,
    ...(undrinkable && { undrinkable_at: undrinkable.nearest(list_undrinkable, budget) }),
  };
}

/** Whether a kind is of the facilities, and may have more than may be named, or has to be made. */
function isCut(
  kind: PlaceKind,
  lists: readonly Listed[],
  { most, wishes }: { most: number; wishes: Selecting["wishes"] },
): boolean {
  if (!FACILITIES.includes(kind)) return false;
  return lists.length > 1 || lists[0]!.own.length > most || wishes.length > 0;
}

/** Kinds that the maps provider answers, whichever source knows them (§2.3, §4.7). */
export const FACILITIES: readonly PlaceKind[] = ["parking", "charging"];

/** Drafts of what had to be made: those that are listed, and what else is counted of them. */
type Made = Fitting & {
  /** Up to where all of it was looked at, metres; Infinity: more of it would change nothing. */
  counted_m: number;
  /** Where a facility ends of which there is more than may be named; null: it does not. */
  end: KindEnd | null;
};

function* makeKinds(
  kinds: readonly Listed[][],
  within_m: number,
  options: Selecting,
  undrinkable: Spots | null,
): Generator<void, Made> {
  const { merged, shown_m, counted_m } = yield* findSeveral(kinds, options.budget);
  const fitting = yield* keepFitting(merged, Math.min(within_m, shown_m), options, undrinkable);
  return { ...fitting, counted_m, end: null };
}

/** Places of a facility that are made: at first, and more only where too few of them fit. */
const FACILITY_STEPS = [200, 400] as const;

/**
 * The nearest `most` of a facility that fit. Filters go before the cut: what they leave out takes no
 * place of what fits. Where none of the nearest is known to fit, it is looked for further.
 */
function* makeFacility(
  kind: PlaceKind,
  lists: readonly Listed[],
  within_m: number,
  { most, ...options }: Selecting & { most: number },
): Generator<void, Made> {
  const [few, many] = FACILITY_STEPS;
  const make = function* (bound: number): Generator<void, Fitting & { counted_m: number }> {
    const { merged, shown_m, counted_m } = yield* findSeveral([lists], options.budget, bound);
    const fitting = yield* keepFitting(merged, Math.min(within_m, shown_m), options, null);
    const isFound = fitting.known.length > 0 || !mayBeKnown(lists, options.wishes);
    const isEnough = fitting.drafts.length > most && isFound;
    return { ...fitting, counted_m: isEnough ? Number.POSITIVE_INFINITY : counted_m };
  };
  const first = yield* make(few);
  const made = first.counted_m >= within_m ? first : yield* make(many);
  return made.drafts.length > most ? endFacility(kind, made, most) : { ...made, end: null };
}

/** Whether columns leave it open that one of the places is known to fit; where no source states a wish, none is. */
function mayBeKnown(lists: readonly Listed[], wishes: Selecting["wishes"]): boolean {
  return wishes.every(({ fact }) => {
    if (fact === undefined) return true;
    return lists.some(({ hits, own }) => {
      for (let n = 0; n < own.length; n++) {
        const facts = hits.facts[own[n]!]!;
        if (facts === NO_FACTS || readFact(facts, fact) === true) return true;
      }
      return false;
    });
  });
}

/** Leaves out what is beyond the nearest `most`. */
function endFacility(
  kind: PlaceKind,
  fitting: Fitting & { counted_m: number },
  most: number,
): Made {
  const nearest = fitting.drafts.toSorted(
    (a, b) => a.distance_m - b.distance_m || (a.place.external_id < b.place.external_id ? -1 : 1),
  );
  const { distance_m } = nearest[most - 1]!;
  const end = { kind, shown: most, within_m: Math.floor(distance_m) };
  const left_out_m = fitting.left_out_m.filter((metres) => metres <= distance_m);
  return { ...fitting, drafts: nearest.slice(0, most), left_out_m, end };
}

/** What is listed together: of what sources have alone, and of what had to be made. */
type Rank = { counted: Counted[]; made: ResultDraft[]; distances: Distances };

function createRank(): Rank {
  return { counted: [], made: [], distances: new Distances() };
}

/** The nearest of a rank, and no more. */
function* listNearest(
  { counted, made, distances }: Rank,
  most: number,
  options: Selecting,
): Generator<void, OpenItem[]> {
  // All that is nearer than the last that is shown, or as far away as that.
  const last_m = distances.nth(most);
  const drafts = made.filter(({ item }) => item.distance_meters <= last_m);
  for (const each of counted)
    for (const { place, distance_m } of makeNearest(each, last_m, options.budget))
      drafts.push(toDraft(place, distance_m, options.tokens));
  const items: OpenItem[] = [];
  for (const draft of drafts) {
    items.push(toVisible(draft, options));
    if (items.length % STEP === 0) yield;
  }
  return items.sort(byStatedDistance).slice(0, most);
}

/** Each kind that is there, with the sources that have some of it. */
function groupByKind(sources: readonly PlaceHits[]): Map<PlaceKind, Listed[]> {
  const kinds = new Map<PlaceKind, Listed[]>();
  for (const hits of sources) {
    const own: (number[] | undefined)[] = [];
    for (let hit = 0; hit < hits.length; hit++) (own[hits.kinds[hit]!] ??= []).push(hit);
    own.forEach((some, n) => {
      if (!some) return;
      const kind = PLACE_KINDS[n]!;
      kinds.set(kind, [...(kinds.get(kind) ?? []), { kind, hits, own: some }]);
    });
  }
  return kinds;
}

/** Where the nearest that is known to fit is, as answers name it. */
function toNearest(draft: ResultDraft, options: ItemOptions): NearestKnown {
  const { location, distance_meters } = draft.item;
  return { id: options.toId(draft.place), distance_meters, location };
}

type Fitting = {
  drafts: ResultDraft[];
  /** Those of them that are known to fit, but for what comes after all others. */
  known: ResultDraft[];
  undrinkable: number;
  /** How far away those are that are left out since it is unknown whether they fit, metres. */
  left_out_m: number[];
};

/** Drafts of those within the distance that fit, and what else is counted of all of them. */
function* keepFitting(
  merged: readonly PlaceHit[],
  within_m: number,
  { tokens, wishes, strict = false }: Selecting,
  undrinkable: Spots | null,
): Generator<void, Fitting> {
  if (merged.length === 0) return NONE_FIT;
  const inside = merged
    .filter(({ distance_m }) => distance_m <= within_m)
    .map(({ place, distance_m }) => toDraft(place, distance_m, tokens));
  const bad = inside.filter(({ item }) => isUndrinkable(item));
  for (const { item } of bad) undrinkable?.add(item.distance_meters, () => item.location);
  const wanted = inside.filter(
    ({ item, place }) => tokens.includes(item.service_type) || isUncertainPlace(place, tokens),
  );
  const judged = wishes.map(({ count, fits }) => ({
    count,
    fits: ({ item }: ResultDraft) => fits(item),
  }));
  const fitting = { drafts: new Array<ResultDraft>(), known: new Array<ResultDraft>() };
  const left_out_m: number[] = [];
  for (let from = 0; from < wanted.length; from += STEP) {
    const some = wanted.slice(from, from + STEP);
    const { items, verdicts, left_out } = keepUsable(some, judged, strict);
    items.forEach((draft, i) => {
      fitting.drafts.push(draft);
      if (verdicts[i] === KNOWN && !isUncertainPlace(draft.place, tokens))
        fitting.known.push(draft);
    });
    for (const { distance_m } of left_out) left_out_m.push(distance_m);
    yield;
  }
  return { ...fitting, undrinkable: bad.length, left_out_m };
}

const NONE_FIT: Fitting = { drafts: [], known: [], undrinkable: 0, left_out_m: [] };

/** Counts items that fit, as all of them are counted. */
export function tallyItems(
  items: readonly OpenItem[],
  { tokens, wishes, strict = false }: Pick<Selecting, "tokens" | "wishes" | "strict">,
  tally = new PlaceTally(tokens, wishes, strict),
): PlaceTally {
  for (const item of items)
    if (isOfTokens(item, tokens)) tally.add(item.service_type);
    else tally.addUncertain();
  const { unknown } = keepUsable(items, wishes);
  for (const { count } of wishes) tally.addUnknown(count, unknown[count] ?? 0);
  return tally;
}

/** Water of unknown quality is of none of them, where it comes last. */
export function isOfTokens({ service_type }: OpenItem, tokens: readonly ServiceToken[]): boolean {
  return tokens.includes(service_type);
}

/** Water that is known not to be potable. */
function isUndrinkable({ attributes }: OpenItem): boolean {
  return attributes["drinking_water"] === "no";
}
