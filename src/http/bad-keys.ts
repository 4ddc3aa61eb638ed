/**
 * Failed credentials, per client address (decisions, Errors; IPv6 /64). Beyond 20 a minute further
 * failing ones are answered 429.
 *
 * A key that is not known here must be looked up in the store, and keys with a right checksum can
 * be made up without end. So the throttle is asked before each look-up too: an address that is over
 * its failures, or has many look-ups under way, gets few of them. They go to whichever key asks
 * first, so a new good key from that address gets in after some retries; keys that are known here
 * never ask.
 */
import { type AddressKeys, toAddressBuckets } from "#core/limits/address-block.ts";
import type { Bucket } from "#core/limits/address-block.ts";
import type { Admission } from "#ports.ts";

/** Addresses whose keys are remembered. */
export const BAD_KEYS = { max_buckets: 50_000 } as const;
export const BAD_KEY_LIMIT = { rate_per_s: 20 / 60, burst: 20 } as const;
/** Look-ups of an address that is over its failures; eight times as many of its /24 or /48. */
const LOOK_UP_LIMIT = { rate_per_s: 30 / 60, burst: 10 } as const;
/** Look-ups that one address may have under way before it counts as over its failures. */
const PENDING_MAX = 200;
/** Addresses over their failures that are remembered; each for some seconds. */
const CLOSED_MAX = 50_000;

/** A limiter of its own, since it is bounded: many failing addresses must not crowd out the others. */
type Limiter = { admit(buckets: readonly Bucket[], now_ms: number): Admission };
type Closed = { at_ms: number; for_ms: number };

const ADMITTED: Admission = { admitted: true, remaining: Infinity, reset_s: 0 };

export class BadKeyThrottle {
  readonly #limiter: Limiter;
  readonly #closed = new Map<string, Closed>();
  readonly #pending = new Map<string, number>();

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  /** Counts one failed credential; not admitted: it is to be answered 429, not 401. */
  strike({ narrow }: AddressKeys, now_ms: number): Admission {
    const verdict = this.#limiter.admit([{ key: `bad_key:${narrow}`, ...BAD_KEY_LIMIT }], now_ms);
    if (verdict.admitted) return verdict;
    this.#closed.delete(narrow);
    this.#closed.set(narrow, { at_ms: now_ms, for_ms: verdict.retry_after_s * 1000 });
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > CLOSED_MAX && oldest !== undefined) this.#closed.delete(oldest);
    return verdict;
  }

  /** Asks to look up a key that is not known here. Admitted: call `endLookUp` when it is done. */
  beginLookUp(address: AddressKeys, now_ms: number): Admission {
    const { narrow } = address;
    const verdict = this.#isClosed(narrow, now_ms)
      ? this.#limiter.admit(toAddressBuckets(address, LOOK_UP_LIMIT, "look_up"), now_ms)
      : ADMITTED;
    if (verdict.admitted) this.#pending.set(narrow, (this.#pending.get(narrow) ?? 0) + 1);
    return verdict;
  }

  endLookUp({ narrow }: AddressKeys): void {
    const left = (this.#pending.get(narrow) ?? 0) - 1;
    if (left > 0) this.#pending.set(narrow, left);
    else this.#pending.delete(narrow);
  }

  #isClosed(narrow: string, now_ms: number): boolean {
    if ((this.#pending.get(narrow) ?? 0) >= PENDING_MAX) return true;
    const since = this.#closed.get(narrow);
    if (since === undefined) return false;
    const ago_ms = now_ms - since.at_ms;
    // Before it was closed: the clock was set back.
    if (ago_ms >= 0 && ago_ms < since.for_ms) return true;
    this.#closed.delete(narrow);
    return false;
  }
}
