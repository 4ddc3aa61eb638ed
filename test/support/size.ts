/**
 * How much is tried, and how strictly by the clock. `npm test` tries a sample of what has many
 * cells, seeds or steps, and judges no duration, since the machine may do other work;
 * `npm run trials -- whole` runs the same tests with all of it, on a quiet machine.
 */

const WHOLE = process.env["VICINITY_TESTS"] === "whole";

/** Milliseconds that only what hangs exceeds, however busy the machine is. */
export const HANG_MS = 120_000;

/** `whole` in the trial, else `sample`. */
export function sized<T>(sample: T, whole: T): T {
  return WHOLE ? whole : sample;
}

/**
 * Examples of a property. Those of a fixed seed are the same in every run, so that in the sample a
 * quarter of them guards against what was seen before, and the trial looks for what was not.
 */
export function tries(whole: number): number {
  return sized(Math.min(whole, Math.max(LEAST_TRIES, Math.ceil(whole / 4))), whole);
}

const LEAST_TRIES = 60;

/** The bound of a duration, milliseconds: `ms` in the trial, else that of what hangs. */
export function within(ms: number): number {
  return sized(HANG_MS, ms);
}

/**
 * Milliseconds that the processor spent on the work in this thread: unlike the time that passes,
 * they are the same on a busy machine.
 */
export function measureCpu(work: () => void): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}
