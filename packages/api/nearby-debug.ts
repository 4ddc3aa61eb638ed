/** The debug block of /v1/nearby (§2.9), with the shapes it leaves open (decisions, debug). */
import { Type } from "typebox";
import { LIMITS } from "./limits.ts";
import { closed, Count, Location, Nullable, Text, Timestamp } from "./primitives.ts";

const NullableText = Nullable(Text);
const NullableCount = Nullable(Count);
const NullableNumber = Nullable(Type.Number());
const NullableTime = Nullable(Timestamp);
const OpenObject = Type.Object({}, { additionalProperties: true });

const DebugObservation = Type.Object(
  {
    source_id: Text,
    network_id: Text,
    entity_id: Text,
    location: Nullable(Location),
    observed_at: NullableTime,
    age_s: { ...NullableNumber, description: "Of the document that it is from." },
    report_age_s: Type.Optional({
      ...NullableNumber,
      description:
        "Of the report of this station, which decides whose counts are shown; null: the source states no time, and that of its document counts. Absent of vehicles.",
    }),
    merged: Type.Boolean(),
    score: NullableNumber,
    reasons: Type.Array(Type.String()),
  },
  closed,
);

/** §2.9: only with debug=true; the shapes it leaves open are ours (decisions, debug). */
export const NearbyDebug = Type.Object(
  {
    sources: Type.Array(
      Type.Object(
        {
          source_id: Text,
          status: Type.Enum(["ok", "timeout", "error", "unauthorized", "unavailable"], {
            type: "string",
          }),
          raw_count: Count,
          matched_count: Count,
          reason: NullableText,
        },
        closed,
      ),
    ),
    resolution: Type.Object(
      { unresolved: Count, merged: Count, possible_match: Count },
      { description: "Counts by resolution status.", additionalProperties: Count },
    ),
    entities: Type.Array(
      Type.Object(
        {
          id: Text,
          observations: Type.Array(DebugObservation),
          near_misses: Type.Array(OpenObject),
        },
        closed,
      ),
    ),
    realtime: OpenObject,
    warnings: Type.Array(Type.String()),
    usage: Type.Object({ units: Count, plan: Text, remaining: NullableCount }, closed),
    protection: OpenObject,
    orchestration: Type.Object(
      {
        deadline_ms: Type.Number(),
        elapsed_ms: Type.Number({ minimum: 0 }),
        sources: Type.Array(
          Type.Object(
            {
              source_id: Text,
              started_ms: NullableNumber,
              elapsed_ms: NullableNumber,
              cache: Nullable(Type.Enum(["hit", "miss", "revalidated"], { type: "string" })),
              age_s: NullableNumber,
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    requested_radius: Type.Number(),
    applied_radius: Type.Number({ maximum: LIMITS.nearby.radius_max }),
    requested_limit: Type.Integer(),
    applied_limit: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    offset: Count,
    coverage: Type.String(),
  },
  { title: "NearbyDebug", description: "Diagnostics, only with debug=true.", ...closed },
);
