/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10): lists of RFC 9651
 * strings with integer parameters. `pk` is left out: it would let any reader distinguish callers.
 */
import type { Limit } from "./gcra.ts";

/** One policy, and what is left of it. Names are ours, and need no escaping. */
export type Allowance = {
  name: "burst" | "day" | "month";
  quota: number;
  window_s: number;
  remaining: number;
  /** Until there is more. */
  reset_s: number;
};

const PERIOD_S = { day: 86_400, month: 30 * 86_400 } as const;
/** RFC 9651 3.3.1: an integer has 15 digits at most. */
const INTEGER_MAX = 999_999_999_999_999;

/** A burst limit: its window is the time in which an empty bucket becomes full. */
export function toBurstAllowance(
  limit: Limit,
  left: { remaining: number; reset_s: number },
): Allowance {
  const window_s = Math.max(1, Math.ceil(limit.burst / limit.rate_per_s));
  const { remaining, reset_s } = left;
  return { name: "burst", quota: limit.burst, window_s, remaining, reset_s };
}

/** Units of a period; a month's window is 30 days, for a policy should not change with the month. */
export function toQuotaAllowance(
  plan: { units: number; period: "day" | "month" },
  { used, ends_in_s }: { used: number; ends_in_s: number },
): Allowance {
  const { units: quota, period: name } = plan;
  return { name, quota, window_s: PERIOD_S[name], remaining: quota - used, reset_s: ends_in_s };
}

/**
 * Returns both fields; null: nothing limits the caller, and neither is sent (a list may not be
 * empty).
 */
export function toRateLimitFields(
  allowances: readonly Allowance[],
): { policy: string; limit: string } | null {
  if (allowances.length === 0) return null;
  let policy = "";
  let limit = "";
  for (const allowance of allowances) {
    const { name, remaining, reset_s } = allowance;
    const gap = policy === "" ? "" : ", ";
    policy += gap + toPolicy(allowance);
    limit += `${gap}"${name}";r=${whole(remaining)};t=${whole(Math.ceil(reset_s))}`;
  }
  return { policy, limit };
}

function toPolicy({ name, quota, window_s }: Allowance): string {
  return `"${name}";q=${whole(quota)};w=${whole(window_s)}`;
}

function whole(value: number): number {
  return Math.min(INTEGER_MAX, Math.max(0, Math.floor(value)));
}
