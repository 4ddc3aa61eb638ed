/**
 * One operation of one source, called as its policy allows: spend, cool-down, breaker, bulkhead,
 * attempt, at most one retry. Gives an outcome, with what the answer meant.
 */
import { attempt, guard, type NoteFault } from "#kit/guard.ts";
import { DEFECT, type Failure, type Outcome } from "#kit/outcome.ts";
import { createTrail, type Trail } from "#kit/trail.ts";
import type { Clock, Random } from "#ports.ts";
import type { Lookup, LookupSettings, ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { createDeadline, onAbort } from "#upstream/deadline.ts";
import { Breaker, type BreakerState } from "#upstream/lookup/breaker.ts";
import {
  Bulkhead,
  createMemorySpendStore,
  createRetryBudget,
  type RetryBudget,
  type Spend,
  Spending,
} from "#upstream/lookup/lookup-limits.ts";
import type { LookupPolicy } from "#upstream/lookup/lookup-policy.ts";
import type { Fetched, RunRequest } from "#upstream/run.ts";
import { toLookupFailure } from "#upstream/symptoms.ts";

/**
 * Validity of an answer. `fresh_ms`: how long it is good, by the source's own word; null: it has
 * none.
 */
export type Validity = { fresh_ms: number | null; last_modified: string | null; bytes: number };

/** Meaning of an answer, and what it costs to keep. */
export type ReadValue<V> = { value: V; raw: number; bytes: number; validity?: Validity };

/** An earlier answer that is held: the source may confirm it. */
export type Revalidated<V> = { value: V; raw: number; last_modified: string; bytes: number };

/** Gives an outcome, whatever happens: what is thrown meanwhile is the outcome `defect`. */
export type LookupCaller<Q, V> = (
  query: Q,
  signal: AbortSignal,
  entry?: Revalidated<V> | null,
  /** Whether a caller with a key asks: part of a paid day is reserved for those. */
  keyed?: boolean,
) => Promise<Outcome<ReadValue<V>>>;

export type CallerDeps = {
  run: RunRequest;
  clock: Clock;
  random: Random;
  /** Receives every attempt, for metrics and `/v1/sources`. */
  onAttempt(event: Attempt): void;
  /** Receives what our own code throws on the way, such as over an answer that it cannot read. */
  onFault: NoteFault;
  /** What was spent of paid days; absent: counted here alone. */
  spending?: Spending;
  /** Absent: not counted. */
  meter?: LookupMeter | undefined;
};

export type Attempt = {
  lookup_id: string;
  provider: string;
  status: Outcome<unknown>["status"];
  reason: string | null;
  elapsed_ms: number;
  /** 0: the first attempt; 1: the second. */
  resend: number;
  /** Where it went, without its query. */
  sent: () => { method: string; host: string };
  /** What was dropped of the answer, and why. */
  trail: () => Trail;
};

type Tally = { count: number };

/** Of one provider, all of its operations together. */
type SourceTallies = { retries: Tally; spent: Tally };

/** Counts of cache use. `stale`: shown while it is renewed; `partial`: some of what was needed. */
export type CacheTallies = Readonly<Record<"hit" | "stale" | "partial" | "miss", Tally>>;

/** Counts of sources that are asked per request. Numbers only, made and read by what shows them. */
export type LookupMeter = {
  /** Called once for each operation of a provider, with the state of its breaker. */
  source(provider: string, breaker: () => BreakerState): SourceTallies;
  lookups: CacheTallies;
  tiles: CacheTallies;
  /** Requests that wait for a call in flight. */
  waiters: Tally;
};

export function createSilentMeter(): LookupMeter {
  const tally = (): Tally => ({ count: 0 });
  const cache = (): CacheTallies => ({
    hit: tally(),
    stale: tally(),
    partial: tally(),
    miss: tally(),
  });
  return {
    source: () => ({ retries: tally(), spent: tally() }),
    lookups: cache(),
    tiles: cache(),
    waiters: tally(),
  };
}

type Parts = {
  breaker: Breaker;
  bulkhead: Bulkhead;
  retries: RetryBudget;
  spend: Spend;
  /** Until when the source wants no calls, epoch ms. */
  quiet_until_ms: number;
  /** When the next call may begin, where the source has a rate of its own, epoch ms. */
  next_at_ms: number;
};

/** A call may spend this share of the source's own deadline on waiting for a place. */
const QUEUE_SHARE = 0.25;
const RETRYABLE = /^(connection_refused|connection_reset|http_(408|502|503|504))$/;
const RETRY_STEP_MS = 50;
const RETRY_CAP_MS = 400;
/** With less time left an attempt is not worth beginning. */
const LEAST_MS = 30;

export function createCaller<Q, S extends LookupSettings, V>(
  lookup: Lookup<Q, S, V>,
  source: { settings: S; policy: LookupPolicy },
  deps: CallerDeps,
): LookupCaller<Q, V> {
  const { clock, random } = deps;
  const { policy, settings } = source;
  const { spending = new Spending(clock, createMemorySpendStore()) } = deps;
  const parts: Parts = {
    breaker: new Breaker({ clock, random }),
    bulkhead: new Bulkhead(clock, policy),
    retries: createRetryBudget(),
    spend: spending.of(lookup.provider.id, policy),
    quiet_until_ms: 0,
    next_at_ms: 0,
  };
  const { meter = createSilentMeter() } = deps;
  const tallies = meter.source(lookup.provider.id, () => parts.breaker.state);
  const call: LookupCaller<Q, V> = async (query, signal, known = null, keyed = false) => {
    const until_ms = clock.now() + settings.timeout_ms;
    const closed = (): Failure | null => quiet(parts, clock) ?? parts.breaker.refusal();
    const refused = closed();
    if (refused) return refused;
    const wait_ms = settings.timeout_ms * QUEUE_SHARE;
    using place = await parts.bulkhead.enter({ wait_ms, signal, keyed });
    if (!place) return signal.aborted ? ABORTED : BUSY;
    if (!(await pace(parts, policy, { clock, wait_ms, signal })))
      return signal.aborted ? ABORTED : BUSY;
    // Before it is paid for: a request that cannot be made is not sent.
    const request = toRequest(lookup.request(query, settings), known);
    // A call that is not made says nothing of the source: the breaker does not count it.
    const send = async (resend: number): Promise<Outcome<ReadValue<V>>> => {
      const taken = parts.spend.take(keyed);
      const verdict = taken instanceof Promise ? await taken : taken;
      if (verdict !== "ok") return { status: "unavailable", reason: verdict };
      tallies.spent.count++;
      tallies.retries.count += resend;
      return await parts.breaker.run(() =>
        attemptOnce({ lookup, request, settings, query, signal, until_ms, known, resend }, deps),
      );
    };
    // Calls that waited honour what was said to those before them.
    let outcome = closed() ?? (await send(0));
    if (mayRetry(outcome, policy, parts) && (await pause(deps, until_ms, signal)) && !closed())
      outcome = await send(1);
    if (outcome.status === "ok") parts.retries.success();
    else noteCoolDown(outcome, policy, parts, clock);
    return outcome;
  };
  const toDefect = (error: unknown): Failure => {
    deps.onFault(`source ${lookup.id}`, error);
    return DEFECT;
  };
  return (...args) => guard(() => call(...args), toDefect);
}

const BUSY: Failure = { status: "unavailable", reason: "busy" };
const ABORTED: Failure = { status: "timeout", reason: "aborted" };

function quiet({ quiet_until_ms }: Parts, clock: Clock): Failure | null {
  if (clock.now() >= quiet_until_ms) return null;
  return { status: "unavailable", reason: "cooling_down", retry_at_ms: quiet_until_ms };
}

/** Public servers with a rate of their own: calls begin that far apart. false: not in time. */
async function pace(
  parts: Parts,
  { per_second }: LookupPolicy,
  { clock, wait_ms, signal }: { clock: Clock; wait_ms: number; signal: AbortSignal },
): Promise<boolean> {
  if (per_second === null) return true;
  const at_ms = Math.max(clock.now(), parts.next_at_ms);
  if (at_ms - clock.now() > wait_ms) return false;
  parts.next_at_ms = at_ms + 1000 / per_second;
  return await sleepUntil(clock, at_ms, signal);
}

/** false: aborted meanwhile. */
async function sleepUntil(clock: Clock, at_ms: number, signal: AbortSignal): Promise<boolean> {
  using deadline = createDeadline(clock, at_ms, signal);
  using end = onAbort(deadline.signal);
  await end.aborted;
  return !signal.aborted;
}

/** "Too many" and "come back later" hold for every call, not only for the one that was refused. */
function noteCoolDown(failure: Failure, policy: LookupPolicy, parts: Parts, clock: Clock): void {
  const { reason, retry_at_ms = 0 } = failure;
  const is_refusal = reason === "http_429" || reason === "quota" || reason === "blocked";
  if (!is_refusal && !(reason === "http_503" && retry_at_ms > 0)) return;
  const until_ms = retry_at_ms > 0 ? retry_at_ms : clock.now() + policy.cool_down_ms;
  parts.quiet_until_ms = Math.max(parts.quiet_until_ms, until_ms);
}

function mayRetry(outcome: Outcome<unknown>, policy: LookupPolicy, parts: Parts): boolean {
  if (outcome.status === "ok" || !policy.retry || outcome.retry_at_ms !== undefined) return false;
  return RETRYABLE.test(outcome.reason) && parts.retries.take();
}

/** Full jitter; false: no time for another attempt, or nothing waits for it. */
async function pause(
  { clock, random }: CallerDeps,
  until_ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  const wait_ms = random() * Math.min(RETRY_CAP_MS, RETRY_STEP_MS * 2);
  if (clock.now() + wait_ms + LEAST_MS > until_ms) return false;
  return await sleepUntil(clock, clock.now() + wait_ms, signal);
}

/** Asks only whether anything has changed since the answer that is known. */
function toRequest<V>(request: SourceRequest, entry: Revalidated<V> | null): SourceRequest {
  return entry ? { ...request, last_modified: entry.last_modified } : request;
}

type Try<Q, S, V> = {
  lookup: Lookup<Q, S, V>;
  request: SourceRequest;
  settings: S;
  query: Q;
  signal: AbortSignal;
  until_ms: number;
  known: Revalidated<V> | null;
  resend: number;
};

async function attemptOnce<Q, S extends LookupSettings, V>(
  { lookup, request, settings, query, signal, until_ms, known, resend }: Try<Q, S, V>,
  deps: CallerDeps,
): Promise<Outcome<ReadValue<V>>> {
  const begun_ms = deps.clock.now();
  const fetched = await deps.run(request, { deadline_ms: until_ms, signal });
  const trail = createTrail();
  const read = (wire: WireAnswer): ReadAnswer<V> => lookup.read(wire, query, { settings, trail });
  // The one place where an answer is read: what its reader throws costs this answer alone.
  const outcome = attempt(
    () => toMeaning(fetched, read, { known, honours: lookup.honours_expiry === true }),
    (error): Failure => {
      deps.onFault(`source ${lookup.id}`, error);
      return DEFECT;
    },
  );
  const elapsed_ms = deps.clock.now() - begun_ms;
  const reason = outcome.status === "ok" ? null : outcome.reason;
  const { status } = outcome;
  deps.onAttempt({
    lookup_id: lookup.id,
    provider: lookup.provider.id,
    status,
    reason,
    elapsed_ms,
    resend,
    sent: () => toSent(request),
    trail: trail.toTrail,
  });
  return outcome;
}

function toSent({ url, method = "GET" }: SourceRequest): { method: string; host: string } {
  return { method, host: new URL(url).host };
}

/** HTTP 200 is not success (places.md 0.4): only the adapter knows what the body says. */
function toMeaning<V>(
  fetched: Outcome<Fetched>,
  read: (wire: WireAnswer) => ReadAnswer<V>,
  { known, honours }: { known: Revalidated<V> | null; honours: boolean },
): Outcome<ReadValue<V>> {
  if (fetched.status !== "ok") return toLookupFailure(fetched);
  const { value, fetched_at_ms } = fetched;
  if (value.kind === "not_modified") {
    if (!known) return { status: "error", reason: "unexpected" };
    const { last_modified, ...stored } = known;
    const validity = toValidity(value.expires_in_s, last_modified, known.bytes);
    return { status: "ok", value: { ...stored, validity }, fetched_at_ms, cache: "revalidated" };
  }
  const refused = value.kind === "refused";
  const { body } = value;
  const intended = read({
    status: refused ? value.http_status : 200,
    content_type: refused ? null : value.content_type,
    body,
  });
  if (intended.ok) {
    const validity =
      honours && !refused
        ? { validity: toValidity(value.expires_in_s, value.last_modified, body.length) }
        : {};
    const stored = { value: intended.value, raw: intended.raw, bytes: body.length, ...validity };
    return { status: "ok", value: stored, fetched_at_ms, cache: "miss" };
  }
  const { ok: _, ...failure } = intended;
  // A Retry-After holds whatever the body says.
  const retry_at_ms = refused ? value.failure.retry_at_ms : undefined;
  return retry_at_ms === undefined ? failure : { ...failure, retry_at_ms };
}

/** An expiry that is past or missing is left to the policy. */
function toValidity(
  expires_in_s: number | undefined,
  last_modified: string | null,
  bytes: number,
): Validity {
  const fresh_ms = expires_in_s ? expires_in_s * 1000 : null;
  return { fresh_ms, last_modified, bytes };
}
