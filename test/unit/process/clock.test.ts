import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createClock } from "#process/clock.ts";
import { createManualClock } from "../../support/manual-clock.ts";

test("a manual clock moves only when advanced, and runs what falls due in order of time, then insertion", async () => {
  const clock = createManualClock(1000);
  const ran: string[] = [];
  clock.schedule(1500, () => void ran.push("c"));
  clock.schedule(1200, () => void ran.push("a"));
  clock.schedule(1200, () => void ran.push("b"));
  clock.schedule(1501, () => void ran.push("later"));
  await wait(5);
  assert.deepEqual(ran, []);
  await clock.advance(500);
  assert.equal(clock.now(), 1500);
  assert.deepEqual(ran, ["a", "b", "c"]);
});

for (const [name, create] of [
  ["real", () => createClock()],
  ["manual", () => createManualClock(0)],
] as const) {
  test(`${name}: advance awaits tasks, and the tasks they schedule, before it resolves`, async () => {
    const clock = create();
    const ran: number[] = [];
    const again = async (): Promise<void> => {
      await wait(2);
      ran.push(ran.length);
      if (ran.length < 3) clock.schedule(clock.now(), again);
    };
    clock.schedule(clock.now() + 3_600_000, again);
    await clock.advance(3_600_000);
    assert.deepEqual(ran, [0, 1, 2]);
  });

  test(`${name}: a loop that sleeps is followed through its naps`, async () => {
    const clock = create();
    let naps = 0;
    void (async () => {
      for (; naps < 5; naps += 1) {
        await clock.sleep(0);
        // As work between two naps does, this takes more turns than one.
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }
    })();
    await clock.advance(10);
    assert.equal(naps, 5);
  });

  test(`${name}: a cancelled task never runs`, async () => {
    const clock = create();
    let ran = 0;
    const first = clock.schedule(clock.now() + 50_000, () => void (ran += 1));
    clock.schedule(clock.now() + 50_000, () => void (ran += 10));
    first();
    first();
    await clock.advance(60_000);
    assert.equal(ran, 10);
  });

  test(`${name}: sleep ends with the time, or with the reason of its signal`, async () => {
    const clock = create();
    const controller = new AbortController();
    const slept = clock.sleep(10_000);
    const cut = clock.sleep(10_000, controller.signal);
    controller.abort(new Error("enough"));
    await assert.rejects(cut, /enough/);
    await assert.rejects(clock.sleep(1, controller.signal), /enough/);
    await clock.advance(10_000);
    await slept;
  });

  test(`${name}: a task that reschedules itself for ever does not hang advance`, async () => {
    const clock = create();
    let runs = 0;
    const again = (): void => {
      runs += 1;
      if (runs < 20_000) cancel = clock.schedule(clock.now(), again);
    };
    let cancel = clock.schedule(clock.now() + 100_000, again);
    await clock.advance(100_000);
    cancel();
    assert.equal(runs, 10_000);
  });

  test(`${name}: a task may wait for one that falls due after it`, async () => {
    const clock = create();
    const reply = Promise.withResolvers<void>();
    const log: string[] = [];
    clock.schedule(clock.now() + 50_000, async () => {
      await reply.promise;
      // Due at once, and added while nothing else runs.
      await clock.sleep(0);
      log.push("poll");
    });
    clock.schedule(clock.now() + 60_000, () => {
      log.push("deadline");
      reply.resolve();
    });
    await clock.advance(120_000);
    assert.deepEqual(log, ["deadline", "poll"]);
  });

  test(`${name}: a task that fails fails the advance, after the others`, async () => {
    const clock = create();
    const log: string[] = [];
    clock.schedule(clock.now() + 50_000, () => Promise.reject(new Error("broken")));
    clock.schedule(clock.now() + 60_000, async () => {
      await wait(5);
      log.push("other");
    });
    await assert.rejects(clock.advance(120_000), /broken/);
    assert.deepEqual(log, ["other"]);
  });

  test(`${name}: two advances at once run one after the other`, async () => {
    const clock = create();
    const log: string[] = [];
    clock.schedule(clock.now() + 100_000, async () => {
      await wait(5);
      log.push("task");
    });
    const first = clock.advance(100_000);
    await clock.advance(1).then(() => log.push("second"));
    await first;
    assert.deepEqual(log, ["task", "second"]);
  });

  test(`${name}: time does not run backwards`, () => {
    assert.throws(() => create().advance(-1), RangeError);
    assert.throws(() => create().advance(Number.NaN), RangeError);
  });
}

test("the real clock runs a task by itself, at its time and not before", async (t) => {
  const clock = createClock();
  const due = clock.now() + 20;
  const ran_at = await new Promise<number>((resolve) => {
    // The suite may last longer than that.
    t.after(clock.schedule(due + 100_000, () => assert.fail("too early")));
    clock.schedule(due, () => resolve(clock.now()));
    setTimeout(() => {}, 250);
  });
  assert.ok(ran_at >= due && ran_at < due + 200, `${ran_at - due} ms late`);
});

test("the real clock follows Date.now() plus what it was moved by", async () => {
  const clock = createClock();
  await clock.advance(86_400_000);
  const offset = clock.now() - Date.now();
  assert.ok(Math.abs(offset - 86_400_000) <= 2);
});

test("a deadline set while time is being moved does not wait for what is awaited", async () => {
  const clock = createClock();
  const log: string[] = [];
  clock.schedule(clock.now() + 60_000, async () => {
    await wait(120);
    log.push("poll");
  });
  const moved = clock.advance(120_000).then(() => log.push("moved"));
  await wait(5);
  clock.schedule(clock.now() + 20, () => void log.push("deadline"));
  await moved;
  assert.deepEqual(log, ["deadline", "poll", "moved"]);
});

test("a wait beyond the range of setTimeout does not fire at once", async () => {
  const clock = createClock();
  let ran = false;
  const warnings: string[] = [];
  const warn = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", warn);
  clock.schedule(clock.now() + 2 ** 33, () => void (ran = true));
  await wait(15);
  process.off("warning", warn);
  assert.deepEqual(warnings, []);
  assert.equal(ran, false);
  await clock.advance(2 ** 33);
  assert.equal(ran, true);
});
