/**
 * Datasets in a database file of their own, so that no usage event waits behind their bytes: written
 * by a thread, many in one commit; read by the caller (§4.8).
 */
import { randomBytes } from "node:crypto";
import type { DatasetFate } from "#core/datasets/fate.ts";
import { DATASET_SECRET_BYTES } from "#core/datasets/id.ts";
import type { Datasets, NewDataset } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createDatasetReader } from "#storage/embedded/datasets-reader.ts";
import type { DatasetsThread } from "#storage/embedded/datasets-thread.ts";
import { createGroupCommit } from "#storage/embedded/group-commit.ts";

const MB = 1024 * 1024;
/** In bytes. */
const BOUNDS = { pending: 64 * MB, batch: 4 * MB, enough: MB, worth: 0 };
/** Of a dataset beside its contents. */
const ROW_BYTES = 512;

export type EmbeddedDatasets = Datasets & {
  /** Ahead of the first dataset, which then need not wait for the thread. */
  start(): void;
};

/** `database` is the caller's, who closes it; the thread has a connection of its own. */
export function createDatasets(database: DatabaseSync, thread: DatasetsThread): EmbeddedDatasets {
  const secret = provideSecret(database);
  const reader = createDatasetReader(database);
  let closed = false;
  const queue = createGroupCommit<NewDataset, DatasetFate>({
    ...{ bounds: BOUNDS, refused: "unavailable" },
    weigh: ({ observation, body }) => ROW_BYTES + observation.length + body.length,
    async commit(datasets) {
      const report = await thread.ask({ kind: "put", datasets });
      if (report?.kind === "put") return report.fates;
      const fate = report?.kind === "failed" && report.disk_full ? "disk_full" : "unavailable";
      return datasets.map(() => fate);
    },
  });
  return {
    secret,
    start: thread.start,
    put: queue.offer,
    read: (id, part) => Promise.resolve(reader.read(id, part)),
    count: (quota_key, now_ms) => Promise.resolve(reader.count(quota_key, now_ms)),
    async forget(now_ms) {
      if (closed) return "unavailable";
      const report = await thread.ask({ kind: "forget", now_ms });
      if (report?.kind !== "forgotten") return "unavailable";
      return report.more ? "more" : "done";
    },
    async close() {
      closed = true;
      await queue.drain();
      await thread.close();
    },
  };
}

/** Made once: whoever comes second finds the first one's. */
function provideSecret(database: DatabaseSync): Uint8Array {
  const made = randomBytes(DATASET_SECRET_BYTES);
  database.prepare("INSERT INTO dataset_secret VALUES (1, ?) ON CONFLICT DO NOTHING").run(made);
  const kept = database.prepare("SELECT secret FROM dataset_secret").get()?.["secret"];
  return kept as Uint8Array;
}
