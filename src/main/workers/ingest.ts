/** Entry of the parsing thread: bodies in, packs out (upstream/feeds/ingest-pool.ts asks). */
import { ingest } from "#providers/protocols.ts";
import type { IngestJob } from "#stations/feed.ts";
import { serveJobs } from "#kit/run/thread.ts";

// Packs are shared. Nothing is copied but facts of bounded size.
serveJobs((job: IngestJob) => ingest(job));
