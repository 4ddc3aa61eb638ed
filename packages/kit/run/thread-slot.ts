/** One thread, replaced when it dies. One job at a time, so that only the guilty one fails. */
import { parentPort, Worker } from "node:worker_threads";
import { attempt, detach, guard, type NoteFault } from "../guard.ts";
import { receive } from "../receive.ts";

export type ThreadSlot<Job, Result> = {
  /**
   * Never rejects. null: the thread died, took too long and was ended, or could not be given the job.
   * `once`: it ends with the job, and releases the memory it took.
   */
  run(job: Job, options?: { once: boolean }): Promise<Result | null>;
  /** Starts the thread ahead of its first job. */
  start(): void;
  /** Says that a job may come soon: a thread that rests is started again. */
  wake(): void;
  close(): Promise<void>;
};

export type SlotLimits = {
  /** Of the old generation; beyond it the thread dies and is replaced. */
  max_heap_mb: number;
  /** Of the young generation; undefined: as Node has it. */
  max_young_mb?: number;
  job_timeout_ms: number;
  /** After so long without a job, or the prospect of one, it ends; undefined: it stays. */
  rest_ms?: number;
};

/** For threads that hold some ten megabytes and are started again in a tenth of a second. */
export const REST_MS = 60_000;

/** Makes a slot. `transfer`: what moves to the thread with a job instead of being copied. */
export function createThreadSlot<Job, Result>(
  options: SlotLimits & {
    /** Of the file that runs in the thread, whose name its faults are reported under. */
    worker_url: URL;
    transfer?: (job: Job) => ArrayBuffer[];
    /** Receives what ended the thread. */
    onFault: NoteFault;
  },
): ThreadSlot<Job, Result> {
  const onFault = (error: unknown): void => options.onFault(partOf(options.worker_url), error);
  let worker: Worker | null = null;
  let next_id = 0;
  let closed = false;
  /** Jobs, the one that runs and those that wait. */
  let jobs = 0;
  let rests = false;
  let timer: NodeJS.Timeout | undefined;

  function spawn(): Worker {
    rests = false;
    const created = new Worker(options.worker_url, {
      resourceLimits: {
        maxOldGenerationSizeMb: options.max_heap_mb,
        ...(options.max_young_mb && { maxYoungGenerationSizeMb: options.max_young_mb }),
      },
    });
    // An error ends the thread, and `exit` follows: there it is judged. Idle, it delays no job.
    created.on("error", onFault);
    created.on("exit", () => {
      if (worker === created) worker = null;
    });
    return created;
  }

  function end(): void {
    if (worker) detach(worker.terminate(), onFault);
    rests = worker !== null;
    worker = null;
  }
  function start(): void {
    worker ??= spawn();
    worker.unref();
    restLater();
  }
  function restLater(): void {
    if (jobs > 0 || options.rest_ms === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(end, options.rest_ms).unref();
  }

  function give(job: Job): Promise<Result | null> {
    worker ??= spawn();
    const transferred = options.transfer?.(job) ?? [];
    return ask<Job, Result>(
      worker,
      { kind: "job", id: next_id++, job },
      { ...options, onFault, transferred },
    );
  }

  return {
    async run(job, { once } = { once: false }) {
      if (closed) return null;
      jobs += 1;
      clearTimeout(timer);
      const result = await guard(
        () => give(job),
        (error) => {
          onFault(error);
          return null;
        },
      );
      if (once && worker) await worker.terminate();
      jobs -= 1;
      restLater();
      return result;
    },
    start,
    wake() {
      if (!closed && jobs === 0 && (worker !== null || rests)) start();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await worker?.terminate();
    },
  };
}

type Question<Job> = { kind: "job"; id: number; job: Job };
type Answer<Result> = { kind: "result"; id: number; result: Result };

type Asking = {
  job_timeout_ms: number;
  transferred: ArrayBuffer[];
  onFault: (error: unknown) => void;
};

function ask<Job, Result>(
  worker: Worker,
  question: Question<Job>,
  { job_timeout_ms, transferred, onFault }: Asking,
): Promise<Result | null> {
  const { promise, resolve } = Promise.withResolvers<Result | null>();
  const answered = receive<Answer<Result>>({
    result({ id, result }) {
      if (id === question.id) finish(result);
    },
  });
  const died = (): void => finish(null);
  // A real timer: a thread does not follow a clock that is being moved.
  const timer = setTimeout(() => detach(worker.terminate(), onFault), job_timeout_ms);
  function finish(result: Result | null): void {
    clearTimeout(timer);
    worker.off("message", answered).off("messageerror", died).off("exit", died);
    worker.unref();
    resolve(result);
  }
  worker.on("message", answered).on("messageerror", died).on("exit", died);
  worker.ref();
  // Not every value can be handed to a thread.
  attempt(
    () => worker.postMessage(question, transferred),
    (error) => {
      onFault(error);
      finish(null);
    },
  );
  return promise;
}

/** Runs in the thread: answers each job with what `work` makes of it. */
export function serveJobs<Job, Result>(work: (job: Job) => Result): void {
  const port = parentPort;
  if (port === null) return;
  const answer = (message: Answer<Result>): void => port.postMessage(message);
  const take = ({ id, job }: Question<Job>): void =>
    answer({ kind: "result", id, result: work(job) });
  port.on("message", receive<Question<Job>>({ job: take }));
}

/** Names a thread by its file: `thread ingest`. */
export function partOf(worker_url: URL): string {
  return `thread ${worker_url.pathname.replace(/^.*\/|\.\w+$/g, "")}`;
}
