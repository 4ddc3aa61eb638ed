/** What questions are drawn from: named and tagged objects of an extract, where they lie. */
import { BlockReader, openBlobs } from "#osm/imports.ts";

export type Drawn = { lat: number; lon: number; tags: ReadonlyMap<string, string> };

export type DrawnObjects = {
  /** Ways of streets, at one of their nodes. */
  streets: Drawn[];
  /** Whole addresses. */
  addresses: Drawn[];
  /** Named settlements and their parts. */
  places: Drawn[];
  /** Other named things. */
  things: Drawn[];
  /** Of all nodes, each as likely as another. */
  points: { lat: number; lon: number }[];
};

const POINTS = 20_000;

/** Reads an extract that is sorted, whose nodes fit in memory. */
export async function drawObjects(path: string): Promise<DrawnObjects> {
  const file = await openBlobs(path);
  const reader = new BlockReader();
  const nodes = new Nodes();
  const drawn: DrawnObjects = { streets: [], addresses: [], places: [], things: [], points: [] };
  const all = Array.from({ length: file.count }, (_, i) => i);
  for await (const { bytes } of file.contents(all))
    reader.read(bytes, {
      nodeKeys: () => 1,
      times: false,
      node: ({ lat7, lon7, tags }) =>
        sort(drawn, { lat: lat7 / 1e7, lon: lon7 / 1e7, tags: new Map(tags) }),
      nodes: ({ count, ids, lat7, lon7 }) => nodes.add(count, { ids, lat7, lon7 }),
      way: (way) => {
        const tags = new Map(way.tags());
        const ids = [...way.refs()];
        const at = nodes.at(ids[ids.length >> 1] ?? 0);
        if (at !== null) sort(drawn, { ...at, tags });
      },
    });
  await file.close();
  drawn.points = nodes.sample(POINTS);
  return drawn;
}

function sort(drawn: DrawnObjects, object: Drawn): void {
  const { tags } = object;
  if (tags.has("addr:housenumber") && (tags.has("addr:street") || tags.has("addr:place")))
    drawn.addresses.push(object);
  if (!tags.has("name")) return;
  if (tags.has("place")) drawn.places.push(object);
  else if (tags.has("highway")) drawn.streets.push(object);
  else drawn.things.push(object);
}

class Nodes {
  #ids = new Float64Array(2 ** 16);
  #points = new Int32Array(2 ** 17);
  #count = 0;

  add(
    count: number,
    { ids, lat7, lon7 }: { ids: Float64Array; lat7: Int32Array; lon7: Int32Array },
  ): void {
    while (this.#count + count > this.#ids.length) this.#grow();
    for (let i = 0; i < count; i++) {
      this.#ids[this.#count] = ids[i]!;
      this.#points[2 * this.#count] = lat7[i]!;
      this.#points[2 * this.#count + 1] = lon7[i]!;
      this.#count++;
    }
  }

  at(id: number): { lat: number; lon: number } | null {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low < this.#count && this.#ids[low] === id ? this.#point(low) : null;
  }

  sample(most: number): { lat: number; lon: number }[] {
    const step = Math.max(1, this.#count / most);
    const count = Math.floor(this.#count / step);
    return Array.from({ length: count }, (_, i) => this.#point(Math.floor(i * step)));
  }

  #point(i: number): { lat: number; lon: number } {
    return { lat: this.#points[2 * i]! / 1e7, lon: this.#points[2 * i + 1]! / 1e7 };
  }

  #grow(): void {
    const [ids, points] = [this.#ids, this.#points];
    this.#ids = new Float64Array(2 * ids.length);
    this.#points = new Int32Array(2 * points.length);
    this.#ids.set(ids);
    this.#points.set(points);
  }
}
