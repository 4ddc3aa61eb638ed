/** Ways that relations need, kept compactly until the relations are assembled. */
import { problem } from "#core/problem.ts";
import type { Line } from "#core/base/rings.ts";
import { indexIds, type SortedIds } from "#core/base/sorted-ids.ts";

const ABSENT = -1;
const CONTINUE = 0x80;
/** Of the largest sum of damaged ids. */
const MOST_VARINT_BYTES = 32;

/** Ids of an unknown number, which become a sorted list without repeats. */
export class IdList {
  private ids = new Float64Array(1024);
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

  toSorted(): Float64Array {
    const sorted = this.ids.slice(0, this.count).sort();
    let kept = 0;
    for (let i = 0; i < sorted.length; i++)
      if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i]!;
    return sorted.slice(0, kept);
  }

  /** Repeats go first: many relations have the same ways. */
  private makeRoom(): void {
    const sorted = this.toSorted();
    if (sorted.length > this.most) throw tooMany();
    this.ids = new Float64Array(Math.max(1024, sorted.length * 2));
    this.ids.set(sorted);
    this.count = sorted.length;
  }
}

export class MemberWays {
  private readonly index: SortedIds;
  private readonly starts: Float64Array;
  private bytes = new Uint8Array(64 * 1024);
  private used = 0;
  private readonly most_bytes: number;

  /** Ways that take more than `most_bytes` are a problem. */
  constructor(ids: Float64Array, most_bytes = Infinity) {
    this.most_bytes = most_bytes;
    this.index = indexIds(ids);
    this.starts = new Float64Array(ids.length).fill(ABSENT);
  }

  wants(id: number): boolean {
    return this.index.find(id) >= 0;
  }

  /** `points` where the file has the positions with the way. */
  add(id: number, refs: Float64Array, points: Int32Array | null): void {
    const at = this.index.find(id);
    if (at < 0) return;
    this.starts[at] = this.used;
    this.write(refs.length * 2 + (points === null ? 0 : 1));
    let before = 0;
    for (const ref of refs) {
      this.writeSigned(ref - before);
      before = ref;
    }
    if (points === null) return;
    for (let i = 0; i < points.length; i++)
      this.writeSigned(points[i]! - (i < 2 ? 0 : points[i - 2]!));
  }

  /** Nodes and positions of a way; null: the extract does not hold it. */
  lineOf(id: number, pointsOf: (ids: Float64Array) => Int32Array): Line | null {
    const at = this.index.find(id);
    const start = at < 0 ? ABSENT : this.starts[at]!;
    if (start === ABSENT) return null;
    const place = { at: start };
    const head = this.read(place);
    const ids = new Float64Array(Math.floor(head / 2));
    let ref = 0;
    for (let i = 0; i < ids.length; i++) ids[i] = ref += this.readSigned(place);
    if (head % 2 === 0) return { ids, points: pointsOf(ids) };
    const points = new Int32Array(2 * ids.length);
    for (let i = 0; i < points.length; i++)
      points[i] = this.readSigned(place) + (i < 2 ? 0 : points[i - 2]!);
    return { ids, points };
  }

  private writeSigned(value: number): void {
    this.write(value < 0 ? -2 * value - 1 : 2 * value);
  }

  private write(value: number): void {
    if (this.used + MOST_VARINT_BYTES > this.bytes.length) {
      if (this.used > this.most_bytes) throw tooMany();
      const larger = new Uint8Array(Math.ceil(this.bytes.length * 1.5));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    let rest = value;
    while (rest >= CONTINUE) {
      this.bytes[this.used++] = (rest % CONTINUE) | CONTINUE;
      rest = Math.floor(rest / CONTINUE);
    }
    this.bytes[this.used++] = rest;
  }

  private readSigned(place: { at: number }): number {
    const value = this.read(place);
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  private read(place: { at: number }): number {
    let byte = this.bytes[place.at++]!;
    let value = byte % CONTINUE;
    for (let scale = CONTINUE; byte >= CONTINUE; scale *= CONTINUE) {
      byte = this.bytes[place.at++]!;
      value += (byte % CONTINUE) * scale;
    }
    return value;
  }
}

function tooMany(): Error {
  return problem("extract: more ways in relations than a map of this size has");
}
