/** The debug block of /v1/nearby (§2.9; decisions, debug): the flags of every step, as the explanation. */
import type { Coverage } from "#core/coverage.ts";
import type { Resolution } from "#core/identity/resolve.ts";
import { CLASS, DATA_CLASS_SHIFT, UNKNOWN_BIT } from "#core/nearby/bits.ts";
import { debugEntities } from "#app/debug-entities.ts";
import { ageOf } from "#app/gather.ts";
import type { Gathered } from "#app/nearby.ts";
import type { Hits } from "#world/hits.ts";
import type { Page } from "#world/render.ts";

type Made = {
  coverage: Coverage;
  resolution: Resolution;
  hits: Hits;
  page: Page;
  units: number;
};

export function debugBlock(gathered: Gathered, made: Made): Record<string, unknown> {
  const { input, applied } = gathered;
  const { question, remaining_units: left } = input;
  return {
    sources: debugSources(gathered, made.hits),
    resolution: made.resolution,
    entities: debugEntities(gathered.now_ms, made.hits, made.page),
    realtime: debugRealtime(gathered, made.hits),
    warnings: applied.warnings.map((warning) => warning.message),
    usage: {
      units: made.units,
      plan: input.caller.plan.name,
      remaining: left === null ? null : Math.max(0, left - made.units),
    },
    protection: {},
    orchestration: debugOrchestration(gathered),
    requested_radius: question.radius,
    applied_radius: applied.radius,
    requested_limit: question.limit,
    applied_limit: applied.limit,
    limit: applied.limit,
    offset: question.offset,
    coverage: made.coverage.status,
  };
}

function debugSources(gathered: Gathered, hits: Hits): unknown[] {
  const asked = gathered.consulted.map(({ source_id, status, reason }, i) => ({
    source_id,
    status,
    raw_count: hits.raw[i] ?? 0,
    matched_count: hits.matched[i] ?? 0,
    reason,
  }));
  const unknown = gathered.unsurveyed.map(({ source_id, unread }) => ({
    source_id,
    status: "unavailable",
    raw_count: 0,
    matched_count: 0,
    reason: unread === null ? "not_surveyed" : "not_loaded",
  }));
  return [...asked, ...unknown];
}

/** Of all hits: how many are fresh, stale or unknown, and whether each system answered. */
function debugRealtime(gathered: Gathered, hits: Hits): Record<string, unknown> {
  const counts = { fresh: 0, stale: 0, unknown: 0 };
  for (let hit = 0; hit < hits.count; hit++) {
    const state = hits.state[hit]!;
    const data_class = (state >>> DATA_CLASS_SHIFT) & 3;
    if (state & UNKNOWN_BIT || data_class === CLASS.static) counts.unknown++;
    else if (data_class === CLASS.realtime) counts.fresh++;
    else counts.stale++;
  }
  const answered = gathered.consulted.every((source) => source.status === "ok");
  return {
    ...counts,
    realtime_reliable: answered && counts.stale === 0 && counts.unknown === 0,
  };
}

function debugOrchestration(gathered: Gathered): Record<string, unknown> {
  const { input, now_ms } = gathered;
  return {
    deadline_ms: input.deadline_ms - input.now_ms,
    elapsed_ms: Math.max(0, now_ms - input.now_ms),
    sources: gathered.consulted.map(({ source_id, started_ms, elapsed_ms, cache }, i) => ({
      source_id,
      started_ms,
      elapsed_ms,
      cache,
      age_s: ageOf(gathered.systems[i]!, gathered.wants, now_ms),
    })),
  };
}
