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
import { isDiskFull } from "#storage/embedded/disk.ts";
import { toLine } from "#storage/error-line.ts";

export type DatabaseWorker<Message, Reply> = {
  /** Starts the thread ahead of the first message, which then need not wait for it. */
  start(): void;
  /** null: the thread died, and how far it came is unknown. */
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
type Failed = { kind: "failed"; disk_full: boolean; reason: string };

type WorkerInput = { path: string; port: MessagePort };
const CLOSE = { kind: "close" } as const;

/**
 * `url`: a file that calls `serveMessages`; `path`: its database. The thread keeps no process alive
 * while it has nothing to do. `rest_ms`: after so long without a message it ends, and releases some
 * ten megabytes; the next one waits until another has started. Absent: it stays.
 */
export function createDatabaseWorker<Message, Reply>(
  url: URL,
  path: string,
  { rest_ms }: { rest_ms?: number } = {},
): DatabaseWorker<Message, Reply> {
  let thread: Thread<Reply> | null = null;
  /** Closed, and about to end. */
  const ending = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  function spawn(): Thread<Reply> {
    const started = startThread<Reply>(url, path, {
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
    void ended.then(() => ending.delete(ended));
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

/** `onIdle`: it has replied to all that was sent. */
function startThread<Reply>(
  url: URL,
  path: string,
  { onIdle, onExit }: { onIdle: () => void; onExit: () => void },
): Thread<Reply> {
  const { port1: port, port2 } = new MessageChannel();
  const input: WorkerInput = { path, port: port2 };
  const worker = new Worker(url, { workerData: input, transferList: [port2] });
  const exited = Promise.withResolvers<void>();
  let waiting: ((reply: Reply | Failed | null) => void)[] = [];

  function take(reply: Reply | Failed): void {
    waiting.shift()?.(reply);
    if (waiting.length > 0) return;
    port.unref();
    onIdle();
  }
  function takeRest(): void {
    const next = receiveMessageOnPort(port);
    if (next === undefined) return;
    take(next.message as Reply);
    takeRest();
  }
  port.on("message", take);
  // An error ends the thread, and `exit` follows.
  worker.on("error", () => {});
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
      port.ref();
      port.postMessage(message);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    close() {
      worker.ref();
      port.postMessage(CLOSE);
      return exited.promise;
    },
  };
}

/** Runs in the thread: opens the database and replies to each message. */
export function serveMessages<Message, Reply>(
  open: (path: string) => { handle(message: Message): Reply; close(): void },
): void {
  const { path, port } = workerData as WorkerInput;
  const handler = open(path);
  port.on("message", (message: Message | typeof CLOSE) => {
    if (isClose(message)) {
      handler.close();
      port.close();
      return;
    }
    port.postMessage(attempt(() => handler.handle(message)));
  });
}

function isClose(message: unknown): message is typeof CLOSE {
  return typeof message === "object" && (message as { kind?: string }).kind === "close";
}

function attempt<Reply>(task: () => Reply): Reply | Failed {
  try {
    return task();
  } catch (error) {
    // A full disk, or a lock held for too long: the next message tries again.
    return { kind: "failed", disk_full: isDiskFull(error), reason: toLine(error) };
  }
}
