/**
 * An import in a thread of its own: a file that is broken or too large ends the thread at most, and is
 * one line; the service goes on.
 */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import type { NoteFault } from "../guard.ts";
import type { ImportProblem } from "./problem.ts";
import {
  ownedBuffer,
  runInThread,
  type ThreadLimits,
  type ThreadMessage,
  type ThreadOptions,
} from "./thread.ts";

const MINUTE_MS = 60_000;

/** Runs the thread of `limits`, which calls `serveTask`; `what` is the file in its messages. */
export async function importInThread<Result extends { ok: true } | ImportProblem, Note>(
  { what, task }: { what: string; task: unknown },
  limits: ThreadLimits,
  options: ThreadOptions<Note>,
): Promise<Result | ImportProblem> {
  const result = await runInThread<Result, Note>(task, limits, options);
  if (!result.ok) return { ok: false, problem: problemOf(what, result.reason, limits) };
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

function problemOf(
  what: string,
  reason: string,
  { max_heap_mb, timeout_ms }: ThreadLimits,
): string {
  switch (reason) {
    case "out_of_memory":
      return `${what}: needs more than the ${max_heap_mb} MB of memory that an import may take`;
    case "too_slow":
      return `${what}: takes more than the ${timeout_ms / MINUTE_MS} minutes that an import may take`;
    case "aborted":
      return "the import was stopped";
    default:
      return `${what}: the import ended unexpectedly`;
  }
}

/** Runs the task of the thread, and hands over its notes and its result. */
export async function serveTask<Task, Note>(
  run: (
    task: Task,
    note: (note: Note) => void,
  ) => Promise<{ ok: true; pack: Uint8Array } | ImportProblem>,
): Promise<void> {
  if (isMainThread || parentPort === null) return;
  const port = parentPort;
  type Message = ThreadMessage<Awaited<ReturnType<typeof run>>, Note>;
  const post = (message: Message, moved: ArrayBuffer[] = []): void =>
    port.postMessage(message, moved);
  const value = await run(workerData as Task, (note) => post({ kind: "note", note }));
  post({ kind: "value", value }, value.ok ? ownedBuffer(value.pack) : []);
}

/** Lets a fraction pass when it is a step beyond the last one that did, or the end. */
export function createSteps(step: number): (fraction: number) => boolean {
  let shown = 0;
  return (fraction) => {
    if (fraction - shown < step && fraction < 1) return false;
    shown = fraction;
    return true;
  };
}
