/** One parsing thread, replaced when it dies. One job at a time, so that only the guilty one fails. */
import { Worker } from "node:worker_threads";
import type { IngestJob, IngestResult } from "#providers/provider.ts";

export type IngestSlot = {
  /**
   * null: the thread died, or took too long and was ended. `once`: it ends with the job, and gives
   * back the memory it took.
   */
  run(job: IngestJob, options: { once: boolean }): Promise<IngestResult | null>;
  close(): Promise<void>;
};

/** Of a thread's young generation. */
const YOUNG_MB = 24;

export function createIngestSlot(options: {
  worker_url: URL;
  max_heap_mb: number;
  job_timeout_ms: number;
}): IngestSlot {
  let worker: Worker | null = null;
  let next_id = 0;
  let closed = false;

  function spawn(): Worker {
    const created = new Worker(options.worker_url, {
      resourceLimits: {
        maxOldGenerationSizeMb: options.max_heap_mb,
        maxYoungGenerationSizeMb: YOUNG_MB,
      },
    });
    // An error ends the thread, and `exit` follows: there it is judged. Idle, it holds nobody up.
    created.on("error", () => {});
    created.on("exit", () => {
      if (worker === created) worker = null;
    });
    return created;
  }

  return {
    async run(job, { once }) {
      if (closed) return null;
      worker ??= spawn();
      const asked = worker;
      const answer = await ask(asked, { id: next_id++, job }, options.job_timeout_ms);
      if (once) await asked.terminate();
      return answer;
    },
    async close() {
      closed = true;
      await worker?.terminate();
    },
  };
}

type Question = { id: number; job: IngestJob };
type Answer = { id: number; result: IngestResult };

function ask(worker: Worker, question: Question, timeout_ms: number): Promise<IngestResult | null> {
  const { promise, resolve } = Promise.withResolvers<IngestResult | null>();
  const answered = ({ id, result }: Answer): void => {
    if (id === question.id) finish(result);
  };
  const died = (): void => finish(null);
  // A real timer: a thread does not follow a clock that is being moved.
  const timer = setTimeout(() => void worker.terminate(), timeout_ms);
  function finish(result: IngestResult | null): void {
    clearTimeout(timer);
    worker.off("message", answered).off("messageerror", died).off("exit", died);
    worker.unref();
    resolve(result);
  }
  worker.on("message", answered).on("messageerror", died).on("exit", died);
  worker.ref();
  worker.postMessage(question, ownedBuffers(question.job));
  return promise;
}

/** Bodies that own all of their memory move; a view of something bigger is copied. */
function ownedBuffers({ bodies }: IngestJob): ArrayBuffer[] {
  const owned = new Set<ArrayBuffer>();
  for (const { bytes } of Object.values(bodies)) {
    const { buffer } = bytes;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) owned.add(buffer);
  }
  return [...owned];
}
