/** A parsing thread that does what the job's system_id says. */
import { ingest } from "#stations/gbfs/gbfs-ingest.ts";
import type { IngestJob } from "#stations/feed.ts";
import { serveJobs } from "#kit/run/thread.ts";

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

serveJobs((job: IngestJob) => {
  ACTS[job.system_id]?.();
  return ingest(job);
});
