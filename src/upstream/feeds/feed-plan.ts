/** Next steps for a system, from what is known of it. Pure. */
import type { Shard } from "#stations/shard/shard.ts";
import type { RefreshResult } from "#ports.ts";
import { type FeedFile, LIVE_FILES, STATIC_FILES } from "#stations/feed.ts";
import {
  type FeedView,
  type FileRecord,
  offeredOf,
  offers,
  PART_FILES,
  type PartFile,
  partOf,
  type Target,
  worstFailure,
} from "#upstream/feeds/feed-view.ts";

/**
 * Request for a refresh. `full`: a caller waits, so that the live files are requested, due or not,
 * and nothing else is: the static files are left to the next poll (decisions, Global nearby).
 * Those that were requested since `since_ms`, and are still valid, are left out; Infinity:
 * none is.
 */
export type RefreshRequest = { full: boolean; since_ms: number };

export type RefreshStep =
  /** Nothing is held: everything that is offered. */
  | { do: "load" }
  /** Each on its own, so that a slow or failing one never holds the others back. */
  | { do: "update"; files: readonly (PartFile | "geofencing_zones")[] }
  /** After the live files: what they are laid out against may change. */
  | { do: "renew_statics" };

/** Reports whether to read first where the files are. */
export function isDiscoveryDue({ discovery }: FeedView, now_ms: number): boolean {
  return !discovery || discovery.due_at_ms <= now_ms;
}

/** Returns the steps with a discovery as new as it can be had, in this order. */
export function plan(view: FeedView, request: RefreshRequest, now_ms: number): RefreshStep[] {
  if (!view.shard) return [{ do: "load" }];
  const due = (file: FeedFile): boolean => view.files[file].due_at_ms <= now_ms;
  const parts = offeredOf(view, PART_FILES);
  if (request.full) {
    const files = parts.filter(
      (file) =>
        view.files[file].retry_at_ms <= now_ms && !isYoung(view, file, request.since_ms, now_ms),
    );
    return [{ do: "update", files }];
  }
  const zones = offeredOf(view, ["geofencing_zones"] as const);
  const update: RefreshStep = { do: "update", files: [...parts, ...zones].filter(due) };
  const statics = offeredOf(view, STATIC_FILES).some(due);
  return statics ? [update, { do: "renew_statics" }] : [update];
}

/** Whether it was requested since, and is valid. */
function isYoung(view: FeedView, file: PartFile, since_ms: number, now_ms: number): boolean {
  const { failure, requested_at_ms } = view.files[file];
  const live = partOf(view.shard, file)?.live;
  if (failure || !live || requested_at_ms < since_ms) return false;
  return now_ms - live.validated_at_ms <= live.ttl_s * 1000;
}

/**
 * The result of a request that what is held answers already: another replica may have read it, or
 * failed. null: it does not. `before`: what was held when the request came.
 */
export function findRetained(
  view: FeedView,
  before: Shard | null,
  { full, since_ms, now_ms }: RefreshRequest & { now_ms: number },
): RefreshResult | null {
  // A system that has moved must be asked where its files are, before any of them can be due.
  if (view.shard && !view.discovery) return null;
  const young = full ? isAllYoung(view, since_ms, now_ms) : nextPollAt_ms(view) > now_ms;
  if (!young) return full ? backingOff(view, now_ms) : null;
  if (!view.shard) return feedRefusal(view);
  const is_new = PART_FILES.some((file) => dataOf(view.shard, file) !== dataOf(before, file));
  return resultOf(view, is_new);
}

function isAllYoung(view: FeedView, since_ms: number, now_ms: number): boolean {
  return (
    view.shard !== null &&
    offeredOf(view, PART_FILES).every(
      (file) => view.files[file].retry_at_ms > now_ms || isYoung(view, file, since_ms, now_ms),
    )
  );
}

function dataOf(shard: Shard | null, file: PartFile): unknown {
  return partOf(shard, file)?.data ?? null;
}

/** Epoch ms; Infinity: there is nothing to poll. */
export function nextPollAt_ms(view: FeedView): number {
  if (!view.shard) return Math.max(0, ...failingOf(view).map((file) => file.due_at_ms));
  const polled: readonly FeedFile[] = [...PART_FILES, ...STATIC_FILES, "geofencing_zones"];
  return Math.min(...offeredOf(view, polled).map((file) => view.files[file].due_at_ms));
}

/** The failure to answer with at once while a system is backing off; null: it may be requested. */
export function backingOff(view: FeedView, now_ms: number): RefreshResult | null {
  if (!view.shard)
    return failingOf(view).some((file) => file.retry_at_ms > now_ms) ? feedRefusal(view) : null;
  const live = LIVE_FILES.filter((file) => offers(view, file));
  const closed = live.length > 0 && live.every((file) => view.files[file].retry_at_ms > now_ms);
  return closed ? resultOf(view, false) : null;
}

/** Of what a first load cannot do without. */
function failingOf({ files }: FeedView): Readonly<FileRecord>[] {
  const targets: readonly Target[] = ["discovery", "vehicle_types", "station_information"];
  return targets.map((target) => files[target]).filter((file) => file.failure !== null);
}

/** Returns the result for a system of which nothing could be read. */
export function feedRefusal(view: FeedView): RefreshResult {
  const { status, reason } = worstFailure(view)!;
  return { status, reason };
}

/** Returns the result of a refresh; `is_new`: any of the live data is. */
export function resultOf(view: FeedView, is_new: boolean): RefreshResult {
  const failure = worstFailure(view, LIVE_FILES);
  if (failure) return { status: failure.status, reason: failure.reason };
  return { status: "ok", cache: is_new ? "miss" : "revalidated" };
}
