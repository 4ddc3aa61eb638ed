/**
 * An import in a thread of its own: a file that is broken or too large ends the thread at most, and is
 * one line; the service goes on.
 */
import type { NoteFault } from "../guard.ts";
import type { ImportProblem } from "./run-problem.ts";
import {
  type JobOptions,
  ownedBuffer,
  runInThread,
  serveJobs,
  type ThreadLimits,
} from "./thread.ts";

const MINUTE_MS = 60_000;

/** Bounds of an import, and the thread that calls `serveImports`. */
export type ImportLimits = ThreadLimits &
  Required<Pick<ThreadLimits, "max_heap_mb" | "job_timeout_ms">>;

/** Runs the thread of `limits`; `what` is the file in its messages. */
export async function importInThread<Result extends { ok: true } | ImportProblem, Note>(
  { what, task }: { what: string; task: unknown },
  limits: ImportLimits,
  options: JobOptions<Note>,
): Promise<Result | ImportProblem> {
  const result = await runInThread<Result, Note>(task, limits, options);
  if (!result.ok) return { ok: false, problem: jobProblem(what, result.reason, limits) };
  noteDefect(result.value, what, limits.onFault);
  return result.value;
}

/** Reports a defect that an import met: the caller gets one line. */
export function noteDefect(
  result: { ok: true } | ImportProblem,
  what: string,
  onFault: NoteFault,
): void {
  if (!result.ok && result.error !== undefined) onFault(`import of ${what}`, result.error);
}

/** Why a job of an import has no result, in one line about the file. */
export function jobProblem(
  what: string,
  reason: string,
  { max_heap_mb, job_timeout_ms }: Pick<ImportLimits, "max_heap_mb" | "job_timeout_ms">,
): string {
  switch (reason) {
    case "out_of_memory":
      return `${what}: needs more than the ${max_heap_mb} MB of memory that an import may take`;
    case "too_slow":
      return `${what}: takes more than the ${job_timeout_ms / MINUTE_MS} minutes that an import may take`;
    case "aborted":
      return "the import was stopped";
    default:
      return `${what}: the import ended unexpectedly`;
  }
}

/** Runs in the thread: imports, hands over notes, and moves the pack to the caller. */
export function serveImports<Task, Note>(
  run: (
    task: Task,
    note: (note: Note) => void,
  ) => Promise<{ ok: true; pack: Uint8Array } | ImportProblem>,
): void {
  serveJobs<Task, Awaited<ReturnType<typeof run>>, Note>(run, {
    transfer: (result) => (result.ok ? ownedBuffer(result.pack) : []),
  });
}

/** Lets a fraction pass when it is a step beyond the last one that did, or the end. */
export function createSteps(step: number): (fraction: number) => boolean {
  let listed = 0;
  return (fraction) => {
    if (fraction - listed < step && fraction < 1) return false;
    listed = fraction;
    return true;
  };
}
