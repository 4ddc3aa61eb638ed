/** The queue of commits: what goes together, and that nothing is lost or reordered by its bounds. */
import assert from "node:assert/strict";
import { setImmediate as endOfPass } from "node:timers/promises";
import { test } from "node:test";
import { CommitQueue } from "#storage/commit-queue.ts";
import { noFault } from "../../support/faults.ts";

const BOUNDS = { pending: 100, batch: 20, enough: 10 };

/** Commits are done when the test says so. */
function open(weigh: (item: number) => number = () => 1) {
  const commits: number[][] = [];
  const done: (() => void)[] = [];
  const queue = new CommitQueue<number, string>({
    bounds: BOUNDS,
    refused: "refused",
    onFault: (error) => noFault("commit", error),
    weigh,
    async commit(items) {
      commits.push([...items]);
      await new Promise<void>((resolve) => void done.push(resolve));
      return items.map((item) => `kept ${item}`);
    },
  });
  /** Commits are done with every pass of the loop until this is settled. */
  async function settled<T>(promise: Promise<T>): Promise<T> {
    for (const resolve of done.splice(0)) resolve();
    const ended = await Promise.race([promise.then((value) => ({ value })), endOfPass(null)]);
    return ended ? ended.value : await settled(promise);
  }
  return { queue, commits, done, settled };
}

test("items offered in one pass are committed together, at its end, and each learns its own fate", async () => {
  const { queue, commits, settled } = open();
  const fates = [1, 2, 3].map((item) => queue.offer(item));
  assert.deepEqual(commits, []);
  await endOfPass();
  assert.deepEqual(commits, [[1, 2, 3]]);
  assert.deepEqual(await settled(Promise.all(fates)), ["kept 1", "kept 2", "kept 3"]);
});

test("items offered during a commit go into the next, unless there are enough of them", async () => {
  const { queue, commits, settled } = open();
  void queue.offer(0);
  await endOfPass();
  for (let item = 1; item < 10; item++) void queue.offer(item);
  await endOfPass();
  assert.deepEqual(commits, [[0]], "nine are not enough");
  void queue.offer(10);
  await endOfPass();
  assert.deepEqual(commits.length, 2, "ten are");
  const many = Array.from({ length: 30 }, (_, i) => i + 11);
  for (const item of many) void queue.offer(item);
  await endOfPass();
  assert.equal(commits.length, 2, "two are under way at most");
  await settled(queue.drain());
  assert.deepEqual(
    commits.map(({ length }) => length),
    [1, 10, 20, 10],
  );
  assert.deepEqual(
    commits.flat(),
    Array.from({ length: 41 }, (_, i) => i),
  );
});

test("an item heavier than a batch, or than all bounds, is committed alone", async () => {
  const { queue, commits, settled } = open((item) => item);
  const first = queue.offer(1_000);
  assert.equal(await queue.offer(1), "refused");
  await settled(first);
  const fates = [5, 50, 5].map((item) => queue.offer(item));
  await settled(Promise.all(fates));
  assert.deepEqual(commits, [[1_000], [5], [50], [5]]);
});

test("beyond what may be pending everything is refused, and nothing is lost by a drain", async () => {
  const { queue, commits, settled } = open();
  const fates = Array.from({ length: 120 }, (_, i) => queue.offer(i));
  const drained = queue.drain();
  assert.equal(await queue.offer(-1), "refused", "it is being drained");
  const outcomes = await settled(Promise.all(fates));
  await drained;
  assert.equal(outcomes.indexOf("refused"), 100);
  assert.equal(commits.flat().length, 100);
});

test("a drain of an empty queue is done at once", async () => {
  const { queue, commits } = open();
  await queue.drain();
  await queue.drain();
  assert.deepEqual(commits, []);
});
