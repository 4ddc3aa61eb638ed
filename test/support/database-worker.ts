/** The thread of a database in tests: it says which thread it is, and notes in its file that it has closed. */
import { appendFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { serveMessages } from "#storage/embedded/worker.ts";

serveMessages<"who" | "die", number>((path) => ({
  handle(message) {
    if (message === "die") process.exit(1);
    return threadId;
  },
  close: () => appendFileSync(path, `${threadId} `),
}));
