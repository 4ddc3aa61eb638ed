/**
 * A bulkhead: at most so many calls to a source at once, and at most so many that wait for a place,
 * in their order and not for long (reliability 2.4). Kept libraries have no queue that a caller can
 * leave.
 */
import type { Clock } from "#ports.ts";

export type Gate = {
  /** The way out again; null: no place in time, too many before, or gone meanwhile. */
  enter(options: { wait_ms: number; signal: AbortSignal }): Promise<(() => void) | null>;
  inside(): number;
};

export function createGate(
  clock: Clock,
  { places, queue }: { places: number; queue: number },
): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];
  const leaver = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      // The place passes on directly: in between, somebody else could slip in, and both be inside.
      const next = waiting.shift();
      if (next) next();
      else inside--;
    };
  };
  return {
    inside: () => inside,
    async enter({ wait_ms, signal }) {
      if (signal.aborted) return null;
      if (inside < places) {
        inside++;
        return leaver();
      }
      if (waiting.length >= queue) return null;
      return (await queued(clock, waiting, { wait_ms, signal })) ? leaver() : null;
    },
  };
}

/** true: it is our turn. */
function queued(
  clock: Clock,
  waiting: (() => void)[],
  { wait_ms, signal }: { wait_ms: number; signal: AbortSignal },
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const done = (turn: boolean): void => {
    cancel();
    signal.removeEventListener("abort", give);
    const at = waiting.indexOf(take);
    if (at >= 0) waiting.splice(at, 1);
    resolve(turn);
  };
  const take = (): void => done(true);
  const give = (): void => done(false);
  const cancel = clock.schedule(clock.now() + wait_ms, give);
  signal.addEventListener("abort", give, { once: true });
  waiting.push(take);
  return promise;
}
