/** The store of imported timetables: one of the replaceable things (ports.ts). */

import type { MaybePromise } from "#ports.ts";

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

/** When a feed was imported, and from which document. */
export type TransitOrigin = Pick<TransitFeedRow, "imported_at_ms" | "etag" | "last_modified">;

/** Imported transit feeds, packed (packages/transit/schedule/feed-pack): all of a feed, or the one before. */
export type TransitStore = {
  listFeeds(): TransitFeedRow[];
  /** In shared memory; null: there is none. Rejects where the store cannot be read. */
  readFeed(feed_id: string): MaybePromise<Uint8Array | null>;
  /**
   * One transaction; the feed's version is one more than the last one's. Rejects where it cannot be
   * stored.
   */
  putFeed(feed_id: string, pack: Uint8Array, origin: TransitOrigin): MaybePromise<void>;
  /** null: the last import of the feed succeeded, or there was none. */
  findAttempt(feed_id: string): TransitAttempt | null;
  putAttempt(attempt: TransitAttempt): void;
  clearAttempt(feed_id: string): void;
};

/** One that answers without a wait: for commands, and for the thread of another. */
export type TransitStoreAtHand = {
  [Name in keyof TransitStore]: (
    ...args: Parameters<TransitStore[Name]>
  ) => Awaited<ReturnType<TransitStore[Name]>>;
};
