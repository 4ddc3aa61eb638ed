/** Tasks that a clock repeats. */

type Schedule = { now(): number; schedule(at_ms: number, task: () => void): () => void };

/** Has a task done whenever so much time has passed; returns how to stop. */
export function every(clock: Schedule, after_ms: number, task: () => void): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    cancel = clock.schedule(clock.now() + after_ms, () => {
      // Before it: what it throws ends this turn alone.
      next();
      task();
    });
  };
  next();
  return () => cancel();
}
