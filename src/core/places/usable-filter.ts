/**
 * Whether a place fits what a caller can use: open, accessible, free, for all. A filter leaves out
 * what is known not to fit; what is unknown stays and is counted. The facts are those of the
 * vocabulary (packages/api/attributes.ts; docs/design/places.md, "Usable now").
 */
import { UNKNOWN_COUNTS, type UnknownCount } from "#api/usable.ts";
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
/** null: not known. */
type Fits<T> = (item: T) => boolean | null;

export type Wish<T> = {
  count: UnknownCount;
  fits: Fits<T>;
  /** What it is judged by alone (facts.ts); absent: by the whole item. */
  fact?: CountedFact;
  /** Other kinds fit; absent: all are judged. */
  kind?: PlaceKind;
};

export type FilteredPlaces<T> = { items: T[]; unknown: Partial<Record<UnknownCount, number>> };

/** Keeps what is not known to miss one of the wishes, in its order. */
export function keepUsable<T>(items: readonly T[], wishes: readonly Wish<T>[]): FilteredPlaces<T> {
  const judged = items
    .map((item) => ({ item, fits: wishes.map((wish) => wish.fits(item)) }))
    .filter(({ fits }) => !fits.includes(false));
  const counts = UNKNOWN_COUNTS.flatMap((name) => {
    const at = wishes.findIndex(({ count }) => count === name);
    return at === -1 ? [] : [[name, judged.filter(({ fits }) => fits[at] === null).length]];
  });
  return {
    items: judged.map(({ item }) => item),
    unknown: Object.fromEntries(counts) as FilteredPlaces<T>["unknown"],
  };
}

/** The member of an answer; none where no filter is set. */
export function toUnknown(unknown: FilteredPlaces<never>["unknown"]): {
  unknown?: FilteredPlaces<never>["unknown"];
} {
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
export function hasConnector({ charging }: Attributes, wish: ConnectorWish): boolean | null {
  const { connectors = [] } = (charging ?? {}) as { connectors?: readonly Plug[] };
  if (connectors.length === 0) return null;
  const fits = connectors.map((plug) => fitsPlug(plug, wish));
  return fits.includes(true) ? true : fits.includes(null) ? null : false;
}

function fitsPlug({ type, max_kw, available_count }: Plug, wish: ConnectorWish): boolean | null {
  const { types, min_kw, free } = wish;
  const parts = [
    // `Other` may be one that its source does not name.
    types === null || types.includes(type) || (type === "Other" ? null : false),
    min_kw === 0 || (max_kw === undefined ? null : max_kw >= min_kw),
    !free || (available_count === undefined ? null : available_count > 0),
  ];
  return parts.includes(false) ? false : parts.includes(null) ? null : true;
}
