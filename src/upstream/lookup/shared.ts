/**
 * Answers that one replica got and that serve all of a fleet, behind the cache in memory: read, else
 * one asks for all, and the others wait for its answer (reliability 2.4, single-flight across
 * replicas). The request decides whether an answer is good enough, here as there.
 */
import { detach } from "#kit/guard.ts";
import { parseJson } from "#kit/json.ts";
import type { Outcome, Success } from "#kit/outcome.ts";
import type { AnswerClaim, Clock, KeptAnswer, SharedAnswers } from "#ports.ts";
import { createDeadline, onAbort } from "#upstream/deadline.ts";
import type { ReadValue, Validity } from "#upstream/lookup/lookup-caller.ts";

export type SharedAnswer<V> = ReadValue<V> & { fetched_at_ms: number };

type Want<V> = {
  /** Aborted when nothing waits any more. */
  signal: AbortSignal;
  /** Whether it may answer the request. */
  fits(answer: SharedAnswer<V>): boolean;
  /** One that does not fit may replace a failed answer, or be found unchanged. */
  onStale(answer: SharedAnswer<V>): void;
  /** For how long what is fetched may be of use. */
  lifeOf_ms(intended: ReadValue<V>): number;
  fetch(): Promise<Outcome<ReadValue<V>>>;
};

/** Gets an answer from a replica or the source; one of another replica has `cache: "hit"`. */
export type Obtain<V> = (key: string, want: Want<V>) => Promise<Outcome<ReadValue<V>>>;

/** A claim outlives the attempt it was made for by this much, ms. */
const BEYOND_MS = 200;
/** A replica that asks for all may die, and another after it; then each asks for itself. */
const CLAIMS_WAITED = 2;
const POLL_MS = 50;
/** Older answers are of so little use that each replica keeps its own. */
const LIFE_MAX_MS = 86_400_000;
const DEPTH_MAX = 64;

const GONE = { status: "timeout", reason: "aborted" } as const;

/** `onFault`: receives what ending a claim throws, which nothing waits for. */
type ObtainDeps = { clock: Clock; timeout_ms: number; onFault: (error: unknown) => void };

export function createObtain<V>(
  shared: SharedAnswers,
  { clock, timeout_ms, onFault }: ObtainDeps,
): Obtain<V> {
  const claim_ms = timeout_ms + BEYOND_MS;
  const take = (stored: KeptAnswer | null, want: Want<V>): Outcome<ReadValue<V>> | null => {
    const answer = stored && toAnswer<V>(stored, clock.now());
    if (!answer) return null;
    if (!want.fits(answer)) return (want.onStale(answer), null);
    const { fetched_at_ms, ...value } = answer;
    return { status: "ok", value, fetched_at_ms, cache: "hit" };
  };
  return async (key, want) => {
    const until_ms = clock.now() + claim_ms * CLAIMS_WAITED;
    while (!want.signal.aborted) {
      const stored = await shared.read(key);
      if (stored === "unreachable") break;
      const taken = take(stored, want);
      if (taken) return taken;
      const claim = clock.now() < until_ms ? await shared.claim(key, claim_ms) : "unreachable";
      if (claim === "unreachable") break;
      if (claim !== "held") return await fetchForAll(claim, want, { take, onFault });
      await waitFor(key, shared, { clock, signal: want.signal });
    }
    return want.signal.aborted ? GONE : await want.fetch();
  };
}

type Ways<V> = Pick<ObtainDeps, "onFault"> & {
  /** An answer of another replica, where it was quicker and the answer fits. */
  take(answer: KeptAnswer | null, want: Want<V>): Outcome<ReadValue<V>> | null;
};

/** The store is updated in the background, and the claim ends whatever becomes of the fetch. */
async function fetchForAll<V>(
  claim: AnswerClaim,
  want: Want<V>,
  { take, onFault }: Ways<V>,
): Promise<Outcome<ReadValue<V>>> {
  let answer: Parameters<AnswerClaim["end"]>[0] = null;
  try {
    const taken = take(claim.kept, want);
    const outcome = taken ?? (await want.fetch());
    if (!taken && outcome.status === "ok") answer = toStored(outcome, want);
    return outcome;
  } finally {
    detach(claim.end(answer), onFault);
  }
}

/** null: it cannot be kept, or is of no use to others. */
function toStored<V>(
  { value, fetched_at_ms }: Success<ReadValue<V>>,
  { lifeOf_ms }: Want<V>,
): Parameters<AnswerClaim["end"]>[0] {
  const text = toText({ ...value, fetched_at_ms });
  const life_ms = Math.min(LIFE_MAX_MS, lifeOf_ms(value));
  return text === null || life_ms <= 0 ? null : { text, life_ms };
}

/** Until the claim is reported to be over; every `POLL_MS` in any case. */
async function waitFor(
  key: string,
  shared: SharedAnswers,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const unwatch = shared.watch(key, resolve);
  using _ = { [Symbol.dispose]: unwatch };
  using deadline = createDeadline(clock, clock.now() + POLL_MS, signal);
  using end = onAbort(deadline.signal);
  await Promise.race([ended, end.aborted]);
}

/** null: it would not come back as what it is. */
function toText(answer: SharedAnswer<unknown>): string | null {
  return isPlain(answer.value, 0) ? JSON.stringify(answer) : null;
}

/** Of nothing but what JSON has, so that a reader gets the same. -0 is written as 0. */
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
function toAnswer<V>({ text, age_ms }: KeptAnswer, now_ms: number): SharedAnswer<V> | null {
  const answer = parseJson(text) as Partial<SharedAnswer<V>> | null | undefined;
  if (typeof answer !== "object" || answer === null || !("value" in answer)) return null;
  const { raw, bytes, fetched_at_ms, validity } = answer;
  const counts = [raw, bytes, fetched_at_ms];
  if (!counts.every((count) => typeof count === "number") || !isValidity(validity)) return null;
  return {
    ...(answer as SharedAnswer<V>),
    fetched_at_ms: Math.min(fetched_at_ms!, now_ms - age_ms),
  };
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
