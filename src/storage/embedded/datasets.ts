/**
 * Datasets in a database file of their own, so that no other write waits behind their bytes: written
 * by a thread, many in one commit; read by the caller (§4.8).
 */
import { randomBytes } from "node:crypto";
import type { DatasetFate } from "#core/datasets/fate.ts";
import { DATASET_SECRET_BYTES } from "#core/datasets/id.ts";
import type { NoteFault } from "#kit/guard.ts";
import type { Datasets, NewDataset } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createDatasetReader } from "#storage/embedded/datasets-reader.ts";
import type { DatasetsMessage, DatasetsReply } from "#storage/embedded/datasets-worker.ts";
import { DatabaseWorker, type DatabaseWriter, toFailing } from "#storage/embedded/worker.ts";
import type { Failing, Reports } from "#storage/store-health.ts";
import { CommitQueue } from "#storage/commit-queue.ts";

const MB = 1024 * 1024;
/** In bytes. */
const BOUNDS = { pending: 64 * MB, batch: 4 * MB, enough: MB };
/** A dataset without its contents. */
const ROW_BYTES = 512;

export type EmbeddedDatasets = Datasets & {
  /** Ahead of the first dataset, which then need not wait for the thread. */
  start(): void;
};

export type DatasetsWorker = DatabaseWriter<DatasetsMessage, DatasetsReply>;

export function createDatasetsWorker(path: string, onFault: NoteFault): DatasetsWorker {
  const url = new URL("./datasets-worker.ts", import.meta.url);
  return new DatabaseWorker(url, path, { onFault });
}

/** `database` is the caller's, who closes it; the worker has a connection of its own. */
export function createDatasets(
  database: DatabaseSync,
  worker: DatasetsWorker,
  onFault: NoteFault,
  health?: Reports,
): EmbeddedDatasets {
  /** Reports every write to their file. */
  const report = (reply: Awaited<ReturnType<DatasetsWorker["send"]>>): typeof reply => {
    if (reply !== null && reply.kind !== "failed") health?.succeed("datasets");
    else if (!closed) health?.fail("datasets", reply === null ? THREAD_DIED : toFailing(reply));
    return reply;
  };
  const secret = provideSecret(database);
  const reader = createDatasetReader(database);
  let closed = false;
  const queue = new CommitQueue<NewDataset, DatasetFate>({
    onFault: (error) => onFault("commit of datasets", error),
    bounds: BOUNDS,
    refused: "unavailable",
    weigh: ({ observation, body }) => ROW_BYTES + observation.length + body.length,
    async commit(datasets) {
      const reply = report(await worker.send({ kind: "put", datasets }));
      if (reply?.kind === "put") return reply.fates;
      const fate = reply?.kind === "failed" && reply.disk_full ? "disk_full" : "unavailable";
      return datasets.map(() => fate);
    },
  });
  return {
    secret,
    start: () => worker.start(),
    put: (dataset) => queue.offer(dataset),
    read: async (id, part) => reader.read(id, part),
    findRepeat: async (repeat_key, since_ms) => reader.findRepeat(repeat_key, since_ms),
    count: async (quota_key, now_ms) => reader.count(quota_key, now_ms),
    async keepOn(id, life) {
      if (closed) return false;
      const reply = report(await worker.send({ kind: "keep_on", id, life }));
      return reply?.kind === "kept" && reply.kept;
    },
    async forget(now_ms) {
      if (closed) return "unavailable";
      const reply = report(await worker.send({ kind: "forget", now_ms }));
      if (reply?.kind !== "forgotten") return "unavailable";
      return reply.more ? "more" : "done";
    },
    async close() {
      closed = true;
      await queue.drain();
      await worker.close();
    },
  };
}

const THREAD_DIED: Failing = { reason: "broken", detail: "the thread of datasets has ended" };

/** Made once; later callers get the first one. */
function provideSecret(database: DatabaseSync): Uint8Array {
  const made = randomBytes(DATASET_SECRET_BYTES);
  database.prepare("INSERT INTO dataset_secret VALUES (1, ?) ON CONFLICT DO NOTHING").run(made);
  const stored = database.prepare("SELECT secret FROM dataset_secret").get()?.["secret"];
  return stored as Uint8Array;
}
