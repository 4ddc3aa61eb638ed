/** Work at a steady pace, open loop: what is slow does not make the next one wait. */
export type Work = {
  /** No more is begun; resolves when all that was begun has ended. */
  stop(): Promise<void>;
};

const STEP_MS = 5;

/** `task` never rejects; it is given the number of its turn. */
export function pace(per_s: number, task: (turn: number) => Promise<void>): Work {
  const open = new Set<Promise<void>>();
  const begun = performance.now();
  let turn = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1000) * per_s);
    for (; turn < due; turn++) {
      const one = task(turn).finally(() => open.delete(one));
      open.add(one);
    }
  }, STEP_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  };
}

/** Runs the task repeatedly, one run after the other. */
export function repeat(task: () => Promise<void>): Work {
  const state = { open: true };
  const running = (async (): Promise<void> => {
    while (state.open) await task();
  })();
  return {
    async stop() {
      state.open = false;
      await running;
    },
  };
}
