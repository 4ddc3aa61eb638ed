/** Entry of a thread that serves next to others (main/threads). */
import { parentPort, workerData } from "node:worker_threads";
import { ServingThread } from "#http/serving.ts";
import { attempt, detach, guard } from "#kit/guard.ts";
import { answerCall, Caller, type Call, type Reply } from "#kit/calls.ts";
import { receive } from "#kit/receive.ts";
import { Faults } from "#observe/faults.ts";
import { openLog } from "#observe/log.ts";
import { createClock } from "#process/clock.ts";
import { Starter } from "#process/parts.ts";
import type { Begun } from "#process/thread-group.ts";
import { createSteadyTime } from "#process/steady-time.ts";
import { toLine } from "#storage/error-line.ts";
import { SharedCounts } from "#storage/threads/shared-counts.ts";
import { createSharedLimiter } from "#storage/threads/shared-limiter.ts";
import type { Parts } from "../parts/parts.ts";
import { listParts } from "../service.ts";
import {
  MAIN_CALLS,
  type MainCalls,
  type ServingTask,
  type ThreadCalls,
  type ToThread,
} from "../threads/serving-task.ts";
import { FeedOfThread, listThreadParts, type ThreadInputs } from "../threads/thread-parts.ts";

const task = workerData as ServingTask;
const { thread, config, env, version, commit, tables, ahead_ms } = task;
const log = openLog({ fd: 1 }, env);
const faults = new Faults();
faults.follow(log.log);
const onFault = faults.note;
process.on("unhandledRejection", (error) => onFault("unhandled rejection", error));

const send = (message: Call | Reply | Begun): void => parentPort?.postMessage(message);
const caller = new Caller(send);
const counts = new SharedCounts(tables.units, thread);
const time = createSteadyTime();
const clock = createClock(
  {
    ...time,
    now: () => time.now() + ahead_ms,
    wall: () => (time.wall?.() ?? time.now()) + ahead_ms,
  },
  (error) => onFault("timer", error),
);
const input: ThreadInputs = {
  ...{ clock, time, random: Math.random, onFault, faults: () => faults.count },
  log: log.log.child({ thread }),
  options: { config, env, version, commit },
  serving: new ServingThread(),
  reads: false,
  together: {
    limiter: createSharedLimiter(tables.limits, thread),
    bad_keys: createSharedLimiter(tables.bad_keys, thread),
    pages: createSharedLimiter(tables.pages, thread),
    units: counts,
  },
  ...{ task, counts, feed: new FeedOfThread(), notes: {} },
  main: caller.functions<MainCalls>(MAIN_CALLS),
};
const starter = new Starter<Parts>(input);
let parts: Parts | null = null;

const functions: ThreadCalls = {
  metrics: () => parts?.metrics.text() ?? "",
  moveUsage: async () => await parts?.storage.usage.start(),
  advance: (ms) => clock.advance(ms),
  replacePlans: (plans) => parts?.access.replacePlans(plans),
  reopenLog: () => log.reopen(),
  drain: async (delay_ms) => await parts?.listeners.drain(delay_ms),
  async close() {
    await starter.end();
    log.close();
  },
};

async function answer(call: Call): Promise<void> {
  send(await answerCall(functions, call));
  if (call.name === "close") parentPort?.close();
}

const take = receive<ToThread>({
  shown: (shown) =>
    attempt(
      () => input.feed.take(shown),
      (error) => onFault("what is shown", error),
    ),
  noted: ({ note }) => input.notes.history?.note(...note),
  read: ({ note }) => input.notes.quality?.note(...note),
  call: (call) => detach(answer(call), (error) => onFault("call to a thread", error)),
  reply: (reply) => caller.take(reply),
});
parentPort?.on("message", take);

const started = await guard(
  () => starter.start(listThreadParts(listParts(input), input)),
  (error) => {
    onFault("start", error);
    return { problem: toLine(error) };
  },
);
if ("problem" in started) {
  send({ kind: "refused", problem: started.problem });
  parentPort?.close();
} else {
  parts = started;
  send({ kind: "started", url: parts.listeners.url });
}
