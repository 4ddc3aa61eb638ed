/** Datasets that last as long as the test; durable at once. */
import type { DatasetRow, Datasets, NewDataset } from "#ports.ts";

/** `failing`: as a store that cannot be reached. */
export function createMemoryDatasets(options: { failing?: boolean } = {}): Datasets {
  const { failing = false } = options;
  const remaining = new Map<string, NewDataset>();
  /** Ends of longer lives, by id. */
  const longer = new Map<string, number>();
  const endOf = ({ id, expires_at_ms }: NewDataset): number => longer.get(id) ?? expires_at_ms;
  const countNow = (key: string, now_ms: number): number =>
    [...remaining.values()].filter(
      (each) => [each.quota_key, each.block_quota?.key].includes(key) && endOf(each) > now_ms,
    ).length;
  const bytesOf = (wanted: string): number =>
    [...remaining.values()]
      .filter(({ owner }) => owner === wanted)
      .reduce((sum, dataset) => sum + sizeOf(dataset), 0);
  return {
    secret: Uint8Array.from({ length: 32 }, (_, i) => i),
    async put(dataset) {
      const { id, quota_key, quota_max, created_at_ms, observation, body } = dataset;
      const { block_quota, owner, owner_bytes_max = Infinity } = dataset;
      if (failing) return "unavailable";
      if (remaining.has(id)) return "taken";
      if (quota_max !== null && countNow(quota_key, created_at_ms) >= quota_max) return "quota";
      const { key, max = null } = block_quota ?? {};
      if (max !== null && countNow(key!, created_at_ms) >= max) return "block_quota";
      if (bytesOf(owner) + sizeOf(dataset) > owner_bytes_max) return "owner_full";
      remaining.set(id, { ...dataset, observation: observation.slice(), body: body.slice() });
      return "stored";
    },
    async read(id, part) {
      if (failing) return { status: "unavailable", reason: "unreadable" };
      const match = remaining.get(id);
      return match
        ? {
            status: "ok",
            row: { ...toRow(match), expires_at_ms: endOf(match) },
            bytes: match[part].slice(),
          }
        : { status: "absent" };
    },
    async keepOn(id, { until_ms, now_ms, quota_max, block_max }) {
      const match = remaining.get(id);
      if (failing || !match || endOf(match) <= now_ms) return false;
      if (endOf(match) >= until_ms) return true;
      const isFull = (keyOf: (each: NewDataset) => string | undefined, max: number | null) =>
        max !== null &&
        keyOf(match) !== undefined &&
        [...remaining.values()].filter(
          (each) => keyOf(each) === keyOf(match) && (longer.get(each.id) ?? 0) > now_ms,
        ).length >= max;
      const isNew = !longer.has(id);
      if (isNew && isFull(({ quota_key }) => quota_key, quota_max)) return false;
      if (isNew && isFull(({ block_quota }) => block_quota?.key, block_max)) return false;
      longer.set(id, until_ms);
      return true;
    },
    async findRepeat(repeat_key, since_ms) {
      if (failing) return null;
      const match = [...remaining.values()].findLast(
        (each) =>
          each.created_at_ms >= since_ms &&
          each.repeat_key !== undefined &&
          Buffer.compare(each.repeat_key, repeat_key) === 0,
      );
      return match ? { id: match.id, made_at_ms: match.created_at_ms } : null;
    },
    count: async (quota_key, now_ms) => (failing ? null : countNow(quota_key, now_ms)),
    async forget(now_ms) {
      if (failing) return "unavailable";
      for (const each of remaining.values())
        if (endOf(each) <= now_ms) {
          remaining.delete(each.id);
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
