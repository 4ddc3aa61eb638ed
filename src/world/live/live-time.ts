/** Whether time alone makes other rows of a system, so that nothing is read again that cannot have changed. */
import { DOCUMENT_OLD_S } from "#world/identity/live-groups.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { VEHICLE_GONE_S, VEHICLE_UNKNOWN_S } from "#world/vehicles/sightings.ts";

/** Ages of a document at which what is said of stations or vehicles is another (R6, R7). */
const AGES_S = [VEHICLE_UNKNOWN_S, DOCUMENT_OLD_S, VEHICLE_GONE_S] as const;

/**
 * Reports whether rows may be others at one moment (epoch ms) than they were at an earlier one, though
 * nothing was published. A station that falls silent (R7, after a day) is not looked for: what watches
 * systems reads them again from time to time.
 */
export function mayChangeByTime(
  { shard, closures, hours, roles, vehicle_links }: SystemEntry,
  from_ms: number,
  to_ms: number,
): boolean {
  if (shard === null) return false;
  // Hours and closures have moments of their own, and other systems' ages decide what is merged.
  if (closures !== null || hours !== null || roles !== null || vehicle_links !== null) return true;
  if (shard.vehicles?.data?.meta.has_expiry === true) return true;
  return [shard.status, shard.vehicles].some((part) => {
    const live = part?.live ?? null;
    if (live === null) return false;
    const [from_s, to_s] = [from_ms / 1000 - live.doc_s, to_ms / 1000 - live.doc_s];
    return AGES_S.some((age_s) => from_s <= age_s && to_s > age_s);
  });
}
