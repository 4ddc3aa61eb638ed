/**
 * Time that never goes back. Ages, due times and deadlines of the whole program are differences of
 * it: were it to follow a system clock that is set back, what was read before would be in the future
 * and count as fresh, and nothing would fall due until the clock had caught up.
 *
 * Each reading compares the system clock with the monotonic one. A step back is not followed: time
 * goes on from where it was, a tenth slower until the two agree. A step forward is followed at once.
 * After a step back that would take too long to make up for, the service starts over (clock-watch.ts).
 */

export type SteadyTime = {
  /** Epoch milliseconds. */
  now(): number;
  /** Epoch milliseconds of the system clock, wherever it was set; absent: they are those of `now`. */
  wall?(): number;
  /** Calls back with each step of the system clock, ms; negative: it was set back. */
  watch(stepped: (step_ms: number) => void): void;
};

export type TimeSources = {
  /** Epoch milliseconds of the system clock. */
  wall(): number;
  /** Milliseconds since anything, never going back. */
  monotonic(): number;
};

/** Smaller differences are those of a clock that is disciplined, and are followed. */
const STEP_MS = 500;
/** Of the time that passes, what is taken back of the lead after a step back. */
const SLOWED_BY = 0.1;

const SYSTEM: TimeSources = { wall: () => Date.now(), monotonic: () => performance.now() };

export function createSteadyTime({ wall, monotonic }: TimeSources = SYSTEM): SteadyTime {
  const watchers: ((step_ms: number) => void)[] = [];
  let wall_ms = wall();
  let monotonic_ms = monotonic();
  /** How far this time is ahead of the system clock. */
  let lead_ms = 0;
  return {
    now() {
      // In this order: a process that is stopped in between must not take it for a step back.
      const next_ms = wall();
      const passed_ms = monotonic() - monotonic_ms;
      const step_ms = next_ms - wall_ms - passed_ms;
      monotonic_ms += passed_ms;
      wall_ms = next_ms;
      lead_ms = Math.max(0, lead_ms - SLOWED_BY * passed_ms);
      if (Math.abs(step_ms) >= STEP_MS) {
        lead_ms = Math.max(0, lead_ms - step_ms);
        for (const stepped of watchers) stepped(step_ms);
      }
      return Math.floor(wall_ms + lead_ms);
    },
    wall,
    watch(stepped) {
      watchers.push(stepped);
    },
  };
}
