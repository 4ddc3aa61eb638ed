/** Ways on foot in the tools of /mcp (docs/agents.md, On foot): arguments and members. */
import { type TProperties, Type } from "typebox";
import { closed, Count, Location, Nullable, type Parameter, Text } from "./primitives.ts";
import { NO_WALK_REASONS, WALK_PACE, WALK_PARAMETERS } from "./walk.ts";

const profile = { ...WALK_PACE.profile, description: "step_free: no way with a known step." };

/** Who walks. */
export const PROFILE_ARGUMENT = { profile } as const;

/** How far one walks, and who. There is no order to choose: the nearest on foot comes first. */
export const WALK_ARGUMENTS = {
  within_minutes: {
    ...WALK_PARAMETERS.within_minutes,
    description: "Leaves out what is farther on foot; unknown stays.",
  },
  profile,
} as const;

/** Members of a result. Without `walk_minutes` nothing is known of ways at the point: see `walking`. */
export const footMembers = {
  walk_minutes: Type.Optional({
    ...Nullable(Type.Number({ minimum: 0 })),
    description: "On foot along streets, to tenths, rounded up; null: no way is known.",
  }),
  walk_meters: Type.Optional(Count),
  step_free: Type.Optional({
    ...Nullable(Type.Boolean()),
    description: "With profile step_free. true: that way has no step; null: not certain.",
  }),
} satisfies TProperties;

/** Of an answer with ways on foot. */
export const walkingMembers = {
  walking: Type.Optional(
    Type.String({
      description: "How ways on foot and their order are known, or why they are not.",
    }),
  ),
} satisfies TProperties;

/** Of a list around a point. */
export const footOrder = {
  ...walkingMembers,
  nearest_straight: Type.Optional(
    Type.Object(
      { id: Text, distance_meters: Type.Number({ minimum: 0 }), ...footMembers },
      {
        description:
          "The nearest in a straight line, where on foot it is not: never call it the nearest.",
        ...closed,
      },
    ),
  ),
} satisfies TProperties;

/** Why a way is not known, in the words of /v1/walk. */
export const NoWay = Type.Enum([...NO_WALK_REASONS], { type: "string" });

/** From where to walk to one result. */
export const FROM_ARGUMENT: Parameter<string | undefined> = {
  kind: "pattern",
  schema: Type.String({ pattern: "^-?\\d{1,3}(\\.\\d{1,20})? ?, ?-?\\d{1,3}(\\.\\d{1,20})?$" }),
  rule: "lat,lon",
  required: false,
  description: "Walk from here.",
  example: "48.8566,2.3522",
};

/** The way from `from` to one result. */
export const WalkToPlace = Type.Object(
  {
    from: Location,
    minutes: Nullable(Type.Number({ minimum: 0 })),
    meters: Type.Optional(Count),
    step_free: Type.Optional(Nullable(Type.Boolean())),
    reason: Type.Optional(NoWay),
  },
  { description: "minutes null: no way is known, for `reason`.", ...closed },
);
