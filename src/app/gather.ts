/**
 * Gathering: which systems may have something in a circle, whether what is held of them is young
 * enough, and the wait for those where it is not (decisions, Global nearby).
 */
import { LIMITS } from "#api/limits.ts";
import { REVALIDATED_MS } from "#kit/time.ts";
import { isFresh, type ShardPart, type Shard } from "#stations/shard/shard.ts";
import type { QueriedSource } from "#core/coverage.ts";
import type { Clock, Feeds, RefreshResult } from "#ports.ts";
import { areVehiclesGone } from "#world/vehicles/sightings.ts";
import type { World } from "#world/world.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { FindCountries } from "#app/country.ts";
import type { Consulted, ItemFamily, FreshnessPolicy, Wants } from "#app/answer-types.ts";

export function wantsOf(include: readonly ItemFamily[]): Wants {
  return {
    stations: include.includes("stations"),
    vehicles: include.includes("vehicles"),
    alerts: include.includes("alerts"),
  };
}

/** Reports whether the question has to wait for this system under its policy. */
export function needsRefresh(
  entry: SystemEntry,
  wants: Wants,
  policy: FreshnessPolicy,
  now_ms: number,
): boolean {
  const { shard } = entry;
  return shard === null || !everyNeeded(shard, wants, (part) => isYoung(part, policy, now_ms));
}

/**
 * Reports whether it holds of all parts a question needs; one the publisher does not offer is not
 * needed.
 */
export function everyNeeded(
  { status, vehicles, alerts }: Shard,
  wants: Wants,
  holds: (part: ShardPart<unknown>) => boolean,
): boolean {
  return (
    (!wants.stations || status === null || holds(status)) &&
    (!wants.vehicles || vehicles === null || holds(vehicles)) &&
    (!wants.alerts || alerts === null || holds(alerts))
  );
}

function isYoung(part: ShardPart<unknown>, policy: FreshnessPolicy, now_ms: number): boolean {
  if (policy === null) return isFresh(part, now_ms);
  if (part.live === null) return false;
  const age_ms = now_ms - part.live.validated_at_ms;
  return age_ms <= (policy === "revalidate" ? REVALIDATED_MS : part.live.ttl_s * 1000);
}

/** Systems that may be here and have no known place yet. */
export async function findUnsurveyed(
  deps: { world: World; countries: () => Promise<FindCountries> },
  { lat, lon }: { lat: number; lon: number },
): Promise<SystemEntry[]> {
  if (deps.world.isSurveyed()) return [];
  const countries = await deps.countries();
  return deps.world.unsurveyed(countries(lat, lon));
}

/** The wait of a question for a system: its result (null: not in time) and its duration. */
export type Wait = { result: RefreshResult | null; started_ms: number; elapsed_ms: number };

/**
 * Refreshes the given systems at once and waits until all are there or the time is up; the refreshes
 * continue for the next question.
 */
export async function waitFor(
  entries: readonly SystemEntry[],
  deps: { feeds: Feeds; clock: Clock },
  options: { begun_after_ms: number; until_ms: number },
): Promise<Map<SystemEntry, Wait>> {
  const started = deps.clock.now();
  const waits = new Map<SystemEntry, Wait>();
  const refreshes = entries.map(async (entry) => {
    const result = await deps.feeds.refresh(entry.source_id, options);
    const elapsed_ms = deps.clock.now() - started;
    if (!waits.has(entry)) waits.set(entry, { result, started_ms: 0, elapsed_ms });
  });
  const timer = startTimer(deps.clock, options.until_ms);
  await Promise.race([Promise.all(refreshes), timer.over]);
  timer.cancel();
  const elapsed_ms = deps.clock.now() - started;
  for (const entry of entries)
    if (!waits.has(entry)) waits.set(entry, { result: null, started_ms: 0, elapsed_ms });
  return waits;
}

function startTimer(clock: Clock, until_ms: number): { over: Promise<void>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { over: promise, cancel: clock.schedule(until_ms, resolve) };
}

/**
 * The outcome of a system, judged by the result of its refresh and by what is now held of it (R14:
 * failed and stale-only are both failures, though the old entry stays in use).
 */
export function consult(
  entry: SystemEntry,
  wants: Wants,
  options: { feeds: Feeds; now_ms: number; wait: Wait | undefined },
): Consulted {
  const { now_ms, wait } = options;
  const { source_id, shard } = entry;
  const name = nameOf(entry, options.feeds);
  // Young when the question came.
  if (!wait) {
    const { status, reason } = judgeRetained(shard, wants, now_ms);
    const cache = "hit";
    return { source_id, name, status, reason, shard, cache, started_ms: null, elapsed_ms: null };
  }
  const { result, started_ms, elapsed_ms } = wait;
  const cache = result?.status === "ok" ? result.cache : shard ? ("hit" as const) : null;
  const base = { source_id, name, shard, cache, started_ms, elapsed_ms };
  const stored = shard !== null && everyNeeded(shard, wants, (part) => isFresh(part, now_ms));
  // A part that grew old while others were awaited is no failure.
  if (stored && result?.status === "ok") return { ...base, ...judgeRetained(shard, wants, now_ms) };
  if (result && result.status !== "ok") return { ...base, ...result };
  const health = options.feeds.health(source_id);
  if (result === null || health.status === "ok")
    return { ...base, status: "timeout", reason: "deadline" };
  return { ...base, status: health.status, reason: health.reason };
}

function nameOf({ source_id, shard }: SystemEntry, feeds: Feeds): string {
  return shard?.statics.meta.network.name ?? feeds.health(source_id).name ?? source_id;
}

/** A source as coverage judges it: of one that failed, how old the data are that replace newer ones. */
export function toQueried(consulted: Consulted, wants: Wants, now_ms: number): QueriedSource {
  const { source_id, name, status, reason, shard } = consulted;
  const request = { source_id, name, status, reason };
  if (status === "ok" || judgeRetained(shard, wants, now_ms) === OUTDATED) return request;
  return { ...request, age_s: ageOf(shard, wants, now_ms) };
}

type Judged = Pick<Consulted, "status" | "reason">;

/** Vehicles of a document that its publisher has not renewed are left out, which is not "none". */
function judgeRetained(shard: Shard | null, wants: Wants, now_ms: number): Judged {
  const live = wants.vehicles && shard?.vehicles?.live;
  return live && areVehiclesGone(live, now_ms) ? OUTDATED : RETAINED;
}

const RETAINED = { status: "ok", reason: null } as const;
const OUTDATED = { status: "error", reason: "vehicle_status:outdated" } as const;

/** Age of the oldest needed live part, s; null: none is held. */
export function ageOf(shard: Shard | null, wants: Wants, now_ms: number): number | null {
  let oldest_ms = -1;
  const read = (part: ShardPart<unknown>): boolean => {
    if (part.live) oldest_ms = Math.max(oldest_ms, now_ms - part.live.validated_at_ms);
    return part.live !== null;
  };
  if (shard === null || !everyNeeded(shard, wants, read) || oldest_ms < 0) return null;
  return Math.round(oldest_ms / 1000);
}

/** Least time to live left among the parts of an answer, whole s, at most 30 (decisions, Conventions). */
export function liveFor_s(
  sources: readonly Pick<Consulted, "shard">[],
  wants: Wants,
  now_ms: number,
): number {
  let least: number = LIMITS.cache_max_age_s;
  const read = ({ live }: ShardPart<unknown>): boolean => {
    const age_s = live ? (now_ms - live.validated_at_ms) / 1000 : Number.POSITIVE_INFINITY;
    least = Math.min(least, Math.max(0, (live?.ttl_s ?? 0) - age_s));
    return true;
  };
  for (const { shard } of sources) if (shard) everyNeeded(shard, wants, read);
  return Math.floor(least);
}
