/** Group commit: what goes together, and that a long pass of the event loop holds nothing up. */
import assert from "node:assert/strict";
import { setImmediate as endOfPass } from "node:timers/promises";
import { test } from "node:test";
import { createGroupCommit } from "#storage/embedded/group-commit.ts";

const BOUNDS = { pending: 100, batch: 20, enough: 10, worth: 10 };

/** Commits are done when the test says so; those on the spot take as long as it says. */
function open(bounds = BOUNDS) {
  const clock = { now_ms: 0 };
  /** null: not now. */
  const spot = { lasts_ms: null as number | null, commits: [] as number[][] };
  const commits: number[][] = [];
  const done: (() => void)[] = [];
  const queue = createGroupCommit<number, "kept" | "refused">({
    ...{ bounds, refused: "refused", weigh: () => 1, now: () => clock.now_ms },
    async commit(items) {
      commits.push([...items]);
      await new Promise<void>((resolve) => void done.push(resolve));
      return items.map(() => "kept" as const);
    },
    commitNow(items) {
      if (spot.lasts_ms === null) return null;
      clock.now_ms += spot.lasts_ms;
      spot.commits.push([...items]);
      return items.map(() => "kept" as const);
    },
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
  return { queue, clock, commits, spot, settled };
}

test("what is offered in one pass goes together, at its end", async () => {
  const { queue, commits, settled } = open();
  const fates = [1, 2, 3].map((item) => queue.offer(item));
  assert.deepEqual(commits, []);
  await endOfPass();
  assert.deepEqual(commits, [[1, 2, 3]]);
  assert.deepEqual(await settled(Promise.all(fates)), ["kept", "kept", "kept"]);
});

test("in a long pass what has come is committed on the spot, and told", async () => {
  const { queue, clock, commits, spot } = open();
  spot.lasts_ms = 0.01;
  const told: number[] = [];
  const offer = (item: number): void => void queue.offer(item).then(() => told.push(item));
  offer(1);
  clock.now_ms = 1;
  offer(2);
  assert.deepEqual(spot.commits, [], "it is not long yet");
  clock.now_ms = 2;
  offer(3);
  assert.deepEqual(spot.commits, [[1, 2, 3]]);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  assert.deepEqual(told, [1, 2, 3]);
  offer(4);
  clock.now_ms += 1.9;
  offer(5);
  assert.equal(spot.commits.length, 1, "two milliseconds lie between them");
  clock.now_ms += 0.2;
  offer(6);
  assert.deepEqual(spot.commits[1], [4, 5, 6]);
  offer(7);
  clock.now_ms += 5;
  await endOfPass();
  assert.deepEqual(commits, [[7]], "and at its end as ever");
});

test("slow commits on the spot take up one part in twenty-five of a long pass", () => {
  const { queue, clock, spot } = open({ ...BOUNDS, pending: 10_000 });
  spot.lasts_ms = 4;
  for (let turn = 0; turn < 2_000; turn++) {
    clock.now_ms += 0.5;
    void queue.offer(turn);
  }
  const share = (spot.commits.length * spot.lasts_ms) / clock.now_ms;
  assert.ok(share > 0.03 && share <= 0.041, `${share}`);
});

test("where nothing can be committed on the spot, commits go as ever", async () => {
  const { queue, clock, commits, settled } = open();
  const fates = [0, 3].map((at_ms) => {
    clock.now_ms = at_ms;
    return queue.offer(at_ms);
  });
  assert.deepEqual(commits, [[0, 3]], "begun, and done in its time");
  assert.deepEqual(await settled(Promise.all(fates)), ["kept", "kept"]);
});

test("enough need not wait for the end of the rest, and two commits fly at most", async () => {
  const { queue, commits, settled } = open();
  const first = queue.offer(0);
  await endOfPass();
  await settled(first);
  const many = Array.from({ length: 60 }, (_, i) => i + 1);
  for (const item of many) void queue.offer(item);
  await endOfPass();
  assert.deepEqual(
    commits.map(({ length }) => length),
    [1, 20, 20],
  );
  await settled(queue.drain());
  assert.deepEqual(
    commits.flat().toSorted((a, b) => a - b),
    [0, ...many],
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
