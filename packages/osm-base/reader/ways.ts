/** A way with the positions of its nodes. */
import type { WayFeature } from "../base/base-features.ts";
import { UNKNOWN7 } from "../base/positions.ts";
import type { BlockScale } from "../pbf/scale.ts";
import { MAX_REFS, type WayView } from "../pbf/views.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { BuildSections } from "./build-base.ts";

/** A ring has at least three corners, the first of them twice. */
const LEAST_RING_NODES = 4;

/** The feature; null, with a reason in the trail, when none of its nodes is known. */
export function toWay(
  way: WayView,
  scale: BlockScale,
  { positions, trail }: Pick<BuildSections, "positions" | "trail">,
): WayFeature | null {
  if (way.mostRefs > MAX_REFS) {
    trail.drop("way_with_too_many_nodes", `W${way.id}`);
    return null;
  }
  const refs = way.refs();
  const input = way.points(refs.length, scale) ?? positions.pointsOf(refs);
  return toLocatedWay(way, { refs, input }, trail);
}

/** `input`: positions of the nodes, `UNKNOWN7` twice where one is not known. */
export function toLocatedWay(
  way: WayView,
  { refs, input }: { refs: Float64Array; input: Int32Array },
  trail: TrailRecorder,
): WayFeature | null {
  const { id } = way;
  const points = knownPoints(input);
  const nodes = points === input ? refs : refs.filter((_, i) => input[2 * i] !== UNKNOWN7);
  if (points.length === 0) {
    trail.drop("way_without_known_nodes", `W${id}`);
    return null;
  }
  const whole = points.length === input.length;
  if (!whole) trail.repair("way_with_missing_nodes", `W${id}`);
  const ends = refs.length >= LEAST_RING_NODES && refs[0] === refs[refs.length - 1];
  return { type: "way", id, tags: way.tags(), points, nodes, closed: whole && ends };
}

/** The same array when all are known. */
export function knownPoints(points: Int32Array): Int32Array {
  let known_count = 0;
  for (let i = 0; i < points.length; i += 2) if (points[i] !== UNKNOWN7) known_count += 2;
  if (known_count === points.length) return points;
  const remaining = new Int32Array(known_count);
  let at = 0;
  for (let i = 0; i < points.length; i += 2) {
    if (points[i] === UNKNOWN7) continue;
    remaining[at++] = points[i]!;
    remaining[at++] = points[i + 1]!;
  }
  return remaining;
}
