/** Datasets of a fleet in PostgreSQL (§4.8): put in batches, read by any replica. */
import { randomBytes } from "node:crypto";
import type { DatasetFate } from "#core/datasets/fate.ts";
import { DATASET_SECRET_BYTES } from "#core/datasets/id.ts";
import type { Datasets, NewDataset } from "#ports.ts";
import type { PutFate } from "#storage/embedded/datasets-writer.ts";
import { CommitQueue } from "#storage/commit-queue.ts";
import { attemptQuery, attemptTwice } from "./attempt.ts";
import { createDatasetReader } from "./datasets-reader.ts";
import { forgetDatasets, keepOn, packDataset, putDatasets } from "./datasets-writer.ts";
import type { Pool } from "./pool.ts";

const MB = 1024 * 1024;
/** In bytes; well packed, a commit is a tenth of that. */
const BOUNDS = { pending: 64 * MB, batch: 2 * MB, enough: MB / 2 };
/** A dataset without its contents. */
const ROW_BYTES = 512;

type Transacting = Pick<Pool, "query" | "transact" | "isRefusal" | "noteDefect">;

/** The secret of ids, which is of this process alone until the store has answered with that of the fleet. */
export class DatasetSecret {
  #bytes: Uint8Array = randomBytes(DATASET_SECRET_BYTES);
  #isKnown = false;

  constructor(bytes: Uint8Array | null = null) {
    if (bytes) this.learn(bytes);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  learn(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#isKnown = true;
  }
}

/**
 * `secret`: of `provideDatasetSecret`, once it is known. The pool is the caller's, who closes it after the datasets,
 * which wait for what is under way. `onFault`: receives what a commit throws.
 */
export function createPostgresDatasets(
  pool: Transacting,
  secret: DatasetSecret,
  onFault: (error: unknown) => void,
): Datasets {
  let closed = false;
  const queue = new CommitQueue<NewDataset, DatasetFate>({
    bounds: BOUNDS,
    refused: "unavailable",
    onFault,
    weigh: ({ observation, body }) => ROW_BYTES + observation.length + body.length,
    commit: async (datasets) =>
      (await attemptQuery(pool, () => putAll(pool, datasets))) ?? datasets.map(() => "unavailable"),
  });
  return {
    get secret() {
      return secret.bytes;
    },
    knowsSecret: () => secret.isKnown,
    // An id that was issued before would not be known later.
    put: (dataset) => (secret.isKnown ? queue.offer(dataset) : Promise.resolve("unavailable")),
    ...createDatasetReader(pool),
    async keepOn(id, life) {
      if (closed) return false;
      return (
        (await attemptQuery(pool, () => pool.transact((query) => keepOn(query, id, life)))) ?? false
      );
    },
    async forget(now_ms) {
      if (closed) return "unavailable";
      const more = await attemptQuery(pool, () =>
        pool.transact((query) => forgetDatasets(query, now_ms)),
      );
      if (more === null) return "unavailable";
      return more ? "more" : "done";
    },
    async close() {
      closed = true;
      await queue.drain();
    },
  };
}

/** Made once in a fleet; later callers get the first one. Rejects as the pool does. */
export async function provideDatasetSecret(
  pool: Pick<Pool, "query" | "noteDefect">,
): Promise<Uint8Array> {
  const select = "SELECT secret FROM dataset_secret";
  const [entry] = await pool.query<{ secret: Uint8Array }>(select, []);
  if (entry) return entry.secret;
  await pool.query(
    "INSERT INTO dataset_secret (one, secret) VALUES (1, $1) ON CONFLICT DO NOTHING",
    [randomBytes(DATASET_SECRET_BYTES)],
  );
  const stored = await pool.query<{ secret: Uint8Array }>(select, []);
  return stored[0]!.secret;
}

/** Once more where the server refused it: another replica was in the way. */
async function putAll(pool: Transacting, datasets: readonly NewDataset[]): Promise<PutFate[]> {
  const packed = datasets.map(packDataset);
  const put = (): Promise<PutFate[]> => pool.transact((query) => putDatasets(query, packed));
  return attemptTwice(pool, put);
}
