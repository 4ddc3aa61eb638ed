/**
 * RateLimiter in the memory of one process (ports.ts), bounded in buckets.
 *
 * A bucket that is full again says as much as no bucket, so those are forgotten first. When there
 * is none, the one that is full soonest goes: it holds the least. Who churns through keys to have a
 * drained bucket forgotten drives out only his own, each of which was charged once.
 */
import type { Bucket } from "#core/limits/address.ts";
import { admit, combine, toMicros } from "#core/limits/gcra.ts";
import type { Decision } from "#core/limits/gcra.ts";
import type { Admission } from "#ports.ts";
import { createBucketHeap } from "./bucket-heap.ts";
import type { BucketHeap } from "./bucket-heap.ts";

export type MemoryLimiter = {
  /** A key is to be named once in `buckets`. No buckets: admitted, with Infinity remaining. */
  admit(buckets: readonly Bucket[], now_ms: number): Admission;
  /** How many buckets are remembered. */
  size(): number;
};

/** Callers read the clock before they ask: what comes late by less is no step of the clock. */
const STEP_MS = 1000;

/** A limiter that answers at once; at most `max_buckets` are remembered. */
export function createMemoryLimiter({ max_buckets }: { max_buckets: number }): MemoryLimiter {
  const heap = createBucketHeap();
  const steady = createSteadyTime();
  return {
    size: () => heap.size(),
    admit: (buckets, now_ms) => {
      const at_ms = steady(now_ms);
      const decisions = buckets.map((bucket) => admit(heap.find(bucket.key), bucket, at_ms));
      const admission = combine(decisions);
      remember(heap, buckets, { decisions, admitted: admission.admitted });
      forget(heap, { full_us: toMicros(at_ms), count: buckets.length + 1, max_buckets });
      return admission;
    },
  };
}

/** Refused: nothing is charged; but a state that was corrected is kept. */
function remember(
  heap: BucketHeap,
  buckets: readonly Bucket[],
  { decisions, admitted }: { decisions: readonly Decision[]; admitted: boolean },
): void {
  for (let i = 0; i < buckets.length; i++) {
    const decision = decisions[i]!;
    if (admitted || !decision.admitted) heap.set(buckets[i]!.key, decision.state);
  }
}

/** More than one call adds, so that a crowd that has gone is forgotten; a few, so that none waits. */
function forget(
  heap: BucketHeap,
  { full_us, count, max_buckets }: { full_us: number; count: number; max_buckets: number },
): void {
  for (let i = 0; i < count && heap.first_us() <= full_us; i++) heap.dropFirst();
  while (heap.size() > max_buckets) heap.dropFirst();
}

/** A clock that is set back stands still for that moment and goes on from there: debts keep their length. */
function createSteadyTime(): (now_ms: number) => number {
  let latest_ms = -Infinity;
  let offset_ms = 0;
  return (now_ms) => {
    if (now_ms < latest_ms - STEP_MS) {
      offset_ms += latest_ms - now_ms;
      latest_ms = now_ms;
    }
    latest_ms = Math.max(latest_ms, now_ms);
    return now_ms + offset_ms;
  };
}
