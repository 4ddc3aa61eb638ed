/**
 * Texts to numbers without a string per row: a hash table over the bytes of cells. `stop_times` has
 * tens of millions of rows and names few trips and stops (mobility.md 3.3).
 */
import { grown } from "#kit/growing.ts";
import { cellBytes, type CsvRow } from "#kit/csv.ts";

export type ByteTable = {
  readonly seed: number;
  count: number;
  /**
   * Hash, number + 1, begin and length of a key, side by side, so that one look at the memory suffices;
   * number 0 is free. Never more than three quarters full.
   */
  slots: Int32Array;
  /** Key i lies at ends[i] .. ends[i + 1]. */
  ends: Uint32Array;
  keys: Uint8Array;
  /** What was found last: rows of one trip follow each other. */
  last: number;
};

const FIRST_KEYS = 256;
/** Words of a slot. */
const SLOT = 4;
const FIRST_BYTES = 1 << 13;
const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
export const NO_ENTRY = -1;

const decoder = new TextDecoder();

/** The seed keeps a publisher from choosing ids that all fall together. */
export function createByteTable(seed: number): ByteTable {
  return {
    seed,
    count: 0,
    slots: new Int32Array(FIRST_KEYS * SLOT),
    ends: new Uint32Array(FIRST_KEYS + 1),
    keys: new Uint8Array(FIRST_BYTES),
    last: NO_ENTRY,
  };
}

/** The number of a cell's text, in order of first sight; NONE when it was never added. */
export function findText(table: ByteTable, row: CsvRow, slot: number): number {
  if (row.escaped[slot] === 0)
    return findBytes(table, row.bytes, row.starts[slot]!, row.ends[slot]!);
  const bytes = cellBytes(row, slot);
  return findBytes(table, bytes, 0, bytes.length);
}

/** The same, where it is most often the text that was found last. */
export function findAgain(table: ByteTable, row: CsvRow, slot: number): number {
  const start = row.starts[slot]!;
  const length = row.ends[slot]! - start;
  const isLast =
    table.last !== NO_ENTRY &&
    row.escaped[slot] === 0 &&
    isKey(table, table.last, row.bytes, start, length);
  if (!isLast) table.last = findText(table, row, slot);
  return table.last;
}

/** Finds a text, adding it where it is not there; NONE for an empty cell. */
export function addText(table: ByteTable, row: CsvRow, slot: number): number {
  const start = row.starts[slot]!;
  const end = row.ends[slot]!;
  if (start === end) return NO_ENTRY;
  if (row.escaped[slot] === 0) return addBytes(table, row.bytes, start, end);
  const bytes = cellBytes(row, slot);
  return addBytes(table, bytes, 0, bytes.length);
}

export function textOf(table: ByteTable, index: number): string {
  return decoder.decode(table.keys.subarray(table.ends[index], table.ends[index + 1]));
}

function findBytes(table: ByteTable, bytes: Uint8Array, start: number, end: number): number {
  const hash = hashOf(table.seed, bytes, start, end);
  return table.slots[slotFor(table, hash, bytes, start, end - start) + 1]! - 1;
}

function addBytes(table: ByteTable, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const hash = hashOf(table.seed, bytes, start, end);
  let slot = slotFor(table, hash, bytes, start, length);
  if (table.slots[slot + 1] !== 0) return table.slots[slot + 1]! - 1;
  if (table.count * SLOT * 4 >= table.slots.length * 3) {
    widen(table);
    slot = slotFor(table, hash, bytes, start, length);
  }
  const index = table.count++;
  if (table.count === table.ends.length) table.ends = grown(table.ends, table.count * 2);
  const from = table.ends[index]!;
  if (from + length > table.keys.length)
    table.keys = grown(table.keys, Math.max(from + length, table.keys.length * 2));
  table.keys.set(bytes.subarray(start, end), from);
  table.ends[index + 1] = from + length;
  const { slots } = table;
  slots[slot] = hash;
  slots[slot + 1] = index + 1;
  slots[slot + 2] = from;
  slots[slot + 3] = length;
  return index;
}

/** Returns where the key is, or where it would be. */
function slotFor(
  table: ByteTable,
  hash: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): number {
  const { slots, keys } = table;
  const mask = slots.length - 1;
  let at = Math.imul(hash, SLOT) & mask;
  for (; slots[at + 1] !== 0; at = (at + SLOT) & mask) {
    if (slots[at] !== hash || slots[at + 3] !== length) continue;
    // Begins beyond 2^31 are negative words.
    if (isSame(keys, slots[at + 2]! >>> 0, bytes, start, length)) return at;
  }
  return at;
}

function isKey(
  { keys, ends }: ByteTable,
  index: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): boolean {
  const from = ends[index]!;
  return ends[index + 1]! - from === length && isSame(keys, from, bytes, start, length);
}

function isSame(
  keys: Uint8Array,
  from: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): boolean {
  // From the end: ids of a feed differ there.
  for (let i = length - 1; i >= 0; i--) if (keys[from + i] !== bytes[start + i]) return false;
  return true;
}

function widen(table: ByteTable): void {
  const old = table.slots;
  const slots = new Int32Array(old.length * 2);
  const mask = slots.length - 1;
  for (let from = 0; from < old.length; from += SLOT) {
    if (old[from + 1] === 0) continue;
    let at = Math.imul(old[from]!, SLOT) & mask;
    while (slots[at + 1] !== 0) at = (at + SLOT) & mask;
    for (let word = 0; word < SLOT; word++) slots[at + word] = old[from + word]!;
  }
  table.slots = slots;
}

/** FNV-1a, mixed at the end, since the table takes the low bits. */
function hashOf(seed: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_BASIS ^ seed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, FNV_PRIME);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
