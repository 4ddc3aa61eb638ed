/**
 * What is counted of a place without making it: two bits each of what filters and tokens read, in one
 * byte a row (docs/places.md, "What a search costs"). A place whose facts are not at hand is made instead.
 */
import type { Place } from "./place.ts";
import { type CountedFact, isForWheelchairs, isFree, isPublic } from "./usable-filter.ts";

/** Raised when a fact is added, or read in another way: columns of before are not read then. */
export const FACTS_VERSION = 1;

/** Where a fact's bits are. */
const SHIFTS: Readonly<Record<CountedFact, number>> = {
  wheelchair: 0,
  free: 2,
  public: 4,
  potable: 6,
};

const YES = 1;
const NO = 2;
const MASK = 3;

export function countedFactsOf({ attributes }: Pick<Place, "attributes">): number {
  const potable = attributes["drinking_water"];
  return (
    (bitsOf(isForWheelchairs(attributes)) << SHIFTS.wheelchair) |
    (bitsOf(isFree(attributes)) << SHIFTS.free) |
    (bitsOf(isPublic(attributes)) << SHIFTS.public) |
    (bitsOf(potable === "yes" ? true : potable === "no" ? false : null) << SHIFTS.potable)
  );
}

/** null: not known. */
export function readFact(facts: number, name: CountedFact): boolean | null {
  const bits = (facts >> SHIFTS[name]) & MASK;
  return bits === YES ? true : bits === NO ? false : null;
}

function bitsOf(value: boolean | null): number {
  return value === null ? 0 : value ? YES : NO;
}
