/**
 * Positions of nodes that ways refer to, without a table of all nodes: references are written by ranges
 * of ids, in the order in which they are met; nodes come by and each range gets its positions, in the
 * same order; and a caller that meets the references again takes the next position of their range.
 */
import { NodePositions, UNKNOWN7 } from "../../base/positions.ts";
import type { NodeBatch } from "../../pbf/block.ts";
import { roomFor } from "../../pbf/views.ts";
import { problem } from "#kit/problem.ts";
import type { SquareSums } from "./cut-cells.ts";
import { REFERENCE_BYTES } from "./page-weights.ts";
import { Spill, type SpillParts } from "./spill.ts";

/** Ids in a range: those of the open map are below the end of the last one. */
const SLOT_BITS = 22;
const SLOTS = 4096;
const SLOT_IDS = 2 ** SLOT_BITS;
/** All other ids, negative ones and such as no map has yet. */
const OTHERS = SLOTS;
const MOST_OTHERS = 8_000_000;
const NODE_BYTES = 16;
const READ_BYTES = 16 * 1024;
/** That a table of positions takes for a node, with what it takes while it grows. */
const TABLE_BYTES = 20;

/** `sums`: receives what references weigh where their nodes are. */
export type RefOptions = {
  folder: string;
  memory_bytes: number;
  sorted: boolean;
  sums: SquareSums;
};

export class RefStreams {
  readonly #refs: Spill;
  readonly #nodes: Spill | null;
  readonly #positions: Spill;
  readonly #most_nodes: number;
  readonly #sums: SquareSums;
  readonly #row = new Float64Array(1);
  readonly #rowBytes = new Uint8Array(this.#row.buffer);
  readonly #node = new DataView(new ArrayBuffer(NODE_BYTES));
  readonly #nodeBytes = new Uint8Array(this.#node.buffer);
  #table = new NodePositions();
  #ids = new Float64Array(1024);
  readonly #others = new NodePositions();
  /** Of a sorted file: the range that nodes are in now, and the first one of the table. */
  #slot = 0;
  #firstSlot = 0;
  #refParts: readonly SpillParts[] = [];
  #readers: (PositionReader | undefined)[] = [];

  constructor({ folder, memory_bytes, sorted, sums }: RefOptions) {
    this.#sums = sums;
    this.#refs = new Spill(`${folder}/refs`, SLOTS + 1, memory_bytes / 8);
    this.#positions = new Spill(`${folder}/positions`, SLOTS + 1, memory_bytes / 8);
    this.#nodes = sorted
      ? null
      : new Spill(`${folder}/positions-of-nodes`, SLOTS, memory_bytes / 8);
    this.#most_nodes = Math.max(1, Math.floor(memory_bytes / 2 / TABLE_BYTES));
  }

  /** Of a way or a relation; its weights are below 2 ** 10. */
  addRefs(ids: Float64Array, { first, each }: { first: number; each: number }): void {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      const slot = slotOf(id);
      if (slot === OTHERS) {
        this.#row[0] = id;
        this.#refs.append(slot, this.#rowBytes);
      } else {
        const weight = i === 0 ? first : each;
        this.#refs.appendNumber(slot, (id - slot * SLOT_IDS + weight * SLOT_IDS) >>> 0);
      }
    }
  }

  /** All references have been added: nodes may come. */
  endRefs(): void {
    this.#refs.finish();
    this.#refParts = this.#refs.listParts();
  }

  addNodes(batch: NodeBatch): void {
    const { count, ids, lat7, lon7 } = batch;
    this.#checkTable();
    for (let i = 0; i < count; i++) {
      const slot = slotOf(ids[i]!);
      if (slot === OTHERS) this.#addOther(ids[i]!, lat7[i]!, lon7[i]!);
      else if (this.#nodes === null) {
        if (slot !== this.#slot) this.#enter(slot);
        this.#table.addNode(ids[i]!, lat7[i]!, lon7[i]!);
      } else {
        this.#node.setFloat64(0, ids[i]!, true);
        this.#node.setInt32(8, lat7[i]!, true);
        this.#node.setInt32(12, lon7[i]!, true);
        this.#nodes.append(slot, this.#nodeBytes);
      }
    }
  }

  /** All nodes have come: positions can be taken. */
  endNodes(): void {
    if (this.#nodes === null) this.#resolve(this.#firstSlot, SLOTS);
    else this.#resolveUnsorted(this.#nodes);
    this.#others.seal();
    this.#resolveSlot(OTHERS, this.#others);
    this.#positions.finish();
    this.#refs.remove();
    this.#table = new NodePositions();
    const parts = this.#positions.listParts();
    this.#readers = parts.map((list) =>
      list.length === 0 ? undefined : new PositionReader(this.#positions, list),
    );
  }

  /** Positions of the next references, which are these. */
  pointsOf(ids: Float64Array): Int32Array {
    const points = new Int32Array(2 * ids.length);
    for (let i = 0; i < ids.length; i++) {
      const reader = this.#readers[slotOf(ids[i]!)];
      if (reader === undefined) throw problem("extract: changed while it was read");
      reader.take(points, 2 * i);
    }
    return points;
  }

  close(): void {
    for (const spill of [this.#refs, this.#positions, this.#nodes]) spill?.close();
  }

  /** Releases what they take on disk. */
  remove(): void {
    this.#positions.remove();
    this.#readers = [];
  }

  #addOther(id: number, lat7: number, lon7: number): void {
    if (this.#others.count >= MOST_OTHERS)
      throw problem("extract: more nodes with ids that no map has than fit in memory");
    this.#others.addNode(id, lat7, lon7);
  }

  /** A range that has more nodes than ids has some twice, as no map has. */
  #checkTable(): void {
    if (this.#table.count > this.#most_nodes + SLOT_IDS)
      throw problem("extract: more nodes with the same ids than fit in memory");
  }

  /** Nodes of another range come; what is in the table is looked up when it is full. */
  #enter(slot: number): void {
    if (slot < this.#slot)
      throw problem("extract: not in the order that its header promises (Sort.Type_then_ID)");
    this.#slot = slot;
    if (this.#table.count < this.#most_nodes) return;
    this.#resolve(this.#firstSlot, slot);
    this.#firstSlot = slot;
  }

  #resolve(from: number, to: number): void {
    this.#table.seal();
    for (let slot = from; slot < to; slot++) this.#resolveSlot(slot, this.#table);
    this.#table = new NodePositions();
  }

  #resolveUnsorted(nodes: Spill): void {
    nodes.finish();
    const parts = nodes.listParts();
    for (let slot = 0; slot < SLOTS; slot++) {
      if (this.#refParts[slot]!.length === 0) continue;
      for (const bytes of readParts(nodes, parts[slot]!)) {
        this.#checkTable();
        this.#addRows(bytes);
      }
      if (this.#table.count < this.#most_nodes) continue;
      this.#resolve(this.#firstSlot, slot + 1);
      this.#firstSlot = slot + 1;
    }
    this.#resolve(this.#firstSlot, SLOTS);
    nodes.remove();
  }

  #addRows({ buffer, length }: Uint8Array): void {
    const view = new DataView(buffer);
    for (let at = 0; at < length; at += NODE_BYTES)
      this.#table.addNode(
        view.getFloat64(at, true),
        view.getInt32(at + 8, true),
        view.getInt32(at + 12, true),
      );
  }

  #resolveSlot(slot: number, table: NodePositions): void {
    const first = slot * SLOT_IDS;
    for (const { buffer } of readParts(this.#refs, this.#refParts[slot]!)) {
      const refs = slot === OTHERS ? null : new Uint32Array(buffer);
      const ids = refs === null ? new Float64Array(buffer) : this.#idsOf(refs, first);
      const points = table.pointsOf(ids);
      for (let i = 0; i < ids.length; i++)
        if (points[2 * i] !== UNKNOWN7)
          this.#sums.add(points[2 * i]!, points[2 * i + 1]!, weightOf(refs?.[i]));
      this.#positions.append(
        slot,
        new Uint8Array(points.buffer, points.byteOffset, points.byteLength),
      );
    }
  }

  #idsOf(refs: Uint32Array, first: number): Float64Array {
    this.#ids = roomFor(this.#ids, refs.length);
    for (let i = 0; i < refs.length; i++) this.#ids[i] = first + (refs[i]! & (SLOT_IDS - 1));
    return this.#ids.subarray(0, refs.length);
  }
}

function* readParts(spill: Spill, parts: SpillParts): Generator<Uint8Array<ArrayBuffer>> {
  for (let i = 0; i < parts.length; i += 2) yield spill.read(parts[i]!, parts[i + 1]!);
}

/** Of a reference as it is written; absent: it is of an id that no map has. */
function weightOf(ref: number | undefined): number {
  return ref === undefined ? REFERENCE_BYTES : ref >>> SLOT_BITS;
}

function slotOf(id: number): number {
  return id >= 0 && id < SLOTS * SLOT_IDS ? Math.floor(id / SLOT_IDS) : OTHERS;
}

/** Takes the positions of one range one after another. */
class PositionReader {
  readonly #spill: Spill;
  readonly #parts: SpillParts;
  #part = 0;
  /** In the part. */
  #read = 0;
  #points = new Int32Array(0);
  #at = 0;

  constructor(spill: Spill, parts: SpillParts) {
    this.#spill = spill;
    this.#parts = parts;
  }

  take(into: Int32Array, at: number): void {
    if (this.#at === this.#points.length) this.#more();
    into[at] = this.#points[this.#at++]!;
    into[at + 1] = this.#points[this.#at++]!;
  }

  #more(): void {
    const length = this.#parts[this.#part + 1] ?? 0;
    const count = Math.min(READ_BYTES, length - this.#read);
    if (count <= 0) throw problem("extract: changed while it was read");
    const { buffer } = this.#spill.read(this.#parts[this.#part]! + this.#read, count);
    this.#points = new Int32Array(buffer);
    this.#at = 0;
    this.#read += count;
    if (this.#read < length) return;
    this.#part += 2;
    this.#read = 0;
  }
}
