/**
 * A circuit breaker for one operation of one source. The library counts and decides; how long a
 * circuit stays open is measured on our clock, which the sandbox moves (reliability 2.4).
 */
import { circuitBreaker, ConsecutiveBreaker, CountBreaker, handleWhenResult } from "cockatiel";
import type { Failure, Outcome } from "#core/outcome.ts";
import type { Clock, Random } from "#ports.ts";

export type Breaker = {
  /** What an open circuit answers; null: it is closed, or due for a probe. */
  refusal(): Failure | null;
  /** Runs the call and notes how it ended. One that we called off ourselves says nothing. */
  run<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>>;
  state(): "closed" | "open";
};

const CONSECUTIVE = 5;
const OF_RECENT = { threshold: 0.5, size: 20, minimumNumberOfCalls: 20 } as const;
const OPEN_MS = 5_000;
const MAX_OPEN_MS = 60_000;
const JITTER = 0.2;

export function createBreaker({ clock, random }: { clock: Clock; random: Random }): Breaker {
  let open_until_ms = 0;
  let openings = 0;
  let last: Failure | null = null;
  const policy = circuitBreaker(handleWhenResult(isFailure), {
    halfOpenAfter: 0,
    breaker: eitherOf(new ConsecutiveBreaker(CONSECUTIVE), new CountBreaker(OF_RECENT)),
  });
  const open = (): void => {
    const for_ms = Math.min(OPEN_MS * 2 ** openings, MAX_OPEN_MS);
    open_until_ms = clock.now() + for_ms * (1 + JITTER * (2 * random() - 1));
    openings++;
  };
  policy.onBreak(open);
  policy.onReset(() => (openings = 0));
  return {
    state: () => (clock.now() < open_until_ms ? "open" : "closed"),
    refusal() {
      if (clock.now() >= open_until_ms) return null;
      const status = last?.status === "unauthorized" ? "unauthorized" : "unavailable";
      const reason = status === "unauthorized" ? last!.reason : "circuit_open";
      return { status, reason, retry_at_ms: open_until_ms };
    },
    async run(call) {
      const outcome = await policy.execute(call);
      if (outcome.status === "ok") {
        open_until_ms = 0;
        openings = 0;
      } else if (outcome.reason !== "aborted") {
        last = outcome;
        // A refused credential does not get better by asking again at once; one that was mended
        // must not wait for a minute either.
        if (outcome.status === "unauthorized" && clock.now() >= open_until_ms) open();
      }
      return outcome;
    },
  };
}

function isFailure(outcome: unknown): boolean {
  const { status, reason } = outcome as Outcome<unknown> & { reason?: string };
  return status !== "ok" && reason !== "aborted";
}

type Counting = Pick<ConsecutiveBreaker, "success" | "failure"> & { state: unknown };

/** Opens when one of them would; both hear of everything. */
function eitherOf(a: ConsecutiveBreaker, b: CountBreaker) {
  const both: readonly (Counting | CountBreaker)[] = [a, b];
  return {
    state: null as unknown,
    success: (state: Parameters<CountBreaker["success"]>[0]) => {
      for (const each of both) (each as CountBreaker).success(state);
    },
    failure: (state: Parameters<CountBreaker["failure"]>[0]) =>
      both.map((each) => (each as CountBreaker).failure(state)).includes(true),
  };
}
