/**
 * What stations, chargers and car parks had free in the last 24 hours: two counts for each ten minutes
 * in which a report came, in rings of 16-bit numbers. A time without a report is unknown. All series lie
 * in blocks that are made when they are needed, within a bound of bytes; where that is full, a series
 * whose last report is older leaves for a new one.
 */

export const STEP_MS = 600_000;
export const SLOTS = 144;
const COUNTS = 2;
const SERIES_LENGTH = SLOTS * COUNTS;
/** Of the counts alone; an id costs about 100 bytes more. */
export const SERIES_BYTES = SERIES_LENGTH * Uint16Array.BYTES_PER_ELEMENT;
const BLOCK_SERIES = 256;
const UNKNOWN = 0xffff;
const MOST = UNKNOWN - 1;
/** Series that are looked at for the one with the oldest report. */
const LOOKED_AT = 16;

/** null: unknown. */
export type Counts = readonly [first: number | null, second: number | null];
/** `at_ms`: the start of the ten minutes, epoch ms. */
export type CountSample = { at_ms: number; counts: Counts };

export class CountHistory {
  readonly #max_series: number;
  readonly #rows = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #blocks: Uint16Array[] = [];
  /** Number of the newest slot of each series since 1970. */
  readonly #newest: number[] = [];
  #hand = 0;

  /** `max_bytes`: of the counts of all series. */
  constructor(max_bytes: number) {
    this.#max_series = Math.floor(max_bytes / SERIES_BYTES);
  }

  get size(): { series: number; bytes: number } {
    const bytes = this.#blocks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { series: this.#rows.size, bytes };
  }

  /** Reports whether the ten minutes of `at_ms` have no report of this id yet, and may have one. */
  wants(id: string, at_ms: number): boolean {
    const row = this.#rows.get(id);
    return row === undefined || Math.floor(at_ms / STEP_MS) > this.#newest[row]!;
  }

  /** Adds what a report of `at_ms` says, unless its ten minutes or later ones have one. */
  add(id: string, at_ms: number, [first, second]: Counts): void {
    if (!this.wants(id, at_ms)) return;
    const slot = Math.floor(at_ms / STEP_MS);
    const row = this.#rows.get(id) ?? this.#take(id, slot);
    if (row === null) return;
    const { block, start } = this.#placeOf(row);
    const before = this.#newest[row]!;
    for (let gap = Math.max(before + 1, slot - SLOTS + 1); gap < slot; gap++)
      block.fill(UNKNOWN, start + toOffset(gap), start + toOffset(gap) + COUNTS);
    block[start + toOffset(slot)] = toStored(first);
    block[start + toOffset(slot) + 1] = toStored(second);
    this.#newest[row] = slot;
  }

  /** Returns the samples of the 24 hours before `now_ms`, the oldest first; null: none was ever added. */
  read(id: string, now_ms: number): CountSample[] | null {
    const row = this.#rows.get(id);
    if (row === undefined) return null;
    const { block, start } = this.#placeOf(row);
    const samples: CountSample[] = [];
    const newest = this.#newest[row]!;
    const from = Math.max(Math.floor(now_ms / STEP_MS) - SLOTS + 1, newest - SLOTS + 1);
    for (let slot = from; slot <= newest; slot++) {
      const at = start + toOffset(slot);
      const counts = [toCount(block[at]!), toCount(block[at + 1]!)] as const;
      if (counts[0] !== null || counts[1] !== null) samples.push({ at_ms: slot * STEP_MS, counts });
    }
    return samples;
  }

  /** Returns the row of a new series, empty before `slot`; null: there is room for none. */
  #take(id: string, slot: number): number | null {
    const row = this.#ids.length < this.#max_series ? this.#ids.length : this.#findOldest(slot);
    if (row === null) return null;
    const former = this.#ids[row];
    if (former !== undefined) this.#rows.delete(former);
    if (row % BLOCK_SERIES === 0 && this.#blocks[row / BLOCK_SERIES] === undefined)
      this.#blocks.push(
        new Uint16Array(Math.min(BLOCK_SERIES, this.#max_series - row) * SERIES_LENGTH),
      );
    const { block, start } = this.#placeOf(row);
    block.fill(UNKNOWN, start, start + SERIES_LENGTH);
    this.#ids[row] = id;
    this.#rows.set(id, row);
    this.#newest[row] = slot - 1;
    return row;
  }

  /** One of the next few whose last report is the oldest; null: all of these have one of `slot`. */
  #findOldest(slot: number): number | null {
    const count = this.#ids.length;
    let oldest: number | null = null;
    for (let i = 0; i < Math.min(LOOKED_AT, count); i++) {
      const row = this.#hand;
      this.#hand = (this.#hand + 1) % count;
      if (this.#newest[row]! >= slot) continue;
      if (oldest === null || this.#newest[row]! < this.#newest[oldest]!) oldest = row;
    }
    return oldest;
  }

  #placeOf(row: number): { block: Uint16Array; start: number } {
    const block = this.#blocks[Math.floor(row / BLOCK_SERIES)]!;
    return { block, start: (row % BLOCK_SERIES) * SERIES_LENGTH };
  }
}

function toOffset(slot: number): number {
  return (slot % SLOTS) * COUNTS;
}

function toStored(count: number | null): number {
  return count === null || count < 0 ? UNKNOWN : Math.min(MOST, count);
}

function toCount(value: number): number | null {
  return value === UNKNOWN ? null : value;
}
