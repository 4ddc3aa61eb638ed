/** Rows of a table by hashes that each of them has: which of them have one, and a few that do not. */

/** Rows of a place, by the first bits of a hash, are rows[starts[place]] .. rows[starts[place + 1]]. */
export type HashRows = { starts: Uint32Array; rows: Uint32Array };

/** Rows that share a place, at most, where hashes are even. */
const SHARED = 8;
/** Rows between two turns of the caller. */
const STEP = 1_024;

/**
 * Files `valueOf` rows 0 to `count` (the row itself unless given) under hashes, which `hashesOf` puts
 * into `into` and counts: `most` of a row, below 2^32. Nothing but the result takes memory.
 */
export function* hashRows(
  count: number,
  most: number,
  hashesOf: (row: number, into: Uint32Array) => number,
  valueOf: (row: number) => number = (row) => row,
): Generator<void, HashRows> {
  const bits = Math.max(0, Math.ceil(Math.log2((count * most) / SHARED)));
  const hashes = new Uint32Array(most);
  const starts = new Uint32Array(2 ** bits + 1);
  const width = 2 ** (32 - bits);
  const eachOf = function* (visit: (place: number, row: number) => void): Generator<void, void> {
    for (let row = 0; row < count; row++) {
      if (row % STEP === STEP - 1) yield;
      const own = hashesOf(row, hashes);
      for (let i = 0; i < own; i++) visit(Math.floor(hashes[i]! / width), row);
    }
  };
  yield* eachOf((place) => starts[place]!++);
  let end = 0;
  for (let place = 0; place < starts.length; place++) starts[place] = end += starts[place]!;
  const rows = new Uint32Array(end);
  // Each place is filled from its end, which becomes its start.
  yield* eachOf((place, row) => (rows[--starts[place]!] = valueOf(row)));
  return { starts, rows };
}

/** Where in `rows` those are that may have a hash: from one to before another. */
export function placeOfHash({ starts }: HashRows, hash: number): readonly [number, number] {
  const place = Math.floor(hash / (2 ** 32 / (starts.length - 1)));
  return [starts[place]!, starts[place + 1]!];
}

const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const MIX = 0x2c1b3c6d;

/** Hash of units of a text, from one to before another, without one of them; -1: with all. */
export function hashUnits(units: Uint16Array, from: number, to: number, without = -1): number {
  let hash = BASIS;
  for (let at = from; at < to; at++) if (at !== without) hash = Math.imul(hash ^ units[at]!, PRIME);
  hash = Math.imul(hash ^ (hash >>> 15), MIX);
  return (hash ^ (hash >>> 13)) >>> 0;
}
