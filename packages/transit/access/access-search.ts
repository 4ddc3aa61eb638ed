/** Shortest ways between the places of one station (Dijkstra). A station has some hundred places. */

/** A way in the direction in which it is walked, by places of the station. */
export type Step = { from: number; to: number; length_dm: number };

/** Decimetres to each of `count` places from the nearest of `starts`; Infinity: there is no way. */
export function searchPlaces(
  count: number,
  starts: readonly number[],
  steps: readonly Step[],
): Float64Array {
  const next: Step[][] = Array.from({ length: count }, () => []);
  for (const step of steps) next[step.from]!.push(step);
  const costs = new Float64Array(count).fill(Infinity);
  const heap = new PlaceHeap();
  for (const start of starts) {
    costs[start] = 0;
    heap.push(start, 0);
  }
  for (let top = heap.pop(); top !== undefined; top = heap.pop()) {
    if (top.cost > costs[top.place]!) continue;
    for (const { to, length_dm } of next[top.place]!) {
      const cost = top.cost + length_dm;
      if (cost >= costs[to]!) continue;
      costs[to] = cost;
      heap.push(to, cost);
    }
  }
  return costs;
}

type Entry = { place: number; cost: number };

/** The cheapest first. */
class PlaceHeap {
  readonly #entries: Entry[] = [];

  push(place: number, cost: number): void {
    const entries = this.#entries;
    let at = entries.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (entries[above]!.cost <= cost) break;
      entries[at] = entries[above]!;
      at = above;
    }
    entries[at] = { place, cost };
  }

  pop(): Entry | undefined {
    const entries = this.#entries;
    const [top, last] = [entries[0], entries.pop()];
    if (last === undefined || entries.length === 0) return top;
    let at = 0;
    for (let below = 1; below < entries.length; below = 2 * at + 1) {
      if (below + 1 < entries.length && entries[below + 1]!.cost < entries[below]!.cost) below++;
      if (entries[below]!.cost >= last.cost) break;
      entries[at] = entries[below]!;
      at = below;
    }
    entries[at] = last;
    return top;
  }
}
