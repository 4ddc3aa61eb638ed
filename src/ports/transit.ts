/** The store of imported timetables: one of the replaceable things (ports.ts). */

/** What the store says of a transit feed without reading it. */
export type TransitFeedRow = {
  feed_id: string;
  /** Changes with every import. */
  version: number;
  imported_at_ms: number;
  /** Of the document it was made of, for the next conditional request; null: none. */
  etag: string | null;
  last_modified: string | null;
};

/** An import that failed, or has not ended: what keeps a restart from trying it again at once. */
export type TransitAttempt = {
  feed_id: string;
  /** Of the archive that was tried; null: it had none. */
  etag: string | null;
  last_modified: string | null;
  /** In a row. */
  failures: number;
  retry_at_ms: number;
};

/** Imported transit feeds, packed (core/transit/feed-pack): all of a feed, or the one before. */
export type TransitStore = {
  listFeeds(): TransitFeedRow[];
  /** null: there is none. */
  readFeed(feed_id: string): Uint8Array | null;
  /** One transaction; the feed's version is one more than the last one's. */
  putFeed(
    feed_id: string,
    pack: Uint8Array,
    origin: { imported_at_ms: number; etag: string | null; last_modified: string | null },
  ): void;
  /** null: the last import of the feed succeeded, or there was none. */
  findAttempt(feed_id: string): TransitAttempt | null;
  putAttempt(attempt: TransitAttempt): void;
  clearAttempt(feed_id: string): void;
};
