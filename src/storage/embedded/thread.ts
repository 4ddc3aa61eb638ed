/** A writing thread as a queue of orders, replaced when it dies. Idle, it holds nobody up. */
import { Worker } from "node:worker_threads";
import type { Close } from "#storage/embedded/obey.ts";

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
  let worker: Worker | null = null;
  let waiting: ((report: Report | null) => void)[] = [];

  function spawn(): Worker {
    const created = new Worker(url, { workerData: { path } });
    created.on("message", (report: Report) => {
      waiting.shift()?.(report);
      if (waiting.length === 0) created.unref();
    });
    // An error ends the thread, and `exit` follows: there it is judged.
    created.on("error", () => {});
    created.on("exit", () => {
      worker = null;
      const left = waiting;
      waiting = [];
      for (const resolve of left) resolve(null);
    });
    created.unref();
    return created;
  }

  return {
    start() {
      worker ??= spawn();
    },
    ask(order) {
      worker ??= spawn();
      worker.ref();
      worker.postMessage(order);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    async close() {
      if (!worker) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      worker.ref();
      worker.once("exit", () => resolve());
      worker.postMessage({ kind: "close" } satisfies Close);
      await promise;
    },
  };
}
