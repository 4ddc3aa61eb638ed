/** Ways that relations need, with their nodes and positions: in memory as long as there is room, then in a file. */
import { problem } from "#kit/problem.ts";
import { grown } from "#kit/growing.ts";
import type { RingLine } from "../../base/ring-assembly.ts";
import { SortedIds } from "../../base/sorted-ids.ts";
import { Spill } from "./spill.ts";

const ABSENT = -1;
const ID_BYTES = 8;
const POINT_BYTES = 8;
/** Lines that are read from the file at a time: those of a relation often lie together. */
const WINDOW_BYTES = 64 * 1024;

export class MemberLines {
  readonly #index: SortedIds;
  /** Of each way: where its bytes begin, and how many nodes it has. */
  readonly #starts: Float64Array;
  readonly #counts: Uint32Array;
  readonly #most_bytes: number;
  readonly #memory_bytes: number;
  readonly #path: string;
  #bytes = new Uint8Array(1024);
  #used = 0;
  #spill: Spill | null = null;
  #window: { at: number; bytes: Uint8Array } = { at: 0, bytes: new Uint8Array(0) };
  /** Bytes of the file before those that are in memory. */
  #flushed = 0;

  /** Lines that take more than `most_bytes` are a problem. `path`: of the file, if there is to be one. */
  constructor(
    ids: Float64Array,
    { most_bytes, memory_bytes, path }: { most_bytes: number; memory_bytes: number; path: string },
  ) {
    this.#index = SortedIds.from(ids);
    this.#starts = new Float64Array(ids.length).fill(ABSENT);
    this.#counts = new Uint32Array(ids.length);
    this.#most_bytes = most_bytes;
    this.#memory_bytes = memory_bytes;
    this.#path = path;
  }

  wants(id: number): boolean {
    return this.#index.find(id) >= 0;
  }

  /** `points` as they are, those that are not known included. */
  add(id: number, nodes: Float64Array, points: Int32Array): void {
    const at = this.#index.find(id);
    if (at < 0) return;
    const length = nodes.length * (ID_BYTES + POINT_BYTES);
    this.#reserve(length);
    this.#starts[at] = this.#flushed + this.#used;
    this.#counts[at] = nodes.length;
    this.#bytes.set(bytesOf(nodes), this.#used);
    this.#bytes.set(bytesOf(points), this.#used + nodes.byteLength);
    this.#used += length;
  }

  /** How many nodes a way has; null: the extract does not hold it. */
  lengthOf(id: number): number | null {
    const at = this.#index.find(id);
    return at < 0 || this.#starts[at] === ABSENT ? null : this.#counts[at]!;
  }

  /** Nodes and positions of a way; null: the extract does not hold it. */
  lineOf(id: number): RingLine | null {
    const at = this.#index.find(id);
    if (at < 0 || this.#starts[at] === ABSENT) return null;
    const count = this.#counts[at]!;
    const bytes = this.#read(this.#starts[at]!, count * (ID_BYTES + POINT_BYTES));
    return {
      ids: new Float64Array(bytes.buffer, 0, count),
      points: new Int32Array(bytes.buffer, count * ID_BYTES, 2 * count),
    };
  }

  close(): void {
    this.#spill?.close();
  }

  /** Releases what they take, in memory and on disk. */
  remove(): void {
    this.#spill?.remove();
    this.#bytes = new Uint8Array(0);
  }

  #reserve(length: number): void {
    if (this.#flushed + this.#used > this.#most_bytes)
      throw problem("extract: more ways in relations than a map of this size has");
    const least = this.#used + length;
    if (least <= this.#bytes.length) return;
    if (least > this.#memory_bytes && this.#used > 0) {
      this.#spill ??= new Spill(this.#path, 1, 0);
      this.#spill.append(0, this.#bytes.subarray(0, this.#used));
      this.#flushed += this.#used;
      this.#used = 0;
    }
    if (this.#used + length > this.#bytes.length)
      this.#bytes = grown(
        this.#bytes,
        Math.max(this.#used + length, Math.ceil(this.#bytes.length * 1.5)),
      );
  }

  /** A copy of its own, from a multiple of eight on. */
  #read(at: number, length: number): Uint8Array<ArrayBuffer> {
    if (at >= this.#flushed)
      return this.#bytes.slice(at - this.#flushed, at - this.#flushed + length);
    const { at: from, bytes } = this.#window;
    if (at < from || at + length > from + bytes.length) {
      const room = Math.max(length, Math.min(WINDOW_BYTES, this.#flushed - at));
      this.#spill!.finish();
      this.#window = { at, bytes: this.#spill!.read(at, room) };
    }
    const start = at - this.#window.at;
    return this.#window.bytes.slice(start, start + length);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
