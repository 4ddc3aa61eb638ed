/** POST /v1/capabilities and GET /v1/datasets (§2.10, §4.8; decisions, Capabilities): bodies. */
import { type TProperties, type TSchema, Type } from "typebox";
import { LIMITS } from "./limits.ts";
import { INTENTS } from "./nearby-items.ts";
import { NEARBY_FILTERS } from "./nearby-filters.ts";
import { NEARBY_PARAMETERS } from "./nearby.ts";
import {
  anyTextParameter,
  closed,
  Count,
  type Decoded,
  LANGUAGE,
  LON_ALONE,
  Nullable,
  optionalChoiceParameter,
  type Parameter,
  type Parameters,
  segmentParameter,
  Text,
  Timestamp,
  TOKEN,
} from "./primitives.ts";

export const CONTRACT_VERSION = "1.0.0";
export const FRESHNESS_POLICIES = ["accept_valid_cache", "revalidate"] as const;

const Version = Type.Literal(CONTRACT_VERSION);
const Id = Type.String({
  minLength: 1,
  maxLength: LIMITS.capabilities.correlation_max,
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
});
/** What a double holds exactly: others could not be echoed unchanged. */
const SafeInteger = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
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

export const DATASET_PARAMETERS = {
  id: segmentParameter({
    description: "The dataset's id, as given in an observation.",
    example: "nearby_agpkz6x4n5y6bk3x7q2m5o4h6u3d2c5j7i4w2yq",
  }),
  version: segmentParameter({
    description: "Its version, as given in the observation.",
    example: "1-mfrggzdfmztwq2lknnwg23tpo4",
  }),
  token: TOKEN,
} as const;

const { lat, radius, modes, include, limit } = NEARBY_PARAMETERS;

/** Parameters of GET /v1/nearby, and `intent`; for agents there is no paging and no other format. */
export const SEARCH_PARAMETERS = {
  lat,
  lon: LON_ALONE,
  radius,
  modes,
  include,
  limit,
  intent: optionalChoiceParameter({
    choices: INTENTS,
    description: "Only actions of this intent are listed in `available_actions`.",
    example: "pickup",
  }),
  ...NEARBY_FILTERS,
  language: LANGUAGE,
} as const;

/** Any text: one that is no id of ours is not found, which is another answer (404). */
const READ_PARAMETERS = {
  id: anyTextParameter(DATASET_PARAMETERS.id),
  version: anyTextParameter(DATASET_PARAMETERS.version),
} as const;

type CapabilityRow = {
  parameters: Parameters;
  /** Title and description of its arguments, as a schema. */
  title: string;
  description: string;
  /** It asks no source, so it costs nothing. */
  free: boolean;
};

/**
 * Capabilities of POST /v1/capabilities, by name; app/capabilities/execute.ts has a function for
 * each.
 */
export const CAPABILITY_ROWS = {
  search_mobility: {
    parameters: SEARCH_PARAMETERS,
    title: "SearchMobilityArgs",
    description: "As the parameters of GET /v1/nearby; null is the default.",
    free: false,
  },
  read_dataset: {
    parameters: READ_PARAMETERS,
    title: "ReadDatasetArgs",
    description: "The id and version given in an observation.",
    free: true,
  },
} as const satisfies Readonly<Record<string, CapabilityRow>>;

export type CapabilityName = keyof typeof CAPABILITY_ROWS;
export type CapabilityArgs<C extends CapabilityName> = Decoded<
  (typeof CAPABILITY_ROWS)[C]["parameters"]
>;

const ROWS = Object.entries(CAPABILITY_ROWS) as [CapabilityName, CapabilityRow][];
export const CAPABILITY_NAMES: readonly CapabilityName[] = ROWS.map(([name]) => name);
export const FREE_CAPABILITIES: readonly CapabilityName[] = ROWS.flatMap(([name, { free }]) =>
  free ? [name] : [],
);
export const PAID_CAPABILITIES: readonly CapabilityName[] = ROWS.flatMap(([name, { free }]) =>
  free ? [] : [name],
);

/** The form of one capability: its name, and its arguments as members of a body. */
function toForm([name, { parameters, title, description }]: [CapabilityName, CapabilityRow]) {
  const members = Object.entries(parameters).map(([member, parameter]) => [
    member,
    toBodyMember(parameter),
  ]);
  const args = Type.Object(Object.fromEntries(members) as TProperties, {
    title,
    description,
    ...closed,
  });
  return Type.Object({ capability: Type.Literal(name), args }, closed);
}

/** A list is an array or text with commas; what is not required may be null, which is the default. */
function toBodyMember({ kind, schema, required, choices = [], description }: Parameter): TSchema {
  const { default: fallback, ...bare } = schema as TSchema & { default?: string };
  if (required) return bare;
  if (kind !== "list" && kind !== "choice") return Type.Optional(Nullable(bare));
  const item = Type.Enum([...choices], { type: "string" });
  if (kind === "choice") {
    return Type.Optional(Type.Union([item, Type.Null()], { description }));
  }
  const one = `(${choices.join("|")})`;
  const text = Type.String({ pattern: `^\\s*${one}\\s*(,\\s*${one}\\s*)*$` });
  const array = Type.Array(item, { minItems: 1 });
  const words = `${toItemWords(description)}; null: ${toDefaultWords(choices, fallback)}.`;
  return Type.Optional(Type.Union([array, text, Type.Null()], { description: words }));
}

/** `Comma-separated modes.` → `Modes` */
function toItemWords(description: string): string {
  const items = description.replace("Comma-separated ", "").replace(/\.$/, "");
  return `${items.slice(0, 1).toUpperCase()}${items.slice(1)}`;
}

function toDefaultWords(choices: readonly string[], fallback: string | undefined): string {
  if (fallback === undefined) return "none";
  return fallback === choices.join(",") ? "all" : fallback.replaceAll(",", " and ");
}

export const CapabilityRequestBody = Type.Object(
  {
    contract_version: Version,
    correlation: Correlation,
    request: Type.Union(ROWS.map(toForm)),
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

const FAILURES = [
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
