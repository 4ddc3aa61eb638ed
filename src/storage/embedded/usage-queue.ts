/**
 * Usage events on their way to the thread that makes them durable, counted from the first moment on.
 * A commit costs the answering thread as much as the answer to a request, however small the batch:
 * after each there is a rest, unless enough has come together.
 */
import type { UsageEvent } from "#ports.ts";
import { createGroupCommit, type GroupCommit } from "#storage/embedded/group-commit.ts";
import { toBatch } from "#storage/embedded/usage-journal.ts";
import type { UsageThread } from "#storage/embedded/usage-thread.ts";
import type { RunningTotals } from "#storage/embedded/usage-totals.ts";
import type { Report } from "#storage/embedded/usage-worker.ts";

/** In events. */
const BOUNDS = { pending: 10_000, batch: 512, enough: 64, worth: 64 };

export type UsageQueue = GroupCommit<UsageEvent, "durable" | "full">;

export function createUsageQueue(thread: UsageThread, totals: RunningTotals): UsageQueue {
  return createGroupCommit<UsageEvent, "durable" | "full">({
    ...{ bounds: BOUNDS, refused: "full", weigh: () => 1, taken: totals.add },
    async commit(events) {
      const report = await thread.ask({ kind: "commit", ...toBatch(events) });
      const replayed = new Set(report?.kind === "committed" ? report.replayed : []);
      for (const [index, event] of events.entries())
        totals.settle(event, judge(report, replayed.has(index)));
      return events.map(() => (report?.kind === "committed" ? "durable" : "full"));
    },
  });
}

function judge(report: Report | null, replayed: boolean): "counted" | "dropped" | "unknown" {
  if (report === null) return "unknown";
  return report.kind === "committed" && !replayed ? "counted" : "dropped";
}
