/** What all sources of places share when they are put together. */
import type { Config } from "#config/load.ts";
import type { Descriptor } from "#providers/define.ts";
import type { Lookup, LookupSettings } from "#providers/lookup.ts";
import type { Terms } from "#providers/provider.ts";
import { type Ask, type AskDeps, createAsk, type Source } from "#upstream/lookup/ask.ts";
import { type LookupPolicy, type Manners, policyOf } from "#upstream/lookup/policy.ts";

export type Places = Config["sources"]["places"];

type Stated = {
  cache_s: number | null;
  store: Terms["store"] | null;
  calls_per_day: number | null;
  reserved_for_keys?: number;
  concurrency: number | null;
};

/** How the source is treated: its own terms, unless the operator has others. */
export function treat(
  provider: Descriptor,
  stated: Stated,
  usual: { cache_s: number } & Partial<Manners>,
): LookupPolicy {
  const { cache_s, store, calls_per_day, reserved_for_keys = 0, concurrency } = stated;
  return policyOf(
    { store: store ?? provider.terms.store },
    {
      ...usual,
      ...{ cache_s: cache_s ?? usual.cache_s, calls_per_day, reserved_share: reserved_for_keys },
      ...(concurrency === null ? {} : { places: concurrency, queue: concurrency * 2 }),
    },
  );
}

export function askOf<Q, S extends LookupSettings, V>(
  lookup: Lookup<Q, S, V>,
  source: Source<S>,
  deps: AskDeps,
): Ask<Q, V> {
  return createAsk(lookup, source, deps);
}

/** A source that is switched on and lacks its key or its address (operation.md, Modes). */
export function notConfigured<Q, V>(): Ask<Q, V> {
  return () => Promise.resolve({ status: "unavailable", reason: "not_configured", rescue: null });
}
