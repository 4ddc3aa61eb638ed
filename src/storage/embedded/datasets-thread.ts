/** The thread that makes datasets durable, as its orders and reports. */
import type { Order, Report } from "#storage/embedded/datasets-worker.ts";
import { createThread, type Thread } from "#storage/embedded/thread.ts";

export type DatasetsThread = Thread<Order, Report>;

export function createDatasetsThread(path: string): DatasetsThread {
  return createThread(new URL("./datasets-worker.ts", import.meta.url), path);
}
