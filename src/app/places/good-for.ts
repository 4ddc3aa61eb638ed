/** Time for which an answer made of several findings may be reused. */
import { LIMITS } from "#contract/limits.ts";
import type { Finding } from "./finder.ts";

/** Whole seconds, as many as the one that is good for the shortest. */
export function remaining_s(
  findings: readonly Pick<Finding, "good_until_ms">[],
  now_ms: number,
): number {
  const until = findings.map(({ good_until_ms }) => good_until_ms ?? now_ms);
  const least_s = (Math.min(...until, Number.POSITIVE_INFINITY) - now_ms) / 1000;
  return Math.max(0, Math.min(Math.floor(least_s), LIMITS.cache_max_age_s));
}
