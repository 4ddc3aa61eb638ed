/** Positions of all nodes of an extract by id, kept in typed arrays of a fixed cost per node. */
import { indexIds, type SortedIds } from "#core/base/sorted-ids.ts";

/** Latitude and longitude of a node that the extract does not hold. */
export const UNKNOWN7 = 0x7fffffff;

type Batch = { count: number; ids: Float64Array; lat7: Int32Array; lon7: Int32Array };

const CHUNK_NODES = 1 << 17;

export class NodePositions {
  private chunks: { ids: Float64Array; lat7: Int32Array; lon7: Int32Array }[] = [];
  private used = CHUNK_NODES;
  private newest = -Infinity;
  private sorted = true;
  private index: SortedIds = indexIds(new Float64Array(0));
  private lat7 = new Int32Array(0);
  private lon7 = new Int32Array(0);
  count = 0;

  add({ count, ids, lat7, lon7 }: Batch): void {
    for (let from = 0; from < count;) {
      if (this.used === CHUNK_NODES) this.open();
      const chunk = this.chunks.at(-1)!;
      const to = Math.min(count, from + CHUNK_NODES - this.used);
      for (let i = from; i < to; i++) {
        const id = ids[i]!;
        if (id <= this.newest) this.sorted = false;
        this.newest = id;
      }
      chunk.ids.set(ids.subarray(from, to), this.used);
      chunk.lat7.set(lat7.subarray(from, to), this.used);
      chunk.lon7.set(lon7.subarray(from, to), this.used);
      this.used += to - from;
      from = to;
    }
    this.count += count;
  }

  /** Ends the adding; from here on positions can be found. */
  seal(): void {
    const ids = this.join("ids", new Float64Array(this.count));
    this.lat7 = this.join("lat7", new Int32Array(this.count));
    this.lon7 = this.join("lon7", new Int32Array(this.count));
    this.chunks = [];
    this.index = indexIds(this.sorted ? ids : this.sort(ids));
  }

  /** Positions of the nodes, lat7, lon7, …; `UNKNOWN7` twice where the node is not known. */
  pointsOf(ids: Float64Array): Int32Array {
    const points = new Int32Array(2 * ids.length);
    for (let i = 0; i < ids.length; i++) {
      const at = this.index.find(ids[i]!);
      points[2 * i] = at < 0 ? UNKNOWN7 : this.lat7[at]!;
      points[2 * i + 1] = at < 0 ? UNKNOWN7 : this.lon7[at]!;
    }
    return points;
  }

  private open(): void {
    this.chunks.push({
      ids: new Float64Array(CHUNK_NODES),
      lat7: new Int32Array(CHUNK_NODES),
      lon7: new Int32Array(CHUNK_NODES),
    });
    this.used = 0;
  }

  private join<A extends Float64Array | Int32Array>(column: "ids" | "lat7" | "lon7", into: A): A {
    let at = 0;
    for (const chunk of this.chunks) {
      const part = chunk[column];
      into.set(part.subarray(0, Math.min(part.length, into.length - at)), at);
      at += part.length;
      // Freed one by one, so that no column is there twice.
      chunk[column] = (column === "ids" ? new Float64Array(0) : new Int32Array(0)) as never;
    }
    return into;
  }

  /** Of a file that is not in order; of nodes with the same id one remains findable. */
  private sort(ids: Float64Array): Float64Array {
    const order = Uint32Array.from(ids, (_, i) => i).sort((a, b) => ids[a]! - ids[b]! || a - b);
    const { lat7, lon7 } = this;
    this.lat7 = Int32Array.from(order, (i) => lat7[i]!);
    this.lon7 = Int32Array.from(order, (i) => lon7[i]!);
    return Float64Array.from(order, (i) => ids[i]!);
  }
}
