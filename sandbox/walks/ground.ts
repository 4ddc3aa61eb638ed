// What can be walked of a city's streets: lines between neighbouring nodes, and straight lines over
// squares from one way onto them to another.
import { distance, type Point } from "../geo.ts";
import type { Footing, Square, StreetNode, Streets } from "../streets/model.ts";
import { isAround, isCorner, isInside } from "./inside.ts";

type Walked = Exclude<Footing, "closed">;
export type Link = {
  readonly a: number;
  readonly b: number;
  readonly length_m: number;
  readonly footing: Walked;
};

/** A house with doors: its outline, and the nodes of it that are doors. */
type House = { readonly ring: readonly Point[]; readonly doors: readonly StreetNode[] };

/** Nodes that hang together, and fewer than these: no point is put there. */
const ISLAND_NODES = 50;

export class Ground {
  readonly nodes: readonly StreetNode[];
  readonly links: readonly Link[];
  /** Numbers of the links at each node. */
  readonly at: readonly (readonly number[])[];
  readonly #houses: readonly House[];
  readonly #parts: readonly number[];

  constructor({ nodes, ways, squares, buildings }: Streets) {
    this.#houses = buildings.map(({ nodes: line }) => {
      const ring = line.slice(0, -1).map((node) => nodes[node]!);
      return { ring, doors: ring.filter(({ tags }) => tags["entrance"] !== undefined) };
    });
    const links: Link[] = [];
    const add = (a: number, b: number, footing: Walked): void => {
      links.push({ a, b, length_m: distance(nodes[a]!, nodes[b]!), footing });
    };
    const ends = new Set<number>();
    for (const { nodes: line, footing } of ways) {
      if (footing === "closed") continue;
      for (const [n, node] of line.entries()) {
        ends.add(node);
        if (n > 0) add(line[n - 1]!, node, footing);
      }
    }
    for (const square of squares) {
      for (const ring of square.rings)
        for (const [n, node] of ring.entries()) if (n > 0) add(ring[n - 1]!, node, "free");
      for (const [a, b] of linesOver(square, nodes, ends)) add(a, b, "free");
    }
    const at = nodes.map((): number[] => []);
    for (const [n, { a, b }] of links.entries()) {
      at[a]!.push(n);
      at[b]!.push(n);
    }
    this.nodes = nodes;
    this.links = links;
    this.at = at;
    this.#parts = sizesOf(links, at);
  }

  /** Doors of the houses that a point is in. */
  doorsAt(at: Point): readonly StreetNode[] {
    return this.#houses.flatMap(({ ring, doors }) => (isAround(ring, at) ? doors : []));
  }

  isIsland({ a }: Link): boolean {
    return this.#parts[a]! < ISLAND_NODES;
  }
}

/** Between ways onto the square, and corners around which a line over it bends. */
function* linesOver(
  { rings }: Square,
  nodes: readonly StreetNode[],
  ends: ReadonlySet<number>,
): Generator<readonly [number, number]> {
  const lines = rings.map((ring) => ring.slice(0, -1));
  const polygon = lines.map((line) => line.map((node): Point => nodes[node]!));
  const stops = lines.flatMap((line, n) =>
    line.filter((node, i) => ends.has(node) || isCorner(polygon[n]!, i, n > 0)),
  );
  for (const [n, a] of stops.entries())
    for (const b of stops.slice(n + 1)) if (isInside(nodes[a]!, nodes[b]!, polygon)) yield [a, b];
}

/** Of each node, how many nodes hang together with it. */
function sizesOf(links: readonly Link[], at: readonly (readonly number[])[]): number[] {
  const sizes = at.map(() => 0);
  for (const start of at.keys()) {
    if (sizes[start]! > 0 || at[start]!.length === 0) continue;
    const part = new Set([start]);
    for (const node of part)
      for (const link of at[node]!) part.add(links[link]!.a).add(links[link]!.b);
    for (const node of part) sizes[node] = part.size;
  }
  return sizes;
}
