/**
 * Memory of a queue of vertices in the order of their cost: those of one bucket, 64 cm wide, come in any
 * order. So the cost of a vertex may still fall while its bucket is walked, and is final when the next
 * one begins. A search writes into it where it runs: a call for each edge took a third of its time
 * (docs/lab/walking.md, Cost).
 */
export const BUCKET_BITS = 6;
export const BUCKET = 2 ** BUCKET_BITS;
/** Of a bucket: it is empty. Of an entry: it is the last one of its bucket. */
export const NO_ENTRY = -1;

/** Entries of all queues of one question: there are no more than its looks, in however many pages. */
export class QueueEntries {
  /** Of each entry the one before it in its bucket, and its vertex. */
  readonly before: Int32Array;
  readonly vertices: Uint32Array;

  constructor(most: number) {
    this.before = new Int32Array(most);
    this.vertices = new Uint32Array(most);
  }
}

export class BucketQueue {
  /** Newest entry of each bucket. */
  heads = new Int32Array(2_048);

  /** Empties the buckets of all costs up to `most`; returns the number of the last one. */
  begin(most: number): number {
    const last = most < 0 ? NO_ENTRY : most >>> BUCKET_BITS;
    if (this.heads.length <= last) this.heads = new Int32Array(last + 1);
    this.heads.fill(NO_ENTRY, 0, last + 1);
    return last;
  }
}
