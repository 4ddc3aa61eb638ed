/** Every way of publishing whole systems that the feed runtime can drive, by the source's id. */
import { citybikesProtocol } from "#stations/citybikes/citybikes-protocol.ts";
import { gbfsProtocol } from "#stations/gbfs/gbfs-protocol.ts";
import { motisProtocol } from "#providers/motis/motis-stations.ts";
import { openstreetmapProtocol } from "#providers/openstreetmap/osm-stations.ts";
import { withContradictions } from "#stations/contradictions.ts";
import type { FeedProtocol, IngestJob, IngestResult } from "#stations/feed.ts";

export const FEED_PROTOCOLS: Readonly<Record<string, FeedProtocol>> = {
  gbfs: gbfsProtocol,
  citybikes: citybikesProtocol,
  motis: motisProtocol,
  openstreetmap: openstreetmapProtocol,
};

/** Bodies in, packs out, by whichever protocol the job names: what the parsing thread runs. */
export function ingest(job: IngestJob): IngestResult {
  return withContradictions(job, FEED_PROTOCOLS[job.protocol]!.ingest(job));
}
