/** Datasets of a fleet in PostgreSQL (§4.8): put in batches, read by whichever replica is asked. */
import { randomBytes } from "node:crypto";
import type { DatasetFate } from "#core/datasets/fate.ts";
import { DATASET_SECRET_BYTES } from "#core/datasets/id.ts";
import type { Datasets, NewDataset } from "#ports.ts";
import { type FoundDataset, judge, UNREADABLE } from "#storage/embedded/datasets-content.ts";
import type { PutFate } from "#storage/embedded/datasets-writer.ts";
import { createGroupCommit } from "#storage/embedded/group-commit.ts";
import { attempt, attemptTwice } from "./attempt.ts";
import { forgetDatasets, packDataset, putDatasets } from "./dataset-writer.ts";
import type { Pool } from "./pool.ts";

const MB = 1024 * 1024;
/** In bytes; well packed, a commit is a tenth of that. */
const BOUNDS = { pending: 64 * MB, batch: 2 * MB, enough: MB / 2, worth: 0 };
/** Of a dataset beside its contents. */
const ROW_BYTES = 512;

type Transacting = Pick<Pool, "query" | "transact" | "isRefusal">;

/**
 * `secret`: of `provideDatasetSecret`. The pool is the caller's, who closes it after the datasets,
 * which wait for what is under way.
 */
export function createPostgresDatasets(pool: Transacting, secret: Uint8Array): Datasets {
  let closed = false;
  const queue = createGroupCommit<NewDataset, DatasetFate>({
    ...{ bounds: BOUNDS, refused: "unavailable" },
    weigh: ({ observation, body }) => ROW_BYTES + observation.length + body.length,
    commit: async (datasets) =>
      (await attempt(() => putAll(pool, datasets))) ?? datasets.map(() => "unavailable"),
  });
  return {
    secret,
    put: queue.offer,
    read: async (id, part) =>
      (await attempt(async () => {
        const rows = await pool.query<FoundDataset>(READ[part], [id]);
        return judge(rows[0], part);
      })) ?? UNREADABLE,
    count: (quota_key, now_ms) =>
      attempt(async () => {
        const rows = await pool.query<{ living: number }>(COUNT, [quota_key, now_ms]);
        return rows[0]!.living;
      }),
    async forget(now_ms) {
      if (closed) return "unavailable";
      const more = await attempt(() => pool.transact((query) => forgetDatasets(query, now_ms)));
      if (more === null) return "unavailable";
      return more ? "more" : "done";
    },
    async close() {
      closed = true;
      await queue.drain();
    },
  };
}

/** Made once in a fleet: whoever comes second finds the first one's. Rejects as the pool does. */
export async function provideDatasetSecret(pool: Pick<Pool, "query">): Promise<Uint8Array> {
  await pool.query(
    "INSERT INTO dataset_secret (one, secret) VALUES (1, $1) ON CONFLICT DO NOTHING",
    [randomBytes(DATASET_SECRET_BYTES)],
  );
  const kept = await pool.query<{ secret: Uint8Array }>("SELECT secret FROM dataset_secret", []);
  return kept[0]!.secret;
}

/** Once more where the server refused it: another replica was in the way. */
async function putAll(pool: Transacting, datasets: readonly NewDataset[]): Promise<PutFate[]> {
  const packed = datasets.map(packDataset);
  const put = (): Promise<PutFate[]> => pool.transact((query) => putDatasets(query, packed));
  return attemptTwice(pool, put);
}

const READ = { observation: toRead("observation"), body: toRead("packed") };

function toRead(column: "observation" | "packed"): string {
  return `SELECT id, owner, version, created_at_ms, expires_at_ms, observation_digest, seal,
                 dataset_content.digest AS body_digest, ${column} AS packed
            FROM dataset LEFT JOIN dataset_content ON digest = body_digest WHERE id = $1`;
}

const COUNT = `
  SELECT coalesce((SELECT stored FROM dataset_count WHERE quota_key = $1), 0)
       - (SELECT count(*) FROM dataset WHERE quota_key = $1 AND expires_at_ms <= $2)
       - (SELECT count(*) FROM dataset WHERE block_key = $1 AND expires_at_ms <= $2) AS living`;
