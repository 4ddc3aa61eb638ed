/** How many datasets of a key live: what is stored, less what has expired and is not yet gone. */
import type { DatabaseSync } from "#storage/embedded/database.ts";

/** Of a quota key, or of the key of a block. The expired are few: they are forgotten within minutes. */
export function prepareCount(database: DatabaseSync): (key: string, now_ms: number) => number {
  const count = database.prepare(
    `SELECT stored - (SELECT count(*) FROM dataset WHERE quota_key = ?1 AND expires_at_ms <= ?2)
              - (SELECT count(*) FROM dataset WHERE block_key = ?1 AND expires_at_ms <= ?2)
       AS living FROM dataset_count WHERE quota_key = ?1`,
  );
  return (key, now_ms) => Number(count.get(key, now_ms)?.["living"] ?? 0);
}
