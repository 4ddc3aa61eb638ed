/** The store of timetables in the data folder: packed, written and read by a thread. */
import type { NoteFault } from "#kit/guard.ts";
import { REST_MS } from "#kit/run/thread.ts";
import type { TransitStore } from "#ports/transit.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createTransitStore } from "#storage/embedded/transit-store.ts";
import type { TransitMessage, TransitReply } from "#storage/embedded/transit-worker.ts";
import { DatabaseWorker, type DatabaseWriter } from "#storage/embedded/worker.ts";

export type EmbeddedTransitStore = TransitStore & {
  /** After all that was asked for. */
  close(): Promise<void>;
};

export type TransitWorker = DatabaseWriter<TransitMessage, TransitReply>;

export function createTransitWorker(path: string, onFault: NoteFault): TransitWorker {
  const url = new URL("./transit-worker.ts", import.meta.url);
  return new DatabaseWorker(url, path, { rest_ms: REST_MS, onFault });
}

/**
 * A store that packs and unpacks feeds in a thread: one of 64 MB takes 0.8 s, which the answering
 * thread does not have (docs/lab/departures.md, "Speed").
 */
export function createEmbeddedTransitStore(
  database: DatabaseSync,
  worker: TransitWorker,
): EmbeddedTransitStore {
  return {
    ...createTransitStore(database),
    async readFeed(feed_id) {
      const reply = await worker.send({ kind: "read", feed_id });
      if (reply?.kind === "read") return reply.pack;
      throw new Error(`the timetable ${feed_id} cannot be read: ${reasonOf(reply)}`);
    },
    async putFeed(feed_id, pack, origin) {
      const reply = await worker.send({ kind: "put", feed_id, pack, origin });
      if (reply?.kind === "put") return;
      throw new Error(`the timetable ${feed_id} cannot be stored: ${reasonOf(reply)}`);
    },
    close: () => worker.close(),
  };
}

function reasonOf(reply: Awaited<ReturnType<TransitWorker["send"]>>): string {
  return reply?.kind === "failed" ? reply.reason : "its thread ended";
}
