/** A small number for each of some ways: all are set before the first one is looked up. */
import { SortedIds } from "../base/sorted-ids.ts";

export type WayNumbers = {
  set(way: number, value: number): void;
  get(way: number): number | undefined;
  /** The ways in ascending order, and the number of each. */
  list(): { ids: Float64Array; values: Uint32Array };
};

/** `choose`: which of two numbers of one way is kept. */
export function createWayNumbers(choose: (before: number, next: number) => number): WayNumbers {
  const cache = new Map<number, number>();
  let sorted: { ids: SortedIds; values: Uint32Array } | null = null;
  const list: WayNumbers["list"] = () => {
    const ids = Float64Array.from(cache.keys()).sort();
    return { ids, values: Uint32Array.from(ids, (id) => cache.get(id)!) };
  };
  return {
    set(way, value) {
      const before = cache.get(way);
      cache.set(way, before === undefined ? value : choose(before, value));
      sorted = null;
    },
    get(way) {
      sorted ??= sort(list());
      const at = sorted.ids.find(way);
      return at < 0 ? undefined : sorted.values[at];
    },
    list,
  };
}

/** Among millions of ways in order, the next is found sooner from the one before than in a map. */
function sort({ ids, values }: ReturnType<WayNumbers["list"]>): {
  ids: SortedIds;
  values: Uint32Array;
} {
  return { ids: SortedIds.from(ids), values };
}
