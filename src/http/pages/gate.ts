/**
 * Limits on pages and assets. They cost no units and carry no rate headers; the rate is far above
 * what a browser asks for, and shedding treats them as anonymous requests.
 */
import { type Bucket, toAddressBuckets } from "#core/limits/address.ts";
import type { Admission, Clock } from "#ports.ts";
import type { ClientAddress } from "../address.ts";
import type { Problem } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { BUSY } from "../verdict.ts";
import type { Shedder } from "../shedding.ts";

export type PageGate = {
  /** null: it may be served. */
  judge(exchange: Exchange): Problem | null;
};

/** Files a second and at once of one address: a page with all its parts has about fifty. */
export const PAGE_LIMIT = { rate_per_s: 50, burst: 500 } as const;

export type PageGateDeps = {
  clock: Pick<Clock, "now">;
  shedder: Pick<Shedder, "admits">;
  limiter: { admit(buckets: readonly Bucket[], now_ms: number): Admission };
  addressOf: ClientAddress;
  enforced: boolean;
};

export function createPageGate(deps: PageGateDeps): PageGate {
  const { clock, shedder, limiter, addressOf, enforced } = deps;
  return {
    judge({ request, started_ms }) {
      if (!enforced) return null;
      if (!shedder.admits("anonymous", started_ms)) return BUSY_PAGE;
      const buckets = toAddressBuckets(addressOf(request.raw), PAGE_LIMIT, "pages");
      const verdict = limiter.admit(buckets, clock.now());
      if (verdict.admitted) return null;
      return { code: "rate_limited", message: TOO_MANY, retry_after_s: verdict.retry_after_s };
    },
  };
}

const BUSY_PAGE: Problem = {
  code: "overloaded",
  message: BUSY,
};
const TOO_MANY = `more than ${PAGE_LIMIT.rate_per_s} files of pages a second, after a burst of ${PAGE_LIMIT.burst}`;
