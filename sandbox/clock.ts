// The simulated time: a base clock and what has been added to it by hand.

export type SandboxClock = {
  now(): number;
  /** Moves on, lets followers catch up, and returns the new time. One move after the other. */
  advance(advance_s: number): Promise<number>;
};

export function createClock(
  base: () => number,
  follow: (advance_s: number) => Promise<void>,
): SandboxClock {
  let added_ms = 0;
  let last: Promise<unknown> = Promise.resolve();
  const now = (): number => base() + added_ms;
  const move = async (advance_s: number): Promise<number> => {
    added_ms += advance_s * 1000;
    await follow(advance_s);
    return now();
  };
  return {
    now,
    advance(advance_s) {
      const moved = last.then(() => move(advance_s));
      last = moved.catch(() => undefined);
      return moved;
    },
  };
}
