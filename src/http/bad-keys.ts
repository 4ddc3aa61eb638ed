/**
 * Credentials that fail, per client address (decisions, Errors; IPv6 /64): above 20 a minute they
 * are answered 429. It is asked only after a credential has failed, so good ones are not affected.
 */
import type { AddressKeys } from "#core/limits/address.ts";
import type { Admission, RateLimiter } from "#ports.ts";

export const BAD_KEY_LIMIT = { rate_per_s: 20 / 60, burst: 20 } as const;

type Verdict = Admission | Promise<Admission>;

export type BadKeyThrottle<V extends Verdict> = {
  /** Counts one failed credential; not admitted: it is to be answered 429, not 401. */
  strike(address: AddressKeys, now_ms: number): V;
};

/**
 * Give it a limiter of its own where that one is bounded: else who fails from very many addresses
 * crowds out the buckets of others.
 */
export function createBadKeyThrottle<V extends Verdict>(limiter: {
  admit(...asked: Parameters<RateLimiter["admit"]>): V;
}): BadKeyThrottle<V> {
  return {
    strike: ({ narrow }, now_ms) =>
      limiter.admit([{ key: `bad_key:${narrow}`, ...BAD_KEY_LIMIT }], now_ms),
  };
}
