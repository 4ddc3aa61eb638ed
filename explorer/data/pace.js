/** Requests of someone who types: one at a time, and none sooner than some time after the last began. */

/** @typedef {{ now: () => number, wait: (ms: number, signal: AbortSignal) => Promise<void> }} Time */

/** @type {Time} */
const REAL = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done, { once: true });
      function done() {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      }
    }),
};

/**
 * Returns what runs a job in its turn; null: its signal ended first. A job whose signal ends is to end
 * soon, since the next one waits for it.
 * @param {number} gap_ms from the beginning of one to the beginning of the next @param {Time} [time]
 */
export function createPace(gap_ms, time = REAL) {
  let began_ms = Number.NEGATIVE_INFINITY;
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @template T @param {() => Promise<T>} job @param {AbortSignal} signal @returns {Promise<T | null>} */
  return (job, signal) => {
    const mine = last.then(async () => {
      const rest_ms = began_ms + gap_ms - time.now();
      if (rest_ms > 0 && !signal.aborted) await time.wait(rest_ms, signal);
      if (signal.aborted) return null;
      began_ms = time.now();
      return job();
    });
    last = mine.catch(() => {});
    return mine;
  };
}
