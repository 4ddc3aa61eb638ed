/**
 * Asking a source what somebody may have asked before: cache, shared flight, call, and what is held
 * when the call fails (decisions, Errors: a stale answer that the terms allow beats every error).
 */
import type { Failure, Outcome } from "#core/outcome.ts";
import type { Clock } from "#ports.ts";
import type { Lookup, LookupSettings } from "#providers/lookup.ts";
import type { Entry, LookupCache, Validity } from "#upstream/lookup/cache.ts";
import {
  type Caller,
  type CallerDeps,
  createCaller,
  type Known,
  type Meant,
} from "#upstream/lookup/caller.ts";
import { createFlights, type Flight, type Flights, type Leave } from "#upstream/lookup/flights.ts";
import { createSilentMeter } from "#upstream/lookup/meter.ts";
import type { Patience } from "#upstream/lookup/patience.ts";
import type { LookupPolicy } from "#upstream/lookup/policy.ts";

/** §4.8; null: what a plain GET does. */
export type Freshness = "accept_valid_cache" | "revalidate" | null;

export type Held<V> = {
  value: V;
  /** How many things the source sent. */
  raw: number;
  fetched_at_ms: number;
  /** Until when it is good, epoch ms. */
  good_until_ms: number;
};

export type Reply<V> =
  | { status: "ok"; held: Held<V>; cache: "hit" | "miss" }
  /** `rescue`: an old answer that may still stand in. */
  | (Failure & { rescue: Held<V> | null });

export type AskOptions = { patience: Patience; freshness: Freshness };
export type Ask<Q, V> = (query: Q, options: AskOptions) => Promise<Reply<V>>;

export type Source<S> = { settings: S; policy: LookupPolicy };
export type AskDeps = CallerDeps & { clock: Clock; cache: LookupCache };

/** Validated this recently counts as asked just now (§4.8). */
const REVALIDATED_MS = 5_000;

export function createAsk<Q, S extends LookupSettings, V>(
  lookup: Lookup<Q, S, V>,
  source: Source<S>,
  deps: AskDeps,
): Ask<Q, V> {
  const { policy } = source;
  const { clock, cache } = deps;
  const { meter = createSilentMeter() } = deps;
  const flights = createFlights<Outcome<Meant<V>>>(meter.waiters);
  const call = createCaller(lookup, source, deps);
  const fly = (query: Q, key: string, renewing: boolean): Flight<Outcome<Meant<V>>> =>
    begin({ flights, call, policy, clock, cache }, query, { key, renewing });
  return async (query, { patience, freshness }) => {
    const key = `${lookup.id} ${lookup.keyOf(query)}`;
    const now_ms = clock.now();
    const entry = cache.get(key);
    const held = entry && toHeld<V>(entry, policy);
    if (held) {
      const use = mayUse(held, { policy, freshness, now_ms });
      if (use === "renewing" && !flights.find(key, 0)) fly(query, key, true);
      if (use !== "no") {
        meter.lookups[use === "renewing" ? "stale" : "hit"].count++;
        return { status: "ok", held, cache: "hit" };
      }
    }
    meter.lookups.miss.count++;
    const begun_after_ms = freshness === "revalidate" ? now_ms : 0;
    const flight = flights.find(key, begun_after_ms) ?? fly(query, key, false);
    const landed = await flight.wait(patience.left);
    const outcome = "left" in landed ? toLeft(landed.left) : landed.landed;
    if (outcome.status !== "ok") return { ...outcome, rescue: held ?? null };
    const fresh = { ...outcome.value, fetched_at_ms: outcome.fetched_at_ms };
    return { status: "ok", held: toHeld<V>(fresh, policy), cache: "miss" };
  };
}

export function toLeft(left: Leave): Failure {
  return { status: "timeout", reason: left === "DEADLINE" ? "deadline" : "aborted" };
}

type Making<Q, V> = {
  flights: Flights<Outcome<Meant<V>>>;
  call: Caller<Q, V>;
  policy: LookupPolicy;
  clock: Clock;
  cache: LookupCache;
};

function begin<Q, V>(
  { flights, call, policy, clock, cache }: Making<Q, V>,
  query: Q,
  { key, renewing }: { key: string; renewing: boolean },
): Flight<Outcome<Meant<V>>> {
  const outlives = renewing ? "everybody" : "nobody";
  return flights.start([key], { now_ms: clock.now(), outlives }, async (signal) => {
    const outcome = await call(query, signal, toKnown<V>(cache.get(key)));
    if (outcome.status === "ok" && policy.fresh_ms > 0) {
      const { fetched_at_ms, value } = outcome;
      const { validity } = value;
      const kept_ms = freshFor_ms(policy, validity) + Math.max(policy.renew_ms, policy.rescue_ms);
      const told = validity ? { validity } : {};
      const entry = { value: value.value, raw: value.raw, fetched_at_ms, ...told };
      cache.put(key, { ...entry, gone_at_ms: fetched_at_ms + kept_ms }, value.bytes);
    }
    return outcome;
  });
}

/** Something that the source can be asked about. */
function toKnown<V>(entry: Entry | null): Known<V> | null {
  const { last_modified = null, bytes = 0 } = entry?.validity ?? {};
  if (!entry || last_modified === null) return null;
  return { value: entry.value as V, raw: entry.raw, last_modified, bytes };
}

/** By the source's own word, where it has one that counts. */
function freshFor_ms(policy: LookupPolicy, validity: Validity | undefined): number {
  const told_ms = validity?.fresh_ms ?? null;
  return told_ms === null ? policy.fresh_ms : Math.min(told_ms, policy.heeded_ms);
}

function toHeld<V>(
  { value, raw, fetched_at_ms, validity }: Omit<Entry, "gone_at_ms">,
  policy: LookupPolicy,
): Held<V> {
  const fresh_ms = freshFor_ms(policy, validity);
  // That there is nothing is believed half as long (reliability 2.4, negative caching).
  const nothing = Array.isArray(value) && value.length === 0;
  const good_until_ms = fetched_at_ms + (nothing ? fresh_ms / 2 : fresh_ms);
  return { value: value as V, raw, fetched_at_ms, good_until_ms };
}

/** `renewing`: it may be shown while a newer one is fetched. */
function mayUse(
  { fetched_at_ms, good_until_ms }: Pick<Held<unknown>, "fetched_at_ms" | "good_until_ms">,
  options: { policy: LookupPolicy; freshness: Freshness; now_ms: number },
): "yes" | "renewing" | "no" {
  const { policy, freshness, now_ms } = options;
  if (freshness === "revalidate") return now_ms - fetched_at_ms <= REVALIDATED_MS ? "yes" : "no";
  if (now_ms < good_until_ms) return "yes";
  return freshness === null && now_ms < good_until_ms + policy.renew_ms ? "renewing" : "no";
}
