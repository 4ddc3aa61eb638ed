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

/** Rolled back: nothing that the message asked for is kept. `reason`: one line. */
type Failed = { kind: "failed"; disk_full: boolean; reason: string };

type WorkerInput = { path: string; port: MessagePort };
const CLOSE = { kind: "close" } as const;

/**
 * `url`: a file that calls `serveMessages`; `path`: its database. The thread keeps no process alive
 * while it has nothing to do.
 */
export function createDatabaseWorker<Message, Reply>(
  url: URL,
  path: string,
): DatabaseWorker<Message, Reply> {
  let thread: Thread | null = null;
  let waiting: ((reply: Reply | Failed | null) => void)[] = [];

  function take(reply: Reply | Failed): void {
    waiting.shift()?.(reply);
    if (waiting.length === 0) thread?.port.unref();
  }
  function takeRest(): void {
    for (let next = receive(thread); next; next = receive(thread)) take(next.message as Reply);
  }
  function spawn(): Thread {
    const { port1: port, port2 } = new MessageChannel();
    const input: WorkerInput = { path, port: port2 };
    const worker = new Worker(url, { workerData: input, transferList: [port2] });
    port.on("message", take);
    // An error ends the thread, and `exit` follows.
    worker.on("error", () => {});
    worker.on("exit", () => {
      takeRest();
      port.close();
      thread = null;
      const left = waiting;
      waiting = [];
      for (const resolve of left) resolve(null);
    });
    worker.unref();
    port.unref();
    return { worker, port };
  }

  return {
    start() {
      thread ??= spawn();
    },
    send(message) {
      thread ??= spawn();
      thread.port.ref();
      thread.port.postMessage(message);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    async close() {
      if (!thread) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      thread.worker.ref();
      thread.worker.once("exit", () => resolve());
      thread.port.postMessage(CLOSE);
      await promise;
    },
  };
}

type Thread = { worker: Worker; port: MessagePort };

function receive(thread: Thread | null): { message: unknown } | undefined {
  return thread ? receiveMessageOnPort(thread.port) : undefined;
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
