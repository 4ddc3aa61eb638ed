/**
 * How long this process was stalled. The simulator, the services and the questions of the fault
 * matrix share one thread and a machine that does other things too: what that costs is not what an
 * answer took.
 */

export type Stalls = {
  /** Milliseconds so far in which nothing came round. */
  total_ms(): number;
  stop(): void;
};

const TICK_MS = 5;
/** Work of everyday length is not standing still. */
const USUAL_MS = 20;

export function watchStalls(): Stalls {
  let stalled_ms = 0;
  let last_ms = performance.now();
  const look = (): number => {
    const late_ms = performance.now() - last_ms - TICK_MS;
    return late_ms > USUAL_MS ? late_ms : 0;
  };
  const timer = setInterval(() => {
    stalled_ms += look();
    last_ms = performance.now();
  }, TICK_MS);
  return { total_ms: () => stalled_ms + look(), stop: () => clearInterval(timer) };
}
