/** Threads that code under test starts, for tests that end one. */
import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";

/** Starts a thread, and returns it before it has loaded anything. */
export async function catchThread(t: TestContext, start: () => void): Promise<Worker> {
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  process.on("worker", note);
  t.after(() => process.off("worker", note));
  start();
  // The runtime says so at the end of the turn.
  await setImmediate();
  return started.at(-1)!;
}
