/** A house number that is asked for, on a street: its point, one between its neighbours, or none. */
import { lowerBound } from "../../sorted.ts";
import { BLOCK, keyOf, valueOf } from "./house-numbers.ts";
import { metresOf } from "./metres.ts";
import type { View } from "./view.ts";

/** `row`: an address; otherwise the point lies between two. `fit`: 0 to 1. */
export type Found = { row: number; lat7: number; lon7: number; fit: number };

const FIT = { same: 1, within: 0.97, letter: 0.8, between: 0.6 } as const;
/** Neighbours that are further apart, in numbers or in metres, say nothing of what lies between. */
const MAX_STEP = 60;
const MAX_GAP_M = 600;

export function findNumber(view: View, doc: number, key: string): Found | null {
  const { numbers, docs } = view;
  const [from, to] = [numbers.starts[doc]!, numbers.starts[doc + 1]!];
  if (from === to) return null;
  const value = valueOf(key, docs.blocks[doc] === 1);
  if (value === null) return null;
  const first = lowerBound(numbers.value, value, from, to);
  let best: Found | null = null;
  for (let row = first; row < to && numbers.value[row] === value; row++) {
    const fit = fitOf(view, row, key);
    if (best === null || fit > best.fit) best = found(view, row, fit);
  }
  return best ?? between(view, { value, first, from, to });
}

function fitOf(view: View, row: number, key: string): number {
  const { numbers } = view;
  const own = view.text(numbers.key[row]!);
  if (own === key) return FIT.same;
  const digits = (text: string): string => text.replaceAll(/[^0-9]/g, "");
  if (numbers.value[row]! >= BLOCK) return digits(own) === digits(key) ? FIT.within : FIT.letter;
  // A row or a list of numbers holds the plain ones.
  const plain = /^\d+$/.test(key);
  const several = keyOf(view.text(numbers.label[row]!)) !== own || own.includes("-");
  return plain && several ? FIT.within : FIT.letter;
}

function found({ numbers }: View, row: number, fit: number): Found {
  return { row, lat7: numbers.lat7[row]!, lon7: numbers.lon7[row]!, fit };
}

type Span = { value: number; first: number; from: number; to: number };

/** Between the nearest lower and higher number of the same side. */
function between({ numbers }: View, { value, first, from, to }: Span): Found | null {
  let low = first - 1;
  let high = first;
  const otherSide = (row: number): boolean => (numbers.value[row]! - value) % 2 !== 0;
  while (low >= from && value - numbers.value[low]! <= MAX_STEP && otherSide(low)) low--;
  while (high < to && numbers.value[high]! - value <= MAX_STEP && otherSide(high)) high++;
  if (low < from || high >= to) return null;
  const [a, b] = [numbers.value[low]!, numbers.value[high]!];
  if (value - a > MAX_STEP || b - value > MAX_STEP) return null;
  const north = numbers.lat7[high]! - numbers.lat7[low]!;
  const east = numbers.lon7[high]! - numbers.lon7[low]!;
  if (metresOf(north, east, numbers.lat7[low]!) > MAX_GAP_M) return null;
  const part = (value - a) / (b - a);
  return {
    row: -1,
    lat7: Math.round(numbers.lat7[low]! + north * part),
    lon7: Math.round(numbers.lon7[low]! + east * part),
    fit: FIT.between,
  };
}
