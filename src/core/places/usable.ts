/**
 * Whether a place fits what a caller can use: open, accessible, free, for all. A filter leaves out
 * what is known not to fit; what is unknown stays and is counted. The facts are those of the
 * vocabulary (contract/attributes.ts; docs/design/places.md, "Usable now").
 */
import { UNKNOWN_COUNTS, type UnknownCount } from "#contract/usable.ts";

type Attributes = Readonly<Record<string, unknown>>;
/** null: not known. */
type Fits<T> = (item: T) => boolean | null;

export type Wish<T> = { count: UnknownCount; fits: Fits<T> };

export type Kept<T> = { items: T[]; unknown: Partial<Record<UnknownCount, number>> };

/** Keeps what is not known to miss one of the wishes, in its order. */
export function keepUsable<T>(items: readonly T[], wishes: readonly Wish<T>[]): Kept<T> {
  const judged = items
    .map((item) => ({ item, fits: wishes.map((wish) => wish.fits(item)) }))
    .filter(({ fits }) => !fits.includes(false));
  const counts = UNKNOWN_COUNTS.flatMap((name) => {
    const at = wishes.findIndex(({ count }) => count === name);
    return at === -1 ? [] : [[name, judged.filter(({ fits }) => fits[at] === null).length]];
  });
  return {
    items: judged.map(({ item }) => item),
    unknown: Object.fromEntries(counts) as Kept<T>["unknown"],
  };
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
