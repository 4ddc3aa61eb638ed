/**
 * Doors of buildings: what lies in a building with known doors is entered by one of them, and not from
 * the street that is nearest through a wall (docs/lab/walking.md, Doors).
 */
import type { Budget } from "#kit/budget.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import { Growing } from "#kit/growing.ts";
import { lowerBound } from "#kit/sorted.ts";
import type { NodeFeature, OsmTags } from "../base/base-features.ts";
import type { CellBounds } from "./cell-bounds.ts";
import { readNumber, readSigned, type Shapes, writeNumber, writeSigned } from "./edge-shapes.ts";
import { CELL, COLUMNS, columnOf, keyOf, rowOf } from "./walk-cells.ts";
import type { PackedDoors } from "./walk-layout.ts";
import { doorOf, type Steps } from "./walk-rules.ts";

/** Metres from a place to the doors of its building, at most. */
export const DOOR_REACH_M = 150;
/** Corners of a building, and cells that its box touches: what has more is no building. */
const MOST_CORNERS = 4_000;
const MOST_CELLS = 64;

type Point7 = { lat7: number; lon7: number };
export type Door = Point7 & { steps: Steps };
type Box = readonly [south: number, west: number, north: number, east: number];

/** Takes the doors of an extract, then the buildings, of which those that have doors are packed. */
export class DoorIntake {
  /** Of a latitude: the doors there. */
  readonly #doors = new Map<number, Door[]>();
  readonly #bounds: CellBounds | null;
  readonly #boxes = new Growing(Int32Array);
  readonly #bytes = new Growing(Uint8Array);
  readonly #starts = new Growing(Uint32Array);
  readonly #pairs: [cell: number, building: number][] = [];

  constructor(bounds: CellBounds | null) {
    this.#bounds = bounds;
    this.#starts.push(0);
  }

  addNode({ lat7, lon7, tags }: Pick<NodeFeature, "lat7" | "lon7" | "tags">): void {
    const steps = doorOf(tags);
    if (steps === null) return;
    const list = this.#doors.get(lat7);
    if (list === undefined) this.#doors.set(lat7, [{ lat7, lon7, steps }]);
    else list.push({ lat7, lon7, steps });
  }

  /** `rings`: closed, outer and inner ones in any order. */
  addBuilding(tags: OsmTags, rings: readonly Int32Array[]): void {
    if (this.#doors.size === 0 || !isBuilding(tags)) return;
    const corners = rings.reduce((sum, { length }) => sum + length / 2, 0);
    if (corners > MOST_CORNERS) return;
    const doors = rings.flatMap((ring) => this.#doorsOn(ring));
    if (doors.length === 0) return;
    const box = boxOf(rings);
    const cells = cellsOf(box);
    if (cells === null || !this.#isTouched(box)) return;
    const building = this.#starts.length - 1;
    for (const cell of cells) this.#pairs.push([cell, building]);
    this.#boxes.pushAll(box);
    writeBuilding(this.#bytes, doors, rings);
    this.#starts.push(this.#bytes.length);
  }

  /** Columns of the buildings with doors; empty: there are none. */
  pack(): Partial<PackedDoors> {
    if (this.#pairs.length === 0) return {};
    this.#pairs.sort(([a, x], [b, y]) => a - b || x - y);
    const cells = [...new Set(this.#pairs.map(([cell]) => cell))];
    const starts = new Uint32Array(cells.length + 1);
    let at = 0;
    for (const [i, cell] of cells.entries()) {
      while (at < this.#pairs.length && this.#pairs[at]![0] === cell) at++;
      starts[i + 1] = at;
    }
    return {
      door_cells: Float64Array.from(cells),
      door_cell_starts: starts,
      door_buildings: Uint32Array.from(this.#pairs, ([, building]) => building),
      building_boxes: this.#boxes.view().slice(),
      building_starts: this.#starts.view().slice(),
      building_bytes: this.#bytes.view().slice(),
    };
  }

  /** Of a closed ring the doors at its corners; its last corner is its first. */
  #doorsOn(ring: Int32Array): Door[] {
    const doors: Door[] = [];
    for (let i = 0; i + 2 < ring.length; i += 2) {
      const lon7 = ring[i + 1]!;
      for (const door of this.#doors.get(ring[i]!) ?? []) if (door.lon7 === lon7) doors.push(door);
    }
    return doors;
  }

  #isTouched([south, west, north, east]: Box): boolean {
    if (this.#bounds === null) return true;
    const { south7, north7, west7, east7 } = this.#bounds;
    return south <= north7 && north >= south7 && west <= east7 && east >= west7;
  }
}

function isBuilding(tags: OsmTags): boolean {
  const building = tags.get("building");
  return building !== undefined && building !== "no";
}

function boxOf(rings: readonly Int32Array[]): Box {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings)
    for (let i = 0; i < ring.length; i += 2) {
      [south, north] = [Math.min(south, ring[i]!), Math.max(north, ring[i]!)];
      [west, east] = [Math.min(west, ring[i + 1]!), Math.max(east, ring[i + 1]!)];
    }
  return [south, west, north, east];
}

/** Keys of the cells that a box touches; null: they are more than those of a building. */
function cellsOf([south, west, north, east]: Box): number[] | null {
  const rows = rowOf(north) - rowOf(south) + 1;
  const columns = Math.floor((east - west) / CELL) + 2;
  if (rows * columns > MOST_CELLS) return null;
  const keys: number[] = [];
  for (let row = rowOf(south); row <= rowOf(north); row++)
    for (let column = columnOf(west); ; column = (column + 1) % COLUMNS) {
      keys.push(row * COLUMNS + column);
      if (column === columnOf(east)) break;
    }
  return keys;
}

function writeBuilding(
  into: Growing<Uint8Array>,
  doors: readonly Door[],
  rings: readonly Int32Array[],
): void {
  let [lat, lon] = [0, 0];
  const writePoint = (lat7: number, lon7: number): void => {
    writeSigned(into, (lat7 - lat) | 0);
    writeSigned(into, (lon7 - lon) | 0);
    [lat, lon] = [lat7, lon7];
  };
  writeNumber(into, doors.length);
  for (const { lat7, lon7, steps } of doors) {
    writeNumber(into, steps);
    writePoint(lat7, lon7);
  }
  writeNumber(into, rings.length);
  for (const ring of rings) {
    writeNumber(into, ring.length / 2);
    for (let i = 0; i < ring.length; i += 2) writePoint(ring[i]!, ring[i + 1]!);
  }
}

/**
 * Doors by which a place is entered: those of the buildings that it lies in, at most DOOR_REACH_M from
 * it; null: it lies in no building whose doors are known.
 */
export function findDoors(
  columns: Partial<PackedDoors>,
  at: Point7,
  budget: Budget,
): Door[] | null {
  const { door_cells, door_cell_starts, door_buildings, building_boxes } = columns;
  if (!door_cells || !door_cell_starts || !door_buildings || !building_boxes) return null;
  const key = keyOf(at.lat7, at.lon7);
  const cell = lowerBound(door_cells, key);
  if (door_cells[cell] !== key) return null;
  const doors: Door[] = [];
  for (let i = door_cell_starts[cell]!; i < door_cell_starts[cell + 1]!; i++) {
    const building = door_buildings[i]!;
    if (!budget.look(1)) return null;
    if (!isInBox(building_boxes, building, at)) continue;
    const { building_starts: starts } = columns;
    if (!budget.look(starts![building + 1]! - starts![building]!)) return null;
    doors.push(...readDoors(columns, building, at));
  }
  const near = doors.filter((door) => metresBetween(door, at) <= DOOR_REACH_M);
  return near.length === 0 ? null : near;
}

/** Metres of the straight line between two points that are near each other. */
export function metresBetween(a: Point7, b: Point7): number {
  const north = a.lat7 - b.lat7;
  const east = (a.lon7 - b.lon7) * Math.cos((b.lat7 / 1e7) * (Math.PI / 180));
  return (Math.hypot(north, east) * METRES_PER_DEGREE) / 1e7;
}

function isInBox(boxes: Int32Array, building: number, { lat7, lon7 }: Point7): boolean {
  const at = 4 * building;
  return (
    boxes[at]! <= lat7 && lat7 <= boxes[at + 2]! && boxes[at + 1]! <= lon7 && lon7 <= boxes[at + 3]!
  );
}

/** Doors of a building in which a point lies; none: it does not, though its box has it. */
function readDoors(columns: Partial<PackedDoors>, building: number, at: Point7): Door[] {
  const bytes = columns.building_bytes!;
  const starts = columns.building_starts!;
  const reader: Shapes = { bytes: bytes.subarray(0, starts[building + 1]), at: starts[building]! };
  const isLeft = (): boolean => reader.at < reader.bytes.length;
  const point: Point7 = { lat7: 0, lon7: 0 };
  const readPoint = (): Point7 => {
    point.lat7 += readSigned(reader);
    point.lon7 += readSigned(reader);
    return { ...point };
  };
  const doors: Door[] = [];
  for (let left = readNumber(reader); left > 0 && isLeft(); left--) {
    const steps = (readNumber(reader) % 3) as Steps;
    doors.push({ steps, ...readPoint() });
  }
  let isInside = false;
  for (let rings = readNumber(reader); rings > 0 && isLeft(); rings--) {
    let before: Point7 | null = null;
    for (let corners = readNumber(reader); corners > 0 && isLeft(); corners--) {
      const corner = readPoint();
      if (before !== null && isBelow(at, before, corner)) isInside = !isInside;
      before = corner;
    }
  }
  return isInside ? doors : [];
}

/** Whether a ray from a point to the east crosses a segment. */
function isBelow({ lat7, lon7 }: Point7, a: Point7, b: Point7): boolean {
  if (a.lat7 > lat7 === b.lat7 > lat7) return false;
  return lon7 < a.lon7 + ((b.lon7 - a.lon7) * (lat7 - a.lat7)) / (b.lat7 - a.lat7);
}
