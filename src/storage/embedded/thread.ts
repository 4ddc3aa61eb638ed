/** A writing thread as a queue of orders, replaced when it dies. Idle, it holds nobody up. */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import type { Close, Given } from "#storage/embedded/obey.ts";

export type Thread<Order, Report> = {
  /** Ahead of the first order, which then need not wait for it. */
  start(): void;
  /** Reports come in the order of the orders. null: the thread died, and nobody knows how far it came. */
  ask(order: Order): Promise<Report | null>;
  /** After all that was ordered. */
  close(): Promise<void>;
};

/** `url`: of a file that calls obeyOrders; `path`: of its database. */
export function createThread<Order, Report>(url: URL, path: string): Thread<Order, Report> {
  let line: Line | null = null;
  let waiting: ((report: Report | null) => void)[] = [];

  function take(report: Report): void {
    waiting.shift()?.(report);
    if (waiting.length === 0) line?.port.unref();
  }
  function takeRest(): void {
    for (let next = receive(line); next; next = receive(line)) take(next.message as Report);
  }
  function spawn(): Line {
    const { port1: port, port2 } = new MessageChannel();
    const given: Given = { path, port: port2 };
    const worker = new Worker(url, { workerData: given, transferList: [port2] });
    port.on("message", take);
    // An error ends the thread, and `exit` follows: there it is judged.
    worker.on("error", () => {});
    worker.on("exit", () => {
      takeRest();
      port.close();
      line = null;
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
      line ??= spawn();
    },
    ask(order) {
      line ??= spawn();
      line.port.ref();
      line.port.postMessage(order);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    async close() {
      if (!line) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      line.worker.ref();
      line.worker.once("exit", () => resolve());
      line.port.postMessage({ kind: "close" } satisfies Close);
      await promise;
    },
  };
}

type Line = { worker: Worker; port: MessagePort };

function receive(line: Line | null): { message: unknown } | undefined {
  return line ? receiveMessageOnPort(line.port) : undefined;
}
