/** Circuit breaker of one operation of a source (reliability 2.4): when it is left alone, and for how long. */
import { toCircuitReason } from "#core/failure-words.ts";
import type { Failure, Outcome } from "#kit/outcome.ts";
import type { Clock, Random } from "#ports.ts";

/** State of a breaker; `probing`: the next call, or the one under way, decides. */
export type BreakerState = "closed" | "probing" | "open";

/** Failures in a row that open it. */
const CONSECUTIVE = 5;
/** Failures among as many of the last calls that open it. */
const OF_RECENT = { failures: 10, calls: 20 } as const;
const OPEN_MS = 5_000;
const MAX_OPEN_MS = 60_000;
const JITTER = 0.2;
/** Failures of ours: aborted by us, refused before they were sent, or a defect of what reads them. */
const SAYS_NOTHING = /^(aborted|url_denied|host_denied|egress_denied|defect)$/;

export class Breaker {
  readonly #clock: Clock;
  readonly #random: Random;
  /** Whether each of the last calls failed, the latest last. */
  #recent: boolean[] = [];
  #in_a_row = 0;
  /** 0: closed. */
  #open_until_ms = 0;
  #openings = 0;
  #is_probing = false;
  #last: Failure | null = null;

  constructor({ clock, random }: { clock: Clock; random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  get state(): BreakerState {
    if (this.#clock.now() < this.#open_until_ms) return "open";
    return this.#open_until_ms > 0 ? "probing" : "closed";
  }

  /** The failure of an open circuit; null: it is closed, or due for a probe that is not under way. */
  refusal(): Failure | null {
    if (this.#clock.now() >= this.#open_until_ms && !this.#is_probing) return null;
    const { status, reason } = this.#last ?? { status: "error", reason: "unexpected" };
    const retry_at_ms = this.#open_until_ms;
    return status === "unauthorized"
      ? { status, reason, retry_at_ms }
      : { status: "unavailable", reason: toCircuitReason(reason), retry_at_ms };
  }

  /** Runs the call and notes how it ended. One that we aborted ourselves says nothing. */
  async run<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const is_probe = this.#open_until_ms > 0;
    using _ = is_probe ? this.#beginProbe() : null;
    const outcome = await call();
    if (outcome.status === "ok") this.#succeed(is_probe);
    else if (!SAYS_NOTHING.test(outcome.reason)) this.#fail(outcome, is_probe);
    return outcome;
  }

  /** One probe at a time; it is over however its call ends. */
  #beginProbe(): Disposable {
    this.#is_probing = true;
    return {
      [Symbol.dispose]: () => {
        this.#is_probing = false;
      },
    };
  }

  #succeed(is_probe: boolean): void {
    if (is_probe) {
      this.#recent = [];
      this.#open_until_ms = 0;
      this.#openings = 0;
    }
    this.#note(false);
  }

  #fail(failure: Failure, is_probe: boolean): void {
    this.#note(true);
    // A refused credential does not get better by asking again at once; one that was mended must
    // not wait for a minute either.
    const is_enough = this.#hasFailedOften() || failure.status === "unauthorized";
    // Calls in flight when it opened have no say in it any more.
    if (!is_probe && !(is_enough && this.#open_until_ms === 0)) return;
    this.#last = failure;
    const for_ms = Math.min(OPEN_MS * 2 ** this.#openings, MAX_OPEN_MS);
    this.#open_until_ms = this.#clock.now() + for_ms * (1 + JITTER * (2 * this.#random() - 1));
    this.#openings++;
  }

  #note(has_failed: boolean): void {
    this.#in_a_row = has_failed ? this.#in_a_row + 1 : 0;
    this.#recent.push(has_failed);
    if (this.#recent.length > OF_RECENT.calls) this.#recent.shift();
  }

  #hasFailedOften(): boolean {
    if (this.#in_a_row >= CONSECUTIVE) return true;
    const failures = this.#recent.filter(Boolean).length;
    return this.#recent.length === OF_RECENT.calls && failures >= OF_RECENT.failures;
  }
}
