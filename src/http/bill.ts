/** How a request pays for the time that it took, once that is known: in requests of its burst. */
import type { Bucket } from "#core/limits/address-block.ts";
import type { Allowance } from "#core/limits/limit-headers.ts";
import { TOKEN_MS, toTokens } from "#core/limits/cost-tokens.ts";
import type { Clock, RateLimiter } from "#ports.ts";

/** Of a caller: made once for all its requests, as its buckets are. */
export class Bill {
  readonly buckets: readonly Bucket[];
  readonly #limiter: Pick<RateLimiter, "charge">;
  readonly #clock: Pick<Clock, "now">;
  readonly #token_ms: number;

  constructor(
    buckets: readonly Bucket[],
    deps: { limiter: Pick<RateLimiter, "charge">; clock: Pick<Clock, "now"> },
    token_ms: number = TOKEN_MS,
  ) {
    this.buckets = buckets;
    this.#limiter = deps.limiter;
    this.#clock = deps.clock;
    this.#token_ms = token_ms;
  }

  /** Charges what an answer took beyond one request; most took less, and cost nothing more. */
  pay(ms: number): void {
    const tokens = toTokens(ms, this.#token_ms);
    if (tokens > 0) this.#limiter.charge(this.buckets, tokens, this.#clock.now());
  }
}

/** Takes what an answer took until now from what is left of the burst, before its head is written. */
export function deduct(allowances: readonly Allowance[], ms: number): void {
  const tokens = toTokens(ms);
  if (tokens === 0) return;
  for (const allowance of allowances) if (allowance.name === "burst") take(allowance, tokens);
}

function take(allowance: Allowance, tokens: number): void {
  const owed = tokens - allowance.remaining;
  allowance.remaining = Math.max(0, -owed);
  if (owed > 0) allowance.reset_s += Math.ceil((owed * allowance.window_s) / allowance.quota);
}
