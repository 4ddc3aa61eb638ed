/**
 * Loaded into a process before its program (`--import`): measures the delay of its event loop, and
 * writes it to the file named by HOSTILE_PROBE at each SIGWINCH, which starts a new measurement.
 */
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Since the last reading; `run_p999_ms`: since the first one. */
export type Delay = {
  p50_ms: number;
  p99_ms: number;
  p999_ms: number;
  max_ms: number;
  run_p999_ms: number;
};

const file = process.env["HOSTILE_PROBE"];
if (file !== undefined && isMainThread) measure(file);

function measure(into: string): void {
  const RESOLUTION_MS = 5;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const run = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const lateBy = (histogram: typeof delay, share: number): number =>
    Math.max(0, histogram.percentile(share) / 1e6 - RESOLUTION_MS);
  process.on("SIGWINCH", () => {
    const at = (share: number): number => lateBy(delay, share);
    const read: Delay = {
      p50_ms: at(50),
      p99_ms: at(99),
      p999_ms: at(99.9),
      max_ms: at(100),
      run_p999_ms: lateBy(run, 99.9),
    };
    delay.reset();
    run.enable();
    writeFileSync(`${into}.new`, JSON.stringify(read));
    renameSync(`${into}.new`, into);
  });
}
