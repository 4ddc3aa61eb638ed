/** Reads datasets: all of what was stored and nothing else, or the fact that it cannot be read. */
import type { Datasets, Repeated } from "#ports.ts";
import { type FoundDataset, judge, UNREADABLE } from "#storage/datasets-content.ts";
import { ENDS_AT_MS } from "#storage/embedded/datasets-reader.ts";
import { attemptQuery } from "./attempt.ts";
import type { Pool } from "./pool.ts";

export type DatasetReader = Pick<Datasets, "read" | "findRepeat" | "count">;

export function createDatasetReader(pool: Pick<Pool, "query" | "noteDefect">): DatasetReader {
  return {
    read: async (id, part) =>
      (await attemptQuery(pool, async () => {
        const rows = await pool.query<FoundDataset>(READ[part], [id]);
        return judge(rows[0], part);
      })) ?? UNREADABLE,
    findRepeat: (repeat_key, since_ms) =>
      attemptQuery(pool, async () => {
        const rows = await pool.query<Repeated>(FIND_REPEAT, [repeat_key, since_ms]);
        return rows[0] ?? null;
      }),
    count: (quota_key, now_ms) =>
      attemptQuery(pool, async () => {
        const rows = await pool.query<{ living: number }>(COUNT, [quota_key, now_ms]);
        return rows[0]!.living;
      }),
  };
}

const READ = { observation: toRead("observation"), body: toRead("packed") };

function toRead(column: "observation" | "packed"): string {
  return `SELECT id, owner, version, created_at_ms, expires_at_ms, kept_until_ms, observation_digest, seal,
                 dataset_content.digest AS body_digest, ${column} AS packed
            FROM dataset LEFT JOIN dataset_content ON digest = body_digest WHERE id = $1`;
}

const FIND_REPEAT = `
  SELECT dataset_id AS id, made_at_ms FROM dataset_repeat
   WHERE repeat_key = $1 AND made_at_ms >= $2`;

const COUNT = `
  SELECT coalesce((SELECT stored FROM dataset_count WHERE quota_key = $1), 0)
       - (SELECT count(*) FROM dataset WHERE quota_key = $1 AND ${ENDS_AT_MS} <= $2)
       - (SELECT count(*) FROM dataset WHERE block_key = $1 AND ${ENDS_AT_MS} <= $2) AS living`;
