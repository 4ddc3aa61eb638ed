/**
 * Rings of a multipolygon or boundary: ways are joined where their ends meet, and each inner ring is
 * assigned to the outer one that it lies in.
 */

/** Nodes of a way or ring in order, with their positions lat7, lon7, …. */
export type RingLine = { ids: Float64Array; points: Int32Array };

/** A way of the relation; `inner` by its role, null: the role does not say. */
export type RingMember = RingLine & { inner: boolean | null };

export type JoinedRing = RingLine & { inner: boolean | null };

export type JoinedRings = {
  rings: JoinedRing[];
  /** Indexes of the lines that are part of no ring. */
  open: number[];
};

type Step = { line: number; backwards: boolean };

/** Joins lines to closed rings; at a node where rings touch each other they are kept apart. */
export function joinRings(lines: readonly RingMember[]): JoinedRings {
  const joined: JoinedRings = { rings: [], open: [] };
  const ends = new Map<number, number[]>();
  const used = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    const [first, last] = endsOf(line);
    if (line.ids.length === 0) used[i] = 1;
    else if (first === last) {
      used[i] = 1;
      joined.rings.push(line);
    } else {
      add(ends, first, i);
      add(ends, last, i);
    }
  });
  for (const i of removeLoose(lines, ends, used)) joined.open.push(i);
  lines.forEach((_, i) => {
    if (used[i] === 0) walk(i, { lines, ends, used }, joined);
  });
  return joined;
}

type Graph = {
  lines: readonly RingMember[];
  /** Lines by the nodes that they end at; those that are used are taken off in passing. */
  ends: ReadonlyMap<number, number[]>;
  used: Uint8Array;
};

/** Lines that hang loose at one end, and those that do once these are gone: no ring has them. */
function removeLoose(
  lines: readonly RingMember[],
  ends: ReadonlyMap<number, number[]>,
  used: Uint8Array,
): number[] {
  const degrees = new Map<number, number>();
  for (const [node, at] of ends) degrees.set(node, at.length);
  const loose = [...degrees.keys()].filter((node) => degrees.get(node) === 1);
  const removed: number[] = [];
  for (let node = loose.pop(); node !== undefined; node = loose.pop()) {
    const line = nextUnused(ends.get(node)!, used);
    if (line === undefined) continue;
    used[line] = 1;
    removed.push(line);
    for (const end of endsOf(lines[line]!)) {
      const left = degrees.get(end)! - 1;
      degrees.set(end, left);
      if (left === 1) loose.push(end);
    }
  }
  return removed;
}

/** Follows lines from one to the next; whenever a node comes up again, what lies between is a ring. */
function walk(from: number, { lines, ends, used }: Graph, joined: JoinedRings): void {
  const path: Step[] = [{ line: from, backwards: false }];
  const nodes = [endsOf(lines[from]!)[0]];
  const seen = new Map([[nodes[0]!, 0]]);
  used[from] = 1;
  let node = endsOf(lines[from]!)[1];
  while (path.length > 0) {
    const since = seen.get(node);
    if (since !== undefined) {
      joined.rings.push(toRing(path.splice(since), lines));
      for (const passed of nodes.splice(since)) seen.delete(passed);
      continue;
    }
    const next = nextUnused(ends.get(node)!, used);
    if (next === undefined) {
      joined.open.push(...path.map(({ line }) => line));
      return;
    }
    used[next] = 1;
    const [first, last] = endsOf(lines[next]!);
    seen.set(node, path.length);
    nodes.push(node);
    path.push({ line: next, backwards: last === node });
    node = last === node ? first : last;
  }
}

function toRing(steps: readonly Step[], lines: readonly RingMember[]): JoinedRing {
  const count = steps.reduce((sum, { line }) => sum + lines[line]!.ids.length - 1, 1);
  const ids = new Float64Array(count);
  const points = new Int32Array(2 * count);
  let at = 0;
  for (const { line, backwards } of steps) {
    const input = lines[line]!;
    const length = input.ids.length;
    for (let i = 0; i < length; i++) {
      const from = backwards ? length - 1 - i : i;
      ids[at] = input.ids[from]!;
      points[2 * at] = input.points[2 * from]!;
      points[2 * at + 1] = input.points[2 * from + 1]!;
      at += 1;
    }
    // The last node is the first of the next line.
    at -= 1;
  }
  const roles = new Set(steps.map(({ line }) => lines[line]!.inner));
  return { ids, points, inner: roles.size === 1 ? [...roles][0]! : null };
}

/** True when a node comes up twice, apart from the one that closes the ring. */
export function touchesItself({ ids }: RingLine): boolean {
  const sorted = ids.slice().sort();
  let different = 0;
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) different += 1;
  return different < ids.length - 1;
}

type Flat = { points: Int32Array; inner: boolean | null };

/**
 * Outer rings, each followed by the inner rings in it. A ring whose role does not say is inner when it
 * lies in another one; an inner ring that lies in none is an outer one, and its index is in `alone`.
 */
export function arrangeRings(rings: readonly Flat[]): {
  rings: { points: Int32Array; inner: boolean }[];
  alone: number[];
} {
  const boxes = rings.map(({ points }) => boxOf(points));
  const outer = rings.map(({ inner }) => inner === false);
  const sizes = rings.map(({ points }) => areaOf(points));
  const largestFirst = rings.map((_, i) => i).sort((a, b) => sizes[b]! - sizes[a]! || a - b);
  const stored = new Map<number, number[]>();
  const alone: number[] = [];
  const outers = largestFirst.filter((i) => outer[i]);
  for (const i of largestFirst.filter((one) => !outer[one])) {
    const { points, inner } = rings[i]!;
    const within = outers.filter((o) => sizes[o]! >= sizes[i]! && holds(boxes[o]!, boxes[i]!));
    // With a role there is no need to look closer at the only one that it can be.
    const sure = inner === true && within.length === 1;
    const holder = sure ? within[0] : within.findLast((o) => isInside(points, rings[o]!.points));
    if (holder === undefined) {
      if (inner === true) alone.push(i);
      outers.push(i);
    } else if (stored.has(holder)) stored.get(holder)!.push(i);
    else stored.set(holder, [i]);
  }
  const arranged = outers.flatMap((o) => [
    { points: rings[o]!.points, inner: false },
    ...(stored.get(o) ?? []).map((i) => ({ points: rings[i]!.points, inner: true })),
  ]);
  return { rings: arranged, alone };
}

/** South, west, north, east of points lat7, lon7, …. */
export type Box7 = [south: number, west: number, north: number, east: number];

function boxOf(points: Int32Array): Box7 {
  const box: Box7 = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) stretch(box, points[i]!, points[i + 1]!);
  return box;
}

export function stretch(box: Box7, lat7: number, lon7: number): void {
  if (lat7 < box[0]) box[0] = lat7;
  if (lon7 < box[1]) box[1] = lon7;
  if (lat7 > box[2]) box[2] = lat7;
  if (lon7 > box[3]) box[3] = lon7;
}

/** Whether a point lies in a closed ring; on its edge it may be either. */
export function isPointInRing(points: Int32Array, lat7: number, lon7: number): boolean {
  let inside = false;
  for (let i = 2; i < points.length; i += 2) {
    const lat = points[i]!;
    const before = points[i - 2]!;
    if (lat > lat7 === before > lat7) continue;
    const lon = points[i + 1]!;
    const crossing = lon + ((lat7 - lat) / (before - lat)) * (points[i - 1]! - lon);
    if (lon7 < crossing) inside = !inside;
  }
  return inside;
}

/** Size in square degrees, as drawn; for comparisons. */
function areaOf(points: Int32Array): number {
  const lat0 = points[0] ?? 0;
  const lon0 = points[1] ?? 0;
  let twice = 0;
  for (let i = 2; i < points.length; i += 2) {
    const [latA, lonA] = [points[i - 2]! - lat0, points[i - 1]! - lon0];
    twice += (latA / 1e7) * ((points[i + 1]! - lon0) / 1e7);
    twice -= ((points[i]! - lat0) / 1e7) * (lonA / 1e7);
  }
  return Math.abs(twice) / 2;
}

/** By the middle of three edges, since corners may lie on the other ring. */
function isInside(inner: Int32Array, outer: Int32Array): boolean {
  const edges = inner.length / 2 - 1;
  let votes = 0;
  for (let third = 0; third < 3; third++) {
    const at = 2 * Math.floor((third * edges) / 3);
    const lat7 = (inner[at]! + inner[at + 2]!) / 2;
    const lon7 = (inner[at + 1]! + inner[at + 3]!) / 2;
    if (isPointInRing(outer, lat7, lon7)) votes += 1;
  }
  return votes >= 2;
}

function holds(outer: Box7, inner: Box7): boolean {
  return (
    inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
  );
}

function nextUnused(lines: number[], used: Uint8Array): number | undefined {
  while (lines.length > 0 && used[lines.at(-1)!] === 1) lines.pop();
  return lines.at(-1);
}

function endsOf({ ids }: RingLine): [first: number, last: number] {
  return [ids[0]!, ids[ids.length - 1]!];
}

function add(ends: Map<number, number[]>, node: number, line: number): void {
  const known_end = ends.get(node);
  if (known_end) known_end.push(line);
  else ends.set(node, [line]);
}
