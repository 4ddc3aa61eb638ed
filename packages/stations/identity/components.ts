/**
 * Parts of the graph that no candidate pair connects: each is solved alone, so that a change in one
 * leaves the others as they were.
 */
import type { Candidates } from "./pair-candidates.ts";

/** Places in the candidate columns, component by component. */
export function listComponents(n: number, { a, b }: Pick<Candidates, "a" | "b">): Int32Array[] {
  const parent = Int32Array.from({ length: n }, (_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (parent[root] !== root) root = parent[root]!;
    let at = i;
    while (parent[at] !== root) {
      const up = parent[at]!;
      parent[at] = root;
      at = up;
    }
    return root;
  };
  for (let i = 0; i < a.length; i++) parent[find(a[i]!)] = find(b[i]!);
  const counts = new Int32Array(n + 1);
  for (const row of a) counts[find(row) + 1]!++;
  for (let i = 0; i < n; i++) counts[i + 1]! += counts[i]!;
  const next = counts.slice();
  const sorted = new Int32Array(a.length);
  for (let i = 0; i < a.length; i++) sorted[next[find(a[i]!)]!++] = i;
  const components: Int32Array[] = [];
  for (let i = 0; i < n; i++)
    if (counts[i + 1]! > counts[i]!) components.push(sorted.subarray(counts[i], counts[i + 1]));
  return components;
}
