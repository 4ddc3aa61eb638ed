/** RateLimiter of several threads (ports.ts): one table of buckets, so that all of them admit as one. */
import type { Bucket } from "#core/limits/address-block.ts";
import { admit, charge, combine } from "#core/limits/gcra.ts";
import type { Admission } from "#ports.ts";
import { createLimiterTime, type MemoryLimiter } from "#storage/embedded/limiter.ts";
import { SharedTable, type TableMemory } from "./shared-table.ts";

/** Numbers of a bucket: when it is full again, epoch µs. */
export const LIMITER_WIDTH = 1;

/** `owner`: of this thread (shared-table.ts). */
export function createSharedLimiter(
  memory: TableMemory,
  owner: number,
): Pick<MemoryLimiter, "admit" | "charge"> {
  const table = new SharedTable(memory, owner);
  const steady = createLimiterTime();
  // The fullest bucket says least.
  const worth = (row: number): number => table.get(row);
  const stateOf = ({ key }: Bucket): number | null => {
    const row = table.find(key);
    return row < 0 ? null : table.get(row);
  };
  const keep = ({ key }: Bucket, full_us: number): void =>
    table.set(table.rowOf(key, worth), full_us);

  /** Charges all buckets, or none where one refuses; a corrected state is kept in any case. */
  function admitAll(buckets: readonly Bucket[], at_ms: number): Admission {
    const decisions = buckets.map((bucket) => admit(stateOf(bucket), bucket, at_ms));
    const admission = combine(decisions);
    for (let i = 0; i < buckets.length; i++) {
      const { admitted, state } = decisions[i]!;
      if (admission.admitted || !admitted) keep(buckets[i]!, state);
    }
    return admission;
  }
  return {
    admit: (buckets, now_ms) => table.locked(() => admitAll(buckets, steady(now_ms))),
    charge: (buckets, tokens, now_ms) =>
      table.locked(() => {
        const at_ms = steady(now_ms);
        for (const bucket of buckets) keep(bucket, charge(stateOf(bucket), bucket, tokens, at_ms));
      }),
  };
}
