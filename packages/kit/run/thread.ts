/**
 * Threads, each with bounds on its memory and on the time of a job: whatever the data do to it, the
 * process goes on, and the job has failed with a reason. A thread that died is replaced.
 */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { attempt, detach, guard, type NoteFault } from "../guard.ts";
import { receive } from "../receive.ts";

export type ThreadLimits = {
  /** Of the file that runs in the thread, whose name its faults are reported under. */
  worker_url: URL;
  /** Receives what ended the thread, and what `onNote` throws. */
  onFault: NoteFault;
  /** Of the old generation; beyond it the thread dies. Absent: as Node has it, like those below. */
  max_heap_mb?: number;
  max_young_mb?: number;
  /** Of one job; beyond it the thread is ended. */
  job_timeout_ms?: number;
  /** After so long without a job, or the prospect of one, it ends; absent: it stays. */
  rest_ms?: number;
  /** It reads this as `workerData`. */
  data?: unknown;
  /** It ends after the jobs that it has, and calls `close` of `serveJobs`; absent: at once. */
  finishes?: boolean;
};

export type JobOptions<Note> = {
  /** Buffers of the job that move to the thread instead of being copied. */
  transfer?: readonly ArrayBuffer[];
  /** Receives what the thread reports before it is done; it is answered when this has returned. */
  onNote?: ((note: Note) => void | Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
  /** The thread ends with the job, and releases the memory it took. */
  once?: boolean;
};

/** Why a job has no result. `error`: what kept it from being handed to the thread. */
type NotDone = {
  ok: false;
  reason: "out_of_memory" | "too_slow" | "aborted" | "failed";
  error?: unknown;
};
export type JobResult<Result> = { ok: true; value: Result } | NotDone;

/** Message to a thread: a job, its oldest note has been taken, or the last message. */
type Command<Job> = { kind: "job"; id: number; job: Job } | { kind: "taken" } | { kind: "end" };
/** Message of a thread: notes, and one result for each job. */
type Report<Result, Note> =
  | { kind: "note"; id: number; note: Note }
  | { kind: "result"; id: number; result: Result };

/** For threads that hold some ten megabytes and are started again in a tenth of a second. */
export const REST_MS = 60_000;

/** A thread from its start to its end. */
type Life<Result, Note> = {
  worker: Worker;
  open: Map<
    number,
    { finish(result: JobResult<Result>): void; onNote?: JobOptions<Note>["onNote"] }
  >;
  exited: Promise<void>;
  /** Why its jobs fail when it ends. */
  reason: NotDone["reason"];
};

/** Does jobs in a thread, which is started for the first, in their order. */
export class Thread<Job, Result, Note = never> {
  /** Names it in reports. */
  readonly part: string;
  readonly #limits: ThreadLimits;
  #life: Life<Result, Note> | null = null;
  /** About to end. */
  readonly #ending = new Set<Promise<unknown>>();
  #next_id = 0;
  /** The one that runs and those that wait. */
  #jobs = 0;
  #rests = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
    this.part = `thread ${limits.worker_url.pathname.replace(/^.*\/|\.\w+$/g, "")}`;
  }

  /** Never rejects. null: it was not done, for whatever reason. */
  async run(job: Job, options?: JobOptions<Note>): Promise<Result | null> {
    const result = await this.attempt(job, options);
    return result.ok ? result.value : null;
  }

  /** Never rejects. */
  async attempt(job: Job, options: JobOptions<Note> = {}): Promise<JobResult<Result>> {
    if (this.#closed || options.signal?.aborted) return { ok: false, reason: "aborted" };
    this.#jobs += 1;
    clearTimeout(this.#timer);
    try {
      const result = await guard(
        () => this.#ask((this.#life ??= this.#spawn()), job, options),
        (error): NotDone => {
          this.#onFault(error);
          return { ok: false, reason: "failed", error };
        },
      );
      if (options.once)
        await guard(
          () => this.#end(),
          (error) => this.#onFault(error),
        );
      return result;
    } finally {
      this.#jobs -= 1;
      this.#restLater();
    }
  }

  /** Starts the thread ahead of its first job. */
  start(): void {
    this.#life ??= this.#spawn();
    this.#restLater();
  }

  /** Says that a job may come soon: a thread that rests is started again. */
  wake(): void {
    if (!this.#closed && this.#jobs === 0 && (this.#life !== null || this.#rests)) this.start();
  }

  /** Whether there is a thread now, which may have what jobs left in it. */
  get isRunning(): boolean {
    return this.#life !== null;
  }

  /** Resolves when the thread has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#end();
    await Promise.all(this.#ending);
  }

  #onFault(error: unknown): void {
    this.#limits.onFault(this.part, error);
  }

  #spawn(): Life<Result, Note> {
    this.#rests = false;
    const { worker_url, max_heap_mb, max_young_mb, data } = this.#limits;
    const worker = new Worker(worker_url, {
      workerData: data,
      resourceLimits: {
        ...(max_heap_mb && { maxOldGenerationSizeMb: max_heap_mb }),
        ...(max_young_mb && { maxYoungGenerationSizeMb: max_young_mb }),
      },
    });
    const exited = Promise.withResolvers<void>();
    const life: Life<Result, Note> = {
      ...{ worker, open: new Map(), exited: exited.promise, reason: "failed" },
    };
    const failAll = (): void => {
      for (const { finish } of life.open.values()) finish({ ok: false, reason: life.reason });
    };
    const take = receive<Report<Result, Note>>({
      note: ({ id, note }) => detach(this.#pass(life, id, note), (error) => this.#die(life, error)),
      result: ({ id, result }) => life.open.get(id)?.finish({ ok: true, value: result }),
    });
    worker.on("message", take);
    worker.on("messageerror", failAll);
    // An error ends the thread, and `exit` follows. Idle, it delays no job.
    worker.on("error", (error) => {
      if (isOutOfMemory(error)) life.reason = "out_of_memory";
      this.#onFault(error);
    });
    worker.on("exit", () => {
      if (this.#life === life) this.#life = null;
      failAll();
      exited.resolve();
    });
    // After the listener for messages, which refers to the thread again.
    worker.unref();
    return life;
  }

  async #pass(life: Life<Result, Note>, id: number, note: Note): Promise<void> {
    await life.open.get(id)?.onNote?.(note);
    life.worker.postMessage({ kind: "taken" } satisfies Command<Job>);
  }

  #die({ worker }: Life<Result, Note>, error: unknown): void {
    this.#onFault(error);
    this.#terminate(worker);
  }

  #terminate(worker: Worker): void {
    detach(worker.terminate(), (error) => this.#onFault(error));
  }

  #ask(
    life: Life<Result, Note>,
    job: Job,
    { transfer = [], onNote, signal }: JobOptions<Note>,
  ): Promise<JobResult<Result>> {
    const { worker, open } = life;
    const { job_timeout_ms } = this.#limits;
    const { promise, resolve } = Promise.withResolvers<JobResult<Result>>();
    const id = this.#next_id++;
    const end = (reason: NotDone["reason"]): void => {
      life.reason = reason;
      this.#terminate(worker);
    };
    const stop = (): void => end("aborted");
    // A real timer: a thread does not follow a clock that is being moved.
    const timer = job_timeout_ms && setTimeout(() => end("too_slow"), job_timeout_ms);
    const finish = (result: JobResult<Result>): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      open.delete(id);
      if (open.size === 0) worker.unref();
      resolve(result);
    };
    signal?.addEventListener("abort", stop, { once: true });
    open.set(id, { finish, onNote });
    worker.ref();
    // Not every value can be handed to a thread.
    attempt(
      () => worker.postMessage({ kind: "job", id, job } satisfies Command<Job>, [...transfer]),
      (error) => {
        this.#onFault(error);
        finish({ ok: false, reason: "failed", error });
      },
    );
    return promise;
  }

  #restLater(): void {
    const { rest_ms } = this.#limits;
    if (this.#jobs > 0 || rest_ms === undefined || this.#closed) return;
    clearTimeout(this.#timer);
    const rest = (): void => {
      this.#rests = this.#life !== null;
      detach(this.#end(), (error) => this.#onFault(error));
    };
    this.#timer = setTimeout(rest, rest_ms).unref();
  }

  /** Jobs that come meanwhile are for another thread. */
  async #end(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    if (life === null) return;
    const { worker, exited } = life;
    this.#ending.add(exited);
    if (this.#limits.finishes) {
      worker.ref();
      worker.postMessage({ kind: "end" } satisfies Command<Job>);
    } else await worker.terminate();
    await exited;
    this.#ending.delete(exited);
  }
}

/** Does one job in a thread of its own, which has ended when this resolves; never rejects. */
export async function runInThread<Result, Note = never>(
  job: unknown,
  { onFault, ...limits }: ThreadLimits,
  options?: JobOptions<Note>,
): Promise<JobResult<Result>> {
  const thread = new Thread<unknown, Result, Note>({
    ...limits,
    onFault: exceptOutOfMemory(onFault),
  });
  const result = await thread.attempt(job, options);
  await thread.close();
  return result;
}

/** Passes on what ends a thread, but that its memory was spent: callers get that as the reason. */
export function exceptOutOfMemory(onFault: NoteFault): NoteFault {
  return (part, error) => {
    if (!isOutOfMemory(error)) onFault(part, error);
  };
}

type ServeOptions<Result> = {
  /** Buffers of a result that move instead of being copied. */
  transfer?: (result: Result) => ArrayBuffer[];
  /** Called before the thread ends, where it finishes its jobs. */
  close?: () => void;
};

/**
 * Runs in the thread: answers each job with what `work` makes of it. `note`: reports to the caller,
 * and resolves when it has taken that.
 */
export function serveJobs<Job, Result, Note = never>(
  work: (job: Job, note: (note: Note) => Promise<void>) => Result | Promise<Result>,
  { transfer, close }: ServeOptions<Result> = {},
): void {
  const port = parentPort;
  if (isMainThread || port === null) return;
  const untaken: (() => void)[] = [];
  const post = (report: Report<Result, Note>, moved: ArrayBuffer[] = []): void =>
    port.postMessage(report, moved);
  const answer = async ({ id, job }: { id: number; job: Job }): Promise<void> => {
    const result = await work(job, (note) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      untaken.push(resolve);
      post({ kind: "note", id, note });
      return promise;
    });
    post({ kind: "result", id, result }, transfer?.(result));
  };
  const take = receive<Command<Job>>({
    // What it throws ends the thread.
    job: (order) => detach(answer(order), rethrow),
    taken: () => untaken.shift()?.(),
    end() {
      close?.();
      port.close();
    },
  });
  port.on("message", take);
}

/** Bytes that own all of their memory move; a view of something bigger is copied. */
export function ownedBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function rethrow(error: unknown): never {
  throw error;
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
}
