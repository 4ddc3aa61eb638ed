/**
 * The thread that makes usage durable: fsync takes milliseconds, which the thread that answers has
 * not. It owns a connection of its own. Batches in, what became of them out (usage.ts asks).
 */
import { parentPort, workerData } from "node:worker_threads";
import type { UsageEvent } from "#ports.ts";
import { openDatabase } from "#storage/embedded/database.ts";
import { createJournal } from "#storage/embedded/usage-journal.ts";

export type Order =
  | { kind: "commit"; events: readonly UsageEvent[] }
  | { kind: "forget"; before_ms: number }
  | { kind: "close" };

export type Report =
  /** `replayed`: indices of events that were there before. */
  | { kind: "committed"; replayed: readonly number[] }
  /** Rolled back: not one of them is kept. */
  | { kind: "failed" }
  | { kind: "forgotten"; more: boolean };

const { path } = workerData as { path: string };
const database = openDatabase(path);
const journal = createJournal(database);

parentPort?.on("message", (text: string) => {
  const order = JSON.parse(text) as Order;
  if (order.kind === "close") {
    database.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(obey(order));
});

function obey(order: Exclude<Order, { kind: "close" }>): Report {
  try {
    if (order.kind === "commit")
      return { kind: "committed", replayed: journal.commit(order.events) };
    return { kind: "forgotten", more: journal.forgetSome(order.before_ms) };
  } catch {
    // A full disk, or a lock held for too long: the requests are shed, and the next batch tries anew.
    return order.kind === "commit" ? { kind: "failed" } : { kind: "forgotten", more: false };
  }
}
