/** Entry of the parsing thread: bodies in, packs out (upstream/feeds/ingest-slot.ts asks). */
import { parentPort } from "node:worker_threads";
import { ingest } from "#providers/registry.ts";
import type { IngestJob } from "#providers/provider.ts";

parentPort?.on("message", ({ id, job }: { id: number; job: IngestJob }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage({ id, result: ingest(job) });
});
