/** Limits and units that threads share: the suite of the port, and none too many at the edge over threads. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { countsWidth, SharedCounts } from "#storage/threads/shared-counts.ts";
import { createSharedLimiter, LIMITER_WIDTH } from "#storage/threads/shared-limiter.ts";
import { createTableMemory, SharedTable } from "#storage/threads/shared-table.ts";
import type { LimitTask } from "../support/limit-thread.ts";
import { sized } from "../support/size.ts";
import { rateLimiterSuite } from "./rate-limiter.ts";

const NOW_MS = 1_795_000_000_000;
const SEEDS = [17, -4] as const;
const FREE = { rate_per_s: 5, burst: 50 };

function limitsOf(rows = 1_000) {
  return createTableMemory({ rows, width: LIMITER_WIDTH }, SEEDS);
}

function countsOf(threads: number, rows = 1_000) {
  return createTableMemory({ rows, width: countsWidth(threads) }, SEEDS);
}

rateLimiterSuite("threads", () => createSharedLimiter(limitsOf(), 1));

test("a caller that churns through keys frees no drained bucket", () => {
  const limiter = createSharedLimiter(limitsOf(1_600), 1);
  const drain = (key: string): void => {
    for (let i = 0; i < FREE.burst; i++) limiter.admit([{ key, ...FREE }], NOW_MS);
  };
  drain("victim");
  for (let i = 0; i < 50_000; i++) limiter.admit([{ key: `k${i}`, ...FREE }], NOW_MS);
  assert.equal(limiter.admit([{ key: "victim", ...FREE }], NOW_MS).admitted, false);
});

test("two limiters of one table admit as one", () => {
  const memory = limitsOf();
  const both = [createSharedLimiter(memory, 1), createSharedLimiter(memory, 2)];
  let admitted = 0;
  for (let i = 0; i < 200; i++)
    if (both[i % 2]!.admit([{ key: "a", ...FREE }], NOW_MS).admitted) admitted++;
  assert.equal(admitted, 50);
  both[0]!.charge([{ key: "b", ...FREE }], 50, NOW_MS);
  assert.equal(both[1]!.admit([{ key: "b", ...FREE }], NOW_MS).admitted, false);
});

test("what a thread had reserved is taken back when it has died, with its lock", () => {
  const memory = countsOf(2);
  const [one, other] = [new SharedCounts(memory, 1), new SharedCounts(memory, 2)];
  one.reserve("a", 5);
  other.reserve("a", 7);
  other.add("a", 2, NOW_MS);
  assert.equal(one.reserved("a"), 12);
  // As where a thread is ended within a step.
  new Int32Array(memory.cells)[0] = 2;
  one.endOf(2);
  assert.equal(one.reserved("a"), 5);
  assert.equal(one.used("a", NOW_MS), 2, "what was used stays");
  assert.equal(one.used("a", NOW_MS + 1), 0, "of another period");
});

// Where this waits for the lock it never ends: who would release it is the one that waits.
test("of two threads that died at a time, each is taken back while the other has the lock", () => {
  const memory = countsOf(2);
  new SharedCounts(memory, 1).reserve("a", 5);
  new SharedCounts(memory, 2).reserve("a", 7);
  const lock = new Int32Array(memory.cells);
  lock[0] = 2;
  const main = new SharedCounts(memory, 1_000);
  main.endOf(1);
  assert.equal(lock[0], 2);
  main.endOf(2);
  assert.equal(main.reserved("a"), 0);
});

test("units of before are read once, and what is reserved is never driven out", () => {
  const counts = new SharedCounts(countsOf(1, 160), 1);
  let reads = 0;
  const total = (): number =>
    counts.total("account", NOW_MS, () => {
      reads++;
      return 40;
    });
  assert.equal(total(), 40);
  counts.add("account", 3, NOW_MS);
  assert.equal(total(), 43);
  assert.equal(reads, 1);
  counts.reserve("held", 1);
  for (let i = 0; i < 5_000; i++) counts.add(`k${i}`, 1, NOW_MS);
  assert.equal(counts.reserved("held"), 1);
});

test("keys that are alike have rows of their own", () => {
  const table = new SharedTable(limitsOf(20_000), 1);
  const keys = Array.from({ length: 10_000 }, (_, i) => [`key:${i}`, `${i}:key`]).flat();
  const worth = (): number => 0;
  for (const [i, key] of keys.slice(0, 5_000).entries()) table.set(table.rowOf(key, worth), i + 1);
  const wrong = keys.slice(0, 5_000).filter((key, i) => table.get(table.find(key)) !== i + 1);
  assert.deepEqual(wrong, []);
  assert.equal(keys.slice(5_000).filter((key) => table.find(key) >= 0).length, 0);
});

test("at the edge of a limit three threads admit exactly what one may", async () => {
  const requests = sized(20_000, 340_000);
  const shared: Omit<LimitTask, "owner"> = {
    ...{ requests, units_max: 1_000, now_ms: NOW_MS },
    limits: limitsOf(),
    counts: countsOf(3),
    start: new Int32Array(new SharedArrayBuffer(4)),
    bucket: { key: "a", rate_per_s: 1, burst: 500 },
  };
  const url = new URL("../support/limit-thread.ts", import.meta.url);
  const threads = [1, 2, 3].map(
    (owner) => new Worker(url, { workerData: { ...shared, owner } satisfies LimitTask }),
  );
  await Promise.all(threads.map((thread) => once(thread, "message")));
  const results = threads.map((thread) => once(thread, "message"));
  Atomics.store(shared.start, 0, 1);
  Atomics.notify(shared.start, 0);
  const counted = (await Promise.all(results)).map(
    ([result]) => result as { admitted: number; reserved: number },
  );
  assert.equal(
    counted.reduce((sum, { admitted }) => sum + admitted, 0),
    500,
  );
  assert.equal(
    counted.reduce((sum, { reserved }) => sum + reserved, 0),
    1_000,
  );
  await Promise.all(threads.map((thread) => thread.terminate()));
});
