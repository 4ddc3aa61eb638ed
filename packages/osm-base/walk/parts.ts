/**
 * Parts of the network between which no way leads, by whom they are walked: a search for what lies in
 * another part would walk to its bound in vain.
 */
import type { Edges, Vertices } from "./build-graph.ts";
import { filled } from "#kit/growing.ts";
import { joinParts, rootOf } from "./joined.ts";
import { closedTo, isOpen, type Profile, PROFILES, SEVERAL } from "./walk-layout.ts";

/**
 * Numbers of parts but the largest, which is 0, as are of a page all that lead to other pages. Two that
 * share one are taken for one.
 */
const OTHERS = 254;

/** Number of the part of vertex i for each of `PROFILES`: i * PROFILES.length + its place there. */
export function findParts({ marks, gates }: Vertices, edges: Edges): Uint8Array<ArrayBuffer> {
  const parts = new Uint8Array(PROFILES.length * marks.length);
  PROFILES.forEach((profile, at) => {
    const numbers = numberParts({ marks, gates }, edges, profile);
    numbers.forEach((number, vertex) => (parts[PROFILES.length * vertex + at] = number));
  });
  return parts;
}

function numberParts(
  { marks, gates }: Pick<Vertices, "marks" | "gates">,
  edges: Edges,
  profile: Profile,
): Uint8Array {
  const closed = closedTo(profile);
  const isPassed = (vertex: number): boolean => (marks[vertex]! & closed) === 0;
  const parents = filled(new Uint32Array(marks.length), (i) => i);
  const [from, to, flags] = [edges.from.view(), edges.to.view(), edges.flags.view()];
  for (let i = 0; i < from.length; i++)
    if (isOpen(flags[i]!, profile) && isPassed(from[i]!) && isPassed(to[i]!))
      joinParts(parents, from[i]!, to[i]!);
  const open = new Set<number>();
  for (const { vertex } of gates) if (isPassed(vertex)) open.add(rootOf(parents, vertex));
  const sizes = new Uint32Array(marks.length);
  for (let i = 0; i < marks.length; i++) sizes[rootOf(parents, i)]! += 1;
  const largest = sizes.reduce((most, size, i) => (size > sizes[most]! ? i : most), 0);
  return filled(new Uint8Array(marks.length), (i) => {
    if (!isPassed(i)) return SEVERAL;
    const root = rootOf(parents, i);
    const isMain = open.size > 0 ? open.has(root) : root === largest;
    return isMain ? 0 : 1 + (root % OTHERS);
  });
}
