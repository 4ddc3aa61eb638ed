/** The thread that makes usage durable, as its orders and reports. */
import { createThread, type Thread } from "#storage/embedded/thread.ts";
import type { Order, Report } from "#storage/embedded/usage-worker.ts";

export type UsageThread = Thread<Order, Report>;

export function createUsageThread(path: string): UsageThread {
  return createThread(new URL("./usage-worker.ts", import.meta.url), path);
}
