/** A TransitStore that forgets everything with the process. */
import type { TransitAttempt, TransitFeedRow, TransitStoreAtHand } from "#ports/transit.ts";

export function createMemoryTransitStore(): TransitStoreAtHand {
  const feeds = new Map<string, TransitFeedRow & { pack: Uint8Array }>();
  const attempts = new Map<string, TransitAttempt>();
  return {
    findAttempt: (feed_id) => attempts.get(feed_id) ?? null,
    putAttempt: (attempt) => void attempts.set(attempt.feed_id, { ...attempt }),
    clearAttempt: (feed_id) => void attempts.delete(feed_id),
    listFeeds: () =>
      [...feeds.values()]
        .map(({ pack: _pack, ...row }) => ({ ...row }))
        .sort((a, b) => (a.feed_id < b.feed_id ? -1 : 1)),
    readFeed: (feed_id) => feeds.get(feed_id)?.pack.slice() ?? null,
    putFeed(feed_id, pack, meta) {
      const version = (feeds.get(feed_id)?.version ?? 0) + 1;
      feeds.set(feed_id, { feed_id, version, ...meta, pack: pack.slice() });
    },
  };
}
