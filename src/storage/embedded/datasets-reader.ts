/** Reads datasets: all of what was stored and nothing else, or the fact that it cannot be read. */
import type { DatasetRead, Datasets, Repeated } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { type FoundDataset, judge, UNREADABLE } from "#storage/datasets-content.ts";

type Part = Parameters<Datasets["read"]>[1];

export type DatasetReader = {
  read(id: string, part: Part): DatasetRead;
  findRepeat(repeat_key: Uint8Array, since_ms: number): Repeated | null;
  /** null: it cannot be read. */
  count(quota_key: string, now_ms: number): number | null;
};

export function createDatasetReader(database: DatabaseSync): DatasetReader {
  const find = {
    observation: prepareFind(database, "observation"),
    body: prepareFind(database, "packed"),
  };
  const count = prepareCount(database);
  const repeat = database.prepare(
    `SELECT dataset_id AS id, made_at_ms FROM dataset_repeat
       WHERE repeat_key = ? AND made_at_ms >= ?`,
  );
  return {
    read: (id, part) =>
      attempt(() => judge(find[part].get(id) as FoundDataset | undefined, part)) ?? UNREADABLE,
    findRepeat: (repeat_key, since_ms) =>
      attempt(() => {
        const match = repeat.get(repeat_key, since_ms) as Repeated | undefined;
        return match ? { id: match.id, made_at_ms: match.made_at_ms } : null;
      }),
    count: (quota_key, now_ms) => attempt(() => count(quota_key, now_ms)),
  };
}

function prepareFind(database: DatabaseSync, column: "observation" | "packed") {
  return database.prepare(
    `SELECT id, owner, version, created_at_ms, expires_at_ms, kept_until_ms, observation_digest, seal,
            content.digest AS body_digest, ${column} AS packed
       FROM dataset LEFT JOIN content USING (content_id) WHERE id = ?`,
  );
}

/** When the life of a row of `dataset` ends, as its indexes have it. */
export const ENDS_AT_MS = "coalesce(kept_until_ms, expires_at_ms)";

/**
 * Living datasets of a quota key, or of the key of a block: what is stored less what has expired,
 * which is little, since it is forgotten within minutes.
 */
export function prepareCount(database: DatabaseSync): (key: string, now_ms: number) => number {
  const count = database.prepare(
    `SELECT stored - (SELECT count(*) FROM dataset WHERE quota_key = ?1 AND ${ENDS_AT_MS} <= ?2)
              - (SELECT count(*) FROM dataset WHERE block_key = ?1 AND ${ENDS_AT_MS} <= ?2)
       AS living FROM dataset_count WHERE quota_key = ?1`,
  );
  return (key, now_ms) => Number(count.get(key, now_ms)?.["living"] ?? 0);
}

/** SQLite and the unpacking report a broken disk only by throwing. */
function attempt<T>(task: () => T): T | null {
  try {
    return task();
  } catch {
    return null;
  }
}
