/** Entry of the parsing thread: bodies in, packs out (upstream/feeds/ingest-pool.ts asks). */
import { ingest } from "#providers/protocols.ts";
import type { IngestJob } from "#providers/provider.ts";
import { serveJobs } from "#upstream/thread-slot.ts";

// Packs are shared. Nothing is copied but facts of bounded size.
serveJobs((job: IngestJob) => ingest(job));
