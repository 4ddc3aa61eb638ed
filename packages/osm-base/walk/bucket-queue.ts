/**
 * Vertices in the order of their cost: those of one bucket, 64 cm wide, come in any order. So the cost
 * of a vertex may still fall while its bucket is walked, and is final when the next one begins.
 */
import { grown } from "#kit/growing.ts";

const BUCKET_BITS = 6;
const NONE = -1;

export class BucketQueue {
  /** Newest entry of each bucket; an entry names the one before it. */
  #heads = new Int32Array(2_048);
  #before = new Int32Array(4_096);
  #vertices = new Uint32Array(4_096);
  #length = 0;
  #bucket = 0;
  #last = NONE;

  /** Empties the queue. No cost above `most` is pushed from now on. */
  begin(most: number): void {
    this.#last = most < 0 ? NONE : most >>> BUCKET_BITS;
    if (this.#heads.length <= this.#last) this.#heads = new Int32Array(this.#last + 1);
    this.#heads.fill(NONE, 0, this.#last + 1);
    this.#length = 0;
    this.#bucket = 0;
  }

  /** Least cost of the bucket that is walked: what costs less is final. */
  get floor(): number {
    return this.#bucket << BUCKET_BITS;
  }

  /** `cost`: not below the floor. */
  push(vertex: number, cost: number): void {
    const at = this.#length++;
    if (at === this.#vertices.length) this.#grow();
    const bucket = cost >>> BUCKET_BITS;
    this.#vertices[at] = vertex;
    this.#before[at] = this.#heads[bucket]!;
    this.#heads[bucket] = at;
  }

  /** A vertex of the least bucket; -1: none is left. One that was pushed twice comes twice. */
  pop(): number {
    const heads = this.#heads;
    while (this.#bucket <= this.#last) {
      const at = heads[this.#bucket]!;
      if (at !== NONE) {
        heads[this.#bucket] = this.#before[at]!;
        return this.#vertices[at]!;
      }
      this.#bucket += 1;
    }
    return NONE;
  }

  #grow(): void {
    this.#vertices = grown(this.#vertices, 2 * this.#vertices.length);
    this.#before = grown(this.#before, 2 * this.#before.length);
  }
}
