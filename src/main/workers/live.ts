/** Entry of the thread that reads live data of timetables (main/transit/live.ts asks). */
import { parentPort } from "node:worker_threads";
import { createLiveReader, type LiveJob } from "../transit/live-job.ts";

const read = createLiveReader();
parentPort?.on("message", ({ id, job }: { id: number; job: LiveJob }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage({ id, result: read(job) });
});
