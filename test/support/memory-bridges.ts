/** Bridges that last as long as the test. */
import { type GroupResolver, resolveGroup } from "#stations/identity/group.ts";
import type { Bridges } from "#ports.ts";
import { stationCodec } from "#storage/stations.ts";

/** Resolves identity where it is called, at once: what the service leaves to a thread. */
export const resolveHere: GroupResolver = (job) => resolveGroup(job, stationCodec);

export function createMemoryBridges(): Bridges {
  const met = new Map<string, number>();
  const ids = new Map<string, Map<string, string>>();
  const seen = new Map<string, Uint8Array>();
  return {
    prepare: () => Promise.resolve(),
    meet(source_ids, now_ms) {
      for (const id of source_ids) if (!met.has(id)) met.set(id, now_ms);
      return new Map(source_ids.map((id) => [id, met.get(id)!]));
    },
    listIds: (source_id) => new Map(ids.get(source_id)),
    recall: (source_id) => seen.get(source_id) ?? null,
    save(source_id, change) {
      const own = ids.get(source_id) ?? new Map<string, string>();
      ids.set(source_id, own);
      for (const [station_id, svc_id] of change.ids)
        if (svc_id === null) own.delete(station_id);
        else own.set(station_id, svc_id);
      if (change.seen) seen.set(source_id, change.seen);
    },
  };
}
