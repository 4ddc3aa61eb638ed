/**
 * Which ways of the map are walked, and where steps are (docs/lab/walking.md, Rules). A way is walked
 * in both directions; a closed barrier is reached and not passed.
 */
import type { OsmTags } from "../base/base-features.ts";
import rules from "./rules.json" with { type: "json" };

/** What is known of steps on an edge: none; not known; there are some. */
export const STEPS = { none: 0, unknown: 1, some: 2 } as const;
export type Steps = (typeof STEPS)[keyof typeof STEPS];

/** Marks of a node, as bits. */
export const MARK = {
  /** Reached, and not passed. */
  closed: 1,
  /** Not passed without a step. */
  step: 2,
  /** Whether it is passed without a step is not known. */
  doubt: 4,
  lift: 8,
} as const;

/** `plain` and `wide` are those of the recorded pairs; `usual`, with lifts, is what the service walks. */
export type Ruleset = "plain" | "wide" | "usual";

/** Keys of ways and of nodes that the rules look at. */
export const WALKED_KEYS = ["highway", "railway", "public_transport"] as const;
export const WAY_KEYS = [...WALKED_KEYS, "building"] as const;
export const NODE_KEYS = ["barrier", "kerb", "highway", "entrance"] as const;

const { plain, wide, usual } = rules.highways;
const WALKED: Record<Ruleset, ReadonlySet<string>> = {
  plain: new Set(plain),
  wide: new Set([...plain, ...wide]),
  usual: new Set([...plain, ...wide, ...usual]),
};
const NONE = new Set(rules.none);
const FOOT_ALLOWS = new Set(rules.foot.allows);
const FOOT_FORBIDS = new Set(rules.foot.forbids);
const ACCESS_FORBIDS = new Set(rules.access.forbids);
const DOORS = new Set(rules.doors);
const ROADS = new Set(rules.steps.roads);
const PAVED = new Set(rules.steps.paved);
const ROUGH = new Set(rules.steps.rough);
const ROUGH_SMOOTHNESS = new Set(rules.steps.rough_smoothness);
const STEP_BARRIERS = new Set(rules.steps.barriers);
const NARROW_BARRIERS = new Set(rules.steps.narrow_barriers);
const FREE_KERBS = new Set(rules.steps.kerbs.free);
const STEP_KERBS = new Set(rules.steps.kerbs.steps);

/** What a way is to a person on foot; null: it is not walked. */
export function walkedOf(tags: OsmTags, ruleset: Ruleset): { steps: Steps; lift: boolean } | null {
  const highway = highwayOf(tags, ruleset);
  if (highway === undefined || NONE.has(highway)) return null;
  const foot = tags.get("foot") ?? "";
  if (FOOT_FORBIDS.has(foot)) return null;
  if (!FOOT_ALLOWS.has(foot)) {
    if (!WALKED[ruleset].has(highway) || tags.get("motorroad") === "yes") return null;
    if (ACCESS_FORBIDS.has(tags.get("access") ?? "")) return null;
  }
  return { steps: stepsOf(tags, highway), lift: highway === "elevator" };
}

/** A platform needs no highway to be walked by the wide rules. */
function highwayOf(tags: OsmTags, ruleset: Ruleset): string | undefined {
  const highway = tags.get("highway");
  if (highway !== undefined || ruleset === "plain") return highway;
  const isPlatform =
    tags.get("railway") === "platform" || tags.get("public_transport") === "platform";
  return isPlatform ? "platform" : undefined;
}

/**
 * A road has no steps, a path has none where it says so or is paved. A slope, a narrow or a rough way
 * is in doubt: a way without steps that a wheelchair cannot take is no answer.
 */
function stepsOf(tags: OsmTags, highway: string): Steps {
  const wheelchair = tags.get("wheelchair");
  if (wheelchair === "yes" || wheelchair === "designated") return STEPS.none;
  if (wheelchair === "no" || tags.get("conveying") !== undefined) return STEPS.some;
  if (highway === "steps") return tags.get("ramp:wheelchair") === "yes" ? STEPS.none : STEPS.some;
  const kerb = tags.get("kerb") ?? "";
  if (STEP_KERBS.has(kerb)) return STEPS.some;
  if (wheelchair === "limited" || isDifficult(tags)) return STEPS.unknown;
  const footway = tags.get("footway");
  if (footway === "crossing") return FREE_KERBS.has(kerb) ? STEPS.none : STEPS.unknown;
  const isPlain =
    ROADS.has(highway) || footway === "sidewalk" || PAVED.has(tags.get("surface") ?? "");
  return isPlain ? STEPS.none : STEPS.unknown;
}

function isDifficult(tags: OsmTags): boolean {
  const incline = tags.get("incline") ?? "";
  const slope = Math.abs(Number.parseFloat(incline)) * (incline.endsWith("°") ? 1.75 : 1);
  const width = Number.parseFloat(tags.get("width") ?? "");
  return (
    ROUGH.has(tags.get("surface") ?? "") ||
    ROUGH_SMOOTHNESS.has(tags.get("smoothness") ?? "") ||
    incline === "up" ||
    incline === "down" ||
    slope > rules.steps.most_incline_percent ||
    width < rules.steps.least_width_m
  );
}

/** Whether the inside of a closed way or of a multipolygon is walked as well as its rim. */
export function isSquare(tags: OsmTags): boolean {
  const area = tags.get("area");
  return area === "yes" || (area !== "no" && tags.get("highway") === "pedestrian");
}

/**
 * Least that is known of steps at a door by which people come in; null: it is no such door. The door of
 * a staircase leads to its dwellings alone.
 */
export function doorOf(tags: OsmTags): Steps | null {
  if (!DOORS.has(tags.get("entrance") ?? "")) return null;
  const foot = tags.get("foot") ?? "";
  const isClosed =
    FOOT_FORBIDS.has(foot) ||
    (!FOOT_ALLOWS.has(foot) && ACCESS_FORBIDS.has(tags.get("access") ?? ""));
  if (isClosed) return null;
  const wheelchair = tags.get("wheelchair");
  if (wheelchair === "no") return STEPS.some;
  return wheelchair === "yes" || wheelchair === "designated" ? STEPS.none : STEPS.unknown;
}

/** Bits of `MARK`; 0: nothing about this node matters. */
export function marksOf(tags: OsmTags): number {
  const barrier = tags.get("barrier");
  const foot = tags.get("foot") ?? "";
  const isClosed =
    barrier !== undefined &&
    (FOOT_FORBIDS.has(foot) ||
      (!FOOT_ALLOWS.has(foot) && ACCESS_FORBIDS.has(tags.get("access") ?? "")));
  const lift = tags.get("highway") === "elevator" ? MARK.lift : 0;
  return (isClosed ? MARK.closed : 0) | lift | stepMarkOf(tags, barrier ?? "");
}

function stepMarkOf(tags: OsmTags, barrier: string): number {
  const wheelchair = tags.get("wheelchair");
  if (wheelchair === "yes" || wheelchair === "designated") return 0;
  const kerb = tags.get("kerb") ?? "";
  if (FREE_KERBS.has(kerb)) return 0;
  const isMarked = barrier !== "" || kerb !== "" || tags.get("highway") === "elevator";
  if (STEP_BARRIERS.has(barrier) || STEP_KERBS.has(kerb)) return MARK.step;
  if (wheelchair === "no" && isMarked) return MARK.step;
  const isDoubtful = NARROW_BARRIERS.has(barrier) || kerb !== "" || wheelchair === "limited";
  return isDoubtful && isMarked ? MARK.doubt : 0;
}
