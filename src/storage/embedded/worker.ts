/**
 * A worker thread that writes a database: an fsync takes milliseconds, which the answering thread
 * does not have. Messages in, replies out, in order; a thread that dies is replaced.
 */
import { workerData } from "node:worker_threads";
import { attempt, type NoteFault } from "#kit/guard.ts";
import { serveJobs, Thread } from "#kit/run/thread.ts";
import { isDiskFull } from "#storage/embedded/disk.ts";
import { toLine } from "#storage/error-line.ts";
import type { Failing } from "#storage/store-health.ts";
import { folderFailure } from "#storage/store-reasons.ts";

/** Rolled back: nothing that the message asked for is kept. `reason`: one line. */
type Failed = {
  kind: "failed";
  disk_full: boolean;
  reason: string;
  /** What it says of the disk; null: nothing. */
  failing: Failing | null;
  /** A defect of ours, which the database knows nothing of. */
  error?: unknown;
};

type Limits = {
  /** After so long without a message it ends, and releases some ten megabytes; absent: it stays. */
  rest_ms?: number;
  /** Receives what ends the thread, and what its handler throws that is not of the database. */
  onFault: NoteFault;
};

/** The thread of a file that calls `serveMessages`, with its database at `path`. */
export class DatabaseWorker<Message, Reply> {
  readonly #thread: Thread<Message, Reply | Failed>;
  readonly #onFault: NoteFault;

  constructor(worker_url: URL, path: string, limits: Limits) {
    this.#thread = new Thread({ ...limits, worker_url, data: path, finishes: true });
    this.#onFault = limits.onFault;
  }

  /** Starts the thread ahead of the first message, which then need not wait for it. */
  start(): void {
    this.#thread.start();
  }

  /** Never rejects. null: the thread died, and how far it came is unknown. */
  async send(message: Message): Promise<Reply | Failed | null> {
    const result = await this.#thread.attempt(message);
    if (!result.ok) return result.error === undefined ? null : toFailed(result.error);
    const { value } = result;
    if (isFailed(value) && value.error !== undefined) this.#onFault(this.#thread.part, value.error);
    return value;
  }

  /** After all that was sent. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** What its users need of it. */
export type DatabaseWriter<Message, Reply> = Pick<
  DatabaseWorker<Message, Reply>,
  "start" | "send" | "close"
>;

/** Runs in the thread: opens the database and replies to each message. */
export function serveMessages<Message, Reply>(
  open: (path: string) => { handle(message: Message): Reply; close(): void },
): void {
  type Opened = ReturnType<typeof open>;
  let opened: Opened | Failed = tryToOpen();
  /** What the disk refuses is refused message by message, and tried again with the next. */
  function tryToOpen(): Opened | Failed {
    return attempt<Opened, Failed>(
      () => open(workerData as string),
      (error) => {
        const failed = toFailed(error);
        if (failed.failing === null) throw error;
        return failed;
      },
    );
  }
  serveJobs<Message, Reply | Failed>(
    (message) => {
      if (isFailed(opened)) opened = tryToOpen();
      const handler = opened;
      return isFailed(handler) ? handler : attempt(() => handler.handle(message), toFailed);
    },
    {
      close() {
        if (!isFailed(opened)) opened.close();
      },
    },
  );
}

function isFailed(value: unknown): value is Failed {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "failed";
}

/** What a reply says of the store that did not take a message. */
export function toFailing({ failing, reason }: Failed): Failing {
  return failing ?? { reason: "broken", detail: reason };
}

/** A full disk, or a lock held for too long: the next message tries again. */
function toFailed(error: unknown): Failed {
  const failed: Failed = {
    kind: "failed",
    disk_full: isDiskFull(error),
    reason: toLine(error),
    failing: folderFailure(error),
  };
  const isDatabase = error instanceof Error && "errcode" in error;
  return isDatabase || failed.disk_full ? failed : { ...failed, error };
}
