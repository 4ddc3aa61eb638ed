/** Entry of the parsing thread: bodies in, packs out (upstream/feeds/ingest-pool.ts asks). */
import { parentPort } from "node:worker_threads";
import { ingest } from "#providers/protocols.ts";
import type { IngestJob } from "#providers/provider.ts";

parentPort?.on("message", ({ id, job }: { id: number; job: IngestJob }) => {
  const result = ingest(job);
  // Packs are shared. Nothing is copied but facts of bounded size.
  parentPort?.postMessage({ id, result });
});
