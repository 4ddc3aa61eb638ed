/**
 * One system's immutable snapshot: what `world/` holds and swaps by pointer. Its parts are flat
 * packs (packages/stations/shard/{statics,status,vehicles}); replacing one makes a new shard around the others.
 */
import type { Box } from "#kit/geo.ts";
import { unionBox } from "#kit/geo.ts";
import type { Alerts } from "./shard-alerts.ts";
import type { Statics } from "./shard-statics.ts";
import type { StatusPack } from "./shard-status.ts";
import type { Vehicles } from "./shard-vehicles.ts";
import type { Zones } from "./shard-zones.ts";

/** Time at which a live file was last good, and how long the publisher says it lasts. */
export type LiveState = {
  /** Our fetch or validation (304) of it, epoch ms. */
  validated_at_ms: number;
  /** Publisher's time of the document where usable, else ours of the fetch, epoch s (R6). */
  doc_s: number;
  ttl_s: number;
};

/** A part the publisher offers: its data and age; data null while it was never read. */
export type ShardPart<T> = { data: T | null; live: LiveState | null };

export type Shard = {
  source_id: string;
  /** Union of the boxes of stations and vehicles. */
  box: Box | null;
  statics: Statics;
  /** null: the publisher offers no such file. */
  status: ShardPart<StatusPack> | null;
  vehicles: ShardPart<Vehicles> | null;
  alerts: ShardPart<Alerts> | null;
  /** null: none is published, or none was read. */
  zones: Zones | null;
};

export function shardBox(statics: Statics, vehicles: Vehicles | null): Box | null {
  return unionBox(statics.meta.box, vehicles?.meta.box ?? null);
}

/**
 * Oldest age of the named live parts, ms; null when one was never read. An age past
 * max(2 × ttl, 120 s) makes a question wait (decisions, Global nearby).
 */
export function isFresh(part: ShardPart<unknown> | null, now_ms: number): boolean {
  if (part === null) return true;
  if (part.live === null) return false;
  return now_ms - part.live.validated_at_ms <= Math.max(2 * part.live.ttl_s, 120) * 1000;
}
