/**
 * Answers that replicas of a test share: the reference of the suite. It can be away, and a replica
 * can die with its claims.
 */
import type { Clock, KeptAnswer, SharedAnswers } from "#ports.ts";

export type MemoryAnswers = {
  /** Adds a replica; after `kill` it is unreachable and what it ends has no effect. */
  join(): SharedAnswers & { kill(): void };
  setAway(away: boolean): void;
  /** Every text that is kept, as it was put. */
  texts(): string[];
  /** Puts a text for every key that is read from now on. */
  poison(text: string): void;
  calls: Record<"read" | "claim" | "end", number>;
};

type Stored = { text: string; put_at_ms: number; gone_at_ms: number };
type Claim = { token: symbol; gone_at_ms: number };

export function createMemoryAnswers(clock: Pick<Clock, "now">): MemoryAnswers {
  const remaining = new Map<string, Stored>();
  const claims = new Map<string, Claim>();
  const watchers = new Set<{ key: string; onEnd: () => void }>();
  const calls = { read: 0, claim: 0, end: 0 };
  let away = false;
  let poisoned: string | null = null;
  const find = (key: string): KeptAnswer | null => {
    if (poisoned !== null) return { text: poisoned, age_ms: 0 };
    const match = remaining.get(key);
    if (!match || clock.now() >= match.gone_at_ms) return null;
    return { text: match.text, age_ms: clock.now() - match.put_at_ms };
  };
  const end = (key: string, token: symbol, answer: { text: string; life_ms: number } | null) => {
    const put_at_ms = clock.now();
    if (answer)
      remaining.set(key, { text: answer.text, put_at_ms, gone_at_ms: put_at_ms + answer.life_ms });
    if (claims.get(key)?.token !== token) return;
    claims.delete(key);
    for (const { key: watched, onEnd } of watchers) if (watched === key) onEnd();
  };
  return {
    join() {
      let dead = false;
      const silent = (): boolean => away || dead;
      return {
        async read(key) {
          calls.read++;
          return silent() ? "unreachable" : find(key);
        },
        async claim(key, life_ms) {
          calls.claim++;
          if (silent()) return "unreachable";
          if (clock.now() < (claims.get(key)?.gone_at_ms ?? 0)) return "held";
          const token = Symbol(key);
          claims.set(key, { token, gone_at_ms: clock.now() + life_ms });
          return {
            kept: find(key),
            async end(answer) {
              calls.end++;
              if (!silent()) end(key, token, answer);
            },
          };
        },
        watch(key, onEnd) {
          const own = { key, onEnd };
          watchers.add(own);
          return () => void watchers.delete(own);
        },
        kill: () => void (dead = true),
      };
    },
    setAway: (is) => void (away = is),
    texts: () => [...remaining.values()].map(({ text }) => text),
    poison: (text) => void (poisoned = text),
    calls,
  };
}
