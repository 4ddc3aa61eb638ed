/**
 * Bounds on what all callers hold together, and the part of each that callers without a key never get.
 * docs/shared-state.md has the same rows, and test/unit/http/bounds-of-all.test.ts fills each of them.
 */
import type { BoundOfAll } from "./shared-bound.ts";

export const BOUNDS_OF_ALL = {
  /** Event streams of /mcp (app/stations/watch). */
  streams: { most: 500, keyed_share: 0.5 },
  /** Answers of ask_here that can be read again (mcp/kept-answers). */
  answers: { most: 2_000, keyed_share: 0.5 },
  /** Streams of the live map (app/live/live-places). */
  live_streams: { most: 6_000, keyed_share: 0.5 },
  /** Connections; `server.max_connections` of the configuration, as shipped (http/connections). */
  connections: { most: 10_000, keyed_share: 0.1, keyed_later: true },
  /** Requests under way (http/shedding). */
  requests: { most: 2_048, keyed_share: 0.5 },
  /** Tiles of the map that wait for their turn (http/pages/turns); pages read no key. */
  tiles: { most: 256, keyed_share: 0 },
  /** Tiles of the live layer that wait for their turn (http/pages/turns). */
  live_tiles: { most: 512, keyed_share: 0.25 },
  /** Files of published GBFS that wait for their turn (http/pages/turns). */
  gbfs: { most: 256, keyed_share: 0.25 },
  /** Calls that wait for a place at one source (upstream/lookup/limits), of each; keys come first. */
  calls: { most: 64, keyed_share: 0.25 },
} as const satisfies Record<string, BoundOfAll>;
