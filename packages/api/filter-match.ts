/**
 * Filters with three values, over all searches around a point: what is known not to fit is left out,
 * what is unknown stays. A result says which of the two it is, and the head of an answer names the
 * nearest that is known to fit. All of it is in preview.
 */
import { Type, type Static } from "typebox";
import { booleanParameter, closed, Count, Location, Nullable, Text } from "./primitives.ts";
import { preview, PREVIEW } from "./preview.ts";

/** Parameters that are such filters; of tools and capabilities also `intent`. */
const MATCH_FILTERS = [
  ...(["usable", "wheelchair", "fee", "access", "connector", "min_kw"] as const),
  ...(["min_vehicles", "min_docks", "propulsion", "form_factors"] as const),
  ...(["within_minutes", "intent"] as const),
] as const;
export type MatchFilter = (typeof MATCH_FILTERS)[number];

export const STRICT_PARAMETERS = {
  strict: preview(booleanParameter("Leaves out, and counts, what is not known to fit a filter.")),
} as const;

const Match = Type.Enum(["known", "unknown"], {
  type: "string",
  ...PREVIEW,
  title: "Match",
  description: "Where a filter is set: whether it is known to fit.",
});
const UnknownFilters = Type.Array(Type.Enum([...MATCH_FILTERS], { type: "string" }), {
  ...PREVIEW,
  title: "UnknownFilters",
  description: "Filters that it may not fit: what they ask is not known of it.",
});

/** Members of a result; absent where no filter judges it. */
export const matchMembers = {
  match: Type.Optional(Match),
  unknown: Type.Optional(UnknownFilters),
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
  {
    ...PREVIEW,
    title: "NearestKnown",
    description: "The first of the results that is known to fit the filters, on this page or not.",
    ...closed,
  },
);
export type NearestKnown = Static<typeof Nearest>;

/** Member of the head of an answer; absent where no filter is set, null where none is known to fit. */
export const nearestKnownMember = { nearest_known: Type.Optional(Nullable(Nearest)) };

/** How many `strict` leaves out. */
export const LeftOut = Type.Optional({
  ...Count,
  ...PREVIEW,
  description: "With `strict`: how many may fit, and are left out.",
});
