/** Imported transit feeds in the embedded database: a row each, deflated. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { toShared } from "#kit/shared-bytes.ts";
import type { TransitAttempt, TransitFeedRow, TransitStoreAtHand } from "#ports/transit.ts";
import { type DatabaseSync, writeUnsynced } from "#storage/embedded/database.ts";

/** Packs deflate to a third: in one piece, that need not be joined, which takes as much again. */
function deflate(pack: Uint8Array): Uint8Array {
  const chunkSize = Math.max(LEAST_PIECE_BYTES, Math.ceil(pack.length / 2));
  return deflateRawSync(pack, { level: 1, chunkSize });
}

const LEAST_PIECE_BYTES = 16 * 1024;

export function createTransitStore(database: DatabaseSync): TransitStoreAtHand {
  const list = database.prepare(
    "SELECT feed_id, version, imported_at_ms, etag, last_modified FROM transit_feed ORDER BY feed_id",
  );
  const read = database.prepare("SELECT pack FROM transit_feed WHERE feed_id = ?");
  // One statement is one transaction: a reader sees the old feed or the new one.
  const put = database.prepare(
    `INSERT INTO transit_feed (feed_id, version, imported_at_ms, etag, last_modified, pack)
     VALUES (?, 1, ?, ?, ?, ?)
     ON CONFLICT (feed_id) DO UPDATE SET
       version = version + 1, imported_at_ms = excluded.imported_at_ms, etag = excluded.etag,
       last_modified = excluded.last_modified, pack = excluded.pack`,
  );
  const find = database.prepare("SELECT * FROM transit_attempt WHERE feed_id = ?");
  const keep = database.prepare(
    `INSERT OR REPLACE INTO transit_attempt (feed_id, etag, last_modified, failures, retry_at_ms)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const clear = database.prepare("DELETE FROM transit_attempt WHERE feed_id = ?");
  return {
    findAttempt(feed_id) {
      const row = find.get(feed_id) as TransitAttempt | undefined;
      return row ? { ...row } : null;
    },
    putAttempt({ feed_id, etag, last_modified, failures, retry_at_ms }) {
      writeUnsynced(database, () => keep.run(feed_id, etag, last_modified, failures, retry_at_ms));
    },
    clearAttempt: (feed_id) => writeUnsynced(database, () => clear.run(feed_id)),
    listFeeds: () => (list.all() as unknown as TransitFeedRow[]).map((row) => ({ ...row })),
    readFeed(feed_id) {
      const pack = read.get(feed_id)?.["pack"];
      return pack instanceof Uint8Array ? toShared(inflateRawSync(pack)) : null;
    },
    putFeed(feed_id, pack, { imported_at_ms, etag, last_modified }) {
      put.run(feed_id, imported_at_ms, etag, last_modified, deflate(pack));
    },
  };
}
