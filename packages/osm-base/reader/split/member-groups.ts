/**
 * Ways that relations need, by groups of relations whose ways fit in memory. Of one group they are kept
 * as they come. Of several, all that may be wanted are written down, and each group takes its own from
 * there when it is its turn.
 */
import { problem } from "#kit/problem.ts";
import { MemberLines } from "./member-lines.ts";
import { Spill } from "./spill.ts";

/** Of the memory: ids of a group, and its lines. */
const IDS_SHARE = 1 / 4;
const LINES_SHARE = 1 / 8;
/** That an id takes while ids are sorted, at most. */
const BYTES_PER_ID = 40;
const LEAST_GROUP = 16;
const MOST_FILTER_BITS = 29;
const LEAST_FILTER_BITS = 10;
const HEAD_BYTES = 16;
const POINT_BYTES = 16;

type Options = { folder: string; memory_bytes: number; most_ids: number; most_bytes: number };
/** `filter`: a bit for the hash of each id. */
type Several = { ids: Spill; log: Spill; filter: Uint8Array; bits: number };
type Group = { blobs: readonly number[]; count: number };

export class MemberGroups {
  /** Ids, repeats counted, from which on a group is to end. */
  readonly group_ids: number;
  readonly #options: Options;
  readonly #groups: Group[] = [];
  #single: MemberLines | null = null;
  #several: Several | null = null;
  #first: Float64Array = new Float64Array(0);
  #count = 0;

  constructor(options: Options) {
    this.#options = options;
    const most = Math.floor((options.memory_bytes * IDS_SHARE) / BYTES_PER_ID);
    this.group_ids = Math.max(LEAST_GROUP, most);
  }

  /** Adds a group: the blobs that its relations are in, and the ids of their ways in ascending order. */
  add(blobs: readonly number[], ids: Float64Array): void {
    this.#count += ids.length;
    if (this.#count > this.#options.most_ids)
      throw problem("extract: more ways in relations than a map of this size has");
    this.#groups.push({ blobs, count: ids.length });
    if (this.#groups.length === 1) {
      this.#first = ids;
      return;
    }
    if (this.#several === null) {
      this.#several = this.#openSeveral();
      this.#note(this.#first);
      this.#first = new Float64Array(0);
    }
    this.#note(ids);
  }

  /** All groups have been added: ways may come. */
  seal(): void {
    this.#several?.ids.finish();
    if (this.#several === null) this.#single = this.#linesOf(this.#first, "lines");
    this.#first = new Float64Array(0);
  }

  /** Whether a way may be wanted; never false of one that is. */
  wants(id: number): boolean {
    if (this.#single !== null) return this.#single.wants(id);
    const { filter, bits } = this.#several!;
    const at = hashOf(id, bits);
    return ((filter[at >>> 3]! >> (at & 7)) & 1) === 1;
  }

  /** `points` as they are, those that are not known included. */
  addLine(id: number, nodes: Float64Array, points: Int32Array): void {
    if (this.#single !== null) {
      this.#single.add(id, nodes, points);
      return;
    }
    const bytes = new Uint8Array(HEAD_BYTES + nodes.length * POINT_BYTES);
    const head = new Float64Array(bytes.buffer, 0, 2);
    head[0] = id;
    head[1] = nodes.length;
    new Float64Array(bytes.buffer, HEAD_BYTES, nodes.length).set(nodes);
    new Int32Array(bytes.buffer, HEAD_BYTES + nodes.byteLength).set(points);
    const { log } = this.#several!;
    log.append(0, bytes);
    if (log.bytes > this.#options.most_bytes)
      throw problem("extract: more ways in relations than a map of this size has");
  }

  /**
   * Groups in turn, each with its ways until the next one is called for. `turn`: lets others have the
   * thread.
   */
  async *list(
    turn: () => Promise<void> | undefined,
  ): AsyncGenerator<{ blobs: readonly number[]; lines: MemberLines }> {
    if (this.#several === null) {
      for (const { blobs } of this.#groups) yield { blobs, lines: this.#single! };
      return;
    }
    const { ids, log } = this.#several;
    log.finish();
    const parts = log.listParts()[0]!;
    // They are the only stream of their file.
    let at = 0;
    for (const { blobs, count } of this.#groups) {
      const length = count * Float64Array.BYTES_PER_ELEMENT;
      const own = new Float64Array(ids.read(at, length).buffer);
      at += length;
      const lines = (this.#single = this.#linesOf(own, `lines-${blobs[0]}`));
      for (let i = 0; i < parts.length; i += 2) {
        takeLines(log.read(parts[i]!, parts[i + 1]!), lines);
        await turn();
      }
      yield { blobs, lines };
      lines.remove();
      this.#single = null;
    }
  }

  close(): void {
    for (const each of [this.#single, this.#several?.ids, this.#several?.log]) each?.close();
  }

  /** Releases what they take, in memory and on disk. */
  remove(): void {
    for (const each of [this.#single, this.#several?.ids, this.#several?.log]) each?.remove();
    this.#single = this.#several = null;
  }

  #openSeveral(): Several {
    const { folder, memory_bytes } = this.#options;
    const most = Math.floor(Math.log2(memory_bytes));
    const bits = Math.max(LEAST_FILTER_BITS, Math.min(MOST_FILTER_BITS, most));
    return {
      ids: new Spill(`${folder}/members`, 1, 0),
      log: new Spill(`${folder}/member-lines`, 1, memory_bytes / 16),
      filter: new Uint8Array(2 ** (bits - 3)),
      bits,
    };
  }

  #note(ids: Float64Array): void {
    const { ids: spill, filter, bits } = this.#several!;
    for (const id of ids) {
      const at = hashOf(id, bits);
      filter[at >>> 3]! |= 1 << (at & 7);
    }
    if (ids.length > 0) spill.append(0, new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength));
  }

  #linesOf(ids: Float64Array, name: string): MemberLines {
    const { folder, memory_bytes, most_bytes } = this.#options;
    const path = `${folder}/${name}`;
    return new MemberLines(ids, { most_bytes, memory_bytes: memory_bytes * LINES_SHARE, path });
  }
}

/** Gives a group those of the lines in a part of the log that it wants. */
function takeLines({ buffer, length }: Uint8Array<ArrayBuffer>, lines: MemberLines): void {
  for (let at = 0; at < length;) {
    const [id, count] = new Float64Array(buffer, at, 2);
    const from = at + HEAD_BYTES;
    if (lines.wants(id!))
      lines.add(
        id!,
        new Float64Array(buffer, from, count),
        new Int32Array(buffer, from + count! * Float64Array.BYTES_PER_ELEMENT, 2 * count!),
      );
    at = from + count! * POINT_BYTES;
  }
}

function hashOf(id: number, bits: number): number {
  const low = (id % 2 ** 32) >>> 0;
  return (
    (Math.imul(low, 0x9e3779b1) ^ Math.imul(Math.floor(id / 2 ** 32), 0x85ebca77)) >>> (32 - bits)
  );
}
