/**
 * Whether a place fits what a caller can use: open, accessible, free, for all. A filter leaves out
 * what is known not to fit; what is unknown stays and is counted. Sources name these facts
 * differently, and some use words where others use true and false (docs/design/places.md,
 * "Usable now").
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

const WHEELCHAIR: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["designated", true],
  ["limited", false],
  ["no", false],
]);

/** Fully accessible with a wheelchair; of toilets in a building, the toilets themselves. */
export function isForWheelchairs(attributes: Attributes): boolean | null {
  return firstSaid(attributes, ["toilets:wheelchair", "wheelchair", "accessible"], WHEELCHAIR);
}

const FEES: ReadonlyMap<string, boolean> = new Map([
  ["no", true],
  ["yes", false],
]);

/** Free of charge: hours and conditions of a fee are neither yes nor no. */
export function isFree(attributes: Attributes): boolean | null {
  const said = firstSaid(attributes, ["internet_access:fee", "fee"], FEES, true);
  if (said !== null) return said;
  const { features } = (attributes["parking"] ?? {}) as { features?: unknown };
  const priced = (Array.isArray(features) ? features : []).filter((each) =>
    /^(free|paid)_/.test(String(each)),
  );
  if (priced.length === 0) return null;
  const free = priced.filter((each) => String(each).startsWith("free_")).length;
  return free === priced.length ? true : free === 0 ? false : null;
}

const ACCESS: ReadonlyMap<string, boolean> = new Map([
  ...["yes", "public", "permissive", "designated"].map((word) => [word, true] as const),
  ...["customers", "private", "no", "permit", "residents", "members", "employees"].map(
    (word) => [word, false] as const,
  ),
]);

/** Open to all: not for customers, members or residents only. */
export function isPublic(attributes: Attributes): boolean | null {
  return firstSaid(attributes, ["access", "free_access"], ACCESS);
}

/** `negated`: true means the opposite of what the members are named by. */
function firstSaid(
  attributes: Attributes,
  names: readonly string[],
  words: ReadonlyMap<string, boolean>,
  negated = false,
): boolean | null {
  for (const name of names) {
    const value = attributes[name];
    if (typeof value === "boolean") return value !== negated;
    const known = typeof value === "string" ? words.get(value.trim().toLowerCase()) : undefined;
    if (known !== undefined) return known;
  }
  return null;
}
