/**
 * Columns of the walking section: vertices in the order of their cells, the edges that leave each, the
 * vertices from which others arrive. An edge is listed once, at the vertex of the smaller number, and is
 * walked both ways.
 */
import { columnOf, type Columns, type ColumnsOf } from "#kit/pack.ts";
import { columnName } from "../base/base-layout.ts";
import { MARK, type Ruleset, STEPS } from "./walk-rules.ts";

/** Name of the section in a pack. */
export const SECTION = "walk";

/** Header of the walking section in a base, in a page, or in the head of a paged base. */
export type WalkMeta = {
  ruleset: Ruleset;
  squares: boolean;
  /** Of a page: parts of few nodes that lead to other pages (`islands.ts`). */
  parts?: readonly SmallPart[];
  /** Of a head: gates of parts that are islands over all pages. */
  islands?: readonly GateKey[];
  /** Of a head: nodes on rims of squares at which no way meets, so that the square is not entered there. */
  closed?: readonly GateKey[];
};

/** What a gate is known by in all pages: the id of its node, or where it lies. */
export type GateKey = number | string;

/** A part of a page that has few nodes and leads to other pages. */
export type SmallPart = {
  /** Nodes that lie in the page's cell. */
  nodes: number;
  /** Gates whose node lies in the page's cell, and those whose node lies elsewhere. */
  inside: readonly GateKey[];
  outside: readonly GateKey[];
};

/** Bits of an edge below its length in centimetres. `steps`: one of STEPS (`walk-rules.ts`). */
export const EDGE = { steps: 3, stairs: 4, lift: 8, square: 16 } as const;
export const EDGE_BITS = 5;
/** Centimetres of the longest edge. */
export const MAX_LENGTH_CM = 2 ** (32 - EDGE_BITS) - 1;

/** Bit of a vertex in addition to its MARK (`walk-rules.ts`): it is of a part of few nodes that leads nowhere else. */
export const ISLAND = 16;
/** Another: one edge meets it, which leads nowhere else. */
export const DEAD_END = 32;

/** Of a page: the vertex is a gate (`gates.ts`); another: its node lies elsewhere, and who passes it is known there. */
export const GATE = 64;
export const ELSEWHERE = 128;

/** Who walks: anyone, or a person who cannot take a step. */
export const PROFILES = ["foot", "step_free"] as const;
export type Profile = (typeof PROFILES)[number];

/** Part of a vertex that is reached and not passed: it is of several. */
export const SEVERAL = 255;

/** Whether an edge, by its bits, may be walked. */
export function isOpen(bits: number, profile: Profile): boolean {
  return profile === "foot" || (bits & EDGE.steps) !== STEPS.some;
}

/** Marks of a vertex that is reached and not passed. */
export function closedTo(profile: Profile): number {
  return MARK.closed | (profile === "step_free" ? MARK.step : 0);
}

const TYPES = {
  /** Keys of the cells in which something is, sorted (`walk-cells.ts`). */
  cells: Float64Array,
  /** Vertices of cell i are cell_starts[i] .. cell_starts[i + 1]. */
  cell_starts: Uint32Array,
  /** The same of `passing`: vertices of other cells from which an edge passes through this one. */
  passing_starts: Uint32Array,
  passing: Uint32Array,
  /** From the south-west corner of the cell: latitude, longitude, latitude, … */
  offsets: Uint16Array,
  marks: Uint8Array,
  /** Number of the part of a vertex, for each of `PROFILES` in turn (`parts.ts`). */
  parts: Uint8Array,
  /** Edges that leave vertex i are out[i] .. out[i + 1]. */
  out: Uint32Array,
  /** Edges that arrive at vertex i are into[i] .. into[i + 1] of those that are listed by this end. */
  into: Uint32Array,
  /** Other end of each edge: first of all by the vertices that they leave, then of all by those they come to. */
  ends: Uint32Array,
  /** Length and bits of each, in the same order: a search reads what meets at a vertex in two places. */
  bits: Uint32Array,
  /** Shapes of the edges that leave vertex i begin at byte shape_starts[i] (`edge-shapes.ts`). */
  shape_starts: Uint32Array,
  shapes: Uint8Array,
} as const;

/** Columns that bases of earlier imports lack. */
const LATER_TYPES = {
  /**
   * Of each edge: parts of a centimetre at which it begins on its way (`lengths.ts`), and `BACKWARDS`.
   */
  phases: Uint8Array,
  /** Of a page: vertices of its gates, and of each its GATE_KIND and the id of its node; NaN: it is known by its place. */
  gates: Uint32Array,
  gate_kinds: Uint8Array,
  gate_ids: Float64Array,
  /** Cells that buildings with doors touch, as `cells` and `cell_starts` are, and the numbers of the buildings. */
  door_cells: Float64Array,
  door_cell_starts: Uint32Array,
  door_buildings: Uint32Array,
  /** South, west, north, east of each building; its doors and rings begin at byte building_starts[i] (`doors.ts`). */
  building_boxes: Int32Array,
  building_starts: Uint32Array,
  building_bytes: Uint8Array,
} as const;

/** Of an edge's phase: its way comes to the vertex that it leaves. */
export const BACKWARDS = 128;
export const GATE_KIND = { elsewhere: 1, entrance: 2 } as const;

/** The columns of buildings with doors. */
export type PackedDoors = Pick<
  ColumnsOf<typeof LATER_TYPES>,
  | "door_cells"
  | "door_cell_starts"
  | "door_buildings"
  | "building_boxes"
  | "building_starts"
  | "building_bytes"
>;

export type PackedWalk = ColumnsOf<typeof TYPES> & Partial<ColumnsOf<typeof LATER_TYPES>>;

/** The columns, and halves of two of them by names of their own. */
export type WalkColumns = PackedWalk & {
  /** Vertex that each edge comes to, its length and bits. */
  to: Uint32Array;
  edges: Uint32Array;
  /** Of the edges by the vertex that they come to: the one that they leave, length and bits. */
  from: Uint32Array;
  arrivals: Uint32Array;
};

/** Columns of a pack as those of its walking section; null: it has none, or they contradict one another. */
export function readColumns(columns: Columns): WalkColumns | null {
  const isThere = ([name, type]: [string, abstract new () => unknown]): boolean =>
    columns[columnName(SECTION, name)] instanceof type;
  const later = Object.entries(LATER_TYPES).filter(([name]) => columns[columnName(SECTION, name)]);
  if (![...Object.entries(TYPES), ...later].every(isThere)) return null;
  const view = Object.fromEntries(
    [...Object.entries(TYPES), ...later].map(([name, type]) => [
      name,
      columnOf<Uint8Array>(columns, columnName(SECTION, name), type as typeof Uint8Array),
    ]),
  ) as unknown as PackedWalk;
  if (!isWhole(view)) return null;
  const [ends, bits, edges] = [view.ends, view.bits, view.ends.length / 2];
  return {
    ...view,
    to: ends.subarray(0, edges),
    edges: bits.subarray(0, edges),
    from: ends.subarray(edges),
    arrivals: bits.subarray(edges),
  };
}

/** Whether every number of a column leads to a place that is there: searches do not look. */
function isWhole(view: PackedWalk): boolean {
  const [cells, vertices, edges] = [view.cells.length, view.marks.length, view.bits.length / 2];
  const isBelow = (column: Uint32Array, end: number): boolean => column.every((each) => each < end);
  return (
    view.offsets.length === 2 * vertices &&
    view.parts.length === PROFILES.length * vertices &&
    view.ends.length === 2 * edges &&
    isStarts(view.cell_starts, cells, vertices) &&
    isStarts(view.passing_starts, cells, view.passing.length) &&
    isStarts(view.out, vertices, edges) &&
    isStarts(view.into, vertices, edges) &&
    isStarts(view.shape_starts, vertices, view.shapes.length) &&
    isBelow(view.passing, vertices) &&
    (view.phases === undefined || view.phases.length === edges) &&
    isGates(view, vertices) &&
    isDoors(view) &&
    isBelow(view.ends, vertices) &&
    view.cells.every((key, i) => i === 0 || key > view.cells[i - 1]!)
  );
}

/** All three of the columns of gates, or none. */
function isGates({ gates, gate_kinds, gate_ids }: PackedWalk, vertices: number): boolean {
  const count = gates?.length ?? 0;
  return (
    (gate_kinds?.length ?? 0) === count &&
    (gate_ids?.length ?? 0) === count &&
    (gates?.every((vertex) => vertex < vertices) ?? true)
  );
}

/** All six of the columns of buildings with doors, or none. */
function isDoors(view: PackedWalk): boolean {
  const { door_cells, door_cell_starts, door_buildings } = view;
  const { building_boxes, building_starts, building_bytes } = view;
  if (!door_cells || !door_cell_starts || !door_buildings)
    return !door_cells && !door_cell_starts && !door_buildings && !building_boxes;
  if (!building_boxes || !building_starts || !building_bytes) return false;
  const buildings = building_boxes.length / 4;
  return (
    isStarts(door_cell_starts, door_cells.length, door_buildings.length) &&
    isStarts(building_starts, buildings, building_bytes.length) &&
    door_buildings.every((building) => building < buildings) &&
    door_cells.every((key, i) => i === 0 || key > door_cells[i - 1]!)
  );
}

/** Starts of `count` lists that fill `all` places. */
function isStarts(starts: Uint32Array, count: number, all: number): boolean {
  return (
    starts.length === count + 1 &&
    starts[0] === 0 &&
    starts[count] === all &&
    starts.every((start, i) => i === 0 || start >= starts[i - 1]!)
  );
}
