/** A slot's thread ends when it has long had nothing to do, and is there again when something may come. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Thread } from "#kit/run/thread.ts";
import { HANG_MS } from "../../support/size.ts";
import { noFault } from "../../support/faults.ts";

const worker_url = new URL("../../support/slot-worker.ts", import.meta.url);
const REST_MS = 1_000;

function open(t: TestContext, rest_ms?: number) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const limits = { max_heap_mb: 64, job_timeout_ms: HANG_MS, ...(rest_ms && { rest_ms }) };
  const slot = new Thread<null, number>({ ...limits, worker_url, onFault: noFault });
  let started = 0;
  const count = (): void => void (started += 1);
  process.on("worker", count);
  t.after(async () => {
    process.off("worker", count);
    await slot.close();
  });
  return {
    slot,
    who: () => slot.run(null),
    pass: (ms: number) => t.mock.timers.tick(ms),
    async countStarted() {
      // The runtime says so at the end of the turn.
      await setImmediate();
      return started;
    },
  };
}

test("a thread that has rested for long ends, and the next job gets another", async (t) => {
  const { who, pass } = open(t, REST_MS);
  const first = await who();
  pass(REST_MS - 1);
  assert.deepEqual(await Promise.all([who(), who()]), [first, first]);
  pass(REST_MS - 1);
  assert.equal(await who(), first);
  pass(REST_MS);
  assert.notEqual(await who(), first);
});

test("while it is at work a thread is not ended", async (t) => {
  const { slot, who, pass } = open(t, REST_MS);
  const first = await who();
  const request = who();
  pass(REST_MS);
  slot.wake();
  pass(REST_MS);
  assert.equal(await request, first);
  assert.equal(await who(), first);
});

test("the prospect of a job keeps a thread, and starts one again that has ended", async (t) => {
  const { slot, who, pass, countStarted } = open(t, REST_MS);
  slot.start();
  pass(REST_MS - 1);
  slot.wake();
  pass(REST_MS - 1);
  const first = await who();
  assert.equal(await countStarted(), 1);
  pass(REST_MS);
  slot.wake();
  assert.equal(await countStarted(), 2);
  slot.wake();
  assert.notEqual(await who(), first);
  assert.equal(await countStarted(), 2);
});

test("a thread that no job has needed is not started by the prospect of one", async (t) => {
  const { slot, who, countStarted } = open(t, REST_MS);
  slot.wake();
  assert.equal(await countStarted(), 0);
  await who();
  assert.equal(await countStarted(), 1);
});

test("without a time to rest a thread stays, and a closed one is not started again", async (t) => {
  const { slot, who, pass, countStarted } = open(t);
  const first = await who();
  pass(1e9);
  assert.equal(await who(), first);
  await slot.close();
  slot.wake();
  assert.equal(await who(), null);
  assert.equal(await countStarted(), 1);
});
