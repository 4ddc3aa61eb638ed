/** POST /v1/capabilities and GET /v1/datasets (§2.10, §4.8; decisions, Capabilities): bodies. */
import { Type } from "typebox";
import { LIMITS } from "./limits.ts";
import { INTENTS, QUERY_MODES } from "./nearby-items.ts";
import { FAMILIES } from "./nearby.ts";
import {
  closed,
  Count,
  LANGUAGE,
  Nullable,
  segmentParameter,
  Text,
  Timestamp,
  TOKEN,
} from "./primitives.ts";

export const CONTRACT_VERSION = "1.0.0";
export const CAPABILITIES = ["search_mobility", "read_dataset"] as const;
export const FRESHNESS_POLICIES = ["accept_valid_cache", "revalidate"] as const;

const Version = Type.Literal(CONTRACT_VERSION);
const Id = Type.String({
  ...{ minLength: 1, maxLength: LIMITS.capabilities.correlation_max },
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
});
/** What a double holds exactly: others could not be echoed unchanged. */
const SafeInteger = Type.Integer({
  ...{ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
});

const Correlation = Type.Object(
  {
    conversation_id: Id,
    interaction_id: Id,
    request_id: Id,
    parent_request_id: Nullable(Id),
    turn_id: Type.Union([Id, SafeInteger, Type.Null()]),
  },
  {
    title: "Correlation",
    description:
      "Echoed unchanged; never used for authorisation. Printable characters only. The same whole body from the same caller within two minutes gives the same observation and costs nothing.",
    ...closed,
  },
);

/** An array, or a comma-separated string; null is the default. */
function listOf(choices: readonly string[], description: string) {
  const items = Type.Array(Type.Enum([...choices], { type: "string" }), { minItems: 1 });
  const one = `(${choices.join("|")})`;
  const text = Type.String({ pattern: `^\\s*${one}\\s*(,\\s*${one}\\s*)*$` });
  return Type.Optional(Type.Union([items, text, Type.Null()], { description }));
}

const SearchMobilityArgs = Type.Object(
  {
    lat: Type.Number({ minimum: LIMITS.lat.min, maximum: LIMITS.lat.max }),
    lon: Type.Number({ minimum: LIMITS.lon.min, maximum: LIMITS.lon.max }),
    radius: Type.Optional(Nullable(Type.Number({ minimum: LIMITS.nearby.radius_min }))),
    modes: listOf(QUERY_MODES, "Modes; null: all."),
    include: listOf(FAMILIES, "Result families; null: stations and vehicles."),
    limit: Type.Optional(Nullable(Type.Integer({ minimum: LIMITS.nearby.limit_min }))),
    intent: Type.Optional(
      Type.Union([Type.Enum([...INTENTS], { type: "string" }), Type.Null()], {
        description: "Only actions of this intent are listed in `available_actions`.",
      }),
    ),
    language: Type.Optional(Nullable(LANGUAGE.schema)),
  },
  {
    title: "SearchMobilityArgs",
    description: "As the parameters of GET /v1/nearby; null is the default.",
    ...closed,
  },
);

const ReadDatasetArgs = Type.Object(
  { id: Type.String(), version: Type.String() },
  { title: "ReadDatasetArgs", description: "As an observation told them.", ...closed },
);

function form<A extends ReturnType<typeof Type.Object>>(capability: string, args: A) {
  return Type.Object({ capability: Type.Literal(capability), args }, closed);
}

export const CapabilityRequestBody = Type.Object(
  {
    contract_version: Version,
    correlation: Correlation,
    request: Type.Union([
      form("search_mobility", SearchMobilityArgs),
      form("read_dataset", ReadDatasetArgs),
    ]),
    freshness_policy: Type.Union([
      Type.Enum([...FRESHNESS_POLICIES], { type: "string" }),
      Type.Null(),
    ]),
  },
  { title: "CapabilityRequest", description: "One of two capabilities (§4.8).", ...closed },
);

const FreshnessCounts = Type.Object(
  { fresh: Count, stale: Count, unknown: Count, realtime_reliable: Type.Boolean() },
  {
    title: "Freshness",
    description:
      "Of the entities at `received_at`: within their source's time to live, beyond it (or, under `revalidate`, not validated since it was asked for), of no known age. Their sum is the number of entities. Reliable: nothing stale or unknown, and every source that was asked answered.",
    ...closed,
  },
);

const Stored = Type.Object(
  {
    kind: Type.Literal("svc_internal"),
    dataset_id: Text,
    version: Text,
    content_digest: Type.String({ pattern: "^sha-256:[0-9a-f]{64}$" }),
    created_at: Timestamp,
    expires_at: Timestamp,
    entity_count: Count,
    href: Type.String({ description: "Where the records are: GET /v1/datasets/{id}/{version}." }),
  },
  { title: "StoredProvenance", ...closed },
);

const Provided = Type.Object(
  {
    kind: Type.Literal("provider"),
    source_id: Text,
    provider: Text,
    network_ids: Type.Array(Text),
    fetched_at: Nullable(Timestamp),
    feed_updated_at: Nullable(Timestamp),
    ttl_s: Nullable(Type.Number({ minimum: 0 })),
    status: Text,
    entity_count: Count,
    license: Nullable(Type.String()),
    attribution: Nullable(Type.String()),
  },
  { title: "ProviderProvenance", ...closed },
);

const Observation = Type.Object(
  {
    dataset_id: Type.String({ pattern: "^nearby_" }),
    scope: Type.Literal("mobility.nearby"),
    query_parameters: Type.Object(
      {},
      { additionalProperties: true, description: "What was applied." },
    ),
    received_at: Nullable(Timestamp),
    provenance: Type.Array(Type.Union([Stored, Provided]), { minItems: 1 }),
    freshness: FreshnessCounts,
  },
  {
    title: "Observation",
    description: "What was found, kept as a dataset that never changes.",
    ...closed,
  },
);

export const FAILURES = [
  "all_sources_failed",
  "deadline_exceeded",
  "no_sources_in_area",
  "internal",
] as const;

const ErrorObservation = Type.Object(
  {
    contract_version: Version,
    status: Type.Literal("error"),
    query: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    delivered_at: Timestamp,
    errors: Type.Array(
      Type.Object(
        {
          code: Type.Enum([...FAILURES], { type: "string" }),
          message: Text,
          source_id: Nullable(Text),
          retryable: Type.Boolean(),
          retry_after_s: Nullable(Count),
        },
        closed,
      ),
      { minItems: 1 },
    ),
  },
  {
    title: "ErrorObservation",
    description: "An execution that was accepted and failed (§7 rule 5). It costs nothing.",
    ...closed,
  },
);

export const CapabilityResult = Type.Object(
  {
    contract_version: Version,
    correlation: Correlation,
    observation: Type.Union([Observation, ErrorObservation]),
  },
  { title: "CapabilityResult", description: "What came of it (§4.8).", ...closed },
);

export const CAPABILITIES_PARAMETERS = { token: TOKEN } as const;

export const DATASET_PARAMETERS = {
  id: segmentParameter({
    description: "The dataset's id, as an observation told it.",
    example: "nearby_agpkz6x4n5y6bk3x7q2m5o4h6u3d2c5j7i4w2yq",
  }),
  version: segmentParameter({
    description: "Its version, as the observation told it.",
    example: "1-mfrggzdfmztwq2lknnwg23tpo4",
  }),
  token: TOKEN,
} as const;
