/**
 * A register of lifts: which are in service. It is asked as a whole, and joined with the ways within
 * stations of a timetable by what the configuration says, or by where its lifts are (docs/walking.md).
 */
import { Type } from "typebox";
import type { Location } from "#kit/geo.ts";
import { closedObject, word } from "#providers/settings.ts";
import type { LookupSettings } from "#providers/lookup.ts";

export type RegisteredLift = {
  id: string;
  /** The station as the register knows it; null: not stated. */
  station: string | null;
  location: Location | null;
  state: "in_service" | "out_of_order" | "unknown";
};

/** Members of the configuration of every register of lifts. */
export const LIFT_MEMBERS = {
  max_age_s: Type.Integer({
    minimum: 30,
    maximum: 86_400,
    default: 900,
    description: "What was read longer ago says nothing: the lift's state is unknown.",
  }),
  reach_m: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    default: 150,
    description:
      "A lift that is named below neither itself nor by its station is one of the stations within this distance; 0: of none.",
  }),
  lifts: Type.Array(
    closedObject({
      lift: word(),
      feed: word(),
      pathways: Type.Array(word(), { minItems: 1, maxItems: 100 }),
    }),
    {
      default: [],
      description:
        "Which lift of the register is which way (pathway_id, mode 5) of which timetable. Only such a lift is known to be out of order; of another the whole station is unknown.",
    },
  ),
  stations: Type.Array(closedObject({ station: word(), feed: word(), stop_id: word() }), {
    default: [],
    description: "Which station of the register is which station (stop_id) of which timetable.",
  }),
} as const;

/** Their values. */
export type LiftSettings = LookupSettings & {
  max_age_s: number;
  reach_m: number;
  lifts: readonly { lift: string; feed: string; pathways: readonly string[] }[];
  stations: readonly { station: string; feed: string; stop_id: string }[];
};
