/**
 * The order of an answer: by stated distance, then id (R13). Only as many as are wanted are put in
 * order: in a dense city there are some hundred times as many hits as an answer lists.
 */
import { compareIds, type Hits, isVehicle, ranksOf } from "./nearby-hits.ts";

/** Keys are decimetres and hit number in one float: a numeric sort needs no comparator. */
const KEY_STEP = 2 ** 21;
/** Up to here insertion beats the call out of JavaScript that the built-in sort is. */
const FEW = 32;

/** Sets the first `most` places of `hits.order`, or all where there are fewer; the others mean nothing. */
export function orderHits(hits: Hits, most: number): void {
  const { count, decimetres, order } = hits;
  if (hits.keys.length < count) hits.keys = new Float64Array(hits.row.length);
  const { keys } = hits;
  for (let i = 0; i < count; i++) keys[i] = decimetres[i]! * KEY_STEP + i;
  const first = most < count && count > FEW ? bringFirst(hits, most) : count;
  if (first <= FEW) sortFew(keys, first);
  else keys.subarray(0, first).sort();
  for (let i = 0; i < first; i++) order[i] = keys[i]! % KEY_STEP;
  orderTies(hits, first);
}

/**
 * Brings the first `most` keys to the front, in any order. Of those that are as far away as the last
 * of them, the ids decide; where there are only a few of them, all are brought. How many these are.
 */
function bringFirst(hits: Hits, most: number): number {
  if (most === 0) return 0;
  const { keys } = hits;
  select(keys, hits.count, most - 1);
  const furthest = Math.floor(keys[most - 1]! / KEY_STEP);
  const beyond = (furthest + 1) * KEY_STEP;
  let first = most;
  for (let i = most; i < hits.count; i++) if (keys[i]! < beyond) swap(keys, first++, i);
  if (first - most <= FEW) return first;
  // Many share that distance: they are brought together, and cut to as many as are wanted.
  let nearer = 0;
  for (let i = 0; i < first; i++) if (keys[i]! < furthest * KEY_STEP) swap(keys, nearer++, i);
  const tied = new Uint32Array(first - nearer);
  for (let i = nearer; i < first; i++) tied[i - nearer] = keys[i]! % KEY_STEP;
  const wanted = firstByIds(hits, tied, most - nearer);
  wanted.forEach((hit, i) => (keys[nearer + i] = furthest * KEY_STEP + hit));
  return most;
}

/** Quickselect (Hoare): what is at `place` then would be there if all were sorted; smaller ones before. */
function select(values: Float64Array, count: number, place: number): void {
  let left = 0;
  let right = count - 1;
  while (left < right) {
    const pivot = medianOf(values[left]!, values[(left + right) >> 1]!, values[right]!);
    let low = left;
    let high = right;
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low <= high) swap(values, low++, high--);
    }
    if (place <= high) right = high;
    else if (place >= low) left = low;
    else return;
  }
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(values: Float64Array, a: number, b: number): void {
  const value = values[a]!;
  values[a] = values[b]!;
  values[b] = value;
}

function sortFew(values: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const value = values[i]!;
    let at = i;
    while (at > 0 && values[at - 1]! > value) {
      values[at] = values[at - 1]!;
      at--;
    }
    values[at] = value;
  }
}

/** Hits at one stated distance are ordered by id. A run may be long: a depot, a virtual station. */
function orderTies(hits: Hits, count: number): void {
  const { decimetres, order } = hits;
  let start = 0;
  for (let end = 1; end <= count; end++) {
    if (end < count && decimetres[order[end]!] === decimetres[order[start]!]) continue;
    const run = order.subarray(start, end);
    if (run.length === 2) orderPair(hits, start);
    else if (run.length > FEW) run.set(firstByIds(hits, run, run.length));
    else if (run.length > 2) run.sort((a, b) => compareIds(hits, a, b));
    start = end;
  }
}

/**
 * The first `most` of these hits by id, in order. Within a pack ranks represent ids, so that numbers
 * are sorted; ids are compared only where the hits of several packs are merged.
 */
function firstByIds(hits: Hits, among: Uint32Array, most: number): Uint32Array {
  const packs = new Set<number>();
  let last = NaN;
  for (let i = 0; i < among.length; i++) {
    const pack = packOf(hits, among[i]!);
    // Mostly that of the hit before.
    if (pack !== last) packs.add((last = pack));
  }
  let first = new Uint32Array(0);
  for (const pack of packs) {
    const own = packs.size === 1 ? among : among.filter((hit) => packOf(hits, hit) === pack);
    const ordered =
      pack === CASES
        ? Uint32Array.from(own).sort((a, b) => compareIds(hits, a, b))
        : firstByRank(hits, own, most);
    first = merge(hits, first, ordered, most);
  }
  return first;
}

const CASES = -1;

function packOf(hits: Hits, hit: number): number {
  if (hits.case_at[hit] !== 0) return CASES;
  return hits.system[hit]! * 2 + (isVehicle(hits.state[hit]!) ? 1 : 0);
}

/** All of one pack. */
function firstByRank(hits: Hits, own: Uint32Array, most: number): Uint32Array<ArrayBuffer> {
  const rank = ranksOf(hits, own[0]!);
  const ranks = new Float64Array(own.length);
  for (let i = 0; i < own.length; i++) ranks[i] = rank[hits.row[own[i]!]!]! * KEY_STEP + own[i]!;
  const count = Math.min(most, ranks.length);
  if (count < ranks.length) select(ranks, ranks.length, count - 1);
  return Uint32Array.from(ranks.subarray(0, count).sort(), (key) => key % KEY_STEP);
}

function merge(
  hits: Hits,
  a: Uint32Array<ArrayBuffer>,
  b: Uint32Array<ArrayBuffer>,
  most: number,
): Uint32Array<ArrayBuffer> {
  if (a.length === 0) return b.slice(0, most);
  const merged = new Uint32Array(Math.min(a.length + b.length, most));
  for (let i = 0, j = 0, at = 0; at < merged.length; at++) {
    const takes_a = j === b.length || (i < a.length && compareIds(hits, a[i]!, b[j]!) <= 0);
    merged[at] = takes_a ? a[i++]! : b[j++]!;
  }
  return merged;
}

/** Nearly all runs are such. */
function orderPair(hits: Hits, start: number): void {
  const one = hits.order[start]!;
  const other = hits.order[start + 1]!;
  if (compareIds(hits, one, other) <= 0) return;
  hits.order[start] = other;
  hits.order[start + 1] = one;
}
