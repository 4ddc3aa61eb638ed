/**
 * What stands behind an answer of /v1/nearby, for who keeps it (§4.8): which sources said what and
 * when, how fresh the listed entities are, and whose terms forbid to keep them.
 */
import type { Coverage } from "#core/coverage.ts";
import { CLASS, DATA_CLASS_SHIFT, UNKNOWN_BIT } from "#core/nearby/bits.ts";
import type { SourceStatus } from "#core/outcome.ts";
import type { LiveState, Part } from "#core/shard/shard.ts";
import type { ServiceItem } from "#core/places/results.ts";
import { everyNeeded, type Wants } from "#app/gather.ts";
import { REVALIDATED_MS } from "#core/time.ts";
import type { Gathered } from "#app/nearby.ts";
import { caseOf, type Hits, hitId, isVehicle } from "#world/hits.ts";
import type { Page } from "#world/render.ts";
import type { SystemEntry } from "#world/world.ts";

type Freshness = {
  fresh: number;
  stale: number;
  unknown: number;
  realtime_reliable: boolean;
};

/** One source that was asked, or of which something is listed. */
export type AuditedSource = {
  source_id: string;
  network_ids: string[];
  status: SourceStatus;
  reason: string | null;
  /** Of the oldest live part that was needed, epoch ms and s; null: unknown. */
  fetched_at_ms: number | null;
  feed_updated_at_s: number | null;
  ttl_s: number | null;
  /** Listed entities that it observes. */
  entity_count: number;
};

export type Audit = {
  applied: { radius: number; limit: number };
  coverage: Coverage;
  /** Sources of the area whose place is not known yet: nobody could ask them. */
  unsurveyed: number;
  /** Something was looked for in what is held. */
  held: boolean;
  freshness: Freshness;
  sources: AuditedSource[];
  /** Ids of the listed stations and vehicles, by the sources that observe each. */
  observed: ReadonlyMap<string, readonly string[]>;
  /** When the answer was put together, epoch ms. */
  now_ms: number;
};

type Made = { coverage: Coverage; hits: Hits; page: Page; places: readonly ServiceItem[] };

export function auditOf(gathered: Gathered, made: Made): Audit {
  const { applied, consulted, systems, wants, now_ms } = gathered;
  const { coverage, hits, page, places } = made;
  const observed = new Map<string, readonly string[]>();
  const counts = new Map<string, number>();
  const count = (source_id: string): void =>
    void counts.set(source_id, (counts.get(source_id) ?? 0) + 1);
  const freshness = { fresh: places.length, stale: 0, unknown: 0 };
  for (let position = page.from; position < page.to; position++) {
    const hit = hits.order[position]!;
    const by = observersOf(hits, hit).map(({ source_id }) => source_id);
    observed.set(hitId(hits, hit), by);
    new Set(by).forEach(count);
    freshness[freshnessOf(hits, hit, gathered)]++;
  }
  for (const { source_id } of places) count(source_id);
  const asked = consulted.map(({ source_id, status, reason }, i) => ({
    ...{ source_id, status, reason, network_ids: networksOf(systems[i]!) },
    ...timesOf(systems[i]!, wants),
    entity_count: counts.get(source_id) ?? 0,
  }));
  const isReliable = coverage.status !== "partial" && freshness.stale + freshness.unknown === 0;
  return {
    applied: { radius: applied.radius, limit: applied.limit },
    ...{ coverage, observed, now_ms, held: gathered.held, unsurveyed: gathered.unsurveyed.length },
    freshness: { ...freshness, realtime_reliable: isReliable },
    sources: [...asked, ...placeSources(places, counts)],
  };
}

/** Places were found in what is held: nobody was asked, and nothing failed. */
function placeSources(
  places: readonly ServiceItem[],
  counts: ReadonlyMap<string, number>,
): AuditedSource[] {
  return [...new Set(places.map(({ source_id }) => source_id))].map((source_id) => ({
    ...{ source_id, network_ids: [], status: "ok", reason: null },
    ...{ fetched_at_ms: null, feed_updated_at_s: null, ttl_s: null },
    entity_count: counts.get(source_id)!,
  }));
}

function observersOf(hits: Hits, hit: number): readonly SystemEntry[] {
  const known = caseOf(hits, hit);
  return known ? known.of.members.map(({ entry }) => entry) : [hits.systems[hits.system[hit]!]!];
}

/**
 * Fresh while what we fetched is valid and its publisher keeps pace; stale beyond; unknown where
 * nobody reports, or nobody knows of when it is.
 */
function freshnessOf(hits: Hits, hit: number, gathered: Gathered): "fresh" | "stale" | "unknown" {
  const state = hits.state[hit]!;
  const data_class = (state >>> DATA_CLASS_SHIFT) & 3;
  const live = liveOf(hits, hit);
  if (!live || state & UNKNOWN_BIT || data_class === CLASS.static) return "unknown";
  return isValid(live, gathered) && data_class === CLASS.realtime ? "fresh" : "stale";
}

/**
 * Within its time to live, or just asked for. Who wants it validated gets what could not be
 * validated since he asked as a stale entry, however young it is (decisions, Capabilities).
 */
function isValid({ validated_at_ms, ttl_s }: LiveState, { input, now_ms }: Gathered): boolean {
  if (input.freshness_policy === "revalidate")
    return validated_at_ms >= input.now_ms - REVALIDATED_MS;
  return now_ms - validated_at_ms <= Math.max(ttl_s * 1000, REVALIDATED_MS);
}

function liveOf(hits: Hits, hit: number): LiveState | null {
  const entry = hits.systems[hits.system[hit]!]!;
  if (isVehicle(hits.state[hit]!)) return entry.shard?.vehicles?.live ?? null;
  const known = caseOf(hits, hit);
  const told = known ? known.of.members[known.live]?.entry : entry;
  return told?.shard?.status?.live ?? null;
}

function networksOf({ shard }: SystemEntry): string[] {
  return shard ? [shard.statics.meta.network.id] : [];
}

type Times = Pick<AuditedSource, "fetched_at_ms" | "feed_updated_at_s" | "ttl_s">;

function timesOf({ shard }: SystemEntry, wants: Wants): Times {
  let oldest: LiveState | null = null;
  const read = ({ live }: Part<unknown>): boolean => {
    if (live && (!oldest || live.validated_at_ms < oldest.validated_at_ms)) oldest = live;
    return true;
  };
  if (shard) everyNeeded(shard, wants, read);
  const found = oldest as LiveState | null;
  return {
    fetched_at_ms: found?.validated_at_ms ?? null,
    feed_updated_at_s: found?.doc_s ?? null,
    ttl_s: found?.ttl_s ?? null,
  };
}
