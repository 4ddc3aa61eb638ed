/** Work that takes the thread for milliseconds: some pieces at once, and other requests in between. */
import { setImmediate } from "node:timers/promises";

export type Turns = {
  isFull(): boolean;
  /** Runs the work when it is its turn. */
  take<T>(work: () => T | Promise<T>): Promise<T>;
};

export function createTurns(at_once: number, waiting_max: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = async (): Promise<void> => {
    if (running < at_once) running += 1;
    // The one that ends leaves its turn to the next.
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    await setImmediate();
  };
  const end = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return {
    isFull: () => waiting.length >= waiting_max,
    async take(work) {
      await begin();
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
