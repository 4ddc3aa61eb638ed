/**
 * Ways on foot, as an addition to the searches around a point: the parameters that ask for them, and
 * the members that say them (docs/walking.md). All of it is in preview.
 */
import { Type, type Static } from "typebox";
import { BaseStatement } from "./bases.ts";
import { LIMITS } from "./limits.ts";
import {
  booleanParameter,
  choiceParameter,
  closed,
  Count,
  type Decoded,
  Nullable,
  numberParameter,
  type Parameter,
} from "./primitives.ts";
import { preview, PREVIEW } from "./preview.ts";

const { minutes_min, minutes_max, speed_min, speed_max, speed_default } = LIMITS.walk;

export const WALK_PROFILES = ["foot", "step_free"] as const;

/** Marks what asks for ways on foot by itself: next to `walk=false` it is refused. */
function impliesWalk<P extends Parameter>(parameter: P): P {
  return { ...preview(parameter), implies: "walk" };
}

/** Who walks, and how quickly. */
export const WALK_PACE = {
  profile: impliesWalk(
    choiceParameter({
      choices: WALK_PROFILES,
      default: "foot",
      description: "`step_free`: only ways of which no step is known are walked.",
    }),
  ),
  speed: impliesWalk(
    numberParameter({
      minimum: speed_min,
      maximum: speed_max,
      default: speed_default,
      description: "Metres a second on foot.",
      example: "1",
      unit: "metres a second",
    }),
  ),
} as const;

/** Parameters of a search whose results have a way on foot. Any but the first implies it. */
export const WALK_PARAMETERS = {
  walk: preview(
    booleanParameter(
      "Adds to each result how long it takes to walk there. `false` next to a parameter that asks for ways on foot is refused.",
    ),
  ),
  sort: impliesWalk(
    choiceParameter({
      choices: ["distance", "walk"],
      default: "distance",
      description: "`walk`: the nearest on foot come first; what has no known way comes last.",
    }),
  ),
  within_minutes: impliesWalk(
    numberParameter({
      minimum: minutes_min,
      maximum: minutes_max,
      description:
        "Leaves out what is not reached on foot within this time. What is unknown is kept and counted in `walking.unknown`.",
      example: "10",
      unit: "minutes",
    }),
  ),
  ...WALK_PACE,
} as const;
export type WalkParameters = Decoded<typeof WALK_PARAMETERS>;

export const Walk = Type.Object(
  {
    meters: { ...Count, description: "Along streets, the ends off them included." },
    seconds: { ...Count, description: "At the speed of `walking`." },
    step_free: Nullable(
      Type.Boolean({ description: "Whether the way has no step; null: not known of all of it." }),
    ),
  },
  { ...PREVIEW, title: "Walk", description: "The shortest way on foot.", ...closed },
);
export type WalkBody = Static<typeof Walk>;

/** Why there is no way: tokens of `walking.reason` and of `/v1/walk`. */
export const NO_WALK_REASONS = [
  "outside_bases",
  "base_without_walking",
  "base_unreadable",
  "start_off_network",
  "target_off_network",
  "not_reached",
  // Longer than the search went, and perhaps within the time that is asked for.
  "not_looked",
] as const;
export type NoWalkReason = (typeof NO_WALK_REASONS)[number];

/** Says of all ways of an answer how they were found. */
export const Walking = Type.Object(
  {
    profile: Type.Enum([...WALK_PROFILES], { type: "string" }),
    speed_meters_per_second: Type.Number({ minimum: speed_min, maximum: speed_max }),
    within_meters: {
      ...Count,
      description: "Longer ways are not looked for: `walk` is null then.",
    },
    reached: { ...Count, description: "Results looked at that have a way." },
    not_reached: { ...Count, description: "Those with none within `within_meters`." },
    unknown: { ...Count, description: "Those of which it is not known." },
    step_free_unknown: { ...Count, description: "Ways of which steps are not known for certain." },
    reason: Type.Optional(
      Type.Enum(["outside_bases", "base_without_walking", "base_unreadable", "start_off_network"], {
        type: "string",
        description: "Why no result has a way.",
      }),
    ),
    base: Nullable(BaseStatement),
  },
  { ...PREVIEW, title: "Walking", description: "With ways on foot.", ...closed },
);
export type WalkingBody = Static<typeof Walking>;

/** Member `walk` of a result. */
export const walkMember = { walk: Type.Optional(Nullable(Walk)) };

/** Member `walking` of an answer. */
export const walkingMember = { walking: Type.Optional(Walking) };
