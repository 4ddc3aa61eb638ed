/** The import of an extract in a thread of its own. */
import type { BaseSection } from "../base/base-features.ts";
import type { OptionalSection } from "../base/base-layout.ts";
import { type BaseImportOptions, type BaseImportResult, importBase } from "./import-extract.ts";
import type { BaseProgress } from "./import-progress.ts";
import {
  createSteps,
  importInThread,
  type ImportLimits,
  serveImports,
} from "#kit/run/import-thread.ts";

/** Values that can be handed to a thread: sections cannot. */
type ThreadImportOptions = Pick<
  BaseImportOptions,
  "id" | "region" | "now_ms" | "capacity" | "onProgress" | "signal"
> &
  Leaving;

/** Names of the sections that are not made. */
type Leaving = { without?: readonly OptionalSection[] };

export type ImportExtract = (
  path: string,
  options: ThreadImportOptions,
) => Promise<BaseImportResult>;

type Task = {
  path: string;
  options: Pick<BaseImportOptions, "id" | "region" | "now_ms" | "capacity"> & Leaving;
};

/** Positions of nodes lie outside the heap; what sections collect lies in it. */
const DEFAULTS = { max_heap_mb: 4_096, job_timeout_ms: 120 * 60_000 } as const;
const PROGRESS_STEP = 0.002;

/** An import that runs `worker_url`, which calls `serveBaseImport`. */
export function threadBaseImport(
  input: Pick<ImportLimits, "worker_url" | "onFault"> & Partial<ImportLimits>,
): ImportExtract {
  const limits = { ...DEFAULTS, ...input };
  return (path, { id, region, now_ms, capacity, without = [], onProgress, signal }) => {
    const options = { id, region, now_ms, without, ...(capacity && { capacity }) };
    const task: Task = { path, options };
    return importInThread<BaseImportResult, BaseProgress>({ what: "extract", task }, limits, {
      onNote: onProgress,
      signal,
    });
  };
}

/** Runs the import in the thread, with sections that are made there. */
export function serveBaseImport(createSections: (options: Task["options"]) => BaseSection[]): void {
  const isStep = createSteps(PROGRESS_STEP);
  let pass: BaseProgress["pass"] | null = null;
  serveImports<Task, BaseProgress>(({ path, options }, note) =>
    importBase(path, {
      ...options,
      sections: createSections(options),
      onProgress: (progress) => {
        const isNext = progress.pass !== pass;
        pass = progress.pass;
        if (isStep(progress.fraction) || isNext) note(progress);
      },
    }),
  );
}
