/**
 * GBFS: bike share, scooters, mopeds and shared cars, one descriptor for every system.
 * Reference: github.com/MobilityData/gbfs, versions 1.0 to 3.x. Quirks: mobility.md 1.12.
 */
import { DEFAULT_MAX_BYTES, defineProvider } from "#providers/define.ts";
import { LIVE_FILES } from "#providers/provider.ts";
import type { FeedFile } from "#providers/provider.ts";

export default defineProvider({
  id: "gbfs",
  name: "General Bikeshare Feed Specification",
  kind: "feed",
  operations: ["getNearby"],
  // Licence and attribution are each system's own (system_information); the configuration fills gaps.
  terms: {
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: DEFAULT_MAX_BYTES },
  lifecycle: "active",
});

/**
 * Polling floor in seconds (mobility.md 1.2): bounds of the publisher's ttl, and what stands in for
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
