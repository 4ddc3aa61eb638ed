/**
 * The order of an answer: by stated distance, then id (R13). As many are put in order as are asked
 * for: in a dense city there are some hundred times as many hits as an answer tells of.
 */
import { compareIds, type Hits } from "./hits.ts";

let keys = new Float64Array(1024);
/** Keys are decimetres and hit number in one float: a numeric sort needs no comparator. */
const KEY_STEP = 2 ** 21;
/** Up to here insertion beats the call out of JavaScript that the built-in sort is. */
const FEW = 32;

/** Sets the first `most` places of `hits.order`, or all where there are fewer; the others mean nothing. */
export function orderHits(hits: Hits, most: number): void {
  const { count, decimetres, order } = hits;
  if (keys.length < count) keys = new Float64Array(hits.row.length);
  for (let i = 0; i < count; i++) keys[i] = decimetres[i]! * KEY_STEP + i;
  const first = most < count && count > FEW ? bringFirst(keys, count, most) : count;
  if (first <= FEW) sortFew(keys, first);
  else keys.subarray(0, first).sort();
  for (let i = 0; i < first; i++) order[i] = keys[i]! % KEY_STEP;
  orderTies(hits, first);
}

/**
 * Brings the first `most` keys to the front, in any order, and behind them whatever is as far away as
 * the last of them, since ids decide there. How many these are.
 */
function bringFirst(values: Float64Array, count: number, most: number): number {
  if (most === 0) return 0;
  select(values, count, most - 1);
  const beyond = (Math.floor(values[most - 1]! / KEY_STEP) + 1) * KEY_STEP;
  let first = most;
  for (let i = most; i < count; i++) if (values[i]! < beyond) swap(values, first++, i);
  return first;
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
    if (end - start === 2) orderPair(hits, start);
    else if (end - start > 2) order.subarray(start, end).sort((a, b) => compareIds(hits, a, b));
    start = end;
  }
}

/** Nearly all runs are such. */
function orderPair(hits: Hits, start: number): void {
  const one = hits.order[start]!;
  const other = hits.order[start + 1]!;
  if (compareIds(hits, one, other) <= 0) return;
  hits.order[start] = other;
  hits.order[start + 1] = one;
}
