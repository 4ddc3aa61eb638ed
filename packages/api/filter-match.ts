/**
 * Filters with three values, over all searches around a point: what is known not to fit is left out,
 * what is unknown stays. A result says which of the two it is, and the head of an answer names the
 * nearest that is known to fit. All of it is in preview.
 */
import { Type, type Static } from "typebox";
import { booleanParameter, closed, Count, Location, Nullable, Text } from "./primitives.ts";
import { preview, PREVIEW } from "./preview.ts";

/** Parameters that are such filters; of tools and capabilities also `intent`. */
export const MATCH_FILTERS = [
  ...(["usable", "wheelchair", "fee", "access", "connector", "min_kw"] as const),
  ...(["min_vehicles", "min_docks", "propulsion", "form_factors"] as const),
  ...(["within_minutes", "intent"] as const),
] as const;
export type MatchFilter = (typeof MATCH_FILTERS)[number];

export const STRICT_PARAMETERS = {
  strict: preview(
    booleanParameter(
      "Next to a filter: also leaves out what is not known to fit it, and counts it in `left_out` or `unknown_left_out`.",
    ),
  ),
} as const;

/** Members of a result; absent where no filter judges it. */
export const matchMembers = {
  match: Type.Optional(
    Type.Enum(["known", "unknown"], {
      type: "string",
      ...PREVIEW,
      description:
        "Where a filter is set: whether it is known to fit. `unknown`: it may not, for the filters in `unknown`.",
    }),
  ),
  unknown: Type.Optional(
    Type.Array(Type.Enum([...MATCH_FILTERS], { type: "string" }), {
      ...PREVIEW,
      description: "Next to `match`: filters of which it is not known whether it fits.",
    }),
  ),
};

/** The same of a result of a tool: without a list where nothing is unknown. */
export const shownMatchMembers = {
  match: matchMembers.match,
  unknown: Type.Optional({
    ...Type.Array(Type.Enum([...MATCH_FILTERS], { type: "string" })),
    description: "With match unknown: the filters that it may not fit.",
  }),
};

/** What a result says of the filters of its question. */
export type MatchBody = { match: "known" | "unknown"; unknown: readonly MatchFilter[] };

const Nearest = Type.Object(
  { id: Text, distance_meters: Type.Number({ minimum: 0 }), location: Location },
  { ...PREVIEW, title: "NearestKnown", ...closed },
);
export type NearestKnown = Static<typeof Nearest>;

/** Member of the head of an answer; absent where no filter is set. */
export const nearestKnownMember = {
  nearest_known: Type.Optional({
    ...Nullable(Nearest),
    ...PREVIEW,
    description:
      "Where a filter is set: the first in the order of the results that is known to fit, on this page or not; null: none is known to.",
  }),
};

/** How many `strict` leaves out. */
export const LeftOut = Type.Optional({
  ...Count,
  ...PREVIEW,
  description: "With `strict`: how many are left out since it is not known whether they fit.",
});
