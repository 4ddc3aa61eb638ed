/** Policy for a source that is asked per request, by its terms and its limits. */
import type { Terms } from "#providers/provider.ts";
import { DAY_MS } from "#kit/time.ts";

export type LookupPolicy = {
  /** In a memory cache, ms: how long an answer is good, may be shown while it is renewed, and may
   * replace a failed one. */
  fresh_ms: number;
  renew_ms: number;
  rescue_ms: number;
  /** The most that a source's own word (Expires) counts for, ms. */
  max_stated_ms: number;
  /** Its terms let an answer be kept in a store that others read. */
  shared: boolean;
  /** Calls at once, and how many may wait for a place. */
  places: number;
  queue: number;
  retry: boolean;
  /** null: no cap. */
  calls_per_day: number | null;
  /** The share of these that only callers with a key get. */
  reserved_share: number;
  /** Public servers with a limit of their own; null: none. */
  per_second: number | null;
  /** At least this long a source that says "too many" is not called, ms. */
  cool_down_ms: number;
};

/** The part of a policy that does not follow from the source's terms. */
export type PolicyOptions = Omit<
  LookupPolicy,
  "fresh_ms" | "renew_ms" | "rescue_ms" | "max_stated_ms" | "shared"
>;

/** Decisions, Geocoding: content that may not be stored lives in memory for this long at most. */
const UNSTORED_MS = 30_000;

/** The defaults; a source's own row says where it differs. */
const USUAL: PolicyOptions = {
  places: 32,
  queue: 64,
  retry: true,
  calls_per_day: null,
  reserved_share: 0,
  per_second: null,
  cool_down_ms: 1_000,
};

/** `cache_s`: how long an answer is good, where the terms allow keeping it at all. */
export function policyOf(
  terms: Pick<Terms, "store">,
  options: { cache_s: number } & Partial<PolicyOptions>,
): LookupPolicy {
  const { cache_s, ...rest } = options;
  const good_ms = cache_s * 1000;
  const stored =
    terms.store === "all"
      ? {
          fresh_ms: good_ms,
          renew_ms: Math.min(good_ms, DAY_MS),
          rescue_ms: 30 * DAY_MS,
          max_stated_ms: DAY_MS,
          shared: true,
        }
      : {
          fresh_ms: Math.min(good_ms, UNSTORED_MS),
          renew_ms: 0,
          rescue_ms: 0,
          max_stated_ms: UNSTORED_MS,
          shared: false,
        };
  return { ...USUAL, ...stored, ...rest };
}
