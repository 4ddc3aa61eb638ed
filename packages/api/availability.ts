/** What of a car park is free now, as a register with a live half says (docs/places.md). */
import { type Static, Type } from "typebox";
import { closed, Count, Text } from "./primitives.ts";
import { PREVIEW } from "./preview.ts";

/** Groups of spaces that some cars alone may use. */
export const SPACE_GROUPS = [
  ...["disabled", "women", "family", "electric", "carsharing", "residents", "short_stay"],
  ...["park_and_ride", "truck", "bus", "motorcycle", "bicycle"],
] as const;

/** What a source says that cannot all be true. */
export const CONTRADICTIONS = [
  "free_above_capacity",
  "occupied_above_capacity",
  "counts_do_not_add_up",
  "capacity_differs",
] as const;

export const AVAILABILITY_MEANING =
  "Spaces that are free now. Absent: nothing live is known, or what was last known is older than the bound of its source. A member that is not known is absent, never 0.";

const counts = { free: Type.Optional(Count), capacity: Type.Optional(Count) };

export const Availability = Type.Object(
  {
    ...counts,
    by_group: Type.Optional(
      Type.Object(
        Object.fromEntries(
          SPACE_GROUPS.map((group) => [group, Type.Optional(Type.Object(counts, closed))]),
        ),
        { description: "Of spaces that some cars alone may use.", ...closed },
      ),
    ),
    trend: Type.Optional(
      Type.Enum(["filling", "steady", "emptying"], {
        type: "string",
        description: "How it changes, as the source says.",
      }),
    ),
    is_open: Type.Optional(
      Type.Boolean({ description: "Whether it is open now, as the live source says." }),
    ),
    observed_at: Type.String({
      format: "date-time",
      description: "When it was observed, with the offset of the place.",
    }),
    source: Text,
    contradictions: Type.Optional(
      Type.Array(Type.Enum([...CONTRADICTIONS], { type: "string" }), {
        description:
          "What the source says that cannot all be true; its numbers are shown as they are. `capacity_differs`: its live capacity is not that of its register.",
      }),
    ),
  },
  { title: "ParkingAvailability", description: AVAILABILITY_MEANING, ...closed, ...PREVIEW },
);
export type AvailabilityBody = Static<typeof Availability>;
