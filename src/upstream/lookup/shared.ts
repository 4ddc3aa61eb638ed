/**
 * Answers that one replica got and that serve all of a fleet, behind the cache in memory: read, else
 * one asks for all, and the others wait for what he gets (reliability 2.4, single-flight across
 * replicas). Whether an answer is good enough is the question's matter, here as there.
 */
import { parseJson } from "#core/json.ts";
import type { Outcome } from "#core/outcome.ts";
import type { AnswerClaim, Clock, KeptAnswer, SharedAnswers } from "#ports.ts";
import type { Validity } from "#upstream/lookup/cache.ts";
import type { Meant } from "#upstream/lookup/caller.ts";

export type Told<V> = Meant<V> & { fetched_at_ms: number };

type Want<V> = {
  /** Nobody waits any more. */
  signal: AbortSignal;
  /** May it answer the question? */
  fits(told: Told<V>): boolean;
  /** What does not may stand in when the source fails, or be found unchanged. */
  onStale(told: Told<V>): void;
  /** For how long what is fetched may be of use to anybody. */
  lifeOf_ms(meant: Meant<V>): number;
  fetch(): Promise<Outcome<Meant<V>>>;
};

/** What is told was fetched by another has `cache: "hit"`. */
export type Obtain<V> = (key: string, want: Want<V>) => Promise<Outcome<Meant<V>>>;

/** A claim outlives the attempt it was made for by this much, ms. */
const BEYOND_MS = 200;
/** One who asks for all may die, and another after him; then everybody asks for himself. */
const CLAIMS_WAITED = 2;
const POLL_MS = 50;
/** Older answers are of so little use that each replica keeps its own. */
const LIFE_MAX_MS = 86_400_000;
const DEPTH_MAX = 64;

const GONE = { status: "timeout", reason: "aborted" } as const;

export function createObtain<V>(
  shared: SharedAnswers,
  { clock, timeout_ms }: { clock: Clock; timeout_ms: number },
): Obtain<V> {
  const claim_ms = timeout_ms + BEYOND_MS;
  const take = (kept: KeptAnswer | null, want: Want<V>): Outcome<Meant<V>> | null => {
    const told = kept && toTold<V>(kept, clock.now());
    if (!told) return null;
    if (!want.fits(told)) return (want.onStale(told), null);
    const { fetched_at_ms, ...value } = told;
    return { status: "ok", value, fetched_at_ms, cache: "hit" };
  };
  return async (key, want) => {
    const until_ms = clock.now() + claim_ms * CLAIMS_WAITED;
    while (!want.signal.aborted) {
      const kept = await shared.read(key);
      if (kept === "unreachable") break;
      const taken = take(kept, want);
      if (taken) return taken;
      const claim = clock.now() < until_ms ? await shared.claim(key, claim_ms) : "unreachable";
      if (claim === "unreachable") break;
      if (claim !== "held") return await fetchForAll(claim, want, take(claim.kept, want));
      await waitFor(key, shared, { clock, signal: want.signal });
    }
    return want.signal.aborted ? GONE : await want.fetch();
  };
}

/** `taken`: somebody was quicker. Nobody waits for the store to have heard of it. */
async function fetchForAll<V>(
  claim: AnswerClaim,
  { fetch, lifeOf_ms }: Want<V>,
  taken: Outcome<Meant<V>> | null,
): Promise<Outcome<Meant<V>>> {
  const outcome = taken ?? (await fetch());
  const fetched = !taken && outcome.status === "ok" ? outcome : null;
  const text = fetched && toText({ ...fetched.value, fetched_at_ms: fetched.fetched_at_ms });
  const life_ms = fetched ? Math.min(LIFE_MAX_MS, lifeOf_ms(fetched.value)) : 0;
  void claim.end(text === null || life_ms <= 0 ? null : { text, life_ms });
  return outcome;
}

/** Until the claim is told to be over; now and then whether or not. */
async function waitFor(
  key: string,
  shared: SharedAnswers,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const go = (): void => resolve();
  const unwatch = shared.watch(key, go);
  const cancel = clock.schedule(clock.now() + POLL_MS, go);
  signal.addEventListener("abort", go, { once: true });
  if (!signal.aborted) await promise;
  signal.removeEventListener("abort", go);
  cancel();
  unwatch();
}

/** null: it would not come back as what it is. */
function toText(told: Told<unknown>): string | null {
  return isPlain(told.value, 0) ? JSON.stringify(told) : null;
}

/** Of nothing but what JSON has, so that whoever reads it has the same. -0 is written as 0. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value !== "object" || depth > DEPTH_MAX) return false;
  // A hole in an array is undefined, and so is not plain.
  if (Array.isArray(value)) return Array.from(value).every((each) => isPlain(each, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((each) => isPlain(each, depth + 1));
}

/**
 * null: it is not one of ours. Clocks of replicas differ: what was fetched is at least as old as the
 * store has had it.
 */
function toTold<V>({ text, age_ms }: KeptAnswer, now_ms: number): Told<V> | null {
  const told = parseJson(text) as Partial<Told<V>> | null | undefined;
  if (typeof told !== "object" || told === null || !("value" in told)) return null;
  const { raw, bytes, fetched_at_ms, validity } = told;
  const counts = [raw, bytes, fetched_at_ms];
  if (!counts.every((count) => typeof count === "number") || !isValidity(validity)) return null;
  return { ...(told as Told<V>), fetched_at_ms: Math.min(fetched_at_ms!, now_ms - age_ms) };
}

function isValidity(validity: Partial<Validity> | null | undefined): boolean {
  if (validity === undefined) return true;
  if (typeof validity !== "object" || validity === null) return false;
  const { fresh_ms, last_modified, bytes } = validity;
  const isFresh = fresh_ms === null || typeof fresh_ms === "number";
  return (
    isFresh &&
    (last_modified === null || typeof last_modified === "string") &&
    typeof bytes === "number"
  );
}
