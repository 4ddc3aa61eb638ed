/** A relation with its rings, its box and what of it the extract lacks. */
import type { RelationFeature } from "../base/base-features.ts";
import {
  arrangeRings,
  type Box7,
  type JoinedRing,
  joinRings,
  type RingLine,
  type RingMember,
  stretch,
  touchesItself,
} from "../base/ring-assembly.ts";
import { UNKNOWN7 } from "../base/positions.ts";
import { MAX_REFS, type RelationView } from "../pbf/views.ts";
import type { BuildSections } from "./build-base.ts";
import { knownPoints } from "./ways.ts";

/** Where positions of nodes, and ways with theirs, are found. */
type Parts = Pick<BuildSections, "trail" | "spend"> & {
  positions: { pointsOf(ids: Float64Array): Int32Array };
  ways: {
    lengthOf(id: number): number | null;
    lineOf(id: number, pointsOf: (ids: Float64Array) => Int32Array): RingLine | null;
  };
};
type Members = RelationFeature["members"];
type MemberLine = RingLine & { role: string };

const AREA_TYPES = new Set(["multipolygon", "boundary"]);
/** Role to whether it is inner; other roles are no part of the area. */
const RING_ROLES = new Map<string, boolean | null>([
  ["outer", false],
  ["exclave", false],
  ["inner", true],
  ["enclave", true],
  ["", null],
]);
const LEAST_RING_POINTS = 4;
/** Those of whole countries have a million. */
const MAX_NODES = 8_000_000;
/** The map itself allows 32,000 members. */
const MAX_RINGS = 32_000;

/** The feature; null, with a reason in the trail, when it is larger than any of the map. */
export function toRelation(view: RelationView, parts: Parts): RelationFeature | null {
  const { id } = view;
  const { trail } = parts;
  const name = `R${id}`;
  if (view.mostMembers > MAX_REFS) {
    trail.drop("relation_with_too_many_members", name);
    return null;
  }
  const tags = view.tags();
  const members = view.members();
  const ways = findWays(members, parts);
  if (ways === null) {
    trail.drop("relation_with_too_many_nodes", name);
    return null;
  }
  const { missing, repeated } = ways;
  const lines = once(() => ways.ways.map((way) => lineOf(way, parts)));
  if (missing > 0) trail.repair("relation_with_missing_ways", name);
  const isArea = AREA_TYPES.has(tags.get("type") ?? "");
  if (isArea && repeated > 0) trail.repair("member_repeated", name);
  const area = isArea ? toArea(name, lines(), parts) : { rings: [], whole: true };
  // Most are routes, of which no section needs the box: it takes every node of every way.
  const box = once(() => boxOfMembers(members, lines(), parts));
  return {
    type: "relation",
    id,
    tags,
    rings: area.rings,
    whole: missing === 0 && area.whole,
    members,
    get box() {
      return box();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

type MemberWay = { id: number; role: string };

/** Ways of the relation that the extract holds, each one once; null: more than a relation has. */
function findWays(
  members: Members,
  { ways, spend }: Parts,
): { ways: MemberWay[]; missing: number; repeated: number } | null {
  const result: MemberWay[] = [];
  const seen = new Set<number>();
  let missing = 0;
  let repeated = 0;
  let nodes = 0;
  for (const { type, id, role } of members) {
    if (type !== "way") continue;
    if (seen.has(id)) {
      repeated += 1;
      continue;
    }
    seen.add(id);
    const length = ways.lengthOf(id);
    if (length === null) missing += 1;
    else result.push({ id, role });
    spend(length ?? 0);
    nodes += length ?? 0;
    if (nodes > MAX_NODES) return null;
  }
  return { ways: result, missing, repeated };
}

function lineOf({ id, role }: MemberWay, { ways, positions }: Parts): MemberLine {
  const line = ways.lineOf(id, (ids) => positions.pointsOf(ids))!;
  return { ...line, role };
}

function toArea(
  name: string,
  lines: readonly MemberLine[],
  { trail, spend }: Parts,
): Pick<RelationFeature, "rings" | "whole"> {
  const members = lines.flatMap(({ role, ids, points }): RingMember[] => {
    const inner = RING_ROLES.get(role);
    return inner === undefined ? [] : [{ ids, points, inner }];
  });
  const { rings, open } = joinByRole(members);
  if (open > 0) trail.repair("ring_not_closed", name);
  if (rings.length > MAX_RINGS) {
    trail.repair("relation_with_too_many_rings", name);
    return { rings: [], whole: false };
  }
  spend(rings.length ** 2);
  const closed: JoinedRing[] = [];
  let lost = 0;
  for (const ring of rings) {
    const points = knownPoints(ring.points);
    if (points.length < ring.points.length) lost += 1;
    if (points.length / 2 < LEAST_RING_POINTS) trail.repair("ring_without_area", name);
    else closed.push({ ...ring, points: closedPoints(points) });
    if (touchesItself(ring)) trail.repair("ring_touches_itself", name);
  }
  if (lost > 0) trail.repair("ring_with_missing_nodes", name);
  const arranged = arrangeRings(closed);
  if (arranged.alone.length > 0) trail.repair("inner_ring_outside", name);
  const whole = open === 0 && lost === 0 && arranged.rings.length > 0;
  return { rings: arranged.rings, whole };
}

/** Outer ways with outer ones and inner with inner; what is left over, with each other. */
function joinByRole(members: readonly RingMember[]): { rings: JoinedRing[]; open: number } {
  const rings: JoinedRing[] = [];
  const left: RingMember[] = [];
  for (const wanted of [false, true]) {
    const some = members.filter(({ inner }) => (inner ?? false) === wanted);
    const joined = joinRings(some);
    rings.push(...joined.rings);
    left.push(...joined.open.map((i) => some[i]!));
  }
  const rest = joinRings(left);
  return { rings: [...rings, ...rest.rings], open: rest.open.length };
}

/** Where the node that closes the ring is missing, the ring ends at its first known one. */
function closedPoints(points: Int32Array): Int32Array {
  const last = points.length - 2;
  if (points[0] === points[last] && points[1] === points[last + 1]) return points;
  const closed = new Int32Array(points.length + 2);
  closed.set(points);
  closed[last + 2] = points[0]!;
  closed[last + 3] = points[1]!;
  return closed;
}

function boxOfMembers(
  members: Members,
  lines: readonly MemberLine[],
  { positions }: Parts,
): RelationFeature["box"] {
  const box: Box7 = [Infinity, Infinity, -Infinity, -Infinity];
  const nodes = members.filter(({ type }) => type === "node").map(({ id }) => id);
  const all = [positions.pointsOf(Float64Array.from(nodes)), ...lines.map(({ points }) => points)];
  for (const points of all)
    for (let i = 0; i < points.length; i += 2)
      if (points[i] !== UNKNOWN7) stretch(box, points[i]!, points[i + 1]!);
  return box[0] <= box[2] ? box : null;
}
