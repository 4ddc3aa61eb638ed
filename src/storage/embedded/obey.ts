/**
 * What a thread that writes does (thread.ts asks): fsync takes milliseconds, which the thread that
 * answers has not. It owns a connection of its own. Orders in, what became of them out.
 */
import { type MessagePort, workerData } from "node:worker_threads";
import { isDiskFull } from "#storage/embedded/disk.ts";

/** What the thread is started with: its database, and where orders come from. */
export type Given = { path: string; port: MessagePort };

export type Close = { kind: "close" };
/** Rolled back: nothing of the order is kept. */
export type Failed = { kind: "failed"; disk_full: boolean };

type Writer<Order, Report> = { obey(order: Order): Report; close(): void };

export function obeyOrders<Order, Report>(open: (path: string) => Writer<Order, Report>): void {
  const { path, port } = workerData as Given;
  const writer = open(path);
  port.on("message", (order: Order | Close) => {
    if (isClose(order)) {
      writer.close();
      port.close();
      return;
    }
    port.postMessage(attempt(() => writer.obey(order)));
  });
}

function isClose(order: unknown): order is Close {
  return typeof order === "object" && (order as { kind?: string }).kind === "close";
}

function attempt<Report>(task: () => Report): Report | Failed {
  try {
    return task();
  } catch (error) {
    // A full disk, or a lock held for too long: the requests are shed, and the next order tries anew.
    return { kind: "failed", disk_full: isDiskFull(error) };
  }
}
