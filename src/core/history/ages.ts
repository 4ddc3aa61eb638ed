/** Of ages that were seen: the median, the 99th percentile and the greatest, in seconds. */
import type { RingSlot } from "./history-rings.ts";
import { AGE_BOUNDS_S } from "./ring-shape.ts";

export type AgeSpread = { p50_s: number; p99_s: number; max_s: number };
type Slots = readonly (RingSlot | null)[];

/** Of the oldest of each slot; null: none was seen. */
export function spreadAges(slots: Slots): AgeSpread | null {
  const ages = agesOf(slots).toSorted((a, b) => a - b);
  const max_s = ages.at(-1);
  if (max_s === undefined) return null;
  const at = (share: number): number => ages[Math.ceil(ages.length * share) - 1]!;
  return { p50_s: at(0.5), p99_s: at(0.99), max_s };
}

/** Of ages counted by class: the upper bound of the class, and no more than the oldest of a slot. */
export function spreadClasses(seen: readonly number[], slots: Slots): AgeSpread | null {
  const max_s = Math.max(...agesOf(slots));
  const all = seen.reduce((sum, count) => sum + count, 0);
  if (all === 0 || max_s === -Infinity) return null;
  const at = (share: number): number => {
    let left = Math.ceil(all * share);
    const place = seen.findIndex((count) => (left -= count) <= 0);
    return Math.min(AGE_BOUNDS_S[place]!, max_s);
  };
  return { p50_s: at(0.5), p99_s: at(0.99), max_s };
}

function agesOf(slots: Slots): number[] {
  return slots.flatMap((slot) => (slot === null || slot.age_s === null ? [] : [slot.age_s]));
}
