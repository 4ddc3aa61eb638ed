/**
 * RateLimiter in the memory of one process (ports.ts), bounded in buckets.
 *
 * A bucket that is full again says as much as no bucket, so those are dropped as they are found. Where
 * there are too many others, the fullest of the few least recently used is dropped: a caller who
 * goes through many keys to have an empty bucket forgotten drives out the full ones of those keys.
 */
import { LRUCache } from "lru-cache";
import type { Bucket } from "#core/limits/address-block.ts";
import { admit, charge, combine, toMicros } from "#core/limits/gcra.ts";
import type { Admission } from "#ports.ts";

export type MemoryLimiter = {
  /** A key is to be named once in `buckets`. No buckets: admitted, with Infinity remaining. */
  admit(buckets: readonly Bucket[], now_ms: number): Admission;
  /** Charges what an admitted request took beyond itself. */
  charge(buckets: readonly Bucket[], tokens: number, now_ms: number): void;
  /** Returns the number of buckets. */
  size(): number;
};

/** Callers read the clock before they ask: a time that is earlier by less is no step of the clock. */
const STEP_MS = 1000;

/** Full buckets are looked for once in this many that were asked for. */
const SWEEP = 32;
/** The oldest buckets that are compared when one has to go. */
const COMPARED = 8;

/** `full_us`: when it is full again. */
type HeldBucket = { key: string; full_us: number };
type Buckets = LRUCache<string, HeldBucket>;

/** Addresses and keys whose rates are remembered; about 200 bytes each. */
const USUAL = { max_buckets: 200_000 } as const;

/** Creates a limiter that answers at once and keeps at most `max_buckets`. */
export function createMemoryLimiter({
  max_buckets,
}: { max_buckets: number } = USUAL): MemoryLimiter {
  // Never reached by itself: `dropLeast` chooses. With `max` instead, room for all would be taken at once.
  const stored: Buckets = new LRUCache({
    maxSize: max_buckets + COMPARED,
    sizeCalculation: () => 1,
  });
  const steady = createLimiterTime();
  let request_count = 0;

  /** More than are added, so that departed callers are forgotten; few, so that no request waits. */
  function sweep(at_ms: number): void {
    const full_us = toMicros(at_ms);
    for (let left = Math.min(2 * request_count, stored.size); left > 0; left--) {
      const oldest = stored.pop()!;
      if (oldest.full_us > full_us) stored.set(oldest.key, oldest);
    }
    request_count = 0;
  }
  return {
    size: () => stored.size,
    admit(buckets, now_ms) {
      const at_ms = steady(now_ms);
      const [one] = buckets;
      const admission =
        one !== undefined && buckets.length === 1
          ? admitOne(stored, one, at_ms)
          : admitAll(stored, buckets, at_ms);
      request_count += buckets.length;
      if (request_count >= SWEEP) sweep(at_ms);
      while (stored.size > max_buckets) dropLeast(stored);
      return admission;
    },
    charge(buckets, tokens, now_ms) {
      const at_ms = steady(now_ms);
      for (const bucket of buckets) {
        const entry = stored.get(bucket.key);
        keep(stored, bucket.key, entry, charge(entry?.full_us ?? null, bucket, tokens, at_ms));
      }
      while (stored.size > max_buckets) dropLeast(stored);
    },
  };
}

/** Drops the fullest of the oldest; the others count as asked for just now. */
function dropLeast(buckets: Buckets): void {
  const oldest = Array.from({ length: COMPARED }, () => buckets.pop()).filter(
    (each) => each !== undefined,
  );
  const least = oldest.reduce((a, b) => (b.full_us < a.full_us ? b : a));
  for (const each of oldest) if (each !== least) buckets.set(each.key, each);
}

function keep(
  buckets: Buckets,
  key: string,
  bucket: HeldBucket | undefined,
  full_us: number,
): void {
  if (bucket === undefined) buckets.set(key, { key, full_us });
  else bucket.full_us = full_us;
}

/** The case of every request with a key: its bucket is looked up once. */
function admitOne(buckets: Buckets, bucket: Bucket, at_ms: number): Admission {
  const entry = buckets.get(bucket.key);
  const decision = admit(entry?.full_us ?? null, bucket, at_ms);
  keep(buckets, bucket.key, entry, decision.state);
  return combine([decision]);
}

/** Charges all buckets, or none where one refuses; a corrected state is kept in any case. */
function admitAll(stored: Buckets, buckets: readonly Bucket[], at_ms: number): Admission {
  const entries = buckets.map(({ key }) => stored.get(key));
  const decisions = buckets.map((bucket, i) => admit(entries[i]?.full_us ?? null, bucket, at_ms));
  const admission = combine(decisions);
  for (let i = 0; i < buckets.length; i++) {
    const { admitted, state } = decisions[i]!;
    if (admission.admitted || !admitted) keep(stored, buckets[i]!.key, entries[i], state);
  }
  return admission;
}

/** Stops for a moment when the clock is set back, and goes on from there: debts keep their length. */
export function createLimiterTime(): (now_ms: number) => number {
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
