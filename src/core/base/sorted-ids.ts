/** Where an id is in a sorted list of ids: by every 32nd of them first, then among 32. */

/** Ids lie in chunks of this size: joining those of a country would need them twice. */
export const CHUNK_BITS = 17;
export const CHUNK_IDS = 1 << CHUNK_BITS;
export const IN_CHUNK = CHUNK_IDS - 1;

/** A power of two, so that the ids of a run are in one chunk. */
const RUN_BITS = 5;
const RUN = 1 << RUN_BITS;

export class SortedIds {
  private readonly chunks: readonly Float64Array[];
  private readonly count: number;
  /** First id of each run. */
  private readonly firsts: Float64Array;
  /** Run in which an id was found last: those of a way are often near each other. */
  private last = 0;

  /** Ids in ascending order; all chunks but the last one are full. */
  constructor(chunks: readonly Float64Array[], count: number) {
    this.chunks = chunks;
    this.count = count;
    this.firsts = Float64Array.from(
      { length: Math.ceil(count / RUN) },
      (_, run) => chunks[(run * RUN) >> CHUNK_BITS]![(run * RUN) & IN_CHUNK]!,
    );
  }

  /** Index of the id; -1: it is not there. */
  find(id: number): number {
    const { firsts, last } = this;
    const isNear = id >= firsts[last]! && (last + 1 === firsts.length || id < firsts[last + 1]!);
    const run = isNear ? last : this.findRun(id);
    if (run < 0) return -1;
    this.last = run;
    const from = run << RUN_BITS;
    const chunk = this.chunks[from >> CHUNK_BITS]!;
    const begin = from & IN_CHUNK;
    let low = begin;
    let high = begin + Math.min(RUN, this.count - from);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (chunk[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low - begin < Math.min(RUN, this.count - from) && chunk[low] === id
      ? from + low - begin
      : -1;
  }

  /** Last run that begins at or before the id; -1: none does. */
  private findRun(id: number): number {
    const { firsts } = this;
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firsts[middle]! <= id) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Ids that lie in one array. */
export function indexIds(ids: Float64Array): SortedIds {
  const chunks = Array.from({ length: Math.ceil(ids.length / CHUNK_IDS) }, (_, i) =>
    ids.subarray(i * CHUNK_IDS, (i + 1) * CHUNK_IDS),
  );
  return new SortedIds(chunks, ids.length);
}
