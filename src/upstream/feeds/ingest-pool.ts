/**
 * Parses bodies: small ones here, big ones in a parsing thread, so that no feed ever blocks the
 * event loop (reliability 2.4, performance 5). A job never rejects: when its thread dies, its files
 * have failed.
 */
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { createResult, type IngestJob, type IngestResult } from "#stations/feed.ts";
import { attempt, detach, type NoteFault } from "#kit/guard.ts";
import { DEFECT } from "#kit/outcome.ts";
import { measured, type NoteWork } from "#upstream/feeds/work.ts";
import { ownedBuffer, REST_MS, Thread } from "#kit/run/thread.ts";

export type IngestPoolOptions = {
  workers?: number;
  inline_below_bytes?: number;
  /** A file is laid out against all of its system's stations, however small it is itself. */
  inline_statics_below_bytes?: number;
  inline: (job: IngestJob) => IngestResult;
  worker_url: URL;
  /** A thread that has read so much is replaced: it would keep the memory it took. */
  once_above_bytes?: number;
  max_bytes?: number;
  /** Of one thread's old generation; beyond it the thread dies and is replaced. */
  max_heap_mb?: number;
  job_timeout_ms?: number;
  /** After so long without a body that is asked for, threads end. */
  rest_ms?: number;
  /** Of the jobs that run here. */
  onWork?: NoteWork;
  /** Receives what a reader throws, here or in a thread: its files have failed. */
  onFault: NoteFault;
};

const DEFAULTS = {
  workers: 1,
  inline_below_bytes: 48 * 1024,
  inline_statics_below_bytes: 1024 * 1024,
  once_above_bytes: 8 * 1024 * 1024,
  max_bytes: 64 * 1024 * 1024,
  max_heap_mb: FEED_BOUNDS.worker_heap_mb,
  job_timeout_ms: 30_000,
  rest_ms: REST_MS,
} as const;

/** Of a thread's young generation. */
const YOUNG_MB = 24;

type Slot = Thread<IngestJob, IngestResult>;
type Waiting = { job: IngestJob; bytes: number; resolve: (result: IngestResult) => void };

export class IngestPool {
  readonly #options: IngestPoolOptions & Required<Pick<IngestPoolOptions, keyof typeof DEFAULTS>>;
  readonly #slots: readonly Slot[];
  readonly #idle: Slot[];
  readonly #waiting: Waiting[] = [];
  #inflight_bytes = 0;
  #closed = false;

  constructor(options: IngestPoolOptions) {
    this.#options = { ...DEFAULTS, ...options };
    const { workers, worker_url, onFault, max_heap_mb, job_timeout_ms, rest_ms } = this.#options;
    const limits = { worker_url, onFault, max_heap_mb, job_timeout_ms, rest_ms };
    this.#slots = Array.from(
      { length: workers },
      () => new Thread({ ...limits, max_young_mb: YOUNG_MB }),
    );
    this.#idle = [...this.#slots];
  }

  /** Consumes the bodies: what owns its memory moves to the thread. */
  async ingest(job: IngestJob): Promise<IngestResult> {
    if (this.#closed) return failedResult(job, WORKER_FAILED);
    const bytes = sizeOf(job);
    const { onWork, onFault } = this.#options;
    if (isSmall(job, this.#options))
      return attempt(
        () => measured(onWork, "parse", () => this.#options.inline(job)),
        (error) => {
          onFault(PART, error);
          return failedResult(job, DEFECT.reason);
        },
      );
    return new Promise((resolve) => {
      this.#waiting.push({ job, bytes, resolve });
      this.#pump();
    });
  }

  /** Says that a body is asked for: threads that rest are started again. */
  wake(): void {
    for (const slot of this.#slots) slot.wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { job, resolve } of this.#waiting.splice(0))
      resolve(failedResult(job, WORKER_FAILED));
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  /** FIFO: a big job at the head is not overtaken, and runs alone when it exceeds the bound. */
  #pump(): void {
    const { max_bytes, onFault } = this.#options;
    for (let next = this.#waiting[0]; next && this.#idle.length > 0; next = this.#waiting[0]) {
      if (this.#inflight_bytes > 0 && this.#inflight_bytes + next.bytes > max_bytes) return;
      this.#waiting.shift();
      detach(this.#start(next, this.#idle.pop()!), (error) => onFault(PART, error));
    }
  }

  async #start({ job, bytes, resolve }: Waiting, slot: Slot): Promise<void> {
    this.#inflight_bytes += bytes;
    try {
      const once = bytes > this.#options.once_above_bytes;
      const result = await slot.run(job, { once, transfer: bodiesOf(job) });
      resolve(result ?? failedResult(job, WORKER_FAILED));
    } finally {
      this.#inflight_bytes -= bytes;
      this.#idle.push(slot);
      // A slot never rejects; if it did, the files would have failed.
      resolve(failedResult(job, WORKER_FAILED));
      this.#pump();
    }
  }
}

function isSmall(
  job: IngestJob,
  most: { inline_below_bytes: number; inline_statics_below_bytes: number },
): boolean {
  const stored = (job.statics?.byteLength ?? 0) + (job.alerts?.byteLength ?? 0);
  return sizeOf(job) < most.inline_below_bytes && stored < most.inline_statics_below_bytes;
}

/** What of the bodies moves to the thread. */
function bodiesOf({ bodies }: IngestJob): ArrayBuffer[] {
  return [...new Set(Object.values(bodies).flatMap(({ bytes }) => ownedBuffer(bytes)))];
}

function sizeOf({ bodies }: IngestJob): number {
  return Object.values(bodies).reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

const PART = "feed reader";
const WORKER_FAILED = "worker_failed";

/** Returns the result of a job that was never finished. */
function failedResult({ bodies }: IngestJob, reason: string): IngestResult {
  const failed = Object.keys(bodies).map((file) => [file, { ok: false, reason }] as const);
  return createResult(Object.fromEntries(failed));
}
