/** Usage in the embedded database (decisions, metering): written by a thread, read by the caller. */
import type { Usage } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createUsageReader } from "#storage/embedded/usage-journal.ts";
import { createUsageQueue } from "#storage/embedded/usage-queue.ts";
import type { UsageThread } from "#storage/embedded/usage-thread.ts";
import { createRunningTotals } from "#storage/embedded/usage-totals.ts";

export type EmbeddedUsage = Usage & {
  /** Ahead of the first event, which then need not wait for the thread. */
  start(): void;
  /** Deletes the events before this time, a few at a time between commits; totals stay. */
  forget(before_ms: number): Promise<void>;
};

/** `database` is the caller's and only read; the thread has a connection of its own. */
export function createUsage(database: DatabaseSync, thread: UsageThread): EmbeddedUsage {
  const reader = createUsageReader(database);
  const totals = createRunningTotals(reader.unitsOf);
  const queue = createUsageQueue(thread, totals);
  let closed = false;

  async function forget(before_ms: number): Promise<void> {
    if (closed) return;
    const report = await thread.ask({ kind: "forget", before_ms });
    if (report?.kind === "forgotten" && report.more) await forget(before_ms);
  }

  return {
    start: thread.start,
    record: queue.offer,
    unitsOf: totals.unitsOf,
    listUsage: reader.listUsage,
    forget,
    async close() {
      closed = true;
      await queue.drain();
      await thread.close();
    },
  };
}
