/**
 * Usage events of a replica on their way to a ledger elsewhere: durable here first, so that no reply
 * waits for a server that may be away, and kept until the ledger has them (reliability 6.3). What a
 * process that was killed leaves is handed over by the next one on the same folder.
 */
import type { UsageEvent } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import type { Batch, Order, Report } from "#storage/embedded/spool-worker.ts";
import { createThread, type Thread } from "#storage/embedded/thread.ts";

export type Spool = {
  start(): void;
  /** One transaction; false: nothing was kept, or nobody knows. */
  put(events: readonly UsageEvent[]): Promise<boolean>;
  /** The oldest batches, in their order; null: the spool cannot be read. */
  take(): Promise<Taken[] | null>;
  /** Batches up to this one; where that fails, they are taken again. */
  drop(through: number): Promise<void>;
  /** Events, at open: what an earlier process left. */
  left(): UsageEvent[];
  close(): Promise<void>;
};

/** `seq` grows, and is never used twice. */
export type Taken = { seq: number; events: readonly UsageEvent[] };

/** Batches that are handed over together; a batch is what one commit held. */
const TAKE_BATCHES = 64;

type SpoolThread = Thread<Order, Report>;

export function createSpoolThread(path: string): SpoolThread {
  return createThread(new URL("./spool-worker.ts", import.meta.url), path);
}

/** `database` is the caller's and only read; the thread has a connection of its own. */
export function createSpool(database: DatabaseSync, thread: SpoolThread): Spool {
  const all = database.prepare("SELECT seq, events FROM batch ORDER BY seq");
  return {
    start: thread.start,
    left: () => (all.all() as unknown as Batch[]).flatMap((batch) => read(batch).events),
    async put(events) {
      const report = await thread.ask({ kind: "put", events: JSON.stringify(events) });
      return report?.kind === "done";
    },
    async take() {
      const report = await thread.ask({ kind: "take", count: TAKE_BATCHES });
      return report?.kind === "taken" ? report.batches.map(read) : null;
    },
    async drop(through) {
      await thread.ask({ kind: "drop", through });
    },
    close: thread.close,
  };
}

function read({ seq, events }: Batch): Taken & { events: UsageEvent[] } {
  return { seq, events: JSON.parse(events) as UsageEvent[] };
}
