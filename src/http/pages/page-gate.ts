/**
 * Limits on pages and assets. They cost no units and carry no rate headers; the rate is far above
 * what a browser asks for, and shedding treats them as anonymous requests.
 */
import { type AddressKeys, type Bucket, toAddressBuckets } from "#core/limits/address-block.ts";
import type { Admission, Clock } from "#ports.ts";
import type { ClientAddress } from "../client-address.ts";
import { type Problem, refusal } from "../error-replies.ts";
import type { Exchange } from "../http-exchange.ts";
import { Bill } from "../bill.ts";
import { BUSY } from "../limit-verdict.ts";
import type { Shedder } from "../shedding.ts";

export type PageGate = {
  /** null: it may be served. */
  judge(exchange: Exchange): Problem | null;
  /** The block of addresses around the caller's. */
  blockOf(exchange: Exchange): string;
};

/** Addresses that are remembered. */
export const PAGE_ADDRESSES = { max_buckets: 50_000 } as const;

/** Files a second and at once of one address: a page with all its parts has about fifty. */
export const PAGE_LIMIT = { rate_per_s: 50, burst: 500 } as const;

/**
 * Time of the serving thread that files take, most of it for tiles, in halves of a millisecond: 20 ms
 * a second of one address, 30 of its /24 or /48. A file counts as half a millisecond at the least.
 */
const PAGE_TIME = {
  token_ms: 0.5,
  address: { rate_per_s: 40, burst: 1_500 },
  block: { rate_per_s: 60, burst: 2_000 },
} as const;

export type PageGateDeps = {
  clock: Pick<Clock, "now">;
  shedder: Pick<Shedder, "admits">;
  limiter: {
    admit(buckets: readonly Bucket[], now_ms: number): Admission;
    charge(buckets: readonly Bucket[], tokens: number, now_ms: number): void;
  };
  addressOf: ClientAddress;
  enforced: boolean;
};

export function createPageGate(deps: PageGateDeps): PageGate {
  const { clock, shedder, limiter, addressOf, enforced } = deps;
  return {
    blockOf: ({ request }) => addressOf(request.raw).wide,
    judge(exchange) {
      const { request, started_ms } = exchange;
      if (!enforced) return null;
      if (!shedder.admits("anonymous", started_ms)) return BUSY_PAGE;
      const address = addressOf(request.raw);
      const time = toTimeBuckets(address);
      const buckets = [...toAddressBuckets(address, PAGE_LIMIT, "pages"), ...time];
      const verdict = limiter.admit(buckets, clock.now());
      if (verdict.admitted) {
        exchange.bill = new Bill(time, deps, PAGE_TIME.token_ms);
        return null;
      }
      return { code: "rate_limited", message: TOO_MANY, retry_after_s: verdict.retry_after_s };
    },
  };
}

function toTimeBuckets({ narrow, wide }: AddressKeys): Bucket[] {
  return [
    { key: `time:${narrow}`, ...PAGE_TIME.address },
    { key: `time:${wide}`, ...PAGE_TIME.block },
  ];
}

const BUSY_PAGE = refusal("overloaded", BUSY);
const TOO_MANY = `more than ${PAGE_LIMIT.rate_per_s} files of pages a second, after a burst of ${PAGE_LIMIT.burst}, or more of their making than an address has`;
