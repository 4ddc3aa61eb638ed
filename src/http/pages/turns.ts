/**
 * Work that takes the thread for milliseconds, one piece at a time. After each the thread is for
 * others for as long as the piece took, so that no number of requests takes more than half of it.
 */
import { detach } from "#core/guard.ts";
import { setImmediate, setTimeout } from "node:timers/promises";

export type Turns = {
  isFull(): boolean;
  /** Runs the work when it is its turn. */
  take<T>(work: () => T | Promise<T>): Promise<T>;
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
  const waiting: (() => void)[] = [];
  let isRunning = false;
  const begin = async (): Promise<void> => {
    // The one that ends leaves its turn to the next.
    if (isRunning)
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    isRunning = true;
    await setImmediate();
  };
  const end = (): void => {
    const next = waiting.shift();
    if (next) next();
    else isRunning = false;
  };
  return {
    isFull: () => waiting.length >= waiting_max,
    async take(work) {
      await begin();
      const begun_ms = performance.now();
      try {
        return await work();
      } finally {
        detach(pause(performance.now() - begun_ms).finally(end), onFault);
      }
    },
  };
}

async function pauseAsLong(worked_ms: number): Promise<void> {
  await setTimeout(Math.min(worked_ms, PAUSE_MAX_MS), undefined, { ref: false });
}
