/**
 * A piece of heavy work in a thread of its own, with bounds on its memory and its time: whatever the
 * data do to it, the process goes on, and the work has failed with a reason.
 */
import { Worker } from "node:worker_threads";
import { attempt, detach, type NoteFault } from "../guard.ts";
import { receive } from "../receive.ts";
import { partOf } from "./thread-slot.ts";

export type ThreadLimits = {
  worker_url: URL;
  /** Of the thread's objects; beyond it the thread dies. */
  max_heap_mb: number;
  /** Of the whole work. */
  timeout_ms: number;
  /** Receives what ended the thread, and what `onNote` throws. */
  onFault: NoteFault;
};

export type ThreadOptions<Note> = {
  /** Buffers of the task that move to the thread. */
  transfer?: readonly ArrayBuffer[];
  /** Receives what the thread reports before it is done; it is answered when this has returned. */
  onNote?: (note: Note) => void | Promise<void>;
  signal?: AbortSignal;
};

export type ThreadResult<Value> =
  | { ok: true; value: Value }
  | { ok: false; reason: "out_of_memory" | "too_slow" | "aborted" | "failed" };

/** Message of a thread: notes, and one value at the end. */
export type ThreadMessage<Value, Note> =
  | { kind: "note"; note: Note }
  | { kind: "value"; value: Value };

/** Message to a thread: its oldest note has been taken. */
export type ThreadReply = { kind: "taken" };

/** Runs a thread; never rejects. The thread has ended when this resolves. */
export async function runInThread<Value, Note = never>(
  task: unknown,
  limits: ThreadLimits,
  options: ThreadOptions<Note> = {},
): Promise<ThreadResult<Value>> {
  const { signal, onNote, transfer = [] } = options;
  if (signal?.aborted) return { ok: false, reason: "aborted" };
  const onFault = (error: unknown): void => limits.onFault(partOf(limits.worker_url), error);
  const { promise, resolve } = Promise.withResolvers<ThreadResult<Value>>();
  // Not every value can be handed to a thread.
  const worker = attempt(
    () =>
      new Worker(limits.worker_url, {
        workerData: task,
        transferList: [...transfer],
        resourceLimits: { maxOldGenerationSizeMb: limits.max_heap_mb },
      }),
    (error) => {
      onFault(error);
      return null;
    },
  );
  if (worker === null) return { ok: false, reason: "failed" };
  const fail = (reason: "out_of_memory" | "too_slow" | "aborted" | "failed"): void =>
    resolve({ ok: false, reason });
  const stop = (): void => fail("aborted");
  // A real timer: a thread does not follow a clock that is being moved.
  const timer = setTimeout(() => fail("too_slow"), limits.timeout_ms);
  const pass = async (note: Note): Promise<void> => {
    await onNote?.(note);
    worker.postMessage({ kind: "taken" } satisfies ThreadReply);
  };
  const die = (error: unknown): void => {
    const isMemory = (error as { code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY";
    if (!isMemory) onFault(error);
    fail(isMemory ? "out_of_memory" : "failed");
  };
  const taken = receive<ThreadMessage<Value, Note>>({
    note: ({ note }) => detach(pass(note), die),
    value: ({ value }) => resolve({ ok: true, value }),
  });
  worker.on("message", taken);
  worker.on("error", die);
  worker.on("messageerror", () => fail("failed"));
  worker.on("exit", () => fail("failed"));
  signal?.addEventListener("abort", stop, { once: true });
  const result = await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", stop);
  await worker.terminate();
  return result;
}

/** Bytes that own all of their memory move; a view of something bigger is copied. */
export function ownedBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}
