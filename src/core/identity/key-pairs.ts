/**
 * Observations with a key in common, wherever they stand: within the bound they are one station,
 * beyond it a conflict. Only feeds that may speak of the same stations are compared.
 */
import { DIFFERENT, UNKNOWN } from "./kinship.ts";
import { COMPARABLE, isTellingKey, keyOf } from "./keys.ts";
import type { KeySlot } from "./keys.ts";
import type { Prepared } from "./prepare.ts";

/** For each observation the observations it shares a key with, as one flat list with offsets. */
export type KeyPartners = { start: Int32Array; partners: Int32Array };

/** How far beyond one another's boxes two feeds are still compared by key, in degrees: some 20 km. */
const BOX_MARGIN = 0.2;

export function findKeyPartners(prepared: Prepared): KeyPartners {
  const rows = rowsByFeed(prepared);
  const boxes = rows.map((of) => boxOfRows(prepared, of));
  const pairs: number[] = [];
  for (const [b, others] of listFeedPairs(prepared, boxes)) {
    const index = indexKeys(prepared, rows[b]!);
    for (const a of others)
      for (const row of rows[a]!)
        collect(prepared, index, row, prepared.kinship(a, b) === UNKNOWN, pairs);
  }
  return toPartners(prepared.observations.length, pairs);
}

function rowsByFeed(prepared: Prepared): number[][] {
  const rows: number[][] = prepared.feeds.map(() => []);
  for (let i = 0; i < prepared.feed.length; i++) rows[prepared.feed[i]!]!.push(i);
  return rows;
}

type Reach = { south: number; north: number; west: number; east: number };

function boxOfRows(prepared: Prepared, rows: readonly number[]): Reach {
  const box = { south: 90, north: -90, west: 180, east: -180 };
  for (const i of rows) {
    box.south = Math.min(box.south, prepared.lat[i]! - BOX_MARGIN);
    box.north = Math.max(box.north, prepared.lat[i]! + BOX_MARGIN);
    box.west = Math.min(box.west, prepared.lon[i]! - BOX_MARGIN / prepared.cos[i]!);
    box.east = Math.max(box.east, prepared.lon[i]! + BOX_MARGIN / prepared.cos[i]!);
  }
  return box;
}

/** Each feed with the feeds before it that touch it and are not known to be another operator's. */
function listFeedPairs(prepared: Prepared, boxes: readonly Reach[]): [number, number[]][] {
  const order = boxes.map((_, feed) => feed).sort((a, b) => boxes[a]!.south - boxes[b]!.south);
  let open: number[] = [];
  return order.map((feed) => {
    const box = boxes[feed]!;
    open = open.filter((other) => boxes[other]!.north >= box.south);
    const near = open.filter(
      (other) => touches(boxes[other]!, box) && prepared.kinship(other, feed) !== DIFFERENT,
    );
    open.push(feed);
    return [feed, near];
  });
}

/** Longitudes across the antimeridian: a box there spans the globe, or its twin is looked at by 360. */
function touches(a: Reach, b: Reach): boolean {
  return [-360, 0, 360].some((turn) => a.west <= b.east + turn && b.west + turn <= a.east);
}

/** Rows by key; a lone row stands bare, since nearly all do. */
type KeyIndex = Map<KeySlot, Map<string, number | number[]>>;

function indexKeys(prepared: Prepared, rows: readonly number[]): KeyIndex {
  const index: KeyIndex = new Map([...COMPARABLE.keys()].map((slot) => [slot, new Map()]));
  for (const [slot, keys] of index)
    for (const row of rows) {
      const key = keyOf(prepared.observations[row]!, slot);
      if (key === "") continue;
      const known = keys.get(key);
      if (known === undefined) keys.set(key, row);
      else if (typeof known === "number") keys.set(key, [known, row]);
      else known.push(row);
    }
  return index;
}

function collect(
  prepared: Prepared,
  index: KeyIndex,
  row: number,
  strict: boolean,
  into: number[],
): void {
  for (const [slot, others] of COMPARABLE) {
    const key = keyOf(prepared.observations[row]!, slot);
    if (key === "" || (strict && !isTellingKey(key))) continue;
    for (const other of others) {
      const found = index.get(other)!.get(key);
      if (typeof found === "number") into.push(row, found);
      else if (found) for (const partner of found) into.push(row, partner);
    }
  }
}

function toPartners(n: number, pairs: readonly number[]): KeyPartners {
  const start = new Int32Array(n + 1);
  for (const row of pairs) start[row + 1]!++;
  for (let i = 0; i < n; i++) start[i + 1]! += start[i]!;
  const next = start.slice();
  const partners = new Int32Array(pairs.length);
  for (let i = 0; i < pairs.length; i += 2) {
    partners[next[pairs[i]!]!++] = pairs[i + 1]!;
    partners[next[pairs[i + 1]!]!++] = pairs[i]!;
  }
  return { start, partners };
}

/** What keys say of a pair: shared, shared with another of the other's feed, or nothing. */
export function keysBetween(
  prepared: Prepared,
  keys: KeyPartners,
  a: number,
  b: number,
): "equal" | "elsewhere" | "unknown" {
  const fromA = look(prepared, keys, a, b);
  if (fromA === "equal") return "equal";
  return fromA === "elsewhere" ? fromA : look(prepared, keys, b, a);
}

function look(
  prepared: Prepared,
  { start, partners }: KeyPartners,
  a: number,
  b: number,
): "equal" | "elsewhere" | "unknown" {
  let elsewhere = false;
  for (let i = start[a]!; i < start[a + 1]!; i++) {
    const partner = partners[i]!;
    if (partner === b) return "equal";
    elsewhere ||= prepared.feed[partner] === prepared.feed[b];
  }
  return elsewhere ? "elsewhere" : "unknown";
}
