/**
 * The provenance of an answer of /v1/nearby that is kept (§4.8): which sources said what and when, how
 * fresh the listed entities are, and by whose terms they are kept.
 */
import { type Coverage, isPartial } from "#core/coverage.ts";
import { CLASS, DATA_CLASS_SHIFT, UNKNOWN_BIT } from "#stations/shard/bits.ts";
import type { SourceStatus } from "#kit/outcome.ts";
import type { LiveState, ShardPart, Shard } from "#stations/shard/shard.ts";
import type { ServiceItem } from "#core/places/place-results.ts";
import { REVALIDATED_MS } from "#kit/time.ts";
import { everyNeeded } from "#app/gather.ts";
import type { NearbyResult, Wants } from "#app/answer-types.ts";
import { type FoundItem, itemId } from "#world/found.ts";
import { isVehicle } from "#world/nearby-hits.ts";
import type { Sighting } from "#world/vehicles/sightings.ts";

type Freshness = {
  fresh: number;
  stale: number;
  unknown: number;
  realtime_reliable: boolean;
};

/** One source that was asked, or of which something is listed. */
export type AuditedSource = {
  source_id: string;
  /** As people know it. */
  name: string;
  network_ids: string[];
  status: SourceStatus;
  reason: string | null;
  /** Of the oldest live part that was needed, epoch ms, epoch s and s; null: unknown. */
  fetched_at_ms: number | null;
  feed_updated_at_s: number | null;
  ttl_s: number | null;
  /** Listed entities that it observes. */
  entity_count: number;
};

export type Audit = {
  applied: { radius: number; limit: number };
  coverage: Coverage;
  /** Sources that may be here and could not be asked, since their place is not known yet. */
  unsurveyed: number;
  /** Places or lines were looked up in what is held. */
  stored: boolean;
  freshness: Freshness;
  sources: AuditedSource[];
  /** Ids of the listed stations and vehicles, by the sources that observe each. */
  observed: ReadonlyMap<string, readonly string[]>;
  /** When the answer was put together, epoch ms. */
  now_ms: number;
};

export function auditOf(result: NearbyResult): Audit {
  const { applied, sources, found, coverage, now_ms } = result;
  const observed = new Map<string, readonly string[]>();
  const counts = new Map<string, number>();
  const count = (source_id: string): void => {
    counts.set(source_id, (counts.get(source_id) ?? 0) + 1);
  };
  const freshness = { fresh: found.places.length, stale: 0, unknown: 0 };
  for (const item of found.items) {
    const observers = observersOf(item);
    observed.set(itemId(item), observers);
    new Set(observers).forEach(count);
    freshness[freshnessOf(item, result)]++;
  }
  for (const { source_id } of found.places) count(source_id);
  const requests = sources.map(({ source_id, name, status, reason, shard }) => ({
    source_id,
    name,
    status,
    reason,
    network_ids: networksOf(shard),
    ...timesOf(shard, result.wants),
    entity_count: counts.get(source_id) ?? 0,
  }));
  const isReliable = !isPartial(coverage) && freshness.stale + freshness.unknown === 0;
  return {
    applied: { radius: applied.radius, limit: applied.limit },
    coverage,
    observed,
    now_ms,
    stored: result.stored,
    unsurveyed: result.unsurveyed.length,
    freshness: { ...freshness, realtime_reliable: isReliable },
    sources: [...requests, ...placeSources(found.places, counts)],
  };
}

/** Sources of the listed places: those are held, so no source was asked and none failed. */
function placeSources(
  places: readonly ServiceItem[],
  counts: ReadonlyMap<string, number>,
): AuditedSource[] {
  return [...new Set(places.map(({ source_id }) => source_id))].map((source_id) => ({
    source_id,
    name: source_id,
    network_ids: [],
    status: "ok",
    reason: null,
    fetched_at_ms: null,
    feed_updated_at_s: null,
    ttl_s: null,
    entity_count: counts.get(source_id)!,
  }));
}

/** Lists the sources that observe a station or vehicle. */
export function observersOf({ shard, merged, sightings }: FoundItem): readonly string[] {
  if (!merged) return [shard, ...sightings].map(sourceIdOf);
  return merged.view.caseAt(merged.place).members.map(({ entry }) => entry.source_id);
}

function sourceIdOf(of: Shard | Sighting): string {
  return "shard" in of ? of.shard.source_id : of.source_id;
}

/**
 * Fresh while what we fetched is valid and its publisher keeps pace; stale beyond; unknown where no
 * source reports, or the time of the report is not known.
 */
export function freshnessOf(item: FoundItem, result: NearbyResult): "fresh" | "stale" | "unknown" {
  const data_class = (item.state >>> DATA_CLASS_SHIFT) & 3;
  const live = liveOf(item);
  if (!live || item.state & UNKNOWN_BIT || data_class === CLASS.static) return "unknown";
  return isValid(live, result) && data_class === CLASS.realtime ? "fresh" : "stale";
}

/**
 * Within its time to live, or just fetched. Under `revalidate` an entity that could not be validated
 * since the request is stale, however young it is (decisions, Capabilities).
 */
function isValid({ validated_at_ms, ttl_s }: LiveState, { input, now_ms }: NearbyResult): boolean {
  if (input.freshness_policy === "revalidate")
    return validated_at_ms >= input.now_ms - REVALIDATED_MS;
  return now_ms - validated_at_ms <= Math.max(ttl_s * 1000, REVALIDATED_MS);
}

function liveOf({ shard, state, merged }: FoundItem): LiveState | null {
  if (isVehicle(state)) return shard.vehicles?.live ?? null;
  const reporting = merged ? merged.view.liveShardOf(merged.place) : shard;
  return reporting?.status?.live ?? null;
}

function networksOf(shard: Shard | null): string[] {
  return shard ? [shard.statics.meta.network.id] : [];
}

type Times = Pick<AuditedSource, "fetched_at_ms" | "feed_updated_at_s" | "ttl_s">;

function timesOf(shard: Shard | null, wants: Wants): Times {
  let oldest: LiveState | null = null;
  const read = ({ live }: ShardPart<unknown>): boolean => {
    if (live && (!oldest || live.validated_at_ms < oldest.validated_at_ms)) oldest = live;
    return true;
  };
  if (shard) everyNeeded(shard, wants, read);
  const match = oldest as LiveState | null;
  return {
    fetched_at_ms: match?.validated_at_ms ?? null,
    feed_updated_at_s: match?.doc_s ?? null,
    ttl_s: match?.ttl_s ?? null,
  };
}
