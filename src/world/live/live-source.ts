/** What the live map says of a system itself: whose it is, and how old what it shows is. */
import type { LiveSourceValue } from "#api/live.ts";
import { toRfc3339 } from "#kit/time.ts";
import { isFresh, type Shard, type ShardPart } from "#stations/shard/shard.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { areVehiclesGone } from "#world/vehicles/sightings.ts";

/** Reports whether the vehicles of a system are too old to be shown. */
export function areLost({ vehicles }: Shard, now_ms: number): boolean {
  return vehicles?.live != null && areVehiclesGone(vehicles.live, now_ms);
}

export function sourceOf({ source_id, shard }: SystemEntry, now_ms: number): LiveSourceValue {
  if (shard === null)
    return { source_id, network: null, color: null, state: "waiting", as_of: null };
  const { network, system } = shard.statics.meta;
  const { id, name } = network;
  return {
    source_id,
    network: { id, name },
    color: system?.color ?? null,
    state: stateOf(shard, now_ms),
    as_of: asOf(shard),
  };
}

/** The parts that a map shows something of, which the publisher offers. */
function partsOf({ status, vehicles }: Shard): ShardPart<unknown>[] {
  return [status, vehicles].filter((part) => part !== null);
}

function stateOf(shard: Shard, now_ms: number): LiveSourceValue["state"] {
  const parts = partsOf(shard);
  if (areLost(shard, now_ms)) return "lost";
  if (parts.some(({ live }) => live === null)) return "waiting";
  return parts.every((part) => isFresh(part, now_ms)) ? "fresh" : "old";
}

/** null: one of them has not been read, or there is none. */
function asOf(shard: Shard): string | null {
  const times = partsOf(shard).map(({ live }) => live?.doc_s ?? null);
  if (times.length === 0 || times.includes(null)) return null;
  return toRfc3339(Math.min(...times.filter((doc_s) => doc_s !== null)));
}
