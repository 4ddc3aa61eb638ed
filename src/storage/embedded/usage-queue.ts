/**
 * Group commit: what is recorded while one commit is being made goes into the next. The first one
 * goes at once; after a commit there is a rest of a millisecond, unless enough has come together,
 * since a commit costs the answering thread as much as the answer to a request, however small the
 * batch. Bounded; beyond that, requests are shed.
 */
import type { UsageEvent } from "#ports.ts";
import type { UsageThread } from "#storage/embedded/usage-thread.ts";
import type { RunningTotals } from "#storage/embedded/usage-totals.ts";
import type { Report } from "#storage/embedded/usage-worker.ts";

/** Not yet durable. */
const MAX_PENDING = 10_000;
/** So many need not wait for the end of the rest. */
const WORTH = 16;
const REST_MS = 1;
/** So many need not wait for the commit before theirs to be reported. */
const ENOUGH = 64;
const MAX_BATCH = 512;
const MAX_FLYING = 2;

export type UsageQueue = {
  offer(event: UsageEvent): Promise<"durable" | "full">;
  /** Takes nothing more; resolves when all that was taken has met its fate. */
  drain(): Promise<void>;
};

type Waiting = { event: UsageEvent; resolve: (fate: "durable" | "full") => void };

export function createUsageQueue(thread: UsageThread, totals: RunningTotals): UsageQueue {
  let queue: Waiting[] = [];
  let pending = 0;
  let flying = 0;
  let scheduled = false;
  let resting = false;
  let draining: PromiseWithResolvers<void> | null = null;

  function schedule(): void {
    if (scheduled || queue.length === 0 || (resting && queue.length < WORTH)) return;
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
    rest();
    schedule();
    if (pending === 0) draining?.resolve();
  }

  function rest(): void {
    if (resting) return;
    resting = true;
    setTimeout(() => {
      resting = false;
      schedule();
    }, REST_MS);
  }

  return {
    offer(event) {
      if (draining || pending >= MAX_PENDING) return Promise.resolve("full");
      pending += 1;
      totals.add(event);
      const waiting = Promise.withResolvers<"durable" | "full">();
      queue.push({ event, resolve: waiting.resolve });
      if (flying === 0 || queue.length >= ENOUGH) schedule();
      return waiting.promise;
    },
    drain() {
      draining ??= Promise.withResolvers<void>();
      if (pending === 0) draining.resolve();
      return draining.promise;
    },
  };
}

function judge(report: Report | null, replayed: boolean): "counted" | "dropped" | "unknown" {
  if (report === null) return "unknown";
  return report.kind === "committed" && !replayed ? "counted" : "dropped";
}
