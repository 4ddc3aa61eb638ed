/**
 * Work that takes the thread for milliseconds, one piece at a time. After each the thread is for
 * others for as long as the piece took, so that no number of requests takes more than half of it.
 */
import { detach } from "#kit/guard.ts";
import { setImmediate, setTimeout } from "node:timers/promises";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { SharedBound } from "#core/limits/shared-bound.ts";

export type Turns = {
  /**
   * Runs the work when it is its turn. `full`: too many wait, and no block of addresses has more work
   * waiting than this one; or it waited, and ended for that of a block which has less.
   */
  take<T>(work: () => T | Promise<T>, block: string): Promise<T | "full">;
};

/** Work that waits, as reading a file does, takes the thread for a part of its time only. */
const PAUSE_MAX_MS = 50;

/** Resolves when others had their time. */
type Pause = (worked_ms: number) => Promise<void>;

/** `onFault`: receives what a pause throws; the turn is passed on all the same. */
export function createTurns(
  waiting_max: number,
  onFault: (error: unknown) => void,
  pause: Pause = pauseAsLong,
): Turns {
  /** In their order. */
  const waiting = new Set<Waiting>();
  const places = new SharedBound<Waiting>(
    { ...BOUNDS_OF_ALL.tiles, most: waiting_max },
    (displaced) => {
      waiting.delete(displaced);
      displaced.go(false);
    },
  );
  let isRunning = false;
  const waitFor = (block: string): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const own = { go: resolve };
    if (places.take(own, block)) waiting.add(own);
    else resolve(false);
    return promise;
  };
  const begin = async (block: string): Promise<boolean> => {
    // The one that ends leaves its turn to the next.
    if (isRunning && !(await waitFor(block))) return false;
    isRunning = true;
    await setImmediate();
    return true;
  };
  const end = (): void => {
    const [next] = waiting;
    if (next === undefined) return void (isRunning = false);
    waiting.delete(next);
    places.leave(next);
    next.go(true);
  };
  return {
    async take(work, block) {
      if (!(await begin(block))) return "full";
      const begun_ms = performance.now();
      try {
        return await work();
      } finally {
        detach(pause(performance.now() - begun_ms).finally(end), onFault);
      }
    },
  };
}

/** `go`: true when it is its turn, false when it ends for another. */
type Waiting = { go(isItsTurn: boolean): void };

async function pauseAsLong(worked_ms: number): Promise<void> {
  await setTimeout(Math.min(worked_ms, PAUSE_MAX_MS), undefined, { ref: false });
}
