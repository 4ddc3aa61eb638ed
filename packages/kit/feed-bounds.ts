/**
 * The bounds of one feed. A file beyond one of them is an error of its feed, with the token below as
 * its reason; the last good snapshot stays in use.
 */
export const FEED_BOUNDS = {
  /** Decoded bytes of a file. */
  file_bytes: 32 * 1024 * 1024,
  /** Decoded bytes of a discovery document or a list of versions: these are parsed where requests are served. */
  discovery_bytes: 256 * 1024,
  /** Members of any one list or object of a file. */
  rows: 250_000,
  /** Values of a file in all: what a parsed document takes in memory. */
  values: 4_000_000,
  /** How deep lists and objects may be nested. */
  depth: 32,
  /**
   * Stations, or vehicles, of one feed within a square of 500 m: each question there looks at all of
   * them. The densest that was seen has some hundred.
   */
  dense_rows: 5_000,
  alerts: 1_000,
  /** Stations, regions or windows of one alert. */
  alert_ids: 200,
  zones: 5_000,
  /** Corners of all zones: each question for zones may look at all of them. */
  zone_corners: 200_000,
  /** Rules, and vehicle types named by rules, of all zones and of one. */
  zone_rules: 20_000,
  zone_types: 100_000,
  /** Members of a station or vehicle beyond the usual, as JSON. */
  extras_bytes: 64 * 1024,
  /** Facts of a system and its vehicle types: the part of a snapshot that is opened as JSON. */
  facts_bytes: 2 * 1024 * 1024,
  /** Work done in one go where requests are served. Measured: svc_feed_work_seconds. */
  work_ms: 50,
  /** Old generation of a parsing thread. */
  worker_heap_mb: 384,
} as const;

/** The bounds of one answer of a source that is asked per question: it is parsed where requests are served. */
export const ANSWER_BOUNDS = {
  bytes: 8 * 1024 * 1024,
  rows: 50_000,
  values: 500_000,
  depth: 32,
} as const;

export type BeyondBounds =
  | "too_deep"
  | "too_many_rows"
  | "too_many_values"
  | "row_too_large"
  | "too_dense"
  | "too_many_alerts"
  | "too_many_alert_ids"
  | "too_many_zones"
  | "too_many_facts";
