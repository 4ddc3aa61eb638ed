/** Positions of all nodes of an extract by id, kept in typed arrays: 16 bytes per node. */
import { CHUNK_BITS, CHUNK_IDS, IN_CHUNK, SortedIds } from "#core/base/sorted-ids.ts";

/** Latitude and longitude of a node that the extract does not hold. */
export const UNKNOWN7 = 0x7fffffff;

type Batch = { count: number; ids: Float64Array; lat7: Int32Array; lon7: Int32Array };

export class NodePositions {
  count = 0;
  private ids: Float64Array[] = [];
  private lat7: Int32Array[] = [];
  private lon7: Int32Array[] = [];
  private newest = -Infinity;
  private sorted = true;
  private index = new SortedIds(this.ids, this.count);

  add({ count, ids, lat7, lon7 }: Batch): void {
    for (let from = 0; from < count;) {
      const used = this.count & IN_CHUNK;
      if (used === 0) this.open();
      const to = Math.min(count, from + CHUNK_IDS - used);
      for (let i = from; i < to; i++) {
        const id = ids[i]!;
        if (id <= this.newest) this.sorted = false;
        this.newest = id;
      }
      this.ids.at(-1)!.set(ids.subarray(from, to), used);
      this.lat7.at(-1)!.set(lat7.subarray(from, to), used);
      this.lon7.at(-1)!.set(lon7.subarray(from, to), used);
      this.count += to - from;
      from = to;
    }
  }

  /** Ends the adding; from here on positions can be found. */
  seal(): void {
    if (!this.sorted) this.sort();
    this.index = new SortedIds(this.ids, this.count);
  }

  /** Positions of the nodes, lat7, lon7, …; `UNKNOWN7` twice where the node is not known. */
  pointsOf(ids: Float64Array): Int32Array {
    const points = new Int32Array(2 * ids.length);
    for (let i = 0; i < ids.length; i++) {
      const at = this.index.find(ids[i]!);
      points[2 * i] = at < 0 ? UNKNOWN7 : this.lat7[at >> CHUNK_BITS]![at & IN_CHUNK]!;
      points[2 * i + 1] = at < 0 ? UNKNOWN7 : this.lon7[at >> CHUNK_BITS]![at & IN_CHUNK]!;
    }
    return points;
  }

  private open(): void {
    this.ids.push(new Float64Array(CHUNK_IDS));
    this.lat7.push(new Int32Array(CHUNK_IDS));
    this.lon7.push(new Int32Array(CHUNK_IDS));
  }

  /** Of a file that is not in order; of nodes with the same id, one remains findable. */
  private sort(): void {
    const { count, ids, lat7, lon7 } = this;
    const order = new Uint32Array(count).map((_, i) => i);
    order.sort((a, b) => valueAt(ids, a) - valueAt(ids, b) || a - b);
    this.ids = [];
    this.lat7 = [];
    this.lon7 = [];
    order.forEach((from, to) => {
      const at = to & IN_CHUNK;
      if (at === 0) this.open();
      const chunk = to >> CHUNK_BITS;
      this.ids[chunk]![at] = valueAt(ids, from);
      this.lat7[chunk]![at] = valueAt(lat7, from);
      this.lon7[chunk]![at] = valueAt(lon7, from);
    });
  }
}

function valueAt(column: readonly (Float64Array | Int32Array)[], index: number): number {
  return column[index >> CHUNK_BITS]![index & IN_CHUNK]!;
}
