/**
 * What is counted of sources that are asked per question. Numbers only: whoever shows them has made
 * them, and reads them when he likes.
 */
import type { BreakerState } from "#upstream/lookup/breaker.ts";

type Tally = { count: number };

/** Of one provider, all of its operations together. */
type SourceTallies = { retries: Tally; spent: Tally };

/** `stale`: shown while it is renewed; `partial`: some of what was needed. */
export type CacheTallies = Readonly<Record<"hit" | "stale" | "partial" | "miss", Tally>>;

export type LookupMeter = {
  /** Told once for each operation of a provider, with who knows the state of its breaker. */
  source(provider: string, breaker: () => BreakerState): SourceTallies;
  lookups: CacheTallies;
  tiles: CacheTallies;
  /** Questions that wait for a call in the air. */
  waiters: Tally;
};

/** Nobody looks. */
export function createSilentMeter(): LookupMeter {
  const tally = (): Tally => ({ count: 0 });
  const cache = (): CacheTallies => ({
    ...{ hit: tally(), stale: tally(), partial: tally(), miss: tally() },
  });
  return {
    source: () => ({ retries: tally(), spent: tally() }),
    ...{ lookups: cache(), tiles: cache(), waiters: tally() },
  };
}
