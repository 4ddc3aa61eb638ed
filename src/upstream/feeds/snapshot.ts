/** What `/v1/sources`, `debug` and the metrics are told of a system. */
import type { FeedHealth, RefreshResult } from "#ports.ts";
import type { FeedInfo } from "#upstream/feeds/types.ts";
import { nextDue_ms } from "#upstream/feeds/flight.ts";
import { locationOf } from "#upstream/feeds/locate.ts";
import { worstFailure } from "#upstream/feeds/marks.ts";
import { type Context, protocolOf, type SystemState } from "#upstream/feeds/state.ts";
import type { FeedEvent } from "#upstream/feeds/types.ts";

export function healthOf(state: SystemState): FeedHealth {
  const failure = worstFailure(state);
  return {
    status: failure?.status ?? "ok",
    reason: failure?.reason ?? null,
    last_success_at_ms: state.last_success_at_ms,
    last_attempt_at_ms: state.last_attempt_at_ms,
  };
}

export function infoOf(ctx: Context, state: SystemState): FeedInfo {
  const { system, info, memo } = state;
  const place = state.shard ? locationOf(state) : memo;
  return {
    id: system.id,
    provider: protocolOf(ctx, state).id,
    name: info?.name ?? system.network?.name ?? system.name ?? system.id,
    state: stateOf(ctx, state),
    licence: info?.license_id ?? null,
    licence_url: info?.license_url ?? null,
    attribution: info?.attribution ?? null,
    attribution_url: info?.attribution_url ?? null,
    entity_count: place?.entity_count ?? null,
    box: place?.box ?? null,
    areas: place?.areas ?? (place?.box ? [place.box] : null),
    failure: worstFailure(state),
    lost: state.lost,
    last_success_at_ms: state.last_success_at_ms ?? memo?.surveyed_at_ms ?? null,
    error_rate_5m: state.errors.read(ctx.clock.now()),
  };
}

/** A system that sleeps keeps the failure it fell asleep with: nobody has seen it well since. */
function stateOf(ctx: Context, state: SystemState): FeedInfo["state"] {
  const failure = worstFailure(state);
  if (failure) return failure.status;
  if (state.shard && (state.awake || isPolledElsewhere(ctx, state))) return "ok";
  return state.memo || state.shard || state.system.near ? "idle" : "not_surveyed";
}

/** While another replica polls it, what was due has come. */
function isPolledElsewhere(ctx: Context, state: SystemState): boolean {
  const version = state.link?.version ?? 0;
  return version > 0 && nextDue_ms(state) + OVERDUE_MS > ctx.clock.now();
}

const OVERDUE_MS = 10_000;

export function tell(
  ctx: Context,
  { system }: SystemState,
  {
    result,
    ...event
  }: Pick<FeedEvent, "kind" | "elapsed_ms" | "error"> & { result: RefreshResult },
): void {
  const reason = result.status === "ok" ? null : result.reason;
  ctx.onEvent?.({ source_id: system.id, outcome: result.status, reason, ...event });
}
