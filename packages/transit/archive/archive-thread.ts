/** The import of a GTFS feed in a thread of its own. */
import { importGtfs, type ImportOptions, type ImportResult } from "./import-archive.ts";
import { type FeedSource, openArchive } from "./open-archive.ts";
import { findLack, type FeedNeeds, type ImportCapacity, needsOf } from "../gtfs/feed-needs.ts";
import { guard } from "#kit/guard.ts";
import type { Lanes } from "#kit/run/lanes.ts";
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

type ThreadOptions = {
  /** What there is for an import of a file of an operator; absent: what it needs is not asked. */
  capacity?: () => Promise<ImportCapacity>;
  /** Imports wait here until there is memory for one more; absent: each runs at once. */
  lanes?: Lanes;
};

/** An import that runs `worker_url`, which calls `serveImport`. */
export function threadImport({
  capacity,
  lanes,
  ...input
}: Pick<ImportLimits, "worker_url" | "onFault"> &
  Partial<ImportLimits> &
  ThreadOptions): ImportFeed {
  const limits = { ...DEFAULTS, ...input };
  return async (source, all) => {
    if ("bytes" in source && source.bytes.byteLength < HERE_BELOW_BYTES) {
      const result = await importGtfs(source, all);
      noteDefect(result, "feed", limits.onFault);
      return result;
    }
    const { onProgress, signal, ...options } = all;
    const task: Task = { source, options };
    const needs = await measureNeeds(source, options);
    const has = needs && "path" in source && capacity ? await capacity() : null;
    const lack = has && findLack(needs!, has);
    if (lack !== null) return { ok: false, problem: `feed: ${lack}` };
    const run = (): Promise<ImportResult> =>
      importInThread<ImportResult, number>({ what: "feed", task }, limits, {
        transfer: "bytes" in source ? ownedBuffer(source.bytes) : [],
        onNote: onProgress,
        signal,
      });
    if (lanes === undefined) return await run();
    return await guard(
      () => lanes.run(needs?.memory_bytes ?? 0, run, signal),
      (error) => {
        if (signal?.aborted) return STOPPED;
        throw error;
      },
    );
  };
}

const STOPPED: ImportResult = { ok: false, problem: "the import was stopped" };

/** From the sizes of its files; null: it cannot be opened, which its import will say. */
async function measureNeeds(
  source: FeedSource,
  { limits }: Pick<ImportOptions, "limits">,
): Promise<FeedNeeds | null> {
  return await guard<FeedNeeds, null>(
    async () => {
      const archive = await openArchive(source, limits);
      await archive.close();
      return needsOf(new Map([...archive.files].map(([file, { size }]) => [file, size])));
    },
    () => null,
  );
}

/** Runs the import in the thread. */
export function serveImport(): void {
  const isStep = createSteps(PROGRESS_STEP);
  serveImports<Task, number>(({ source, options }, note) =>
    importGtfs(source, {
      ...options,
      // So that it is not copied on the way to the thread that stores it.
      shared: true,
      onProgress: (fraction) => {
        if (isStep(fraction)) note(fraction);
      },
    }),
  );
}
