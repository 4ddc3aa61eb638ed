/**
 * Repeats (decisions, Capabilities): the same whole body from the same caller within two minutes
 * gives the same observation and costs nothing, also while the first is still under way. This is the
 * memory of one process; after a restart, or at another replica, the store of datasets knows which
 * dataset it was (execute.ts).
 */
import { LRUCache } from "lru-cache";

export const REPEAT_MS = 120_000;
/** Of one instance: a repeat that comes after that many other questions is executed again. */
const MOST = 20_000;
/** Looked at with each question that is remembered, so that what is too old does not stay. */
const SWEEP = 4;

export type Repeats<T> = {
  /** How many are remembered. */
  size(): number;
  /** Outcome of the first; null: this is the first, or too late. */
  recall(key: string, now_ms: number): Promise<T> | null;
  /** `outcome` never rejects; `keeps`: whether it is kept for repeats, which a refusal is not. */
  remember(key: string, now_ms: number, outcome: Promise<T>, keeps: (of: T) => boolean): void;
};

export function createRepeats<T>(): Repeats<T> {
  const known = new LRUCache<string, { outcome: Promise<T>; at_ms: number }>({ max: MOST });
  function forgetOld(now_ms: number): void {
    for (const key of [...known.rkeys().take(SWEEP)])
      if (now_ms - known.peek(key)!.at_ms >= REPEAT_MS) known.delete(key);
  }
  return {
    size: () => known.size,
    recall(key, now_ms) {
      // Not renewed by being asked for: the oldest is first.
      const first = known.peek(key);
      return first && now_ms - first.at_ms < REPEAT_MS ? first.outcome : null;
    },
    remember(key, now_ms, outcome, keeps) {
      const first = { outcome, at_ms: now_ms };
      known.set(key, first);
      forgetOld(now_ms);
      const settle = (of: T): void => {
        if (!keeps(of) && known.peek(key) === first) known.delete(key);
      };
      void outcome.then(settle);
    },
  };
}
