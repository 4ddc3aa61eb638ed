/** To whom the serving thread's time is charged: to whichever request it works for, and to none for its waits. */
import assert from "node:assert/strict";
import { setImmediate, setTimeout } from "node:timers/promises";
import { test } from "node:test";
import { ServingThread, Work } from "#http/serving.ts";

/** A thread whose time passes only where a request works. */
function createStage() {
  const time = { now_ms: 1_000 };
  const serving = new ServingThread(() => time.now_ms);
  const work = (ms: number): void => void (time.now_ms += ms);
  /** As the server runs a request. */
  const begin = (task: () => unknown): Work => {
    const own_work = new Work();
    serving.begin(own_work, time.now_ms);
    const running = serving.run(own_work, task, undefined as never);
    if (running instanceof Promise) serving.endSoon();
    else serving.pause(own_work);
    return own_work;
  };
  return { serving, work, begin };
}

test("a request that is answered at once takes what passes until it ends", () => {
  const { serving, work, begin } = createStage();
  const own_work = new Work();
  serving.begin(own_work, serving.now());
  work(3);
  assert.equal(serving.spent(own_work), 3, "as far as it has come");
  serving.end(own_work, serving.now());
  work(5);
  assert.equal(own_work.ms, 3);
  assert.equal(begin(() => work(2)).ms, 2, "and one that is answered later, until it waits");
});

test("what follows in microtasks belongs to it, and what comes after them does not", async () => {
  const { work, begin } = createStage();
  const own = begin(async () => {
    work(1);
    for (let step = 0; step < 20; step++) {
      await Promise.resolve();
      work(1);
    }
  });
  await setImmediate();
  work(100);
  assert.equal(own.ms, 21);
});

test("a wait takes nothing, and what follows it is taken", async () => {
  const { serving, work, begin } = createStage();
  const source = serving.resuming(async () => {
    await setTimeout(5);
    return "found";
  });
  const done = Promise.withResolvers<void>();
  const own = begin(async () => {
    work(1);
    assert.equal(await source(), "found");
    work(4);
    await Promise.resolve();
    work(2);
    done.resolve();
  });
  await setImmediate();
  work(1_000);
  await done.promise;
  await setImmediate();
  assert.equal(own.ms, 7);
});

test("one that is not followed by its context is known where it begins to wait", async () => {
  const { serving, work } = createStage();
  const source = serving.resuming(() => setTimeout(5));
  const done = Promise.withResolvers<void>();
  const own_work = new Work();
  const task = async (): Promise<void> => {
    work(1);
    await Promise.resolve();
    await source();
    work(4);
    done.resolve();
  };
  serving.begin(own_work, serving.now());
  void task();
  serving.endSoon();
  await setImmediate();
  work(1_000);
  await done.promise;
  await setImmediate();
  assert.equal(own_work.ms, 5);
});

test("of two that wait for the same, each takes its own work", async () => {
  const { serving, work, begin } = createStage();
  const shared = Promise.withResolvers<void>();
  const source = serving.resuming(() => shared.promise);
  const [first, second] = [3, 50].map((ms) =>
    begin(async () => {
      await source();
      work(ms);
    }),
  ) as [Work, Work];
  await setImmediate();
  shared.resolve();
  await setImmediate();
  // Their continuations take turns: each is resumed at the end of its own wait.
  assert.equal(first.ms + second.ms, 53, "nothing is lost");
});

test("a request that comes with the same read does not take the rest of the one before", async () => {
  const { work, begin } = createStage();
  let quick = new Work();
  const slow = begin(async () => {
    work(1);
    await Promise.resolve();
    work(30);
  });
  // Pipelined: its first section runs before any microtask of the other.
  quick = begin(() => work(2));
  await setImmediate();
  assert.equal(quick.ms, 2);
  assert.equal(slow.ms, 31);
});

test("what a request leaves behind is charged to no request", async () => {
  const { serving, work, begin } = createStage();
  const late = serving.resuming(() => setTimeout(5));
  const done = Promise.withResolvers<void>();
  const leftBehind = async (): Promise<void> => {
    await late();
    work(500);
    done.resolve();
  };
  const own = begin(async () => {
    work(1);
    await Promise.resolve();
    void leftBehind();
  });
  await Promise.resolve();
  serving.end(own, serving.now());
  await done.promise;
  await setImmediate();
  assert.equal(own.ms, 1);
  assert.equal(serving.spent(own), 1);
});
