/**
 * The import of a GTFS feed in a thread of its own: an archive that is broken or too large ends the
 * thread at most, and is one line; the service goes on.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { importGtfs, type ImportOptions, type ImportResult } from "#upstream/gtfs/import.ts";
import type { FeedSource } from "#upstream/gtfs/archive.ts";
import {
  ownedBuffer,
  runInThread,
  type ThreadLimits,
  type ThreadMessage,
} from "#upstream/thread.ts";

/** Values that can be handed to a thread. */
type ThreadImportOptions = Pick<
  ImportOptions,
  "feed_id" | "region" | "now_ms" | "limits" | "bounds" | "onProgress" | "signal"
>;

export type ImportFeed = (
  source: FeedSource,
  options: ThreadImportOptions,
) => Promise<ImportResult>;

type Task = { source: FeedSource; options: Omit<ThreadImportOptions, "onProgress" | "signal"> };

const DEFAULTS = { max_heap_mb: 1_024, timeout_ms: 20 * 60_000 } as const;
const MINUTE_MS = 60_000;
/**
 * A fetched archive below this is imported here, in slices of some milliseconds: starting a thread
 * would take longer. The ratio that an archive may have keeps what it unpacks to below 100 MB.
 */
const HERE_BELOW_BYTES = 512 * 1024;

/** An import that runs `worker_url`, which calls `serveImport`. */
export function threadImport(
  given: Pick<ThreadLimits, "worker_url"> & Partial<ThreadLimits>,
): ImportFeed {
  const limits = { ...DEFAULTS, ...given };
  return async (source, all) => {
    if ("bytes" in source && source.bytes.byteLength < HERE_BELOW_BYTES)
      return importGtfs(source, all);
    const { onProgress, signal, ...options } = all;
    const task: Task = { source, options };
    const result = await runInThread<ImportResult, number>(task, limits, {
      transfer: "bytes" in source ? ownedBuffer(source.bytes) : [],
      ...(onProgress && { onNote: onProgress }),
      ...(signal && { signal }),
    });
    return result.ok ? result.value : { ok: false, problem: problemOf(result.reason, limits) };
  };
}

function problemOf(reason: string, { max_heap_mb, timeout_ms }: ThreadLimits): string {
  switch (reason) {
    case "out_of_memory":
      return `feed: needs more than the ${max_heap_mb} MB of memory that an import may take`;
    case "too_slow":
      return `feed: takes more than the ${timeout_ms / MINUTE_MS} minutes that an import may take`;
    case "aborted":
      return "the import was stopped";
    default:
      return "feed: the import ended unexpectedly";
  }
}

/** Runs the import in the thread. */
export async function serveImport(): Promise<void> {
  if (isMainThread || parentPort === null) return;
  const port = parentPort;
  const { source, options } = workerData as Task;
  const post = (message: ThreadMessage<ImportResult, number>, moved: ArrayBuffer[] = []): void =>
    port.postMessage(message, moved);
  let shown = 0;
  const result = await importGtfs(source, {
    ...options,
    onProgress(fraction) {
      if (fraction - shown < PROGRESS_STEP && fraction < 1) return;
      shown = fraction;
      post({ note: fraction });
    },
  });
  post({ value: result }, result.ok ? ownedBuffer(result.pack) : []);
}

const PROGRESS_STEP = 0.005;
