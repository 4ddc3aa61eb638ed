/** Ways that relations need, kept compactly until the relations are assembled. */
import { grown } from "#kit/growing.ts";
import { problem } from "#kit/problem.ts";
import type { RingLine } from "../base/ring-assembly.ts";
import { SortedIds } from "../base/sorted-ids.ts";
import { roomFor } from "../pbf/views.ts";
import { unpackSums } from "#kit/wire.ts";

const ABSENT = -1;

/** Ids of an unknown number, which become a sorted list without repeats. */
export class IdList {
  private ids: Float64Array = new Float64Array(1024);
  private count = 0;
  private readonly most: number;

  /** More than `most` different ids are a problem. */
  constructor(most: number) {
    this.most = most;
  }

  add(id: number): void {
    if (this.count === this.ids.length) this.makeRoom();
    this.ids[this.count++] = id;
  }

  /** How many there are, repeats that have not gone yet included. */
  get size(): number {
    return this.count;
  }

  toSorted(): Float64Array {
    const sorted = this.ids.slice(0, this.count).sort();
    let stored = 0;
    for (let i = 0; i < sorted.length; i++)
      if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[stored++] = sorted[i]!;
    return sorted.slice(0, stored);
  }

  /** Repeats go first: many relations have the same ways. */
  private makeRoom(): void {
    const sorted = this.toSorted();
    if (sorted.length > this.most) throw tooMany();
    this.ids = grown(sorted, Math.max(1024, sorted.length * 2));
    this.count = sorted.length;
  }
}

export class MemberWays {
  private readonly index: SortedIds;
  /** Of each way: where its bytes begin, those of its nodes, and behind them those of its points. */
  private readonly starts: Float64Array;
  private readonly refBytes: Uint32Array;
  private readonly pointBytes: Uint32Array;
  bytes = new Uint8Array(64 * 1024);
  private used = 0;
  private readonly most_bytes: number;
  private refs = new Float64Array(256);

  /** Ways that take more than `most_bytes` are a problem. */
  constructor(ids: Float64Array, most_bytes = Infinity) {
    this.most_bytes = most_bytes;
    this.index = SortedIds.from(ids);
    this.starts = new Float64Array(ids.length).fill(ABSENT);
    this.refBytes = new Uint32Array(ids.length);
    this.pointBytes = new Uint32Array(ids.length);
  }

  wants(id: number): boolean {
    return this.index.find(id) >= 0;
  }

  /** `refs` as they lie in the file; `points` where the file has the positions with the way. */
  add(id: number, refs: Uint8Array, points: Int32Array | null): void {
    const at = this.index.find(id);
    if (at < 0) return;
    this.starts[at] = this.used;
    this.refBytes[at] = refs.length;
    this.pointBytes[at] = points?.byteLength ?? 0;
    this.append(refs);
    if (points !== null)
      this.append(new Uint8Array(points.buffer, points.byteOffset, points.byteLength));
  }

  /** How many nodes a way has; null: the extract does not hold it. */
  lengthOf(id: number): number | null {
    const at = this.placeOf(id);
    return at < 0 ? null : this.unpackRefs(at);
  }

  /** Nodes and positions of a way; null: the extract does not hold it. */
  lineOf(id: number, pointsOf: (ids: Float64Array) => Int32Array): RingLine | null {
    const at = this.placeOf(id);
    if (at < 0) return null;
    const length = this.unpackRefs(at);
    const ids = this.refs.slice(0, length);
    const located = this.pointBytes[at]!;
    if (located === 0) return { ids, points: pointsOf(ids) };
    const from = this.starts[at]! + this.refBytes[at]!;
    return { ids, points: new Int32Array(this.bytes.slice(from, from + located).buffer) };
  }

  /** -1: the extract does not hold it. */
  private placeOf(id: number): number {
    const at = this.index.find(id);
    return at < 0 || this.starts[at] === ABSENT ? -1 : at;
  }

  /** Into `refs`; returns how many. */
  private unpackRefs(at: number): number {
    const [start, length] = [this.starts[at]!, this.refBytes[at]!];
    this.refs = roomFor(this.refs, length);
    return unpackSums(this, start, start + length, this.refs);
  }

  private append(input: Uint8Array): void {
    const end = this.used + input.length;
    if (end > this.bytes.length) {
      if (this.used > this.most_bytes) throw tooMany();
      const larger = new Uint8Array(Math.max(end, Math.ceil(this.bytes.length * 1.5)));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(input, this.used);
    this.used = end;
  }
}

function tooMany(): Error {
  return problem("extract: more ways in relations than a map of this size has");
}
