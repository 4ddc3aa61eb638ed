/** Counts of a station of several observations: the member that is shown, and those that differ. */
import { NO_STATUS_BIT } from "#core/nearby/bits.ts";
import type { Shard } from "#core/shard/shard.ts";
import { UNKNOWN_COUNT } from "#core/shard/status.ts";
import type { FoundCase } from "#world/found.ts";
import type { Member, StationCase } from "./cases.ts";

/** Age from which on a document counts as unknown, s (R7). */
export const DOCUMENT_OLD_S = 3600;
/** Puts the report of an old document behind those of all young ones. */
const BEHIND_S = 1e10;

/** The member with the freshest counts (mobility.md 2.2): young documents first, then the report. */
export function findLive({ members }: StationCase, now_s: number): number {
  let best = -1;
  let best_s = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < members.length; i++) {
    const { entry, row } = members[i]!;
    const part = entry.shard!.status;
    const data = part?.data;
    if (!data || !part.live || data.state[row]! & NO_STATUS_BIT) continue;
    const { doc_s } = part.live;
    const reported_s = data.last_reported[row]!;
    const report_s = reported_s === 0 ? doc_s : reported_s;
    const at_s = now_s - doc_s > DOCUMENT_OLD_S ? report_s - BEHIND_S : report_s;
    if (at_s > best_s) {
      best_s = at_s;
      best = i;
    }
  }
  return best;
}

/**
 * Reports whether another member has other counts than the one that is shown. Asked of every merged
 * item.
 */
export function hasCountConflict({ of: { members }, live, shards }: FoundCase): boolean {
  if (live === -1) return false;
  const shown = countsOf(members[live]!, shards[live]!);
  for (let i = 0; i < members.length; i++)
    if (i !== live && differ(shown, countsOf(members[i]!, shards[i]!))) return true;
  return false;
}

/** Rentable vehicles and free docks; at or below UNKNOWN: no number. null: no status is held. */
type Counts = { vehicles: number; docks: number } | null;

function countsOf({ row }: Member, { status }: Shard): Counts {
  const data = status?.data;
  return data ? { vehicles: data.vehicles[row]!, docks: data.docks[row]! } : null;
}

function differ(a: Counts, b: Counts): boolean {
  return a !== null && b !== null && (isOther(a.vehicles, b.vehicles) || isOther(a.docks, b.docks));
}

/** Unknown, and without a limit, are no numbers to differ from. */
function isOther(a: number, b: number): boolean {
  return a > UNKNOWN_COUNT && b > UNKNOWN_COUNT && a !== b;
}

/** The conflict of the counts, as an item of `conflicts`. */
export function countConflict({ of: { members, text }, live, shards }: FoundCase): string {
  const counts = members.map((member, i) => countsOf(member, shards[i]!));
  const shown = counts[live]!;
  const { source_ids } = text();
  const others = counts.flatMap((each, i) =>
    i !== live && each && differ(shown, each)
      ? [`{"source_id":${source_ids[i]},"value":${countsJson(each)}}`]
      : [],
  );
  return (
    `{"field":"availability","source_id":${source_ids[live]},"value":${countsJson(shown)},` +
    `"others":[${others.join(",")}]}`
  );
}

function countsJson({ vehicles, docks }: NonNullable<Counts>): string {
  return `{"vehicles":${toNumber(vehicles)},"docks":${toNumber(docks)}}`;
}

function toNumber(count: number): number | null {
  return count > UNKNOWN_COUNT ? count : null;
}
