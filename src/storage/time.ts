/**
 * Time of connections: that of the machine since its start, which no step of the system's clock and
 * no sandbox moves. A server that was silent for two seconds was so in any world.
 */
import type { Clock } from "#ports.ts";

export type Time = Pick<Clock, "now" | "schedule">;

/** It keeps no process alive. */
export const MACHINE_TIME: Time = {
  now: () => performance.now(),
  schedule(at_ms, task) {
    const timer = setTimeout(() => void task(), Math.max(0, at_ms - performance.now())).unref();
    return () => clearTimeout(timer);
  },
};
