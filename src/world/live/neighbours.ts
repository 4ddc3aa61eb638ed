/** Systems whose rows of the live map hang together: one shows what another one has. */
import type { Cases } from "#world/identity/cases.ts";
import type { SystemEntry } from "#world/system-entry.ts";

/** Ids of the systems that each system of a group shares stations with, by its place; made once. */
const shared = new WeakMap<Cases, ReadonlyMap<string, ReadonlySet<string>>>();

/**
 * Returns the ids of the other systems whose rows may change when live data of this one are published:
 * those that observe a station or a vehicle of it. Where stations are resolved anew, those of systems
 * without a common one may change as well: each such system has another `roles` then.
 */
export function neighboursOf({ source_id, roles, vehicle_links }: SystemEntry): Set<string> {
  const ids = new Set((vehicle_links ?? []).map(({ other }) => other.source_id));
  for (const id of roles ? (sharedBy(roles.cases).get(source_id) ?? []) : []) ids.add(id);
  return ids;
}

function sharedBy(cases: Cases): ReadonlyMap<string, ReadonlySet<string>> {
  let by_system = shared.get(cases);
  if (!by_system) shared.set(cases, (by_system = findShared(cases)));
  return by_system;
}

function findShared({ parts, roles }: Cases): ReadonlyMap<string, ReadonlySet<string>> {
  const { count, refs, refs_at } = roles;
  const of = parts.map(() => new Set<string>());
  for (let place = 0; place < count; place++)
    for (let a = refs_at[place]!; a < refs_at[place + 1]!; a++)
      for (let b = refs_at[place]!; b < refs_at[place + 1]!; b++)
        if (refs[2 * a] !== refs[2 * b])
          of[refs[2 * a]!]!.add(parts[refs[2 * b]!]!.entry.source_id);
  return new Map(parts.map(({ entry }, i) => [entry.source_id, of[i]!]));
}
