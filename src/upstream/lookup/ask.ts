/**
 * Asking a source what somebody may have asked before: cache, shared flight, call, and what is held
 * when the call fails (decisions, Errors: a stale answer that the terms allow beats every error).
 */
import type { Failure, Outcome } from "#core/outcome.ts";
import type { Clock, SharedAnswers } from "#ports.ts";
import type { Lookup, LookupSettings } from "#providers/lookup.ts";
import type { Entry, LookupCache, Validity } from "#upstream/lookup/cache.ts";
import {
  type Caller,
  type CallerDeps,
  createCaller,
  type Known,
  type Meant,
} from "#upstream/lookup/caller.ts";
import {
  createFlights,
  type Flight,
  type Flights,
  type Leave,
  type Outlives,
} from "#upstream/lookup/flights.ts";
import { createSilentMeter } from "#upstream/lookup/meter.ts";
import type { Patience } from "#upstream/lookup/patience.ts";
import type { LookupPolicy } from "#upstream/lookup/policy.ts";
import { createObtain, type Obtain, type Told } from "#upstream/lookup/shared.ts";
import { REVALIDATED_MS } from "#core/time.ts";

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
export type AskDeps = CallerDeps & {
  clock: Clock;
  cache: LookupCache;
  /** What other replicas have been told; absent: there are none. */
  shared?: SharedAnswers;
};

export function createAsk<Q, S extends LookupSettings, V>(
  lookup: Lookup<Q, S, V>,
  source: Source<S>,
  deps: AskDeps,
): Ask<Q, V> {
  const { policy, settings } = source;
  const { clock, cache } = deps;
  const { meter = createSilentMeter() } = deps;
  const flights = createFlights<Outcome<Meant<V>>>(meter.waiters);
  const making: Making<Q, V> = {
    ...{ flights, call: createCaller(lookup, source, deps), policy, clock, cache },
    obtain: obtainOf<V>(source, deps),
  };
  const nameOf = (asked: string): string => `${lookup.id} ${settings.url} ${asked}`;
  return async (query, { patience, freshness }) => {
    const asked = lookup.keyOf(query);
    const key = `${lookup.id} ${asked}`;
    const fly = (how: Pick<Begin<Q>, "freshness" | "outlives">): Flight<Outcome<Meant<V>>> =>
      begin(making, { query, key, name: nameOf(asked), keyed: patience.keyed, ...how });
    const now_ms = clock.now();
    const entry = cache.get(key);
    const held = entry && toHeld<V>(entry, policy);
    if (held) {
      const use = mayUse(held, { policy, freshness, now_ms });
      if (use === "renewing" && !flights.find(key, 0)) fly({ freshness, outlives: "everybody" });
      if (use !== "no") {
        meter.lookups[use === "renewing" ? "stale" : "hit"].count++;
        return { status: "ok", held, cache: "hit" };
      }
    }
    meter.lookups.miss.count++;
    const flight =
      freshness === "revalidate"
        ? flights.find(making.obtain ? toStrict(key) : key, now_ms)
        : flights.find(key, 0);
    const wait = async (on: Flight<Outcome<Meant<V>>>): Promise<Outcome<Meant<V>>> => {
      const landed = await on.wait(patience.left);
      return "left" in landed ? toLeft(landed.left) : landed.landed;
    };
    let outcome = await wait(flight ?? fly({ freshness, outlives: "nobody" }));
    // Joined with somebody without a key, who may not have what is left.
    if (flight && patience.keyed && isReserved(outcome))
      outcome = await wait(fly({ freshness, outlives: "nobody" }));
    if (outcome.status !== "ok") return { ...outcome, rescue: recall<V>(key, making) ?? held };
    const fresh = { ...outcome.value, fetched_at_ms: outcome.fetched_at_ms };
    const from = outcome.cache === "hit" ? "hit" : "miss";
    return { status: "ok", held: toHeld<V>(fresh, policy), cache: from };
  };
}

function isReserved(outcome: Outcome<unknown>): boolean {
  return outcome.status !== "ok" && outcome.reason === "reserved_for_keys";
}

/** What has come of the fleet meanwhile may stand in as well. */
function recall<V>(
  key: string,
  { cache, policy }: Pick<Making<unknown, V>, "cache" | "policy">,
): Held<V> | null {
  const entry = cache.get(key);
  return entry && toHeld<V>(entry, policy);
}

/** null: the source's terms, or the deployment, keep every replica to itself. */
function obtainOf<V>(
  { policy, settings }: Source<LookupSettings>,
  { shared, clock }: AskDeps,
): Obtain<V> | null {
  if (!shared || !policy.shared || policy.fresh_ms <= 0) return null;
  return createObtain<V>(shared, { clock, timeout_ms: settings.timeout_ms });
}

/** Flights whose answer is as new as who revalidates wants it; others may land with an older one. */
function toStrict(key: string): string {
  return `${key} revalidate`;
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
  obtain: Obtain<V> | null;
};

type Begin<Q> = {
  query: Q;
  key: string;
  /** Among all replicas, whose settings may differ for a while. */
  name: string;
  freshness: Freshness;
  outlives: Outlives;
  keyed: boolean;
};

function begin<Q, V>(
  making: Making<Q, V>,
  { query, key, name, freshness, outlives, keyed }: Begin<Q>,
): Flight<Outcome<Meant<V>>> {
  const { flights, call, policy, clock, cache, obtain } = making;
  const now_ms = clock.now();
  const keep = (told: Told<V>): void => {
    const { value, raw, bytes, fetched_at_ms, validity } = told;
    const gone_at_ms = fetched_at_ms + keptFor_ms(policy, validity);
    const entry = { value, raw, fetched_at_ms, gone_at_ms, ...(validity ? { validity } : {}) };
    // The fleet may know an older one than this replica.
    if ((cache.get(key)?.fetched_at_ms ?? 0) <= fetched_at_ms) cache.put(key, entry, bytes);
  };
  const fits = (told: Told<V>): boolean => {
    const at_ms = freshness === "revalidate" ? now_ms : clock.now();
    return mayUse(toHeld<V>(told, policy), { policy, freshness, now_ms: at_ms }) === "yes";
  };
  const keys = freshness === "revalidate" && obtain ? [key, toStrict(key)] : [key];
  return flights.start(keys, { now_ms, outlives }, async (signal) => {
    const fetch = () => call(query, signal, toKnown<V>(cache.get(key)), keyed);
    const lifeOf_ms = ({ validity }: Meant<V>): number => keptFor_ms(policy, validity);
    const outcome = await (obtain
      ? obtain(name, { signal, fits, onStale: keep, lifeOf_ms, fetch })
      : fetch());
    if (outcome.status === "ok" && policy.fresh_ms > 0)
      keep({ ...outcome.value, fetched_at_ms: outcome.fetched_at_ms });
    return outcome;
  });
}

/** While it is good, and after that of use. */
function keptFor_ms(policy: LookupPolicy, validity: Validity | undefined): number {
  return freshFor_ms(policy, validity) + Math.max(policy.renew_ms, policy.rescue_ms);
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
