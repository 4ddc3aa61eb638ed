/** A parsing thread that does what the job's system_id says. */
import { parentPort } from "node:worker_threads";
import { ingest } from "#providers/gbfs/ingest.ts";
import type { IngestJob } from "#providers/provider.ts";

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const hoard: unknown[] = [];
const ACTS: Record<string, () => void> = {
  throw: () => {
    throw new Error("planted");
  },
  exit: () => process.exit(3),
  hang: () => {
    // Never ends, and leaves the processor to others meanwhile.
    for (;;) Atomics.wait(PAUSE, 0, 0, 20);
  },
  hoard: () => {
    for (;;) hoard.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  },
};

parentPort?.on("message", ({ id, job }: { id: number; job: IngestJob }) => {
  ACTS[job.system_id]?.();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage({ id, result: ingest(job) });
});
