/** Long work in small slices, between which others have the thread. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Resolves at once, or after a pause when it is time for one; rejects when the work is stopped. */
export type Turn = () => Promise<void>;

/**
 * How long one goes on without a pause: with what goes before and after, a question has the serving
 * thread for 5 ms at a time at most (decisions, Third edition).
 */
const SLICE_MS = 2;

export function createTurn({
  pause = nextTurn,
  signal,
  slice_ms = SLICE_MS,
}: {
  pause?: () => Promise<void>;
  signal?: AbortSignal;
  slice_ms?: number;
}): Turn {
  let begun_ms = performance.now();
  return async () => {
    signal?.throwIfAborted();
    if (performance.now() - begun_ms < slice_ms) return;
    await pause();
    signal?.throwIfAborted();
    begun_ms = performance.now();
  };
}

/** Runs steps to their end, with a turn after each. */
export async function runSteps<T>(steps: Generator<void, T>, turn: Turn): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn();
  }
}
