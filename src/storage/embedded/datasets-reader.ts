/** Reading datasets: all of what was stored and nothing else, or word that it cannot be read. */
import type { DatasetRead, Datasets, Repeated } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { type FoundDataset, judge, UNREADABLE } from "#storage/embedded/datasets-content.ts";
import { prepareCount } from "#storage/embedded/datasets-count.ts";

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
    findRepeat: (...asked) =>
      attempt(() => {
        const found = repeat.get(...asked) as Repeated | undefined;
        return found ? { id: found.id, made_at_ms: found.made_at_ms } : null;
      }),
    read: (id, part) =>
      attempt(() => judge(find[part].get(id) as FoundDataset | undefined, part)) ?? UNREADABLE,
    count: (quota_key, now_ms) => attempt(() => count(quota_key, now_ms)),
  };
}

function prepareFind(database: DatabaseSync, column: "observation" | "packed") {
  return database.prepare(
    `SELECT id, owner, version, created_at_ms, expires_at_ms, observation_digest, seal,
            content.digest AS body_digest, ${column} AS packed
       FROM dataset LEFT JOIN content USING (content_id) WHERE id = ?`,
  );
}

/** SQLite and what unpacks tell of a broken disk by what they throw, only. */
function attempt<T>(task: () => T): T | null {
  try {
    return task();
  } catch {
    return null;
  }
}
