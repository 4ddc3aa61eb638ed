/** Positions of all nodes of an extract by id, kept in typed arrays: 12 bytes per node. */
import { NumberRoom } from "./number-room.ts";
import { SortedIds } from "./sorted-ids.ts";

/** Latitude and longitude of a node that the extract does not hold. */
export const UNKNOWN7 = 0x7fffffff;

type Batch = { count: number; ids: Float64Array; lat7: Int32Array; lon7: Int32Array };

/**
 * Positions lie in chunks: joining those of a country would need them twice. One takes 32 MB, from
 * which size on freed memory leaves the process at once (glibc maps it on its own).
 */
const CHUNK_BITS = 22;
export const CHUNK_NODES = 1 << CHUNK_BITS;
const IN_CHUNK = CHUNK_NODES - 1;

export class NodePositions {
  private ids = new SortedIds();
  /** lat7, lon7, …, chunk by chunk as the ids. */
  private points: Int32Array[] = [];
  private readonly room = new NumberRoom(Int32Array);

  get count(): number {
    return this.ids.count;
  }

  add({ count, ids, lat7, lon7 }: Batch): void {
    for (let i = 0; i < count; i++) this.addNode(ids[i]!, lat7[i]!, lon7[i]!);
  }

  /** Ends the adding; from here on positions can be found. */
  seal(): void {
    if (!this.ids.ascending) this.sort();
  }

  /** Positions of the nodes, lat7, lon7, …; `UNKNOWN7` twice where the node is not known. */
  pointsOf(ids: Float64Array): Int32Array {
    const points = this.room.take(2 * ids.length);
    for (let i = 0; i < ids.length; i++) {
      const at = this.ids.find(ids[i]!);
      const chunk = this.points[at >> CHUNK_BITS];
      const from = 2 * (at & IN_CHUNK);
      points[2 * i] = chunk === undefined ? UNKNOWN7 : chunk[from]!;
      points[2 * i + 1] = chunk === undefined ? UNKNOWN7 : chunk[from + 1]!;
    }
    return points;
  }

  addNode(id: number, lat7: number, lon7: number): void {
    const at = this.ids.count & IN_CHUNK;
    if (at === 0) this.points.push(new Int32Array(2 * CHUNK_NODES));
    const chunk = this.points.at(-1)!;
    chunk[2 * at] = lat7;
    chunk[2 * at + 1] = lon7;
    this.ids.add(id);
  }

  /** Of a file that is not in order; of nodes with the same id, one remains findable. */
  private sort(): void {
    const { points } = this;
    const ids = this.ids.list();
    const order = new Uint32Array(ids.length).map((_, i) => i);
    order.sort((a, b) => ids[a]! - ids[b]! || a - b);
    this.ids = new SortedIds();
    this.points = [];
    for (const from of order) {
      const chunk = points[from >> CHUNK_BITS]!;
      const at = 2 * (from & IN_CHUNK);
      this.addNode(ids[from]!, chunk[at]!, chunk[at + 1]!);
    }
  }
}
