/** A thread that asks a shared limiter and reserves shared units as fast as it can. */
import { workerData, parentPort } from "node:worker_threads";
import { SharedCounts } from "#storage/threads/shared-counts.ts";
import { createSharedLimiter } from "#storage/threads/shared-limiter.ts";
import type { TableMemory } from "#storage/threads/shared-table.ts";

export type LimitTask = {
  owner: number;
  requests: number;
  limits: TableMemory;
  counts: TableMemory;
  start: Int32Array;
  bucket: { key: string; rate_per_s: number; burst: number };
  units_max: number;
  now_ms: number;
};

const { owner, requests, limits, counts, start, bucket, units_max, now_ms } =
  workerData as LimitTask;
const limiter = createSharedLimiter(limits, owner);
const units = new SharedCounts(counts, owner);
parentPort!.postMessage("ready");
Atomics.wait(start, 0, 0);
let admitted = 0;
let reserved = 0;
for (let i = 0; i < requests; i++) {
  if (limiter.admit([bucket, { ...bucket, key: `own:${owner}`, burst: requests }], now_ms).admitted)
    admitted++;
  const isGranted = units.together(() => {
    if (units.used("a", now_ms) + units.reserved("a") + 1 > units_max) return false;
    units.reserve("a", 1);
    return true;
  });
  if (!isGranted) continue;
  reserved++;
  // Booked first, so that no unit is free in between.
  units.add("a", 1, now_ms);
  units.reserve("a", -1);
}
parentPort!.postMessage({ admitted, reserved });
