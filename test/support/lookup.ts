/**
 * Sources that are asked per question, in a bottle: a clock that reports what is still scheduled, a
 * line on which every call waits until the test answers it, and a plain lookup to ask over it.
 */
import type { AdjustableClock } from "#process/clock.ts";
import { createManualClock } from "./manual-clock.ts";
import type { Failure, Outcome } from "#kit/outcome.ts";
import type { Lookup, LookupSettings, ReadAnswer } from "#providers/lookup.ts";
import { defineProvider } from "#providers/define.ts";
import type { SharedAnswers } from "#ports.ts";
import type { SourceRequest } from "#providers/provider.ts";
import {
  createAsk,
  createLookupCache,
  type Freshness,
  type LookupCache,
  type LookupReply,
} from "#upstream/lookup/ask-source.ts";
import type { Attempt, CallerDeps, LookupMeter } from "#upstream/lookup/lookup-caller.ts";
import { createDeadline, onAbort, toAbandoned } from "#upstream/deadline.ts";
import { type LookupPolicy, policyOf } from "#upstream/lookup/lookup-policy.ts";
import { ReadingTurns } from "#upstream/registers/reading-turns.ts";
import type { Fetched, RunRequest, RunOptions } from "#upstream/run.ts";
import { NOW_MS } from "./domain.ts";
import { type Collected, collectFaults } from "./faults.ts";

/** Waits until all promises that can resolve have done so. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

export type WatchedClock = AdjustableClock & {
  /** Tasks that are neither run nor called off. */
  pending(): number;
};

export function createWatchedClock(start_ms: number = NOW_MS): WatchedClock {
  const clock = createManualClock(start_ms);
  const waiting = new Set<symbol>();
  return {
    ...clock,
    schedule(at_ms, task) {
      const mark = Symbol("task");
      waiting.add(mark);
      const cancel = clock.schedule(at_ms, () => {
        waiting.delete(mark);
        return task();
      });
      return () => {
        waiting.delete(mark);
        cancel();
      };
    },
    // Pending work runs before time moves, so that its timers start from the current time.
    async advance(ms) {
      await turn();
      await clock.advance(ms);
    },
    pending: () => waiting.size,
  };
}

/** A call under way. */
export type Call = {
  request: SourceRequest;
  options: RunOptions;
  /** null: still wanted. */
  aborted: unknown;
  answer(outcome: Outcome<Fetched>): void;
};

type Line = {
  run: RunRequest;
  calls: Call[];
  /** Answers every call from now on at once; null: they wait again. */
  always(reply: ((call: Call) => Outcome<Fetched>) | null): void;
  /** The number of calls under way, now and at most. */
  flying(): number;
  peak(): number;
};

/** As the real one: a call that is called off ends at once, as `aborted` or as out of time. */
function createLine(): Line {
  const calls: Call[] = [];
  let reply: ((call: Call) => Outcome<Fetched>) | null = null;
  let flying = 0;
  let peak = 0;
  return {
    run(request, options) {
      const { promise, resolve } = Promise.withResolvers<Outcome<Fetched>>();
      const call: Call = { request, options, aborted: null, answer: resolve };
      const gone = (): void => {
        call.aborted = options.signal!.reason;
        const late = (call.aborted as { code?: string }).code === "DEADLINE";
        resolve({ status: "timeout", reason: late ? "deadline" : "aborted" });
      };
      if (options.signal?.aborted) gone();
      options.signal?.addEventListener("abort", gone, { once: true });
      calls.push(call);
      peak = Math.max(peak, ++flying);
      if (reply) resolve(reply(call));
      return promise.finally(() => {
        flying--;
        options.signal?.removeEventListener("abort", gone);
      });
    },
    calls,
    always: (next) => void (reply = next),
    flying: () => flying,
    peak: () => peak,
  };
}

export function toBody(value: unknown, at_ms: number, link: string | null = null) {
  const nothing = { etag: null, last_modified: null, max_age_s: null, content_type: null };
  const body = new TextEncoder().encode(JSON.stringify(value));
  return {
    status: "ok" as const,
    value: { kind: "body" as const, body, url: "https://source.example", link, ...nothing },
    fetched_at_ms: at_ms,
    cache: "miss" as const,
  };
}

export const PROVIDER = defineProvider({
  id: "source",
  name: "Source",
  kind: "lookup",
  operations: ["words"],
  lifecycle: "active",
  terms: {
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: 1_000 },
});

/** Asks for a text and gets a list of texts; `null` is a body of another shape. */
export const WORDS: Lookup<string, LookupSettings, string[]> = {
  id: "source.words",
  provider: PROVIDER,
  keyOf: (query) => query,
  request: (query, { url, timeout_ms }) => ({ url: `${url}/${query}`, timeout_ms }),
  read({ body }): ReadAnswer<string[]> {
    const value = JSON.parse(new TextDecoder().decode(body)) as string[] | null;
    if (value === null) return { ok: false, status: "error", reason: "wrong_shape" };
    return { ok: true, value, raw: value.length };
  },
};

export const TIMEOUT_MS = 2_000;

export type Desk = {
  clock: WatchedClock;
  line: Line;
  cache: LookupCache;
  attempts: Attempt[];
  faults: Collected["faults"];
  deps: CallerDeps & { clock: WatchedClock; cache: LookupCache; turns: ReadingTurns };
};

/** The parts of a caller or an asker. */
export function createDesk(random: () => number = () => 0.5): Desk {
  const clock = createWatchedClock();
  const line = createLine();
  const cache = createLookupCache(clock);
  const attempts: Attempt[] = [];
  const onAttempt = (event: Attempt): void => void attempts.push(event);
  const { faults, onFault } = collectFaults();
  const turns = new ReadingTurns(clock);
  const deps = { run: line.run, clock, random, onAttempt, onFault, cache, turns };
  return { clock, line, cache, attempts, faults, deps };
}

export const USUAL: LookupPolicy = policyOf({ store: "all" }, { cache_s: 60 });

/** Another replica: a memory of its own, the same clock and the same line. */
export function joinDesk(desk: Desk): Desk {
  const cache = createLookupCache(desk.clock);
  return { ...desk, cache, deps: { ...desk.deps, cache } };
}

export type Asker = Desk & {
  ask(
    query: string,
    how?: { freshness?: Freshness; signal?: AbortSignal; within_ms?: number },
  ): Promise<LookupReply<string[]>>;
};

/** The lookup of words, asked as a use case would: with a deadline that ends with the answer. */
export function createAsker(
  policy: LookupPolicy = USUAL,
  input: { desk?: Desk; shared?: SharedAnswers; meter?: LookupMeter } = {},
): Asker {
  const { desk = createDesk(), shared, meter } = input;
  const settings = { url: "https://source.example", timeout_ms: TIMEOUT_MS };
  const others = { ...(shared ? { shared } : {}), ...(meter ? { meter } : {}) };
  const ask = createAsk(WORDS, { settings, policy }, { ...desk.deps, ...others });
  return {
    ...desk,
    async ask(query, { freshness = null, signal, within_ms = 60_000 } = {}) {
      const until_ms = desk.clock.now() + within_ms;
      using deadline = createDeadline(desk.clock, until_ms, signal);
      return await ask(query, { signal: deadline.signal, keyed: false, freshness });
    },
  };
}

export const REFUSED: Failure = { status: "error", reason: "http_400" };
export const BROKEN: Failure = { status: "error", reason: "http_500" };

/** Resolves when a request no longer waits, with why. */
export async function leftBy(signal: AbortSignal): Promise<string> {
  using end = onAbort(signal);
  await end.aborted;
  return toAbandoned(signal).reason;
}
