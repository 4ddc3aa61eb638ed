/** The ports of a fleet, counted: what was asked of the shared store, and what was decided without it. */
import type { FeedExchange, FeedLease, RateLimiter, SharedAnswers } from "#ports.ts";
import type { FleetMeter } from "./fleet-meter.ts";

export function countExchange(
  exchange: FeedExchange,
  { leases, snapshots, fallbacks }: FleetMeter,
): FeedExchange {
  const countLease = (lease: FeedLease): FeedLease => ({
    ...lease,
    async publish(state, packs) {
      const version = await lease.publish(state, packs);
      if (version === null) leases.lost.count++;
      else snapshots.published.count++;
      return version;
    },
  });
  return {
    ...exchange,
    async lease(source_id, hurry) {
      const lease = await exchange.lease(source_id, hurry);
      if (typeof lease !== "string") {
        leases.won.count++;
        return countLease(lease);
      }
      leases[lease].count++;
      if (lease === "unreachable") fallbacks.feeds.count++;
      return lease;
    },
    async read(source_id, options) {
      const read = await exchange.read(source_id, options);
      if (read !== null && read !== "unreachable") snapshots.adopted.count++;
      return read;
    },
  };
}

export function countAnswers(
  answers: SharedAnswers,
  { cache, fallbacks }: FleetMeter,
): SharedAnswers {
  return {
    ...answers,
    async read(key) {
      const stored = await answers.read(key);
      if (stored === "unreachable") fallbacks.cache.count++;
      cache[stored === "unreachable" ? stored : stored === null ? "miss" : "hit"].count++;
      return stored;
    },
    async claim(key, life_ms) {
      const claim = await answers.claim(key, life_ms);
      if (claim === "unreachable") fallbacks.locks.count++;
      return claim;
    },
  };
}

/** `isAway`: the store has not answered of late, so that each replica admits its share by itself. */
export function countLimits(
  limiter: RateLimiter,
  isAway: () => boolean,
  { fallbacks }: FleetMeter,
): RateLimiter {
  return {
    charge: (buckets, tokens, now_ms) => limiter.charge(buckets, tokens, now_ms),
    admit(buckets, now_ms) {
      if (isAway()) fallbacks.limits.count++;
      return limiter.admit(buckets, now_ms);
    },
  };
}
