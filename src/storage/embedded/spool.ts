/**
 * Usage events on their way to a ledger: durable here first, batch by batch as they come, which is
 * the least that can be written before a reply leaves; and kept until the ledger has them
 * (reliability 6.3). What a process that was killed leaves is handed over by the next one on the
 * same folder.
 */
import type { DatabaseSync } from "#storage/embedded/database.ts";
import type { Order, Report } from "#storage/embedded/spool-worker.ts";
import { createThread, type Thread } from "#storage/embedded/thread.ts";
import type { EventsText } from "#storage/events.ts";

export type Spool = {
  start(): void;
  /** One transaction; the number of the batch. null: nothing was kept, or nobody knows. */
  put(events: EventsText): Promise<number | null>;
  /** Has what was put told at once, if it is kept by now. */
  look(): void;
  /** The oldest batches in their order, at most so many. null: it cannot be read. */
  take(count: number): Promise<readonly Taken[] | null>;
  /** Batches up to this one; false: they are taken again, or nobody knows. */
  drop(through: number): Promise<boolean>;
  /** At open: what an earlier process left. */
  left(): Taken[];
  close(): Promise<void>;
};

/** `seq` grows, and is never used twice. */
export type Taken = { seq: number; events: EventsText };

type SpoolThread = Thread<Order, Report>;

export function createSpoolThread(path: string): SpoolThread {
  return createThread(new URL("./spool-worker.ts", import.meta.url), path);
}

/** `database` is the caller's and only read; the thread has a connection of its own. */
export function createSpool(database: DatabaseSync, thread: SpoolThread): Spool {
  const all = database.prepare("SELECT seq, events FROM batch ORDER BY seq");
  return {
    ...{ start: thread.start, look: thread.look },
    left: () => (all.all() as unknown as Taken[]).map((batch) => ({ ...batch })),
    async put(events) {
      const report = await thread.ask({ kind: "put", events });
      return report?.kind === "kept" ? report.seq : null;
    },
    async take(count) {
      const report = await thread.ask({ kind: "take", count });
      return report?.kind === "taken" ? report.batches : null;
    },
    async drop(through) {
      return (await thread.ask({ kind: "drop", through }))?.kind === "dropped";
    },
    close: thread.close,
  };
}
