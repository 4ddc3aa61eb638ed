/**
 * A house number that is asked for, on a street: its point, one between its neighbours, the neighbour
 * itself, or none. Another letter is another house (decisions, Third edition).
 */
import { lowerBound } from "#kit/sorted.ts";
import { BLOCK, keyOf, valueOf } from "./house-numbers.ts";
import { metresOf } from "./metres.ts";
import type { View } from "./geocoder-view.ts";

/** `row`: an address, the one that was asked for or a neighbour of it; -1: a point between two. `fit`: 0 to 1. */
export type HouseMatch = {
  row: number;
  lat7: number;
  lon7: number;
  fit: number;
  is: "itself" | "neighbour" | "between";
};

const FIT = { same: 1, within: 0.97, letter: 0.8, between: 0.6 } as const;
/** Neighbours that are further apart, in numbers or in metres, say nothing of what lies between. */
const MAX_STEP = 60;
const MAX_GAP_M = 600;
/** Letters between a number and the next of its side: `13z` comes before 15. */
const LETTERS = 14;
const LETTERED = /^\d+([a-z]?)$/;

/** `isMeant`: only these rows, and nothing reckoned from others; absent: all of the street. */
export function findNumber(
  view: View,
  doc: number,
  key: string,
  isMeant: ((row: number) => boolean) | null = null,
): HouseMatch | null {
  const { numbers, docs } = view;
  const [from, to] = [numbers.starts[doc]!, numbers.starts[doc + 1]!];
  if (from === to) return null;
  const value = valueOf(key, docs.blocks[doc] === 1);
  if (value === null) return null;
  const first = lowerBound(numbers.value, value, from, to);
  let best: HouseMatch | null = null;
  let after = first;
  for (; after < to && numbers.value[after] === value; after++) {
    const fit = isMeant?.(after) === false ? 0 : fitOf(view, after, key);
    if (fit > 0 && (best === null || fit > best.fit)) best = found(view, after, fit);
  }
  if (best || isMeant) return best;
  const span = { value, first, after, from, to };
  const offset = value < BLOCK ? offsetOf(key) : 0;
  if (offset !== null) {
    const between = betweenOf(view, span, offset);
    if (between) return between;
  }
  if (first === after) return null;
  const nearest = nearestOf(view, span, offset ?? 0);
  return { ...found(view, nearest, FIT.letter), is: "neighbour" };
}

/** Row of a text without a digit, such as the name of a house; -1: the street has none of it. */
export function findNamedHouse({ numbers, text }: View, doc: number, key: string): number {
  let [low, high] = [numbers.starts[doc]!, namedEnd(numbers, doc)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const own = text(numbers.key[middle]!);
    if (own === key) return middle;
    if (own < key) low = middle + 1;
    else high = middle;
  }
  return -1;
}

/** Rows without a digit come first, by their texts. */
export function hasNamedHouses({ numbers }: View, doc: number): boolean {
  return namedEnd(numbers, doc) > numbers.starts[doc]!;
}

function namedEnd({ value, starts }: View["numbers"], doc: number): number {
  const [from, to] = [starts[doc]!, starts[doc + 1]!];
  return from === to || value[from] !== 0 ? from : lowerBound(value, 1, from, to);
}

/** 0: it is another house. */
function fitOf(view: View, row: number, key: string): number {
  const { numbers } = view;
  const own = view.text(numbers.key[row]!);
  if (own === key) return FIT.same;
  const digits = (text: string): string => text.replaceAll(/[^0-9]/g, "");
  if (numbers.value[row]! >= BLOCK)
    return digits(own) === digits(key) && !/[a-z]/.test(own + key) ? FIT.within : 0;
  // A row or a list of numbers holds the plain ones.
  const plain = /^\d+$/.test(key);
  const several = keyOf(view.text(numbers.label[row]!)) !== own || own.includes("-");
  return plain && several && !/[a-z]/.test(own) ? FIT.within : 0;
}

function found({ numbers }: View, row: number, fit: number): HouseMatch {
  return { row, lat7: numbers.lat7[row]!, lon7: numbers.lon7[row]!, fit, is: "itself" };
}

/** Part of the way to the next whole number that a letter means; null: it has more than one. */
function offsetOf(key: string): number | null {
  const letter = LETTERED.exec(key)?.[1];
  if (letter === undefined) return null;
  return letter === "" ? 0 : (letter.charCodeAt(0) - 96) / LETTERS;
}

/** Rows of the value are first .. after, those of the street from .. to. */
type Span = { value: number; first: number; after: number; from: number; to: number };

/** Row of the same number whose letter is the nearest. */
function nearestOf(view: View, { first, after }: Span, offset: number): number {
  let best = { row: first, gap: Infinity };
  for (let row = first; row < after; row++) {
    const own_offset = offsetOf(view.text(view.numbers.key[row]!));
    const gap = own_offset === null ? Number.MAX_VALUE : Math.abs(own_offset - offset);
    if (gap < best.gap) best = { row, gap };
  }
  return best.row;
}

type End = { row: number; at: number };

/** Between the nearest lower and higher number of the same side; letters lie behind their number. */
function betweenOf(view: View, span: Span, offset: number): HouseMatch | null {
  const { numbers } = view;
  const wanted = span.value + offset;
  const ends = endsOf(view, span, wanted);
  if (!ends) return null;
  const [low, high] = ends;
  if (wanted - low.at > MAX_STEP || high.at - wanted > MAX_STEP) return null;
  const north = numbers.lat7[high.row]! - numbers.lat7[low.row]!;
  const east = numbers.lon7[high.row]! - numbers.lon7[low.row]!;
  if (metresOf(north, east, numbers.lat7[low.row]!) > MAX_GAP_M) return null;
  const part = (wanted - low.at) / (high.at - low.at);
  return {
    row: -1,
    lat7: Math.round(numbers.lat7[low.row]! + north * part),
    lon7: Math.round(numbers.lon7[low.row]! + east * part),
    fit: low.row >= span.first || high.row < span.after ? FIT.letter : FIT.between,
    is: "between",
  };
}

function endsOf(view: View, span: Span, wanted: number): readonly [End, End] | null {
  const { numbers } = view;
  const { value, first, after, from, to } = span;
  let [low, high]: [End | null, End | null] = [null, null];
  for (let row = first; row < after; row++) {
    const offset = offsetOf(view.text(numbers.key[row]!));
    if (offset === null) continue;
    const at = value + offset;
    if (at < wanted && (low === null || at > low.at)) low = { row, at };
    if (at > wanted && (high === null || at < high.at)) high = { row, at };
  }
  const otherSide = (row: number): boolean => (numbers.value[row]! - value) % 2 !== 0;
  if (low === null) {
    let row = first - 1;
    while (row >= from && value - numbers.value[row]! <= MAX_STEP && otherSide(row)) row--;
    if (row >= from && numbers.value[row]! > 0) low = { row, at: numbers.value[row]! };
  }
  if (high === null) {
    let row = after;
    while (row < to && numbers.value[row]! - value <= MAX_STEP && otherSide(row)) row++;
    if (row < to) high = { row, at: numbers.value[row]! };
  }
  return low && high && [low, high];
}
