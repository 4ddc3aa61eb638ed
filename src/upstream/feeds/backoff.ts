/**
 * Times of the next attempt. Due times carry ±10 % jitter, so that a thousand systems do not fall
 * into step.
 */
import type { Random } from "#ports.ts";

export function jittered(random: Random, ms: number): number {
  return Math.round(ms * (0.9 + 0.2 * random()));
}

/** First, doubled, doubled again, up to max; jittered. */
export function backoff_ms(
  random: Random,
  failures: number,
  { first, max }: { first: number; max: number },
): number {
  return jittered(random, Math.min(first * 2 ** Math.min(failures - 1, 30), max));
}
