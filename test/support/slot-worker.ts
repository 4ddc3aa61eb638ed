/** The thread of a slot in tests: it says which thread it is. */
import { threadId } from "node:worker_threads";
import { serveJobs } from "#kit/run/thread.ts";

serveJobs(() => threadId);
