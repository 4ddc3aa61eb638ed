/**
 * Usage in the embedded database, by group commit on a thread of its own (decisions, metering): what
 * is recorded while one commit is being made goes into the next, so that nothing waits for a timer.
 */
import type { Usage, UsageEvent } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { createUsageReader } from "#storage/embedded/usage-journal.ts";
import type { UsageThread } from "#storage/embedded/usage-thread.ts";
import { createRunningTotals } from "#storage/embedded/usage-totals.ts";
import type { Report } from "#storage/embedded/usage-worker.ts";

/** Not yet durable; beyond it requests are shed. */
const MAX_PENDING = 10_000;
/** So many need not wait for the commit before theirs to be reported. */
const ENOUGH = 64;
const MAX_BATCH = 512;
const MAX_FLYING = 2;

export type EmbeddedUsage = Usage & {
  /** Ahead of the first event, which then need not wait for the thread. */
  start(): void;
  /** Deletes the events before this time, a few at a time between commits; totals stay. */
  forget(before_ms: number): Promise<void>;
};

type Waiting = { event: UsageEvent; resolve: (fate: "durable" | "full") => void };

/** `database` is the caller's and only read; the thread has a connection of its own. */
export function createUsage(database: DatabaseSync, thread: UsageThread): EmbeddedUsage {
  const reader = createUsageReader(database);
  const totals = createRunningTotals(reader.unitsOf);
  let queue: Waiting[] = [];
  let pending = 0;
  let flying = 0;
  let scheduled = false;
  let closing: PromiseWithResolvers<void> | null = null;

  function schedule(): void {
    if (scheduled || queue.length === 0) return;
    scheduled = true;
    // What else is recorded in this turn goes along.
    setImmediate(pump);
  }

  function pump(): void {
    scheduled = false;
    while (queue.length > 0 && (flying === 0 || (flying < MAX_FLYING && queue.length >= ENOUGH))) {
      const batch = queue.slice(0, MAX_BATCH);
      queue = queue.slice(MAX_BATCH);
      void commit(batch);
    }
  }

  async function commit(batch: readonly Waiting[]): Promise<void> {
    flying += 1;
    const report = await thread.ask({ kind: "commit", events: batch.map(({ event }) => event) });
    flying -= 1;
    pending -= batch.length;
    const replayed = new Set(report?.kind === "committed" ? report.replayed : []);
    for (const [index, { event, resolve }] of batch.entries()) {
      totals.settle(event, judge(report, replayed.has(index)));
      resolve(report?.kind === "committed" ? "durable" : "full");
    }
    schedule();
    if (pending === 0) closing?.resolve();
  }

  async function forget(before_ms: number): Promise<void> {
    if (closing) return;
    const report = await thread.ask({ kind: "forget", before_ms });
    if (report?.kind === "forgotten" && report.more) await forget(before_ms);
  }

  return {
    start: thread.start,
    record(event) {
      if (closing || pending >= MAX_PENDING) return Promise.resolve("full");
      pending += 1;
      totals.add(event);
      const waiting = Promise.withResolvers<"durable" | "full">();
      queue.push({ event, resolve: waiting.resolve });
      if (flying === 0 || queue.length >= ENOUGH) schedule();
      return waiting.promise;
    },
    unitsOf: totals.unitsOf,
    listUsage: reader.listUsage,
    forget,
    async close() {
      closing ??= Promise.withResolvers<void>();
      if (pending === 0) closing.resolve();
      await closing.promise;
      await thread.close();
    },
  };
}

function judge(report: Report | null, replayed: boolean): "counted" | "dropped" | "unknown" {
  if (report === null) return "unknown";
  return report.kind === "committed" && !replayed ? "counted" : "dropped";
}
