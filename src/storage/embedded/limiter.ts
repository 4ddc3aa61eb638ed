/**
 * RateLimiter in the memory of one process (ports.ts), bounded in buckets.
 *
 * A bucket that is full again says as much as no bucket, so those are forgotten first. When there
 * is none, the one that is full soonest goes: it holds the least. Who churns through keys to have a
 * drained bucket forgotten drives out only his own, each of which was charged once.
 */
import type { Bucket } from "#core/limits/address.ts";
import { admit, combine, toMicros } from "#core/limits/gcra.ts";
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

/** Buckets that are full again are looked for once in so many that were asked for. */
const SWEEP = 32;

/** A limiter that answers at once; at most `max_buckets` are remembered. */
export function createMemoryLimiter({ max_buckets }: { max_buckets: number }): MemoryLimiter {
  const heap = createBucketHeap();
  const steady = createSteadyTime();
  let asked = 0;

  /** More than are added, so that a crowd that has gone is forgotten; a few, so that none waits. */
  function forget(at_ms: number): void {
    const full_us = toMicros(at_ms);
    for (let left = 2 * asked; left > 0 && heap.first_us() <= full_us; left--) heap.dropFirst();
    asked = 0;
  }
  return {
    size: () => heap.size(),
    admit(buckets, now_ms) {
      const at_ms = steady(now_ms);
      const [one] = buckets;
      const admission =
        one !== undefined && buckets.length === 1
          ? admitOne(heap, one, at_ms)
          : admitAll(heap, buckets, at_ms);
      asked += buckets.length;
      if (asked >= SWEEP) forget(at_ms);
      while (heap.size() > max_buckets) heap.dropFirst();
      return admission;
    },
  };
}

/** As every request with a key is: what is found need not be looked for again. */
function admitOne(heap: BucketHeap, bucket: Bucket, at_ms: number): Admission {
  const held = heap.find(bucket.key);
  const decision = admit(held?.full_us ?? null, bucket, at_ms);
  heap.set(bucket.key, decision.state, held);
  return combine([decision]);
}

/** Refused by one of them: nothing is charged; but a state that was corrected is kept. */
function admitAll(heap: BucketHeap, buckets: readonly Bucket[], at_ms: number): Admission {
  const held = buckets.map(({ key }) => heap.find(key));
  const decisions = buckets.map((bucket, i) => admit(held[i]?.full_us ?? null, bucket, at_ms));
  const admission = combine(decisions);
  for (let i = 0; i < buckets.length; i++) {
    const { admitted, state } = decisions[i]!;
    if (admission.admitted || !admitted) heap.set(buckets[i]!.key, state, held[i]!);
  }
  return admission;
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
