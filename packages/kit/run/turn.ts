/** Long work in small slices, between which others have the thread. */
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * A pause to wait for when it is time for one, else undefined; rejects, or throws, when the work is
 * stopped. Most steps need none, and to wait for nothing would cost them a turn of microtasks.
 */
export type Turn = () => Promise<void> | undefined;

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
  pause?: () => Promise<void> | undefined;
  signal?: AbortSignal;
  slice_ms?: number;
}): Turn {
  let begun_ms = performance.now();
  const rest = async (): Promise<void> => {
    await pause();
    signal?.throwIfAborted();
    begun_ms = performance.now();
  };
  return () => {
    signal?.throwIfAborted();
    return performance.now() - begun_ms < slice_ms ? undefined : rest();
  };
}

/** Runs steps to their end, with a turn after each. */
export async function runSteps<T>(steps: Generator<void, T>, turn: Turn): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = turn();
    if (pause !== undefined) await pause;
  }
}
