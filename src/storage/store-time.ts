/**
 * Time of connections: that of the machine since its start, which no step of the system's clock and
 * no sandbox moves. A server that was silent for two seconds was so in any world.
 */
import { detach, type NoteFault } from "#kit/guard.ts";
import type { Clock } from "#ports.ts";

export type Time = Pick<Clock, "now" | "schedule">;

/** Makes the time; its timers keep no process alive. `onFault`: receives what a task throws. */
export function timeOf(onFault: NoteFault): Time {
  return {
    now: () => performance.now(),
    schedule(at_ms, task) {
      const run = (): void =>
        detach(Promise.try(task), (error) => onFault("timer of a store", error));
      const timer = setTimeout(run, Math.max(0, at_ms - performance.now())).unref();
      return () => clearTimeout(timer);
    },
  };
}
