/** GBFS as the feed runtime drives it (providers/provider.ts, `FeedProtocol`). */
import {
  chooseVersion,
  defaultFeeds,
  readDiscovery,
  readVersions,
} from "#providers/gbfs/discovery.ts";
import { nextPoll_s } from "#providers/gbfs/index.ts";
import { ingest } from "#providers/gbfs/ingest.ts";
import type { FeedProtocol } from "#providers/provider.ts";

export const gbfsProtocol: FeedProtocol = {
  id: "gbfs",
  readDiscovery,
  defaultFeeds,
  bestVersionUrl: (wire) => chooseVersion(readVersions(wire))?.url ?? null,
  nextPoll_s,
  ingest,
};
