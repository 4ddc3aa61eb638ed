/**
 * Whether a place fits what a caller can use: open, accessible, free, for all. A filter leaves out
 * what is known not to fit; what is unknown stays and is counted. The facts are those of the
 * vocabulary (packages/api/attributes.ts; docs/design/places.md, "Usable now").
 */
import type { MatchFilter } from "#api/filter-match.ts";
import { UNKNOWN_COUNTS, type UnknownCount } from "#api/usable.ts";
import { type Fits, judgeFits, KNOWN, LEFT_OUT, listUnknown } from "../filter-match.ts";
import type { PlaceKind } from "./place.ts";

/** Facts that are counted of a place without making it (facts.ts). */
export type CountedFact = "wheelchair" | "free" | "public" | "potable";

/** What a charger must have: one connector for which all of it holds. */
export type ConnectorWish = {
  /** null: any. */
  types: readonly string[] | null;
  /** 0: any. */
  min_kw: number;
  /** One of them is free now. */
  free: boolean;
};

type Attributes = Readonly<Record<string, unknown>>;

export type Wish<T> = {
  count: UnknownCount;
  /** The parameter that asks for it. */
  filter: MatchFilter;
  fits(item: T): Fits;
  /** What it is judged by alone (facts.ts); absent: by the whole item. */
  fact?: CountedFact;
  /** Other kinds fit; absent: all are judged. */
  kind?: PlaceKind;
  /** Of a wish of several parameters: those that are not known of an item; absent: it has one. */
  doubts?(item: T): readonly MatchFilter[];
};

/** `left_out`: how many are left out by `strict`; absent without it. */
export type UnknownPlaces = Partial<Record<UnknownCount | "left_out", number>>;

export type FilteredPlaces<T> = {
  items: T[];
  /** Of each item, as `judgeFits` has it. */
  verdicts: number[];
  /** Those that are left out only since it is unknown whether they fit. */
  left_out: T[];
  unknown: UnknownPlaces;
};

/** Keeps what is not known to miss one of the wishes, in its order; `strict`: what is known to fit them all. */
export function keepUsable<T>(
  items: readonly T[],
  wishes: readonly Pick<Wish<T>, "count" | "fits">[],
  strict = false,
): FilteredPlaces<T> {
  const judged = items
    .map((item) => ({ item, verdict: judgeFits(wishes.map((wish) => wish.fits(item))) }))
    .filter(({ verdict }) => verdict !== LEFT_OUT);
  const kept = strict ? judged.filter(({ verdict }) => verdict === KNOWN) : judged;
  const left_out = judged.flatMap(({ item, verdict }) => (strict && verdict !== KNOWN ? item : []));
  const counts = UNKNOWN_COUNTS.flatMap((name) => {
    const at = wishes.findIndex(({ count }) => count === name);
    const isUnknown = ({ verdict }: { verdict: number }): boolean => (verdict & (1 << at)) !== 0;
    return at === -1 ? [] : [[name, kept.filter(isUnknown).length]];
  });
  return {
    items: kept.map(({ item }) => item),
    verdicts: kept.map(({ verdict }) => verdict),
    left_out,
    unknown: {
      ...(Object.fromEntries(counts) as UnknownPlaces),
      ...(strict && wishes.length > 0 ? { left_out: left_out.length } : {}),
    },
  };
}

/** Lists the filters of which it is not known whether an item fits that is not known to miss one. */
export function listDoubts<T>(item: T, wishes: readonly Wish<T>[]): MatchFilter[] {
  const unknown = listUnknown(judgeFits(wishes.map((wish) => wish.fits(item))), wishes);
  const names = unknown.flatMap(({ filter, doubts }) => doubts?.(item) ?? filter);
  return [...new Set(names)];
}

/** The member of an answer; none where no filter is set. */
export function toUnknown(unknown: UnknownPlaces): { unknown?: UnknownPlaces } {
  return Object.keys(unknown).length > 0 ? { unknown } : {};
}

/** Fully accessible with a wheelchair; of toilets, the toilets themselves. */
export function isForWheelchairs({ wheelchair }: Attributes): boolean | null {
  if (wheelchair === "yes") return true;
  return wheelchair === "limited" || wheelchair === "no" ? false : null;
}

/** Free of charge at all hours; a car park also by what its features say. */
export function isFree({ fee, parking }: Attributes): boolean | null {
  if (typeof fee === "boolean") return !fee;
  const { features } = (parking ?? {}) as { features?: unknown };
  const priced = (Array.isArray(features) ? features : []).filter((each) =>
    /^(free|paid)_/.test(String(each)),
  );
  if (priced.length === 0) return null;
  const free = priced.filter((each) => String(each).startsWith("free_")).length;
  return free === priced.length ? true : free === 0 ? false : null;
}

/** Open to all: not for customers only, nor under other conditions. */
export function isPublic({ access }: Attributes): boolean | null {
  if (access === "yes" || access === "permissive") return true;
  return access === "customers" || access === "restricted" ? false : null;
}

type Plug = { type: string; max_kw?: number; available_count?: number };

/** A charger that states no connector may have any. */
export function hasConnector(attributes: Attributes, wish: ConnectorWish): Fits {
  const verdicts = judgePlugs(attributes, wish);
  if (verdicts.length === 0) return null;
  return verdicts.includes(KNOWN)
    ? true
    : verdicts.every((each) => each === LEFT_OUT)
      ? false
      : null;
}

/**
 * Lists the parameters of which it is not known whether a charger fits them: of the plug that lacks
 * the fewest.
 */
export function listPlugDoubts(attributes: Attributes, wish: ConnectorWish): MatchFilter[] {
  const verdicts = judgePlugs(attributes, wish).filter((each) => each !== LEFT_OUT);
  const doubts = verdicts.map((each) => listUnknown(each, PLUG_FILTERS));
  if (doubts.length > 0)
    return doubts.reduce((least, each) => (each.length < least.length ? each : least));
  const { types, min_kw, free } = wish;
  return PLUG_FILTERS.filter((_, i) => [types !== null, min_kw > 0, free][i]);
}

/** Parameters that one and the same plug must fit, in the order in which it is judged. */
const PLUG_FILTERS = ["connector", "min_kw", "usable"] as const;

function judgePlugs({ charging }: Attributes, wish: ConnectorWish): number[] {
  const { connectors = [] } = (charging ?? {}) as { connectors?: readonly Plug[] };
  return connectors.map((plug) => judgeFits(judgePlug(plug, wish)));
}

function judgePlug({ type, max_kw, available_count }: Plug, wish: ConnectorWish): Fits[] {
  const { types, min_kw, free } = wish;
  return [
    // `Other` may be one that its source does not name.
    types === null || types.includes(type) || (type === "Other" ? null : false),
    min_kw === 0 || (max_kw === undefined ? null : max_kw >= min_kw),
    !free || (available_count === undefined ? null : available_count > 0),
  ];
}
