/**
 * Observations with a key in common, at any distance: within the bound they are one station, beyond
 * it a conflict. Only feeds that may describe the same stations are compared.
 */
import type { FeedPair } from "./feed-pairs.ts";
import { KINSHIP_UNKNOWN } from "./kinship.ts";
import { COMPARABLE, isDistinctiveKey, stationKey } from "./station-keys.ts";
import type { KeySlot } from "./station-keys.ts";
import type { Prepared } from "./prepare.ts";

/** Observations that each observation shares a key with, as one flat list with offsets. */
export type KeyPartners = { start: Int32Array; partners: Int32Array };

/** A key shared by more stations of one feed than this identifies none of them ("0", "n/a"). */
const MAX_SHARED = 64;

export function findKeyPartners(prepared: Prepared, feedPairs: readonly FeedPair[]): KeyPartners {
  const pairs: number[] = [];
  let indexed = -1;
  let index: KeyIndex = new Map();
  for (const [a, b] of feedPairs) {
    if (indexed !== b) index = indexKeys(prepared, prepared.rows[b]!);
    indexed = b;
    const strict = prepared.kinship(a, b) === KINSHIP_UNKNOWN;
    for (const row of prepared.rows[a]!) collect(prepared, index, row, strict, pairs);
  }
  return toPartners(prepared.observations.length, pairs);
}

/** Rows by key; a lone row is stored bare, since nearly all are. */
type KeyIndex = Map<KeySlot, Map<string, number | number[]>>;

function indexKeys(prepared: Prepared, rows: readonly number[]): KeyIndex {
  const index: KeyIndex = new Map([...COMPARABLE.keys()].map((slot) => [slot, new Map()]));
  for (const [slot, keys] of index)
    for (const row of rows) {
      const key = stationKey(prepared.observations[row]!, slot);
      if (key === "") continue;
      const known_key = keys.get(key);
      if (known_key === undefined) keys.set(key, row);
      else if (typeof known_key === "number") keys.set(key, [known_key, row]);
      else if (known_key.push(row) > MAX_SHARED) known_key.length = MAX_SHARED + 1;
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
    const key = stationKey(prepared.observations[row]!, slot);
    if (key === "" || (strict && !isDistinctiveKey(key))) continue;
    for (const other of others) {
      const match = index.get(other)!.get(key);
      if (typeof match === "number") into.push(row, match);
      else if (match && match.length <= MAX_SHARED)
        for (const partner of match) into.push(row, partner);
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

/** Returns what keys say of a pair: shared, shared with another of the other's feed, or nothing. */
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
