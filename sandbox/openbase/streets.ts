// Streets, squares and free-standing houses of a city, as mappers have drawn them: ways that meet have a
// node in common.
import type { Street } from "../world/gazetteer.ts";
import { osmOf } from "../world/osm-objects.ts";
import type { Square, Streets } from "../streets/model.ts";
import { type Drawing, toPosition } from "./drawing.ts";

type Drawn = {
  /** The line of a street with a name, under the id that other sources have for it. */
  drawNamed(street: Street, index: number): void;
  drawOthers(): void;
};

export function drawStreets({ nodes, ways, squares, buildings }: Streets, drawing: Drawing): Drawn {
  const ids = new Map<number, number>();
  const idOf = (node: number): number => {
    const known = ids.get(node);
    if (known !== undefined) return known;
    const { tags, ...at } = nodes[node]!;
    const id = drawing.node(toPosition(at), tags);
    ids.set(node, id);
    return id;
  };
  const refsOf = (line: readonly number[]): number[] => line.map(idOf);
  return {
    drawNamed(street, index) {
      const parts = ways.filter((way) => way.street === index);
      for (const [n, { nodes: line, tags }] of parts.entries())
        drawing.way(refsOf(line), tags, n === 0 ? osmOf(street)?.id : undefined);
    },
    drawOthers() {
      for (const { nodes: line, tags, street } of ways)
        if (street === null) drawing.way(refsOf(line), tags);
      for (const square of squares) drawSquare(square, refsOf, drawing);
      for (const { nodes: line, tags } of buildings) drawing.way(refsOf(line), tags);
    },
  };
}

function drawSquare(
  { rings, tags, is_relation }: Square,
  refsOf: (line: readonly number[]) => number[],
  drawing: Drawing,
): void {
  if (!is_relation) {
    for (const ring of rings) drawing.way(refsOf(ring), tags);
    return;
  }
  const members = rings.map((ring, n) => ({
    type: "way" as const,
    id: drawing.way(refsOf(ring)),
    role: n === 0 ? "outer" : "inner",
  }));
  drawing.relation(members, { type: "multipolygon", ...tags });
}
