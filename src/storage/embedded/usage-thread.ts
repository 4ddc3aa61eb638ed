/** The writing thread as a queue of orders, replaced when it dies. Idle, it holds nobody up. */
import { Worker } from "node:worker_threads";
import type { Order, Report } from "#storage/embedded/usage-worker.ts";

export type UsageThread = {
  /** Ahead of the first order, which then need not wait for it. */
  start(): void;
  /** Reports come in the order of the orders. null: the thread died, and nobody knows how far it came. */
  ask(order: Order): Promise<Report | null>;
  /** After all that was ordered. */
  close(): Promise<void>;
};

export function createUsageThread(path: string): UsageThread {
  let worker: Worker | null = null;
  let waiting: ((report: Report | null) => void)[] = [];

  function spawn(): Worker {
    const url = new URL("./usage-worker.ts", import.meta.url);
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
      // As text: cloning the events one by one would cost the answering thread four times as much.
      worker.postMessage(JSON.stringify(order));
      return new Promise((resolve) => void waiting.push(resolve));
    },
    async close() {
      if (!worker) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      worker.ref();
      worker.once("exit", () => resolve());
      worker.postMessage(JSON.stringify({ kind: "close" } satisfies Order));
      await promise;
    },
  };
}
