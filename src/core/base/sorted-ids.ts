/** Where an id is in a sorted list of ids, found through a table of equal steps and a short search. */

export type SortedIds = {
  /** Index of the id; -1: it is not there. */
  find(id: number): number;
};

const MAX_STEPS = 1 << 22;

/** Index of ids in ascending order. Ids that follow each other are found fastest. */
export function indexIds(ids: Float64Array): SortedIds {
  const count = ids.length;
  if (count === 0) return { find: () => -1 };
  const steps = Math.max(1, Math.min(MAX_STEPS, count >> 1));
  const least = ids[0]!;
  const most = ids[count - 1]!;
  const scale = most > least ? (steps - 1) / (most - least) : 0;
  const starts = new Uint32Array(steps + 1).fill(count);
  for (let i = count - 1; i >= 0; i--) starts[Math.floor((ids[i]! - least) * scale)] = i;
  for (let step = steps - 1; step >= 0; step--)
    if (starts[step]! > starts[step + 1]!) starts[step] = starts[step + 1]!;
  let last = 0;
  return {
    find(id) {
      if (ids[last + 1] === id) return (last += 1);
      if (!(id >= least && id <= most)) return -1;
      const step = Math.floor((id - least) * scale);
      let low = starts[step]!;
      let high = starts[step + 1]!;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (ids[middle]! < id) low = middle + 1;
        else high = middle;
      }
      if (ids[low] !== id) return -1;
      return (last = low);
    },
  };
}
