/**
 * Shared mobility around a point as data, for answers that combine several searches: what GET
 * /v1/nearby answers, with the age of each object. Nothing is stored.
 */
import { type Audit, auditOf, freshnessOf } from "#app/audit.ts";
import { type FailedSearch, findFailure } from "#app/capabilities/search-observation.ts";
import type { RenderNearby } from "#app/nearby-body.ts";
import { askNearbyFor, type OnBehalf } from "#app/nearby-for.ts";
import type { Nearby, NearbyQuestion } from "#app/answer-types.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { indexReturns, type Returns } from "#core/plan/returns.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { toRfc3339 } from "#kit/time.ts";
import { itemId } from "#world/found.ts";
import { copyOf } from "#world/render.ts";

/** `limit` is not bounded by what the plan allows in one answer of GET /v1/nearby: it is paid for. */
type SurroundingsQuestion = Pick<
  NearbyQuestion,
  "lat" | "lon" | "radius" | "modes" | "include" | "limit"
> &
  Partial<Pick<NearbyQuestion, "form_factors">>;

/** What is known of the age of one object. */
export type Age = {
  freshness: "fresh" | "stale" | "unknown";
  /** Ids of the sources that observe it. */
  sources: readonly string[];
};

export type Surroundings = {
  body: NearbyBodyValue;
  freshness: Audit["freshness"];
  /** By the id of a station, the source id of a vehicle. */
  ages: ReadonlyMap<string, Age>;
  /** When the live data of a source were published, or else received; RFC 3339, null: unknown. */
  observed_at: ReadonlyMap<string, string | null>;
  /** When the live data of a source are read again; RFC 3339, null: unknown. */
  valid_until: ReadonlyMap<string, string | null>;
  /** Names of networks by their ids. */
  networks: ReadonlyMap<string, string>;
  returns: Returns;
};

/** `objects` is what GET /v1/nearby charges for; it is 0 where the search failed. */
export type LookAround = (
  question: SurroundingsQuestion,
  who: OnBehalf,
) => Promise<
  | { kind: "found"; surroundings: Surroundings; objects: number }
  | { kind: "failed"; failures: readonly FailedSearch[]; objects: 0 }
>;

/**
 * `pause`: resolves at the next turn of the event loop, so that several searches at once, and the
 * halves of each, leave room for other requests; absent: they follow each other without a turn.
 */
export function createLookAround(deps: {
  nearby: Nearby;
  renderNearby: RenderNearby;
  pause?: () => Promise<void>;
}): LookAround {
  return async (question, who) => {
    const result = await askNearbyFor(deps.nearby, question, who);
    const audit = auditOf(result);
    const failures = findFailure(audit, result.objects);
    if (failures) return { kind: "failed", failures, objects: 0 };
    await deps.pause?.();
    const bytes = copyOf((use) => deps.renderNearby(result, use));
    await deps.pause?.();
    const body = parseJsonBytes(bytes);
    const ages = result.found.items.map((item): [string, Age] => {
      const id = itemId(item);
      return [id, { freshness: freshnessOf(item, result), sources: audit.observed.get(id) ?? [] }];
    });
    return {
      kind: "found",
      objects: result.objects,
      surroundings: {
        body: body as NearbyBodyValue,
        freshness: audit.freshness,
        ages: new Map(ages),
        observed_at: new Map(audit.sources.map((source) => [source.source_id, timeOf(source)])),
        valid_until: new Map(audit.sources.map((source) => [source.source_id, endOf(source)])),
        networks: new Map(
          audit.sources.flatMap(({ name, network_ids }) => network_ids.map((id) => [id, name])),
        ),
        returns: indexReturns(
          result.sources.flatMap(({ shard }) => (shard ? [shard.statics.meta] : [])),
        ),
      },
    };
  };
}

function timeOf({ feed_updated_at_s, fetched_at_ms }: Audit["sources"][number]): string | null {
  if (feed_updated_at_s !== null) return toRfc3339(feed_updated_at_s);
  return fetched_at_ms === null ? null : toRfc3339(fetched_at_ms / 1000);
}

function endOf({
  feed_updated_at_s,
  fetched_at_ms,
  ttl_s,
}: Audit["sources"][number]): string | null {
  const from_s = feed_updated_at_s ?? (fetched_at_ms === null ? null : fetched_at_ms / 1000);
  return from_s === null || ttl_s === null ? null : toRfc3339(from_s + ttl_s);
}
