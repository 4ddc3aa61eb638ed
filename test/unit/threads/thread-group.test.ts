/** Threads that are notified the same, replaced when they die, and ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findWorkersProblem, countWorkers } from "#process/worker-count.ts";
import { ThreadGroup } from "#process/thread-group.ts";
import { noFault } from "../../support/faults.ts";

type Notice = { kind: "notice"; n: number };
type Functions = { sum(): number; double(n: number): Promise<number>; close(): Promise<void> };

/** Adds up what it is notified, and asks the owner for what it cannot do. */
const SOURCE = `
  import { parentPort, workerData } from "node:worker_threads";
  let sum = 0, id = 0;
  const open = new Map();
  const own = {
    sum: () => sum,
    double: (n) => new Promise((resolve) => { open.set(++id, resolve); parentPort.postMessage({ kind: "call", id, name: "twice", args: [n] }); }),
    close: () => undefined,
  };
  parentPort.on("message", async (message) => {
    if (message.kind === "notice") sum += message.n;
    if (message.kind === "reply") open.get(message.id)?.(message.ok ? message.value : message.message);
    if (message.kind !== "call") return;
    const value = await own[message.name](...message.args);
    parentPort.postMessage({ kind: "reply", id: message.id, ok: true, value });
  });
  parentPort.postMessage(workerData.bad ? { kind: "refused", problem: "not here" } : { kind: "started", url: "http://thread/" });
`;

function open(bad = false) {
  const log: string[] = [];
  const died: number[] = [];
  const replaced = Promise.withResolvers<void>();
  const say = (_: object, line: string): void => {
    log.push(line);
    if (line.includes("was replaced")) replaced.resolve();
  };
  const group = new ThreadGroup<Notice, Functions>({
    count: 2,
    worker_url: new URL(`data:text/javascript,${encodeURIComponent(SOURCE)}`),
    names: ["sum", "double", "close"],
    makeTask: () => ({ bad }),
    makeFirst: () => ({ kind: "notice", n: 100 }),
    functions: () => ({
      twice(n: number) {
        if (n < 0) throw new Error("below zero");
        return 2 * n;
      },
    }),
    onDied: (thread) => died.push(thread),
    clock: { now: () => 0 },
    log: { error: say, info: say },
    onFault: noFault,
  });
  return { group, log, died, replaced: replaced.promise };
}

test("threads are notified, asked, replaced when one dies, and ended", async () => {
  const { group, log, died, replaced } = open();
  assert.deepEqual(await group.start(), { url: "http://thread/" });
  group.notify({ kind: "notice", n: 1 });
  group.notify({ kind: "notice", n: 10 }, 1);
  assert.deepEqual(
    (await group.ask((each) => each.sum())).toSorted((a, b) => a - b),
    [101, 111],
  );
  assert.deepEqual(await group.ask((each) => each.double(4)), [8, 8]);
  assert.deepEqual(await group.ask((each) => each.double(-1)), ["below zero", "below zero"]);
  await group.kill(2);
  assert.equal(group.isReady, false);
  assert.deepEqual(await group.ask((each) => each.sum()), [101], "the other one serves on");
  await replaced;
  assert.deepEqual([group.state, died], [{ serving: 2, ended: 1 }, [2]]);
  assert.deepEqual(
    (await group.ask((each) => each.sum())).toSorted((a, b) => a - b),
    [100, 101],
  );
  await group.close();
  assert.deepEqual(group.state, { serving: 0, ended: 1 });
  assert.equal(log.length, 2, log.join());
});

test("a start is refused as a whole where a thread cannot begin", async () => {
  const { group } = open(true);
  assert.deepEqual(await group.start(), { problem: "not here" });
  await group.close();
});

test("how many threads serve, and where several cannot", () => {
  const alone = { store_url: null, shared_url: null };
  assert.deepEqual(
    [countWorkers(), countWorkers("auto", 2), countWorkers("auto", 64), countWorkers(9, 2)],
    [1, 2, 4, 9],
  );
  assert.equal(findWorkersProblem(1, { store_url: "x", shared_url: "x" }, "darwin"), null);
  assert.equal(findWorkersProblem(2, alone, "linux"), null);
  const problems = [
    findWorkersProblem(2, alone, "darwin"),
    findWorkersProblem(2, { ...alone, store_url: "x" }, "linux"),
    findWorkersProblem(2, { ...alone, shared_url: "x" }, "linux"),
  ];
  for (const problem of problems) assert.match(problem ?? "", /^--workers: [^\n]+$/);
});
