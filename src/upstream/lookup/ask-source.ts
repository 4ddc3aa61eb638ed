/**
 * Asking a source what may have been asked before: cache, shared request, call, and what is held when
 * the call fails (decisions, Errors: a stale answer that the terms allow beats every error).
 */
import { REVALIDATED_MS } from "#kit/time.ts";
import { LRUCache } from "lru-cache";
import type { Failure, Outcome } from "#kit/outcome.ts";
import type { Clock, SharedAnswers } from "#ports.ts";
import type { Lookup, LookupSettings } from "#providers/lookup.ts";
import {
  type LookupCaller,
  type CallerDeps,
  createCaller,
  createSilentMeter,
  type Revalidated,
  type ReadValue,
  type Validity,
} from "#upstream/lookup/lookup-caller.ts";
import {
  createInFlight,
  type GoesOn,
  type InFlight,
  type InFlightRequests,
} from "#upstream/lookup/in-flight.ts";
import type { LookupPolicy } from "#upstream/lookup/lookup-policy.ts";
import { type SharedAnswer, createObtain, type Obtain } from "#upstream/lookup/shared.ts";

/** §4.8; null: as for a plain GET. */
export type Freshness = "accept_valid_cache" | "revalidate" | null;

export type CachedValue<V> = {
  value: V;
  /** Things the source sent. */
  raw: number;
  fetched_at_ms: number;
  /** Until when it is good, epoch ms. */
  good_until_ms: number;
  /** What one should know beyond it, such as that there may be more; absent: nothing. */
  notices?: readonly string[];
  /** It answers a part of the question only. */
  partial?: boolean;
};

export type LookupReply<V> =
  | { status: "ok"; stored: CachedValue<V>; cache: "hit" | "miss" }
  /** `rescue`: an old answer that may still replace it. */
  | (Failure & { rescue: CachedValue<V> | null });

export type AskOptions = {
  /** Aborted when the request no longer waits: by its deadline (deadline.ts) or its client. */
  signal: AbortSignal;
  /** Whether it comes from a caller with a key. */
  keyed: boolean;
  freshness: Freshness;
};
export type Ask<Q, V> = (query: Q, options: AskOptions) => Promise<LookupReply<V>>;

export type LookupSource<S> = { settings: S; policy: LookupPolicy };
export type AskDeps = CallerDeps & {
  clock: Clock;
  cache: LookupCache;
  /** Answers that other replicas have got; absent: there are none. */
  shared?: SharedAnswers;
};

export function createAsk<Q, S extends LookupSettings, V>(
  lookup: Lookup<Q, S, V>,
  source: LookupSource<S>,
  deps: AskDeps,
): Ask<Q, V> {
  const { policy, settings } = source;
  const { clock, cache } = deps;
  const { meter = createSilentMeter() } = deps;
  const onFault = (error: unknown): void => deps.onFault(`source ${lookup.id}`, error);
  const inflight = createInFlight<Outcome<ReadValue<V>>>({ waiters: meter.waiters, onFault });
  const call = createCaller(lookup, source, deps);
  const obtain = obtainOf<V>(source, { ...deps, onFault });
  const source_deps: SourceDeps<Q, V> = { inflight, call, policy, clock, cache, obtain };
  return async (query, { signal, keyed, freshness }) => {
    const query_key = lookup.keyOf(query);
    const key = `${lookup.id} ${query_key}`;
    const name = `${lookup.id} ${settings.url} ${query_key}`;
    const send = (goes_on: GoesOn): InFlight<Outcome<ReadValue<V>>> =>
      begin(source_deps, { query, key, name, keyed, freshness, goes_on });
    const now_ms = clock.now();
    const entry = cache.get(key);
    const stored = entry && toCachedValue<V>(entry, policy);
    if (stored) {
      const use = mayUse(stored, { policy, freshness, now_ms });
      if (use === "renewing" && !inflight.find(key, 0)) send("always");
      if (use !== "no") {
        meter.lookups[use === "renewing" ? "stale" : "hit"].count++;
        return { status: "ok", stored, cache: "hit" };
      }
    }
    meter.lookups.miss.count++;
    const running =
      freshness === "revalidate"
        ? inflight.find(obtain ? toStrict(key) : key, now_ms)
        : inflight.find(key, 0);
    let outcome = await (running ?? send("never")).wait(signal);
    // Joined a request of a caller without a key, who may not have what is left.
    if (running && keyed && isReserved(outcome)) outcome = await send("never").wait(signal);
    if (outcome.status !== "ok")
      return { ...outcome, rescue: recall<V>(key, source_deps) ?? stored };
    const fresh = { ...outcome.value, fetched_at_ms: outcome.fetched_at_ms };
    const from = outcome.cache === "hit" ? "hit" : "miss";
    return { status: "ok", stored: toCachedValue<V>(fresh, policy), cache: from };
  };
}

function isReserved(outcome: Outcome<unknown>): boolean {
  return outcome.status !== "ok" && outcome.reason === "reserved_for_keys";
}

/** An answer that has come of the fleet meanwhile may replace it as well. */
function recall<V>(
  key: string,
  { cache, policy }: Pick<SourceDeps<unknown, V>, "cache" | "policy">,
): CachedValue<V> | null {
  const entry = cache.get(key);
  return entry && toCachedValue<V>(entry, policy);
}

/** null: the source's terms, or the deployment, keep every replica to itself. */
function obtainOf<V>(
  { policy, settings }: LookupSource<LookupSettings>,
  { shared, clock, onFault }: Omit<AskDeps, "onFault"> & { onFault: (error: unknown) => void },
): Obtain<V> | null {
  if (!shared || !policy.shared || policy.fresh_ms <= 0) return null;
  return createObtain<V>(shared, { clock, timeout_ms: settings.timeout_ms, onFault });
}

/** Requests whose answer is new enough to revalidate; others may end with an older one. */
function toStrict(key: string): string {
  return `${key} revalidate`;
}

type SourceDeps<Q, V> = {
  inflight: InFlightRequests<Outcome<ReadValue<V>>>;
  call: LookupCaller<Q, V>;
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
  goes_on: GoesOn;
  keyed: boolean;
};

function begin<Q, V>(
  { inflight, call, policy, clock, cache, obtain }: SourceDeps<Q, V>,
  { query, key, name, freshness, goes_on, keyed }: Begin<Q>,
): InFlight<Outcome<ReadValue<V>>> {
  const now_ms = clock.now();
  const keep = ({ value, raw, bytes, fetched_at_ms, validity }: SharedAnswer<V>): void => {
    const gone_at_ms = fetched_at_ms + keptFor_ms(policy, validity);
    const entry = { value, raw, fetched_at_ms, gone_at_ms, ...(validity ? { validity } : {}) };
    // The fleet may know an older one than this replica.
    if ((cache.get(key)?.fetched_at_ms ?? 0) <= fetched_at_ms) cache.put(key, entry, bytes);
  };
  const fits = (answer: SharedAnswer<V>): boolean => {
    const at_ms = freshness === "revalidate" ? now_ms : clock.now();
    return mayUse(toCachedValue<V>(answer, policy), { policy, freshness, now_ms: at_ms }) === "yes";
  };
  const keys = freshness === "revalidate" && obtain ? [key, toStrict(key)] : [key];
  return inflight.start(keys, { now_ms, goes_on }, async (signal) => {
    const fetch = () => call(query, signal, toExisting<V>(cache.get(key)), keyed);
    const lifeOf_ms = ({ validity }: ReadValue<V>): number => keptFor_ms(policy, validity);
    const outcome = await (obtain
      ? obtain(name, { signal, fits, onStale: keep, lifeOf_ms, fetch })
      : fetch());
    if (outcome.status === "ok" && policy.fresh_ms > 0)
      keep({ ...outcome.value, fetched_at_ms: outcome.fetched_at_ms });
    return outcome;
  });
}

/** While it is good, and while it is of use after that. */
function keptFor_ms(policy: LookupPolicy, validity: Validity | undefined): number {
  return freshFor_ms(policy, validity) + Math.max(policy.renew_ms, policy.rescue_ms);
}

/** An answer that the source can be asked to confirm. */
function toExisting<V>(entry: Entry | null): Revalidated<V> | null {
  const { last_modified = null, bytes = 0 } = entry?.validity ?? {};
  if (!entry || last_modified === null) return null;
  return { value: entry.value as V, raw: entry.raw, last_modified, bytes };
}

/** By the source's own word, where it has one that counts. */
function freshFor_ms(policy: LookupPolicy, validity: Validity | undefined): number {
  const stated_ms = validity?.fresh_ms ?? null;
  return stated_ms === null ? policy.fresh_ms : Math.min(stated_ms, policy.max_stated_ms);
}

function toCachedValue<V>(
  { value, raw, fetched_at_ms, validity }: Omit<Entry, "gone_at_ms">,
  policy: LookupPolicy,
): CachedValue<V> {
  const fresh_ms = freshFor_ms(policy, validity);
  // That there is nothing is believed half as long (reliability 2.4, negative caching).
  const nothing = Array.isArray(value) && value.length === 0;
  const good_until_ms = fetched_at_ms + (nothing ? fresh_ms / 2 : fresh_ms);
  return { value: value as V, raw, fetched_at_ms, good_until_ms };
}

/** `renewing`: it may be shown while a newer one is fetched. */
function mayUse(
  { fetched_at_ms, good_until_ms }: Pick<CachedValue<unknown>, "fetched_at_ms" | "good_until_ms">,
  options: { policy: LookupPolicy; freshness: Freshness; now_ms: number },
): "yes" | "renewing" | "no" {
  const { policy, freshness, now_ms } = options;
  if (freshness === "revalidate") return now_ms - fetched_at_ms <= REVALIDATED_MS ? "yes" : "no";
  if (now_ms < good_until_ms) return "yes";
  return freshness === null && now_ms < good_until_ms + policy.renew_ms ? "renewing" : "no";
}

type Entry = {
  value: unknown;
  /** How many things the source sent. */
  raw: number;
  fetched_at_ms: number;
  /** What the source itself said of it, where that counts. */
  validity?: Validity;
  /** From then on it may not be shown. */
  gone_at_ms: number;
};

export type LookupCache = {
  get(key: string): Entry | null;
  put(key: string, entry: Entry, bytes: number): void;
  /** Bytes held. */
  size(): number;
};

const MAX_BYTES = 64 * 1024 * 1024;
/** Of an entry that holds nothing, and of what a parsed body takes beyond its text. */
const ENTRY_BYTES = 256;
const PARSED_FACTOR = 3;

export function createLookupCache(clock: Clock, max_bytes: number = MAX_BYTES): LookupCache {
  const entries = new LRUCache<string, Entry>({ maxSize: max_bytes });
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return null;
      if (clock.now() < entry.gone_at_ms) return entry;
      entries.delete(key);
      return null;
    },
    put(key, entry, bytes) {
      entries.set(key, entry, { size: ENTRY_BYTES + key.length * 2 + bytes * PARSED_FACTOR });
    },
    size: () => entries.calculatedSize,
  };
}
