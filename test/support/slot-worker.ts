/** The thread of a slot in tests: it says which thread it is. */
import { parentPort, threadId } from "node:worker_threads";

parentPort?.on("message", ({ id }: { id: number }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage({ id, result: threadId });
});
