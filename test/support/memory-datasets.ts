/** Datasets that last as long as the test; durable at once. */
import type { DatasetRow, Datasets, NewDataset } from "#ports.ts";

/** `failing`: as a store that cannot be reached. */
export function createMemoryDatasets(options: { failing?: boolean } = {}): Datasets {
  const { failing = false } = options;
  const kept = new Map<string, NewDataset>();
  const countNow = (key: string, now_ms: number): number =>
    [...kept.values()].filter(
      ({ quota_key, block_quota, expires_at_ms }) =>
        [quota_key, block_quota?.key].includes(key) && expires_at_ms > now_ms,
    ).length;
  const bytesOf = (wanted: string): number =>
    [...kept.values()]
      .filter(({ owner }) => owner === wanted)
      .reduce((sum, dataset) => sum + sizeOf(dataset), 0);
  return {
    secret: Uint8Array.from({ length: 32 }, (_, i) => i),
    async put(dataset) {
      const { id, quota_key, quota_max, created_at_ms, observation, body } = dataset;
      const { block_quota, owner, owner_bytes_max = Infinity } = dataset;
      if (failing) return "unavailable";
      if (kept.has(id)) return "taken";
      if (quota_max !== null && countNow(quota_key, created_at_ms) >= quota_max) return "quota";
      if (block_quota && countNow(block_quota.key, created_at_ms) >= block_quota.max)
        return "block_quota";
      if (bytesOf(owner) + sizeOf(dataset) > owner_bytes_max) return "owner_full";
      kept.set(id, { ...dataset, observation: observation.slice(), body: body.slice() });
      return "stored";
    },
    async read(id, part) {
      if (failing) return { status: "unavailable", reason: "unreadable" };
      const found = kept.get(id);
      return found
        ? { status: "ok", row: toRow(found), bytes: found[part].slice() }
        : { status: "absent" };
    },
    count: async (quota_key, now_ms) => (failing ? null : countNow(quota_key, now_ms)),
    async forget(now_ms) {
      if (failing) return "unavailable";
      for (const { id, expires_at_ms } of kept.values())
        if (expires_at_ms <= now_ms) kept.delete(id);
      return "done";
    },
    close: () => Promise.resolve(),
  };
}

function sizeOf({ observation, body }: NewDataset): number {
  return observation.length + body.length;
}

function toRow({ id, owner, version, created_at_ms, expires_at_ms }: NewDataset): DatasetRow {
  return { id, owner, version, created_at_ms, expires_at_ms };
}
