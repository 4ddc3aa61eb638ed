/** Systems whose rows of the live map hang together: one shows what another one has. */
import type { SystemEntry } from "#world/system-entry.ts";

/**
 * Returns the ids of the other systems whose rows may change when live data of this one are published:
 * those that observe a station or a vehicle of it. Where stations are resolved again, those of systems
 * without a common one may change as well: each such system has another `roles` then.
 */
export function neighboursOf({ source_id, roles, vehicle_links }: SystemEntry): Set<string> {
  const ids = new Set((vehicle_links ?? []).map(({ other }) => other.source_id));
  for (const id of roles?.cases.listSharing(source_id) ?? []) ids.add(id);
  return ids;
}
