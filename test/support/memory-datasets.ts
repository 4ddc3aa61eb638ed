/** Datasets that last as long as the test; durable at once. */
import type { DatasetRow, Datasets, NewDataset } from "#ports.ts";

/** `failing`: as a store that cannot be reached. */
export function createMemoryDatasets(options: { failing?: boolean } = {}): Datasets {
  const { failing = false } = options;
  const kept = new Map<string, NewDataset>();
  /** Ends of longer lives, by id. */
  const longer = new Map<string, number>();
  const endOf = ({ id, expires_at_ms }: NewDataset): number => longer.get(id) ?? expires_at_ms;
  const countNow = (key: string, now_ms: number): number =>
    [...kept.values()].filter(
      (each) => [each.quota_key, each.block_quota?.key].includes(key) && endOf(each) > now_ms,
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
      const { key, max = null } = block_quota ?? {};
      if (max !== null && countNow(key!, created_at_ms) >= max) return "block_quota";
      if (bytesOf(owner) + sizeOf(dataset) > owner_bytes_max) return "owner_full";
      kept.set(id, { ...dataset, observation: observation.slice(), body: body.slice() });
      return "stored";
    },
    async read(id, part) {
      if (failing) return { status: "unavailable", reason: "unreadable" };
      const found = kept.get(id);
      return found
        ? {
            status: "ok",
            row: { ...toRow(found), expires_at_ms: endOf(found) },
            bytes: found[part].slice(),
          }
        : { status: "absent" };
    },
    async keepOn(id, { until_ms, now_ms, quota_max, block_max }) {
      const found = kept.get(id);
      if (failing || !found || endOf(found) <= now_ms) return false;
      if (endOf(found) >= until_ms) return true;
      const isFull = (keyOf: (each: NewDataset) => string | undefined, max: number | null) =>
        max !== null &&
        keyOf(found) !== undefined &&
        [...kept.values()].filter(
          (each) => keyOf(each) === keyOf(found) && (longer.get(each.id) ?? 0) > now_ms,
        ).length >= max;
      const isNew = !longer.has(id);
      if (isNew && isFull(({ quota_key }) => quota_key, quota_max)) return false;
      if (isNew && isFull(({ block_quota }) => block_quota?.key, block_max)) return false;
      longer.set(id, until_ms);
      return true;
    },
    async findRepeat(repeat_key, since_ms) {
      if (failing) return null;
      const found = [...kept.values()].findLast(
        (each) =>
          each.created_at_ms >= since_ms &&
          each.repeat_key !== undefined &&
          Buffer.compare(each.repeat_key, repeat_key) === 0,
      );
      return found ? { id: found.id, made_at_ms: found.created_at_ms } : null;
    },
    count: async (quota_key, now_ms) => (failing ? null : countNow(quota_key, now_ms)),
    async forget(now_ms) {
      if (failing) return "unavailable";
      for (const each of kept.values())
        if (endOf(each) <= now_ms) {
          kept.delete(each.id);
          longer.delete(each.id);
        }
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
