/** GBFS as the feed runtime drives it (providers/provider.ts, `FeedProtocol`). */
import {
  chooseVersion,
  defaultFeeds,
  otherNameFiles,
  readDiscovery,
  readVersions,
} from "./gbfs-discovery.ts";
import { ingest } from "./gbfs-ingest.ts";
import { readSystem } from "./gbfs-system.ts";
import { type FeedFile, type FeedProtocol, LIVE_FILES } from "../feed.ts";

/**
 * Polling floor in seconds (mobility.md 1.2): bounds of the publisher's ttl, and what replaces
 * a ttl that says nothing.
 */
const POLL_S = {
  live: { min: 15, max: 300, fallback: 60 },
  static: { min: 300, max: 86_400, fallback: 3_600 },
} as const;

const LIVE: ReadonlySet<FeedFile> = new Set(LIVE_FILES);

/** ttl 0, absent or negative says nothing. */
export function nextPoll_s(file: FeedFile, ttl_s: number | null): number {
  const { min, max, fallback } = POLL_S[LIVE.has(file) ? "live" : "static"];
  if (ttl_s === null || !(ttl_s > 0)) return fallback;
  return Math.min(max, Math.max(min, Math.ceil(ttl_s)));
}

export const gbfsProtocol: FeedProtocol = {
  id: "gbfs",
  readDiscovery,
  otherNameFiles,
  readNames: (wire) => readSystem(wire)?.names ?? [],
  defaultFeeds,
  bestVersionUrl: (wire) => chooseVersion(readVersions(wire))?.url ?? null,
  nextPoll_s,
  ingest,
};
