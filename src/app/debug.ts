/** The `debug` block of /v1/nearby (§2.9; decisions, debug): the flags of every step, as the explanation. */
import type { NearbyBodyValue } from "#api/nearby.ts";
import { findOperation } from "#api/operations.ts";
import { unitsOfReply } from "#core/metering/metered-units.ts";
import { debugEntities } from "#app/debug-entities.ts";
import { ageOf } from "#app/gather.ts";
import type { NearbyResult } from "#app/answer-types.ts";

const { charge: CHARGE } = findOperation("getNearby");

type Debug = NonNullable<NearbyBodyValue["debug"]>;

/** Returns the member `debug` of a `result` that was asked for with it. */
export function toDebug(result: NearbyResult): Debug {
  const { input, applied, found, objects } = result;
  const { question, remaining_units: left } = input;
  const charged = { status: 200, void: false, objects, maps_categories: 0 };
  const units = unitsOfReply(CHARGE, charged);
  return {
    sources: debugSources(result),
    resolution: found.tally!.resolution,
    entities: debugEntities(result.now_ms, found.items),
    realtime: debugRealtime(result),
    warnings: applied.warnings.map((warning) => warning.message),
    usage: {
      units,
      plan: input.caller.plan.name,
      remaining: left === null ? null : Math.max(0, left - units),
    },
    protection: {},
    orchestration: debugOrchestration(result),
    requested_radius: question.radius,
    applied_radius: applied.radius,
    requested_limit: question.limit,
    applied_limit: applied.limit,
    limit: applied.limit,
    offset: question.offset,
    coverage: result.coverage.status,
  };
}

function debugSources({ sources, unsurveyed, found }: NearbyResult): Debug["sources"] {
  const { raw, matched } = found.tally!;
  const requests = sources.map(({ source_id, status, reason }, i) => ({
    source_id,
    status,
    raw_count: raw[i] ?? 0,
    matched_count: matched[i] ?? 0,
    reason,
  }));
  const unknown = unsurveyed.map(({ source_id, unread }) => ({
    source_id,
    status: "unavailable" as const,
    raw_count: 0,
    matched_count: 0,
    reason: unread === null ? "not_surveyed" : "not_loaded",
  }));
  return [...requests, ...unknown];
}

/** Of everything found: how many are fresh, stale or unknown, and whether each system answered. */
function debugRealtime({ sources, found }: NearbyResult): Debug["realtime"] {
  const { freshness } = found.tally!;
  const answered = sources.every((source) => source.status === "ok");
  return {
    ...freshness,
    realtime_reliable: answered && freshness.stale === 0 && freshness.unknown === 0,
  };
}

function debugOrchestration({
  input,
  sources,
  wants,
  now_ms,
}: NearbyResult): Debug["orchestration"] {
  return {
    deadline_ms: input.deadline_ms - input.now_ms,
    elapsed_ms: Math.max(0, now_ms - input.now_ms),
    sources: sources.map(({ source_id, shard, started_ms, elapsed_ms, cache }) => ({
      source_id,
      started_ms,
      elapsed_ms,
      cache,
      age_s: ageOf(shard, wants, now_ms),
    })),
  };
}
