/**
 * Repeats (decisions, Capabilities): the same whole body from the same caller within two minutes
 * gives the same observation and costs nothing, also while the first is still under way.
 */
import { LRUCache } from "lru-cache";

const REPEAT_MS = 120_000;
/** Of one instance: who repeats beyond that many others' questions executes anew. */
const MOST = 100_000;

export type Repeats<T> = {
  /** What came of the first; null: this is the first, or too late. */
  recall(key: string, now_ms: number): Promise<T> | null;
  /** `outcome` never rejects; `keeps`: whether it stands for repeats, which a refusal does not. */
  remember(key: string, now_ms: number, outcome: Promise<T>, keeps: (of: T) => boolean): void;
};

export function createRepeats<T>(): Repeats<T> {
  const known = new LRUCache<string, { outcome: Promise<T>; at_ms: number }>({ max: MOST });
  return {
    recall(key, now_ms) {
      const first = known.get(key);
      return first && now_ms - first.at_ms < REPEAT_MS ? first.outcome : null;
    },
    remember(key, now_ms, outcome, keeps) {
      const first = { outcome, at_ms: now_ms };
      known.set(key, first);
      const settle = (of: T): void => {
        if (!keeps(of) && known.peek(key) === first) known.delete(key);
      };
      void outcome.then(settle);
    },
  };
}
