/** Orders of millions of trips, without an object and a comparison a pair. */
import { filled } from "#kit/growing.ts";
import { spanOf } from "./service-calendar.ts";
import { NO_PLACE, type TimetableDraft } from "./timetable-draft.ts";

/** Trips that run, in order of their patterns, profiles, times and services, then as they came. */
export function sortTrips({
  trips,
  profiles,
  patterns,
  services,
  routePlace,
}: TimetableDraft): Uint32Array {
  const runs = Array.from(services.service_weekdays, (_, i) => spanOf(services, i) !== null);
  const patterns_of = filled(new Uint32Array(profiles.count), (i) => profiles.valueAt(i, 0));
  const isUsed = filled(new Uint8Array(patterns.count), (i) =>
    Number(routePlace(patterns.valueAt(i, 0)) !== NO_PLACE),
  );
  const { profile, start_s, service } = trips;
  const usable = new Uint32Array(trips.count);
  let count = 0;
  let first_s = Infinity;
  let last_s = -Infinity;
  for (let trip = 0; trip < trips.count; trip++) {
    if (profile[trip] === NO_PLACE || !runs[service[trip]!]) continue;
    if (isUsed[patterns_of[profile[trip]!]!] === 0) continue;
    usable[count++] = trip;
    first_s = Math.min(first_s, start_s[trip]!);
    last_s = Math.max(last_s, start_s[trip]!);
  }
  // The last key that is sorted by is the first that counts.
  const keys: readonly [keyOf: (trip: number) => number, keys: number][] = [
    [(trip) => service[trip]!, runs.length],
    [(trip) => start_s[trip]! - first_s, last_s - first_s + 1],
    [(trip) => profile[trip]!, profiles.count],
    [(trip) => patterns_of[profile[trip]!]!, patterns.count],
  ];
  let order = usable.slice(0, count);
  if (count > 0) for (const [keyOf, most] of keys) order = sortByKey(order, keyOf, most);
  return order;
}

/** By whole numbers below `keys`; equal ones stay in their order. */
function sortByKey(
  rows: Uint32Array,
  keyOf: (row: number) => number,
  keys: number,
): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(keys + 1);
  for (const row of rows) next[keyOf(row) + 1]!++;
  for (let key = 0; key < keys; key++) next[key + 1]! += next[key]!;
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) sorted[next[keyOf(row)]!++] = row;
  return sorted;
}

/** Rows that a key of 64 bits has room for, next to five bytes of a text. */
const MOST_ROWS = 2 ** 24;
const KEY_BYTES = 5;

/** Rows in the order of the bytes of their texts; equal ones as they are. */
export function orderTexts(bytes: Uint8Array, starts: Uint32Array): Uint32Array {
  const count = starts.length - 1;
  const compare = (a: number, b: number): number => compareBytes(bytes, starts, a, b) || a - b;
  if (count > MOST_ROWS) return filled(new Uint32Array(count), (row) => row).sort(compare);
  const keys = toKeys(bytes, starts);
  new BigUint64Array(keys.buffer).sort();
  const order = filled(new Uint32Array(count), (row) => keys[2 * row]! % MOST_ROWS);
  const isSame = (a: number, b: number): boolean =>
    keys[2 * a + 1] === keys[2 * b + 1] && keys[2 * a]! >>> 24 === keys[2 * b]! >>> 24;
  for (let from = 0, to = 1; from < count; from = to++) {
    while (to < count && isSame(from, to)) to++;
    if (to > from + 1) order.subarray(from, to).sort(compare);
  }
  return order;
}

/** A key a text, as two words: the bytes behind what all begin with, then the row. */
function toKeys(bytes: Uint8Array, starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const count = starts.length - 1;
  const shared = sharedLength(bytes, starts);
  const keys = new Uint32Array(2 * count);
  for (let row = 0; row < count; row++) {
    const from = starts[row]! + shared;
    const length = Math.min(KEY_BYTES, starts[row + 1]! - from);
    let high = 0;
    for (let i = 0; i < KEY_BYTES - 1; i++) high = high * 256 + (i < length ? bytes[from + i]! : 0);
    keys[2 * row] = (length === KEY_BYTES ? bytes[from + KEY_BYTES - 1]! : 0) * MOST_ROWS + row;
    keys[2 * row + 1] = high;
  }
  return keys;
}

function sharedLength(bytes: Uint8Array, starts: Uint32Array): number {
  let shared = (starts[1] ?? 0) - starts[0]!;
  for (let row = 1; row + 1 < starts.length && shared > 0; row++) {
    const from = starts[row]!;
    shared = Math.min(shared, starts[row + 1]! - from);
    for (let i = 0; i < shared; i++) if (bytes[from + i] !== bytes[starts[0]! + i]) shared = i;
  }
  return shared;
}

function compareBytes(bytes: Uint8Array, starts: Uint32Array, a: number, b: number): number {
  const [from, other] = [starts[a]!, starts[b]!];
  const [length, other_length] = [starts[a + 1]! - from, starts[b + 1]! - other];
  const least = Math.min(length, other_length);
  for (let i = 0; i < least; i++) {
    const order = bytes[from + i]! - bytes[other + i]!;
    if (order !== 0) return order;
  }
  return length - other_length;
}
