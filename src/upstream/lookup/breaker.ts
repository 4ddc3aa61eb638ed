/**
 * A circuit breaker for one operation of one source. The library counts; how long a circuit stays
 * open is measured on our clock, which the sandbox moves (reliability 2.4), and probes are let
 * through here: the library knows no call that says nothing, and lets those who wait for a probe
 * be the next ones at once.
 */
import { CircuitState, ConsecutiveBreaker, CountBreaker } from "cockatiel";
import type { Failure, Outcome } from "#core/outcome.ts";
import type { Clock, Random } from "#ports.ts";

export type Breaker = {
  /** What an open circuit answers; null: it is closed, or due for a probe that nobody makes yet. */
  refusal(): Failure | null;
  /** Runs the call and notes how it ended. One that we called off ourselves says nothing. */
  run<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>>;
  state(): BreakerState;
};

/** `probing`: the next call, or the one under way, decides. */
export type BreakerState = "closed" | "probing" | "open";

const CONSECUTIVE = 5;
/** The library opens above its threshold, the rule at it: ten of twenty. */
const OF_RECENT = { threshold: 0.499, size: 20, minimumNumberOfCalls: 20 } as const;
const OPEN_MS = 5_000;
const MAX_OPEN_MS = 60_000;
const JITTER = 0.2;
/** What never reached the source: called off by us, or refused at our own door. */
const SAYS_NOTHING = /^(aborted|url_denied|host_denied|egress_denied)$/;

export function createBreaker({ clock, random }: { clock: Clock; random: Random }): Breaker {
  /** 0: closed. */
  let open_until_ms = 0;
  let openings = 0;
  let probing = false;
  let last: Failure | null = null;
  const consecutive = new ConsecutiveBreaker(CONSECUTIVE);
  const recent = new CountBreaker(OF_RECENT);
  const open = (): void => {
    const for_ms = Math.min(OPEN_MS * 2 ** openings, MAX_OPEN_MS);
    open_until_ms = clock.now() + for_ms * (1 + JITTER * (2 * random() - 1));
    openings++;
  };
  const succeed = (probe: boolean): void => {
    consecutive.success();
    recent.success(probe ? CircuitState.HalfOpen : CircuitState.Closed);
    if (!probe) return;
    open_until_ms = 0;
    openings = 0;
  };
  const fail = (failure: Failure, probe: boolean): void => {
    const counts = [consecutive.failure(), recent.failure(CircuitState.Closed)];
    // A refused credential does not get better by asking again at once; one that was mended must
    // not wait for a minute either.
    const enough = counts.includes(true) || failure.status === "unauthorized";
    // What was in the air when it opened has no say in it any more.
    if (!probe && !(enough && open_until_ms === 0)) return;
    last = failure;
    open();
  };
  return {
    state() {
      if (clock.now() < open_until_ms) return "open";
      return open_until_ms > 0 ? "probing" : "closed";
    },
    refusal() {
      if (clock.now() >= open_until_ms && !probing) return null;
      const status = last?.status === "unauthorized" ? "unauthorized" : "unavailable";
      const reason = status === "unauthorized" ? last!.reason : "circuit_open";
      return { status, reason, retry_at_ms: open_until_ms };
    },
    async run(call) {
      const probe = open_until_ms > 0;
      if (probe) probing = true;
      const outcome = await call();
      if (probe) probing = false;
      if (outcome.status === "ok") succeed(probe);
      else if (!SAYS_NOTHING.test(outcome.reason)) fail(outcome, probe);
      return outcome;
    },
  };
}
