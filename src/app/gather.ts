/**
 * Gathering: which systems can say something about a circle, whether what we hold of them is young
 * enough, and the wait for those where it is not (decisions, Global nearby).
 */
import type { Asked } from "#core/coverage.ts";
import { isFresh, type Part, type Shard } from "#core/shard/shard.ts";
import type { Clock, Feeds, RefreshResult } from "#ports.ts";
import { areVehiclesGone } from "#world/hits.ts";
import type { SystemEntry } from "#world/world.ts";
import type { Family, FreshnessPolicy } from "#app/types.ts";

/** How one system was consulted, for coverage and for `debug`. */
export type Consulted = Asked & {
  cache: "hit" | "miss" | "revalidated" | null;
  started_ms: number | null;
  elapsed_ms: number | null;
  /** Age of the oldest needed live part, s; null: none is held. */
  age_s: number | null;
};

/** The families that decide which live files a question needs. */
export type Wants = { stations: boolean; vehicles: boolean; alerts: boolean };

export function wantsOf(include: readonly Family[]): Wants {
  return {
    stations: include.includes("stations"),
    vehicles: include.includes("vehicles"),
    alerts: include.includes("alerts"),
  };
}

/** Validated this recently counts as asked after the request arrived (§4.8 `revalidate`). */
const REVALIDATED_MS = 5000;

/** Must the question wait for this system under its policy? */
export function needsRefresh(
  entry: SystemEntry,
  wants: Wants,
  policy: FreshnessPolicy,
  now_ms: number,
): boolean {
  if (!entry.shard) return true;
  return neededParts(entry.shard, wants).some((part) => !isYoung(part, policy, now_ms));
}

/** The parts a question needs of a shard; one the publisher does not offer is not needed. */
export function neededParts(shard: Shard, wants: Wants): Part<unknown>[] {
  const parts: Part<unknown>[] = [];
  if (wants.stations && shard.status) parts.push(shard.status);
  if (wants.vehicles && shard.vehicles) parts.push(shard.vehicles);
  if (wants.alerts && shard.alerts) parts.push(shard.alerts);
  return parts;
}

function isYoung(part: Part<unknown>, policy: FreshnessPolicy, now_ms: number): boolean {
  if (policy === null) return isFresh(part, now_ms);
  if (part.live === null) return false;
  const age_ms = now_ms - part.live.validated_at_ms;
  return age_ms <= (policy === "revalidate" ? REVALIDATED_MS : part.live.ttl_s * 1000);
}

/** How long a question waited for a system, and what came of it; result null: not in time. */
export type Wait = { result: RefreshResult | null; started_ms: number; elapsed_ms: number };

/**
 * Refreshes the given systems at once and waits until all have come or the time is up; the flights
 * go on without us, for the next question.
 */
export async function waitFor(
  entries: readonly SystemEntry[],
  deps: { feeds: Feeds; clock: Clock },
  options: { begun_after_ms: number; until_ms: number },
): Promise<Map<SystemEntry, Wait>> {
  const started = deps.clock.now();
  const waits = new Map<SystemEntry, Wait>();
  const flights = entries.map(async (entry) => {
    const result = await deps.feeds.refresh(entry.source_id, options);
    const elapsed_ms = deps.clock.now() - started;
    if (!waits.has(entry)) waits.set(entry, { result, started_ms: 0, elapsed_ms });
  });
  const timer = startTimer(deps.clock, options.until_ms);
  await Promise.race([Promise.all(flights), timer.over]);
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
 * What a system answered, judged by what came of asking it and by what is now held of it (R14:
 * failed and stale-only are both failures, though the old entry stays in use).
 */
export function consult(
  entry: SystemEntry,
  wants: Wants,
  options: { feeds: Feeds; now_ms: number; wait: Wait | undefined },
): Consulted {
  const { now_ms, wait } = options;
  const refresh = wait?.result ?? null;
  const parts = entry.shard ? neededParts(entry.shard, wants) : [];
  const held = entry.shard !== null && parts.every((part) => isFresh(part, now_ms));
  const base = {
    source_id: entry.source_id,
    cache: refresh?.status === "ok" ? refresh.cache : entry.shard ? ("hit" as const) : null,
    started_ms: wait?.started_ms ?? null,
    elapsed_ms: wait?.elapsed_ms ?? null,
    age_s: ageOf(parts, now_ms),
  };
  // Young when the question came; what grew old while others were awaited is not its fault.
  if (!wait || (held && refresh?.status === "ok")) {
    const gone = wants.vehicles && entry.shard?.vehicles?.live;
    // The publisher's own document has stood still: its vehicles are left out, which is not none.
    if (gone && areVehiclesGone(gone, now_ms)) return { ...base, ...OUTDATED };
    return { ...base, status: "ok", reason: null };
  }
  if (refresh && refresh.status !== "ok") return { ...base, ...refresh };
  const health = options.feeds.health(entry.source_id);
  if (refresh === null || health.status === "ok")
    return { ...base, status: "timeout", reason: "deadline" };
  return { ...base, status: health.status, reason: health.reason };
}

const OUTDATED = { status: "error", reason: "vehicle_status:outdated" } as const;

function ageOf(parts: readonly Part<unknown>[], now_ms: number): number | null {
  let oldest = -1;
  for (const { live } of parts) {
    if (live === null) return null;
    oldest = Math.max(oldest, now_ms - live.validated_at_ms);
  }
  return oldest < 0 ? null : Math.round(oldest / 1000);
}
