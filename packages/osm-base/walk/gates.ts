/**
 * Gates of a page: nodes at which its network hangs together with that of other pages. A stretch
 * between two nodes of a way is in the pages of both; where these are two, both nodes are gates. What
 * passes a gate is known by the page in whose cell it lies.
 */
import type { WalkIntake } from "./walk-intake.ts";
import { chooseEntrances } from "./entrances.ts";
import { isWithin } from "./cell-bounds.ts";
import type { GateKey } from "./walk-layout.ts";

export type Gate = {
  /** Of its vertex: that of the node; on a rim that lies elsewhere one that is made up. */
  id: number;
  /** Id of its node; null: it is known by its place alone. */
  node: number | null;
  lat7: number;
  lon7: number;
  key: GateKey;
  /** It lies in the page's cell. */
  isOwn: boolean;
  /** A square is entered here, from the other side of the square. */
  isEntrance: boolean;
};

/** Ids of rims of squares that lie elsewhere, from here down. */
const FIRST_ENTRANCE = -(2 ** 51);

export function keyOfPlace(lat7: number, lon7: number): string {
  return `${lat7},${lon7}`;
}

/** Key of a gate at which squares are entered. */
export function keyOfEntrance(key: GateKey): string {
  return `e${key}`;
}

export function isKeyOfEntrance(key: GateKey): boolean {
  return typeof key === "string" && key.startsWith("e");
}

/** Gates where ways cross the edge of the cell, each once for each key. */
export function findGates(intake: WalkIntake): Gate[] {
  const found = new Map<string, Gate>();
  if (intake.bounds === null) return [];
  const [starts, nodes, points] = [intake.starts.view(), intake.nodes.view(), intake.points.view()];
  const add = (i: number, isArea: boolean, isOwn: boolean): void => {
    const [lat7, lon7] = [points[2 * i]!, points[2 * i + 1]!];
    const key = isArea ? keyOfPlace(lat7, lon7) : nodes[i]!;
    const gate = { id: nodes[i]!, node: isArea ? null : nodes[i]!, lat7, lon7, key, isOwn };
    found.set(String(key), { ...gate, isEntrance: false });
  };
  for (let way = 0; way + 1 < starts.length; way++) {
    const isArea = way >= intake.first_ring;
    let before = intake.isInside(starts[way]!);
    for (let i = starts[way]! + 1; i < starts[way + 1]!; i++) {
      const is = intake.isInside(i);
      if (is !== before) {
        add(i - 1, isArea, before);
        add(i, isArea, is);
      }
      before = is;
    }
  }
  return [...found.values()];
}

/**
 * Entrances of squares that lie on both sides of the cell's edge. Of the nodes elsewhere each may be
 * one; which are is known there.
 */
export function findEntrances(
  { squares, bounds }: WalkIntake,
  metAt: (node: number) => number,
): Gate[] {
  const found = new Map<string, Gate>();
  if (bounds === null) return [];
  for (const square of squares) {
    const { rings, isArea } = square;
    const list: Gate[] = [];
    for (const { points, nodes } of rings)
      nodes.forEach((node, i) => {
        const [lat7, lon7] = [points[2 * i]!, points[2 * i + 1]!];
        const isOwn = isWithin(bounds, lat7, lon7);
        const key = keyOfEntrance(isArea ? keyOfPlace(lat7, lon7) : node);
        const gate = { id: node, node: isArea ? null : node, lat7, lon7, key, isOwn };
        list.push({ ...gate, isEntrance: true });
      });
    if (list.every(({ isOwn }) => isOwn) || list.every(({ isOwn }) => !isOwn)) continue;
    const chosen = chooseEntrances(square, metAt);
    for (const gate of list)
      if (!gate.isOwn || chosen.has(gate.id)) found.set(String(gate.key), gate);
  }
  return [...found.values()].map((gate, i) =>
    gate.isOwn ? gate : { ...gate, id: FIRST_ENTRANCE - i },
  );
}
