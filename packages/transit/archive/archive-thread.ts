/** The import of a GTFS feed in a thread of its own. */
import { toShared } from "#kit/shared-bytes.ts";
import { importGtfs, type ImportOptions, type ImportResult } from "./import-archive.ts";
import type { FeedSource } from "./open-archive.ts";
import {
  createSteps,
  importInThread,
  type ImportLimits,
  noteDefect,
  serveImports,
} from "#kit/run/import-thread.ts";
import { ownedBuffer } from "#kit/run/thread.ts";

/** Values that can be handed to a thread. */
type ThreadImportOptions = Pick<
  ImportOptions,
  | "feed_id"
  | "region"
  | "now_ms"
  | "imported_from"
  | "box"
  | "limits"
  | "bounds"
  | "pack_bytes"
  | "onProgress"
  | "signal"
>;

export type ImportFeed = (
  source: FeedSource,
  options: ThreadImportOptions,
) => Promise<ImportResult>;

type Task = { source: FeedSource; options: Omit<ThreadImportOptions, "onProgress" | "signal"> };

const DEFAULTS = { max_heap_mb: 1_024, job_timeout_ms: 20 * 60_000 } as const;
/**
 * A fetched archive below this is imported here, in slices of some milliseconds: starting a thread
 * would take longer. The ratio that an archive may have keeps what it unpacks to below 100 MB.
 */
const HERE_BELOW_BYTES = 512 * 1024;
const PROGRESS_STEP = 0.005;

/** An import that runs `worker_url`, which calls `serveImport`. */
export function threadImport(
  input: Pick<ImportLimits, "worker_url" | "onFault"> & Partial<ImportLimits>,
): ImportFeed {
  const limits = { ...DEFAULTS, ...input };
  return async (source, all) => {
    if ("bytes" in source && source.bytes.byteLength < HERE_BELOW_BYTES) {
      const result = await importGtfs(source, all);
      noteDefect(result, "feed", limits.onFault);
      return result;
    }
    const { onProgress, signal, ...options } = all;
    const task: Task = { source, options };
    return await importInThread<ImportResult, number>({ what: "feed", task }, limits, {
      transfer: "bytes" in source ? ownedBuffer(source.bytes) : [],
      onNote: onProgress,
      signal,
    });
  };
}

/** Runs the import in the thread. */
export function serveImport(): void {
  const isStep = createSteps(PROGRESS_STEP);
  serveImports<Task, number>(async ({ source, options }, note) => {
    const result = await importGtfs(source, {
      ...options,
      onProgress: (fraction) => {
        if (isStep(fraction)) note(fraction);
      },
    });
    // So that it is not copied on the way to the thread that stores it.
    return result.ok ? { ...result, pack: toShared(result.pack) } : result;
  });
}
