/**
 * The generic cell rate algorithm (decisions, "Authentication, plans, metering"; ITU-T I.371), pure.
 *
 * A bucket is one number: the theoretical arrival time, at which it will be full again. Times are
 * whole microseconds, so that sums are exact (until 2255): a full bucket gives its whole burst, and
 * who waits as long as we said is admitted. The price: the interval between two requests is rounded
 * to 1 µs, which is 0.5 % at 10 000 requests a second and nothing at the rates of plans.
 */

/** Limit of a bucket: `rate_per_s` is above 0, `burst` at least 1. */
export type Limit = { rate_per_s: number; burst: number };

/** Moment at which the bucket is full again, epoch µs; null: never used, and so full. */
export type BucketState = number | null;

/** Answer to a request; `reset_s`: until one more request is allowed than now, refused: until one is. */
export type BucketAdmission =
  | { admitted: true; remaining: number; reset_s: number }
  | { admitted: false; retry_after_s: number; remaining: 0; reset_s: number };

/** Verdict and `state`: what to remember, also of a refusal. */
export type Decision = BucketAdmission & { state: number };

const SECOND_US = 1_000_000;

/**
 * Time by which a state may lie past the time of the emptiest bucket: callers read the clock a little
 * before they ask, and so out of order. What lies further than that and `DEBT_US` stems from a clock
 * set back or from a slower plan, and counts as empty, else it would lock its owner out for as long.
 */
export const SLACK_US = SECOND_US;

/**
 * Time by which what is charged afterwards (`charge`) may put a bucket beyond empty. However long an
 * answer took, its caller is admitted again after this time.
 */
export const DEBT_US = 60 * SECOND_US;

/** Charges one request, or refuses it. */
export function admit(state: BucketState, limit: Limit, now_ms: number): Decision {
  const now_us = toMicros(now_ms);
  const interval_us = toInterval_us(limit.rate_per_s);
  const depth_us = interval_us * limit.burst;
  const full_us = correct(state, now_us, depth_us);
  const left_us = depth_us - (full_us - now_us) - interval_us;
  const state_us = left_us < 0 ? full_us : full_us + interval_us;
  const verdict = toVerdict(left_us, interval_us);
  const { remaining, reset_s } = verdict;
  // Not spread: this is made for every request.
  if (verdict.admitted) return { admitted: true, remaining, reset_s, state: state_us };
  const { retry_after_s } = verdict;
  return { admitted: false, retry_after_s, remaining: 0, reset_s, state: state_us };
}

/**
 * Charges what a request took beyond itself, in requests, once that is known. It refuses nothing: a
 * bucket may owe up to `DEBT_US`, and admits no request until it owes none. Returns its state.
 */
export function charge(state: BucketState, limit: Limit, tokens: number, now_ms: number): number {
  const now_us = toMicros(now_ms);
  const interval_us = toInterval_us(limit.rate_per_s);
  const depth_us = interval_us * limit.burst;
  const full_us = correct(state, now_us, depth_us);
  const most_us = now_us + depth_us + DEBT_US;
  return Math.max(full_us, Math.min(full_us + tokens * interval_us, most_us));
}

/** Returns when the bucket is full, where it is not full already; what cannot be counts as empty. */
function correct(state: BucketState, now_us: number, depth_us: number): number {
  if (state === null || state < now_us) return now_us;
  return state > now_us + depth_us + DEBT_US + SLACK_US ? now_us + depth_us : state;
}

/**
 * Verdict on a bucket in which the request would leave `left_us`; below 0 it is refused
 * (storage/valkey, where the store counts).
 */
export function toVerdict(left_us: number, interval_us: number): BucketAdmission {
  if (left_us < 0) {
    const wait_s = Math.ceil(-left_us / SECOND_US);
    return { admitted: false, retry_after_s: wait_s, remaining: 0, reset_s: wait_s };
  }
  const remaining = Math.floor(left_us / interval_us);
  const reset_s = Math.ceil((interval_us - (left_us % interval_us)) / SECOND_US);
  return { admitted: true, remaining, reset_s };
}

/** Combines the verdicts of one request's buckets: all admit it, or it is refused. */
export function combine(decisions: readonly BucketAdmission[]): BucketAdmission {
  let retry_after_s = 0;
  let remaining = Infinity;
  let reset_s = 0;
  for (const decision of decisions) {
    if (!decision.admitted) retry_after_s = Math.max(retry_after_s, decision.retry_after_s);
    if (decision.remaining > remaining) continue;
    reset_s =
      decision.remaining < remaining ? decision.reset_s : Math.max(reset_s, decision.reset_s);
    remaining = decision.remaining;
  }
  if (retry_after_s === 0) return { admitted: true, remaining, reset_s };
  return { admitted: false, retry_after_s, remaining: 0, reset_s: retry_after_s };
}

/** Epoch ms; a fraction of one is dropped, so that sums are of whole numbers. */
export function toMicros(ms: number): number {
  return Math.floor(ms) * 1000;
}

/** Between two requests at that rate, whole µs. */
export function toInterval_us(rate_per_s: number): number {
  return Math.max(1, Math.round(SECOND_US / rate_per_s));
}
