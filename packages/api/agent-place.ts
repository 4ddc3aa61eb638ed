/** get_place (docs/agents.md): arguments and answer. */
import { Type } from "typebox";
import { POINT_ARGUMENTS } from "./agent-point.ts";
import { FROM_ARGUMENT, PROFILE_ARGUMENT, WalkToPlace, walkingMembers } from "./agent-walk.ts";
import { common, local, status_members } from "./agent-results.ts";
import { closed, Location, Nullable, type Parameter, PlaceTime, Text } from "./primitives.ts";

const PLACE_KINDS = ["station", "vehicle", "service", "transit_station"] as const;

/** How far from the point a result is looked for, metres: it may have moved since. */
export const PLACE_RADIUS_M = 100;

/** Next departures of a transit station: how many are shown, and of how many minutes. */
export const PLACE_DEPARTURES = { shown_max: 6, within_min: 60 } as const;

const ID: Parameter<string> = {
  kind: "pattern",
  schema: Type.String({ pattern: "^[^\\u0000-\\u001f]{1,512}$" }),
  rule: "text",
  required: true,
  description: "`id` of the result.",
  example: "svc_station_3q7x2m9k5c1v8b3n6w0j",
};

export const PLACE_ARGUMENTS = {
  id: ID,
  ...POINT_ARGUMENTS,
  from: FROM_ARGUMENT,
  ...PROFILE_ARGUMENT,
} as const;

/** Of a source that describes it; null: it does not say. */
const Described = Type.Object(
  {
    source_id: Text,
    provider: Type.Optional(Text),
    entity_id: Type.Optional(Text),
    fields: Type.Optional(
      Type.Array(Text, { description: "Members of `place` that are from it." }),
    ),
    observed_at: {
      ...Nullable(PlaceTime),
      description: "When its publisher made what is shown.",
    },
    fetched_at: Nullable(PlaceTime),
  },
  closed,
);

export const PlaceShown = Type.Object(
  {
    ...status_members,
    query_origin: Location,
    distances: Type.Literal("straight_line", { description: "What `distance_meters` is." }),
    ...walkingMembers,
    walk: Type.Optional(WalkToPlace),
    ...local,
    place: Type.Object(
      {
        kind: Type.Enum([...PLACE_KINDS], { type: "string" }),
        id: Text,
        name: Type.Optional(Nullable(Text)),
        location: Location,
        distance_meters: Type.Number({ minimum: 0 }),
      },
      {
        description: "All that is known of it; a member that is not known is null or absent.",
        additionalProperties: true,
      },
    ),
    omitted: Type.Optional(
      Type.Array(Text, {
        description: "Members of `place` that are left out, or lists that are cut, for brevity.",
      }),
    ),
    provenance: Type.Array(Described, { description: "Who describes it, and of when." }),
    sources: Type.Array(Text, { description: "`source_id` of each source it is from." }),
    ...common,
  },
  closed,
);
