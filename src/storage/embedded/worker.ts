/**
 * A worker thread that writes a database: an fsync takes milliseconds, which the answering thread
 * does not have. Messages in, replies out, in order; a thread that dies is replaced.
 */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
  workerData,
} from "node:worker_threads";
import { attempt, detach, type NoteFault } from "#kit/guard.ts";
import { receive } from "#kit/receive.ts";
import { isDiskFull } from "#storage/embedded/disk.ts";
import { toLine } from "#storage/error-line.ts";
import type { Failing } from "#storage/health.ts";
import { folderFailure } from "#storage/reasons.ts";

export type DatabaseWorker<Message, Reply> = {
  /** Starts the thread ahead of the first message, which then need not wait for it. */
  start(): void;
  /** Never rejects. null: the thread died, and how far it came is unknown. */
  send(message: Message): Promise<Reply | Failed | null>;
  /** After all that was sent. */
  close(): Promise<void>;
};

/**
 * How long a thread may have nothing to do: a service that serves moves usage all the time, and reads
 * timetables at its start and once a day.
 */
export const REST_MS = 60_000;

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

type WorkerInput = { path: string; port: MessagePort };
/** To the thread. */
type Command<Message> = { kind: "handle"; message: Message } | { kind: "close" };
/** From the thread, one for each message, in their order. */
type Handled<Reply> = { kind: "handled"; reply: Reply } | Failed;

/**
 * `url`: a file that calls `serveMessages`; `path`: its database. The thread keeps no process alive
 * while it has nothing to do. `rest_ms`: after so long without a message it ends, and releases some
 * ten megabytes; the next one waits until another has started. Absent: it stays. `onFault`: receives
 * what ends the thread, and what its handler throws that is not of the database.
 */
export function createDatabaseWorker<Message, Reply>(
  url: URL,
  path: string,
  { rest_ms, onFault: noteFault }: { rest_ms?: number; onFault: NoteFault },
): DatabaseWorker<Message, Reply> {
  const part = `thread ${url.pathname.replace(/^.*\/|\.\w+$/g, "")}`;
  const onFault = (error: unknown): void => noteFault(part, error);
  let thread: Thread<Reply> | null = null;
  /** Closed, and about to end. */
  const ending = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function spawn(): Thread<Reply> {
    const started = startThread<Reply>(url, path, {
      onFault,
      onIdle() {
        if (thread !== started || rest_ms === undefined) return;
        clearTimeout(timer);
        timer = setTimeout(end, rest_ms).unref();
      },
      onExit() {
        if (thread === started) thread = null;
      },
    });
    return started;
  }
  /** What is sent from now on is for another thread. */
  function end(): void {
    const ended = thread?.close();
    thread = null;
    if (!ended) return;
    ending.add(ended);
    detach(
      ended.finally(() => ending.delete(ended)),
      onFault,
    );
  }

  return {
    start() {
      thread ??= spawn();
    },
    send(message) {
      clearTimeout(timer);
      thread ??= spawn();
      return thread.send(message);
    },
    async close() {
      clearTimeout(timer);
      end();
      await Promise.all(ending);
    },
  };
}

type Thread<Reply> = {
  send(message: unknown): Promise<Reply | Failed | null>;
  /** After all that was sent; resolves when it has ended. */
  close(): Promise<void>;
};

type ThreadEvents = {
  /** It has replied to all that was sent. */
  onIdle: () => void;
  onExit: () => void;
  onFault: (error: unknown) => void;
};

function startThread<Reply>(
  url: URL,
  path: string,
  { onIdle, onExit, onFault }: ThreadEvents,
): Thread<Reply> {
  const { port1: port, port2 } = new MessageChannel();
  const input: WorkerInput = { path, port: port2 };
  const worker = new Worker(url, { workerData: input, transferList: [port2] });
  const exited = Promise.withResolvers<void>();
  let waiting: ((reply: Reply | Failed | null) => void)[] = [];

  function pass(reply: Reply | Failed): void {
    waiting.shift()?.(reply);
    if (waiting.length > 0) return;
    port.unref();
    onIdle();
  }
  const take = receive<Handled<Reply>>({
    handled: ({ reply }) => pass(reply),
    failed(failed) {
      if (failed.error !== undefined) onFault(failed.error);
      pass(failed);
    },
  });
  function takeRest(): void {
    const next = receiveMessageOnPort(port);
    if (next === undefined) return;
    take(next.message);
    takeRest();
  }
  port.on("message", take);
  // An error ends the thread, and `exit` follows.
  worker.on("error", onFault);
  worker.on("exit", () => {
    onExit();
    takeRest();
    port.close();
    const left = waiting;
    waiting = [];
    for (const resolve of left) resolve(null);
    exited.resolve();
  });
  worker.unref();
  port.unref();
  return {
    send(message) {
      // Not every value can be handed to a thread: then nothing has been sent.
      const refused = attempt((): Failed | null => {
        port.postMessage({ kind: "handle", message } satisfies Command<unknown>);
        return null;
      }, toFailed);
      if (refused) {
        onFault(refused.error);
        return Promise.resolve(refused);
      }
      port.ref();
      const { promise, resolve } = Promise.withResolvers<Reply | Failed | null>();
      waiting.push(resolve);
      return promise;
    },
    close() {
      worker.ref();
      port.postMessage({ kind: "close" } satisfies Command<unknown>);
      return exited.promise;
    },
  };
}

/** Runs in the thread: opens the database and replies to each message. */
export function serveMessages<Message, Reply>(
  open: (path: string) => { handle(message: Message): Reply; close(): void },
): void {
  const { path, port } = workerData as WorkerInput;
  type Opened = ReturnType<typeof open>;
  let opened: Opened | Failed = tryToOpen();
  /** What the disk refuses is refused message by message, and tried again with the next. */
  function tryToOpen(): Opened | Failed {
    return attempt<Opened, Failed>(
      () => open(path),
      (error) => {
        const failed = toFailed(error);
        if (failed.failing === null) throw error;
        return failed;
      },
    );
  }
  function handle(message: Message): Handled<Reply> {
    if (isFailed(opened)) opened = tryToOpen();
    const handler = opened;
    if (isFailed(handler)) return handler;
    return attempt<Handled<Reply>, Failed>(
      () => ({ kind: "handled", reply: handler.handle(message) }),
      toFailed,
    );
  }
  const take = receive<Command<Message>>({
    handle: ({ message }) => port.postMessage(handle(message)),
    close() {
      if (!isFailed(opened)) opened.close();
      port.close();
    },
  });
  port.on("message", take);
}

function isFailed(opened: object): opened is Failed {
  return "kind" in opened && opened.kind === "failed";
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
