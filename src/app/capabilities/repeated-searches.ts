/**
 * Repeats (decisions, Capabilities): the same whole body from the same caller within two minutes
 * gives the same observation and costs nothing, also while the first is still under way. This is the
 * memory of one process; after a restart, or at another replica, the store of datasets knows which
 * dataset it was, and a claim that it is under way (turns.ts).
 */
import { detach } from "#kit/guard.ts";
import { LRUCache } from "lru-cache";

export const REPEAT_MS = 120_000;
/** Of one instance: a repeat that comes after that many other questions is executed again. */
const MOST = 20_000;
/** Looked at with each question that is remembered, so that what is too old does not stay. */
const SWEEP = 4;

type First<T> = { outcome: Promise<T>; at_ms: number };

export class Repeats<T> {
  readonly #known = new LRUCache<string, First<T>>({ max: MOST });

  /** How many are remembered. */
  get size(): number {
    return this.#known.size;
  }

  /** Outcome of the first; null: this is the first, or too late. */
  recall(key: string, now_ms: number): Promise<T> | null {
    // Not renewed by being asked for: the oldest is first.
    const first = this.#known.peek(key);
    return first && now_ms - first.at_ms < REPEAT_MS ? first.outcome : null;
  }

  /** `outcome` never rejects; `keeps`: whether it is kept for repeats, which a refusal is not. */
  remember(key: string, now_ms: number, outcome: Promise<T>, keeps: (of: T) => boolean): void {
    const first = { outcome, at_ms: now_ms };
    this.#known.set(key, first);
    this.#forgetOld(now_ms);
    const settle = (of: T): void => {
      if (!keeps(of) && this.#known.peek(key) === first) this.#known.delete(key);
    };
    detach(outcome.then(settle), () => this.#known.delete(key));
  }

  #forgetOld(now_ms: number): void {
    for (const key of [...this.#known.rkeys().take(SWEEP)])
      if (now_ms - this.#known.peek(key)!.at_ms >= REPEAT_MS) this.#known.delete(key);
  }
}
