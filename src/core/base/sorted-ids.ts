/** Where an id is in a sorted list of ids, found through a table of equal steps and a short search. */

/** Ids lie in chunks of this size: joining those of a country would need them twice. */
export const CHUNK_BITS = 17;
export const CHUNK_IDS = 1 << CHUNK_BITS;
export const IN_CHUNK = CHUNK_IDS - 1;

const MAX_STEPS = 1 << 22;

export class SortedIds {
  private readonly chunks: readonly Float64Array[];
  private readonly count: number;
  private readonly least: number;
  private readonly most: number;
  /** Steps per unit of id. */
  private readonly scale: number;
  /** Index of the first id of each step, and the number of ids. */
  private readonly starts: Uint32Array;
  private last = 0;

  /** Ids in ascending order; all chunks but the last one are full. */
  constructor(chunks: readonly Float64Array[], count: number) {
    const steps = Math.max(1, Math.min(MAX_STEPS, count >> 1));
    this.chunks = chunks;
    this.count = count;
    this.least = count === 0 ? Infinity : this.at(0);
    this.most = count === 0 ? -Infinity : this.at(count - 1);
    this.scale = this.most > this.least ? (steps - 1) / (this.most - this.least) : 0;
    this.starts = new Uint32Array(steps + 1).fill(count);
    for (let i = count - 1; i >= 0; i--)
      this.starts[Math.floor((this.at(i) - this.least) * this.scale)] = i;
    for (let step = steps - 1; step >= 0; step--)
      this.starts[step] = Math.min(this.starts[step]!, this.starts[step + 1]!);
  }

  /** Index of the id; -1: it is not there. Ids that follow each other are found fastest. */
  find(id: number): number {
    const next = this.last + 1;
    if (next < this.count && this.at(next) === id) return (this.last = next);
    if (!(id >= this.least && id <= this.most)) return -1;
    const step = Math.floor((id - this.least) * this.scale);
    let low = this.starts[step]!;
    let high = this.starts[step + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) < id) low = middle + 1;
      else high = middle;
    }
    if (low === this.count || this.at(low) !== id) return -1;
    return (this.last = low);
  }

  private at(index: number): number {
    return this.chunks[index >> CHUNK_BITS]![index & IN_CHUNK]!;
  }
}

/** Ids that lie in one array. */
export function indexIds(ids: Float64Array): SortedIds {
  const chunks = Array.from({ length: Math.ceil(ids.length / CHUNK_IDS) }, (_, i) =>
    ids.subarray(i * CHUNK_IDS, (i + 1) * CHUNK_IDS),
  );
  return new SortedIds(chunks, ids.length);
}
