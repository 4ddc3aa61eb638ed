/** The thread that makes usage durable, as its orders and reports. */
import { createThread, type Thread } from "#storage/embedded/thread.ts";
import type { Order, Report } from "#storage/embedded/usage-worker.ts";

export type UsageThread = Thread<Order, Report>;

export function createUsageThread(path: string): UsageThread {
  const thread = createThread<string, Report>(new URL("./usage-worker.ts", import.meta.url), path);
  // As text: cloning the events one by one would cost the answering thread four times as much.
  return { ...thread, ask: (order) => thread.ask(JSON.stringify(order)) };
}
