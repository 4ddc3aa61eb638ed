/** What a source may be asked beyond the first try, and in a day. */
import type { Clock } from "#ports.ts";

/** Retries are at most a tenth of what succeeds, so that a struggling source is not doubled. */
export type RetryBudget = { success(): void; take(): boolean };

const TOKENS = 10;
const PER_SUCCESS = 0.1;

export function createRetryBudget(): RetryBudget {
  let tokens = TOKENS;
  return {
    success: () => void (tokens = Math.min(TOKENS, tokens + PER_SUCCESS)),
    take() {
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
}

/** A cap on calls a UTC day, for sources that cost money; null: none. */
export type Spend = { take(): boolean; spent(): number };

const DAY_MS = 86_400_000;

export function createSpend(clock: Clock, calls_per_day: number | null): Spend {
  let day = -1;
  let spent = 0;
  const turn = (): void => {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) spent = 0;
    day = today;
  };
  return {
    spent() {
      turn();
      return spent;
    },
    take() {
      turn();
      if (calls_per_day !== null && spent >= calls_per_day) return false;
      spent++;
      return true;
    },
  };
}
