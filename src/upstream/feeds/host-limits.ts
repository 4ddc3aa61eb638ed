/** Limits on the requests to one host, for all of its systems: at a time, and in an hour. */
import type { Failure } from "#kit/outcome.ts";
import type { RateLimiter } from "#ports.ts";

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}

/** Runs at most `max` requests at one host at a time; FIFO. */
export type HostLimit = <T>(url: string, task: () => Promise<T>) => Promise<T>;

export function createHostLimit(max: number): HostLimit {
  const hosts = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async (url, task) => {
    const host = hostOf(url);
    const line = hosts.get(host) ?? { running: 0, waiting: [] };
    hosts.set(host, line);
    // A place is handed on, so that a newcomer cannot slip in before those that wait.
    if (line.running >= max) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.running++;
    try {
      return await task();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) hosts.delete(host);
    }
  };
}

/**
 * Spends what a publisher allows an hour, over all of its systems: a bucket per host that fills
 * evenly, so that an hour's worth may be spent at once and is never exceeded for long. null: go
 * ahead; else why not, and when again.
 */
export type HostQuota = (url: string, per_hour: number) => Failure | null | Promise<Failure | null>;

const HOUR_MS = 3_600_000;

type Bucket = { left: number; at_ms: number };

export function createQuota(now: () => number): HostQuota {
  const buckets = new Map<string, Bucket>();
  return (url, per_hour) => {
    const host = hostOf(url);
    const now_ms = now();
    const bucket = buckets.get(host) ?? { left: per_hour, at_ms: now_ms };
    buckets.set(host, bucket);
    const each_ms = HOUR_MS / per_hour;
    const earned = Math.max(0, now_ms - bucket.at_ms) / each_ms;
    bucket.left = Math.min(per_hour, bucket.left + earned);
    bucket.at_ms = now_ms;
    if (bucket.left < 1) {
      const retry_at_ms = Math.ceil(now_ms + (1 - bucket.left) * each_ms);
      return { status: "unavailable", reason: "rate_limited", retry_at_ms };
    }
    bucket.left--;
    return null;
  };
}

/**
 * Makes a quota over all replicas of a fleet, whose limiter counts for them (or each its share,
 * alone).
 */
export function createSharedQuota(now: () => number, limiter: RateLimiter): HostQuota {
  return async (url, per_hour) => {
    const key = `upstream:${hostOf(url)}`;
    const bucket = { key, rate_per_s: per_hour / (HOUR_MS / 1000), burst: per_hour };
    const now_ms = now();
    const admission = await limiter.admit([bucket], now_ms);
    if (admission.admitted) return null;
    const retry_at_ms = now_ms + admission.retry_after_s * 1000;
    return { status: "unavailable", reason: "rate_limited", retry_at_ms };
  };
}
