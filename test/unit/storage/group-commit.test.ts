/** Group commit: what goes together, and that a long pass of the event loop holds nothing up. */
import assert from "node:assert/strict";
import { setImmediate as endOfPass } from "node:timers/promises";
import { test } from "node:test";
import { createGroupCommit } from "#storage/embedded/group-commit.ts";

const BOUNDS = { pending: 100, batch: 20, enough: 10, worth: 10 };

/** Commits are done when the test says so; `look` is what tells them. */
function open(bounds = BOUNDS) {
  const clock = { now_ms: 0 };
  const commits: number[][] = [];
  const done: (() => void)[] = [];
  const queue = createGroupCommit<number, "kept" | "refused">({
    ...{ bounds, refused: "refused", weigh: () => 1, now: () => clock.now_ms },
    async commit(items) {
      commits.push([...items]);
      await new Promise<void>((resolve) => void done.push(resolve));
      return items.map(() => "kept" as const);
    },
    look: () => tell(),
  });
  const tell = (): void => {
    for (const resolve of done.splice(0)) resolve();
  };
  /** Commits are told with every pass of the loop until this is settled. */
  async function settled<T>(promise: Promise<T>): Promise<T> {
    const turn = async (): Promise<T> => {
      clock.now_ms += 1;
      tell();
      const ended = await Promise.race([promise.then((value) => ({ value })), endOfPass(null)]);
      return ended ? ended.value : await turn();
    };
    return await turn();
  }
  return { queue, clock, commits, settled };
}

test("what is offered in one pass goes together, at its end", async () => {
  const { queue, commits, settled } = open();
  const fates = [1, 2, 3].map((item) => queue.offer(item));
  assert.deepEqual(commits, []);
  await endOfPass();
  assert.deepEqual(commits, [[1, 2, 3]]);
  assert.deepEqual(await settled(Promise.all(fates)), ["kept", "kept", "kept"]);
});

test("in a long pass what has come is committed, and what is committed is told", async () => {
  const { queue, clock, commits } = open();
  const told: number[] = [];
  const offer = (item: number): void => void queue.offer(item).then(() => told.push(item));
  offer(1);
  clock.now_ms = 1;
  offer(2);
  assert.deepEqual(commits, [], "it is not long yet");
  clock.now_ms = 2;
  offer(3);
  assert.deepEqual(commits, [[1, 2, 3]]);
  // A request later in the same pass: what it finds done is told, though the loop has not come round.
  clock.now_ms = 4;
  offer(4);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  assert.deepEqual(told, [1, 2, 3]);
  assert.equal(commits.length, 1, "after a commit there is a rest");
  // By the clock, though no timer can have come.
  clock.now_ms = 8;
  offer(5);
  assert.deepEqual(commits, [
    [1, 2, 3],
    [4, 5],
  ]);
  await endOfPass();
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  assert.deepEqual(told, [1, 2, 3, 4, 5]);
});

test("enough need not wait for the end of the rest, and two commits fly at most", async () => {
  const { queue, clock, commits, settled } = open();
  void queue.offer(0);
  await endOfPass();
  const many = Array.from({ length: 60 }, (_, i) => i + 1);
  for (const item of many) void queue.offer(item);
  clock.now_ms = 2;
  void queue.offer(61);
  assert.deepEqual(
    commits.map(({ length }) => length),
    [1, 20],
    "the first is told by a look, and counts until then",
  );
  await settled(queue.drain());
  assert.deepEqual(
    commits.flat().toSorted((a, b) => a - b),
    [0, ...many, 61],
  );
});

test("beyond what may be pending everything is refused, and nothing is lost by a drain", async () => {
  const { queue, commits, settled } = open();
  const fates = Array.from({ length: 120 }, (_, i) => queue.offer(i));
  const drained = queue.drain();
  assert.equal(await queue.offer(-1), "refused", "it is being drained");
  const told = await settled(Promise.all(fates));
  await drained;
  assert.equal(told.indexOf("refused"), 100);
  assert.equal(commits.flat().length, 100);
});
