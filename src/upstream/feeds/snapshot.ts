/** Report of a system for `/v1/sources`, `debug` and the metrics. */
import type { FeedHealth } from "#ports.ts";
import { locationOf } from "#upstream/feeds/locate.ts";
import { nextPollAt_ms } from "#upstream/feeds/feed-plan.ts";
import type { Schedule } from "#upstream/feeds/schedule.ts";
import type { FeedInfo } from "#upstream/feeds/feed-types.ts";
import { type FeedView, worstFailure } from "#upstream/feeds/feed-view.ts";

export function healthOf(view: FeedView): FeedHealth {
  const failure = worstFailure(view);
  return {
    name: nameOf(view),
    status: failure?.status ?? "ok",
    reason: failure?.reason ?? null,
    last_success_at_ms: view.last_success_at_ms,
    last_attempt_at_ms: view.last_attempt_at_ms,
  };
}

function nameOf({ system, info }: FeedView): string {
  return info?.name ?? system.network?.name ?? system.name ?? system.id;
}

export function infoOf(schedule: Schedule): FeedInfo {
  const { feed } = schedule;
  const { view } = feed.state;
  const { system, info, memo } = view;
  const place = view.shard ? locationOf(view) : memo;
  return {
    id: system.id,
    provider: view.protocol.id,
    name: nameOf(view),
    names: [
      ...(info?.names ?? []),
      ...(view.discovery?.names ?? []),
      ...[system.network?.name, system.name].filter(isText),
    ],
    state: stateOf(schedule),
    licence: info?.license_id ?? null,
    licence_url: info?.license_url ?? null,
    attribution: info?.attribution ?? null,
    attribution_url: info?.attribution_url ?? null,
    color: info?.color ?? null,
    entity_count: place?.entity_count ?? null,
    box: place?.box ?? null,
    areas: place?.areas ?? (place?.box ? [place.box] : null),
    failure: worstFailure(view),
    lost: view.is_lost,
    last_success_at_ms: view.last_success_at_ms ?? memo?.surveyed_at_ms ?? null,
    error_rate_5m: view.errors.read(feed.now()),
  };
}

function isText(name: string | null | undefined): name is string {
  return typeof name === "string" && name !== "";
}

/** A system that sleeps keeps the failure it fell asleep with: it has not been read since. */
function stateOf(schedule: Schedule): FeedInfo["state"] {
  const { view } = schedule.feed.state;
  const failure = worstFailure(view);
  if (failure) return failure.status;
  if (view.shard && (schedule.is_awake || isPolledElsewhere(schedule))) return "ok";
  return view.memo || view.shard || view.system.near ? "idle" : "not_surveyed";
}

/** While another replica polls it, what was due has come. */
function isPolledElsewhere({ feed, published_version }: Schedule): boolean {
  return published_version > 0 && nextPollAt_ms(feed.state.view) + OVERDUE_MS > feed.now();
}

const OVERDUE_MS = 10_000;
