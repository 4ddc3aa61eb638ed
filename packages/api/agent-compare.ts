/** compare_places of /mcp (docs/agents.md): its arguments, and its answer. */
import { Type } from "typebox";
import { common, status_members, AgentSources } from "./agent-results.ts";
import { LIMITS } from "./limits.ts";
import { QUERY_MODES } from "./nearby-items.ts";
import { NEARBY_PARAMETERS } from "./nearby.ts";
import {
  closed,
  Count,
  Nullable,
  numberParameter,
  optionalChoiceParameter,
  type Parameter,
  Status,
  Text,
} from "./primitives.ts";

/** How many places one call compares. */
const COMPARED = { min: 2, max: 5 } as const;
/** Objects that are counted around each place, the nearest of them. */
export const COUNTED_MAX = 500;
/** Networks that a row names. */
export const NETWORKS_MAX = 5;
/** Intents that a comparison ranks by: most vehicles, most free docks. */
export const RANKED_INTENTS = ["pickup", "return"] as const;

const { q_min: min, q_max: max } = LIMITS.geocode;
const { radius_min, radius_default, radius_max } = LIMITS.nearby;

const PLACES: Parameter<readonly string[]> & { required: true } = {
  kind: "texts",
  schema: Type.Array(Type.String({ minLength: min, maxLength: max }), {
    minItems: COMPARED.min,
    maxItems: COMPARED.max,
  }),
  description: "2 to 5 names, addresses or lat,lon.",
  example: "Gare de Lyon, Paris;48.8566,2.3522",
  required: true,
  rule: `${COMPARED.min} to ${COMPARED.max} texts of ${min} to ${max} characters`,
};

export const COMPARE_ARGUMENTS = {
  places: PLACES,
  modes: { ...NEARBY_PARAMETERS.modes, description: "Modes." },
  form_factors: {
    ...NEARBY_PARAMETERS.form_factors,
    many: true,
    description: "Counts these alone.",
  },
  intent: optionalChoiceParameter({
    choices: RANKED_INTENTS,
    description: "What to rank by.",
    example: "pickup",
  }),
  radius: numberParameter({
    minimum: radius_min,
    maximum: radius_max,
    default: radius_default,
    description: "Metres.",
    example: "250",
    unit: "metres",
  }),
} as const;

const counts = {
  stations: Count,
  vehicles: Nullable(
    Type.Integer({
      minimum: 0,
      description: "That can be picked up now, docked or free; null: unknown.",
    }),
  ),
  docks: Nullable(
    Type.Integer({ minimum: 0, description: "Free, where returns are taken now; null: unknown." }),
  ),
  vehicles_unknown: Type.Optional(
    Type.Integer({ minimum: 0, description: "Stations and vehicles not known to be usable." }),
  ),
  docks_unknown: Type.Optional(
    Type.Integer({ minimum: 0, description: "Stations whose free docks are unknown." }),
  ),
};
const Counts = Type.Object(counts, closed);

const Candidate = Type.Object(
  { label: Text, lat: Type.Number(), lon: Type.Number(), kind: Text },
  closed,
);

const Row = Type.Object(
  {
    place: Type.String({ description: "As it was given." }),
    label: Type.Optional(Type.String({ description: "What a name was taken for." })),
    lat: Type.Optional(Type.Number()),
    lon: Type.Optional(Type.Number()),
    local_time: Type.Optional(Text),
    rank: Type.Optional(Nullable(Type.Integer({ minimum: 1 }))),
    status: Type.Optional(Status),
    notices: Type.Optional(Type.Array(Text)),
    found: Type.Optional(Count),
    counted: Type.Optional(
      Type.Integer({ minimum: 0, description: "Fewer than `found`: the nearest." }),
    ),
    totals: Type.Optional(Counts),
    by_mode: Type.Optional(
      Type.Record(Type.String({ pattern: `^(${QUERY_MODES.join("|")}|other)$` }), Counts),
    ),
    networks: Type.Optional(
      Type.Array(Type.Object({ id: Text, name: Nullable(Text), ...counts }, closed), {
        maxItems: NETWORKS_MAX,
      }),
    ),
    networks_total: Type.Optional(Count),
    freshness: Type.Optional(Type.Object({ fresh: Count, stale: Count, unknown: Count }, closed)),
    sources: Type.Optional(AgentSources),
    error: Type.Optional(
      Type.Object(
        {
          code: Text,
          message: Text,
          retry_after_s: Type.Optional(Count),
          candidates: Type.Optional(Type.Array(Candidate)),
        },
        { description: "Nothing was counted here.", ...closed },
      ),
    ),
  },
  closed,
);

export const CompareShown = Type.Object(
  {
    ...status_members,
    radius: Type.Number({ exclusiveMinimum: 0 }),
    intent: Type.Optional(Type.Enum([...RANKED_INTENTS], { type: "string" })),
    ...common,
    total: Type.Integer({ minimum: 0, description: "Places that were given." }),
    shown: Count,
    results: Type.Array(Row, {
      description: "By `rank` where `intent` is given, else in the order given.",
    }),
  },
  closed,
);
