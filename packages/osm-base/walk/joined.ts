/** What hangs together, as a forest of parents over the numbers of vertices. */

/** The vertex that represents all that hang together with one. */
export function rootOf(parents: Uint32Array, vertex: number): number {
  let at = vertex;
  while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
  return at;
}

/** Makes the parts of two vertices one. */
export function joinParts(parents: Uint32Array, one: number, other: number): void {
  const [a, b] = [rootOf(parents, one), rootOf(parents, other)];
  if (a !== b) parents[Math.max(a, b)] = Math.min(a, b);
}
