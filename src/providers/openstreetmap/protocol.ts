/** The open map as the feed runtime drives it: one document, and nothing of it is live. */
import { ingest } from "#providers/openstreetmap/ingest.ts";
import type { FeedProtocol } from "#providers/provider.ts";

/** Mapped by hand: a day is soon enough. */
const STATIC_S = 86_400;

export const openstreetmapProtocol: FeedProtocol = {
  id: "openstreetmap",
  places: (url) => new Map([["station_information", url]]),
  readDiscovery: () => null,
  defaultFeeds: () => new Map(),
  bestVersionUrl: () => null,
  nextPoll_s: () => STATIC_S,
  ingest,
};
