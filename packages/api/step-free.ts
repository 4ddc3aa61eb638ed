/**
 * Ways without steps within a station, as an addition to stations and departures that are asked for
 * with ways on foot (docs/walking.md, Within stations). All of it is in preview.
 */
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { closed, Count, Nullable, Text } from "./primitives.ts";
import { PREVIEW } from "./preview.ts";

const PlatformAccess = Type.Object(
  {
    stop_id: { ...Text, description: "As the timetable names it." },
    code: { ...Nullable(Text), description: "What is written there; null: not stated." },
    level: { ...Nullable(Text), description: "Name of its level; null: not stated." },
    to_street: Nullable(Type.Boolean()),
    meters: {
      ...Nullable(Count),
      description:
        "From the nearest entrance without steps; null: there is none, or it is unknown.",
    },
  },
  closed,
);

export const StepFree = Type.Object(
  {
    to_street: Nullable(
      Type.Boolean({
        description:
          "Whether every platform is reached from the street and back without steps now, lifts that are out of order left out; false: none is; null: unknown, or not the same of all.",
      }),
    ),
    platforms: Type.Array(PlatformAccess, {
      maxItems: LIMITS.walk.platforms_max,
      description: "Those that the ways of a timetable name; empty: none is known.",
    }),
    platform_count: Type.Optional({
      ...Count,
      description: "How many platforms there are, where they are not all listed.",
    }),
    lifts: Nullable(
      Type.Object(
        { total: Count, in_service: Count, out_of_order: Count, unknown: Count },
        { description: "By what alerts and registers say now; null: none is known.", ...closed },
      ),
    ),
  },
  {
    ...PREVIEW,
    title: "StepFree",
    description: "With ways on foot: ways without steps within the station.",
    ...closed,
  },
);
export type StepFreeBody = Static<typeof StepFree>;

/** Member `step_free` of a station. */
export const stepFreeMember = { step_free: Type.Optional(StepFree) };

/** Member of a departure. */
export const platformStepFreeMember = {
  platform_step_free: Type.Optional(
    Nullable(
      Type.Boolean({
        ...PREVIEW,
        description:
          "With ways on foot: whether its platform is reached from the street and back without steps now; null: unknown.",
      }),
    ),
  ),
};
