/** Requests are shed when they queue for the event loop, and none before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BOUNDS, Shedder, HELD_MAX, openLoopProbe, type Priority } from "#http/shedding.ts";

/** Probes return on command; time moves on command. */
function openBench(inflight = { count: 1 }) {
  const bench = { now_ms: 1_000, sent: 0, closed: 0, returned: () => {}, inflight };
  const later: { task: () => void; ms: number }[] = [];
  const shedder = new Shedder({
    inflight,
    now: () => bench.now_ms,
    openProbe: (returned) => {
      bench.returned = returned;
      return { send: () => void bench.sent++, close: () => void bench.closed++ };
    },
    later: (task, ms) => void later.push({ task, ms }),
  });
  return { bench, shedder, later };
}

type Bench = Pick<ReturnType<typeof openBench>, "bench" | "shedder">;

/** Passes a queue once and returns how many of each priority were admitted. */
function pass(
  { bench, shedder }: Bench,
  queue: readonly Priority[],
  { request_ms = 0.1, refusal_ms = 0.02 } = {},
): Record<Priority, number> {
  const admitted = { keyed: 0, anonymous: 0 };
  for (const priority of queue) {
    const ok = shedder.admits(priority);
    if (ok) admitted[priority]++;
    bench.now_ms += ok ? request_ms : refusal_ms;
  }
  bench.returned();
  return admitted;
}

const all = (priority: Priority, count: number): Priority[] =>
  Array<Priority>(count).fill(priority);
const mixed = (count: number): Priority[] =>
  Array.from({ length: count }, (_, i) => (i % 2 === 0 ? "keyed" : "anonymous"));

test("a short queue sheds no request, however long it lasts", () => {
  const bench = openBench();
  for (let i = 0; i < 100; i++)
    assert.deepEqual(pass(bench, mixed(360)), { keyed: 180, anonymous: 180 });
  assert.equal(bench.shedder.state().waited_ms.toFixed(0), "36");
});

test("one slow moment sheds no request; a standing queue is cut to what a pass may spend", () => {
  const bench = openBench();
  assert.equal(pass(bench, all("anonymous", 3000)).anonymous, 3000);
  for (let i = 0; i < 20; i++) {
    const { anonymous } = pass(bench, all("anonymous", 3000));
    assert.ok(Math.abs(anonymous - 380) <= 2, `${anonymous} of 38 ms`);
  }
  assert.ok(bench.shedder.state().waited_ms <= 91);
});

test("keyed requests are shed later than anonymous ones, and alone as well", () => {
  const bench = openBench();
  for (let i = 0; i < 3; i++) pass(bench, all("keyed", 3000));
  const { keyed } = pass(bench, all("keyed", 3000));
  assert.ok(Math.abs(keyed - 570) <= 2, `${keyed} of 57 ms`);
  assert.ok(BOUNDS.keyed.delay_ms > BOUNDS.anonymous.delay_ms);
  assert.ok(BOUNDS.keyed.inflight > BOUNDS.anonymous.inflight);
});

test("keyed requests hardly ever go while anonymous ones are admitted", () => {
  const bench = openBench();
  // Keyed requests alone take 45 ms of a pass, anonymous ones as much, and more to be refused.
  for (let i = 0; i < 20; i++) pass(bench, mixed(900));
  const sum = { keyed: 0, anonymous: 0 };
  for (let i = 0; i < 100; i++) {
    const { keyed, anonymous } = pass(bench, mixed(900));
    sum.keyed += keyed;
    sum.anonymous += anonymous;
  }
  assert.ok(sum.keyed >= 100 * 450 * 0.97, `${sum.keyed} keyed`);
  assert.ok(sum.anonymous >= 100 * 30, `${sum.anonymous} anonymous`);
  for (let i = 0; i < 30; i++) pass(bench, all("anonymous", 3000));
  assert.ok(pass(bench, all("anonymous", 3000)).anonymous >= 379, "they get all of it back");
});

test("it is over with the queue, and at once", () => {
  const bench = openBench();
  for (let i = 0; i < 5; i++) pass(bench, all("anonymous", 3000));
  pass(bench, all("anonymous", 100));
  assert.equal(pass(bench, all("anonymous", 3000)).anonymous, 3000);
});

test("an old queue says nothing of a new one", () => {
  const bench = openBench();
  for (let i = 0; i < 5; i++) pass(bench, all("anonymous", 3000));
  bench.bench.now_ms += 99;
  assert.ok(pass(bench, all("anonymous", 3000)).anonymous < 3000);
  bench.bench.now_ms += 100;
  assert.equal(pass(bench, all("anonymous", 3000)).anonymous, 3000);
});

test("probes: one at a time, at once after a long wait, else every 5 ms, none without requests", () => {
  const { bench, shedder } = openBench();
  assert.equal(bench.sent, 0);
  for (let i = 0; i < 10; i++) shedder.admits("anonymous");
  assert.equal(bench.sent, 1);
  bench.now_ms += 4;
  bench.returned();
  bench.now_ms += 4;
  shedder.admits("anonymous");
  assert.equal(bench.sent, 1);
  bench.now_ms += 1;
  shedder.admits("anonymous");
  assert.equal(bench.sent, 2);
  bench.now_ms += 5;
  bench.returned();
  shedder.admits("anonymous");
  assert.equal(bench.sent, 3);
  bench.now_ms += 7;
  const { waited_ms, waiting_ms } = shedder.state();
  assert.deepEqual([waited_ms, waiting_ms], [5, 7]);
});

test("requests in flight are bounded, by priority", () => {
  const inflight = { count: 0 };
  const { shedder } = openBench(inflight);
  const admitted = (count: number): boolean[] => {
    inflight.count = count;
    return [shedder.admits("keyed"), shedder.admits("anonymous")];
  };
  assert.deepEqual(admitted(1), [true, true]);
  assert.deepEqual(admitted(BOUNDS.anonymous.inflight), [true, true]);
  assert.deepEqual(admitted(BOUNDS.anonymous.inflight + 1), [true, false]);
  assert.deepEqual(admitted(BOUNDS.keyed.inflight), [true, false]);
  assert.deepEqual(admitted(BOUNDS.keyed.inflight + 1), [false, false]);
  assert.deepEqual(shedder.state().shed, {
    keyed: { delay: 0, inflight: 1 },
    anonymous: { delay: 0, inflight: 3 },
  });
});

test("refusals leave together a little later, too many leave at once; none is in flight meanwhile", async () => {
  const inflight = { count: 0 };
  const { shedder, later } = openBench(inflight);
  let left = 0;
  for (let i = 0; i < HELD_MAX; i++) void shedder.hold()!.then(() => (left += 1));
  assert.equal(shedder.hold(), null);
  assert.equal(later.length, 1, "one timer for all of them");
  assert.ok(later[0]!.ms < 1_000, "before they are to come again");
  inflight.count = HELD_MAX + 1;
  assert.equal(shedder.admits("anonymous"), true);
  inflight.count += BOUNDS.anonymous.inflight;
  assert.equal(shedder.admits("anonymous"), false);
  assert.equal(left, 0);
  later[0]!.task();
  await Promise.resolve();
  assert.equal(left, HELD_MAX);
  assert.ok(shedder.hold() !== null);
  assert.deepEqual(later.length, 2, "and again");
});

test("shed requests are counted by reason", () => {
  const bench = openBench();
  pass(bench, all("anonymous", 3000));
  const { anonymous } = pass(bench, all("anonymous", 3000));
  assert.equal(bench.shedder.state().shed.anonymous.delay, 3000 - anonymous);
});

test("the time may be given by a caller that knows it", () => {
  const { bench, shedder } = openBench();
  shedder.admits("anonymous", 1_000);
  bench.now_ms = 1_060;
  bench.returned();
  shedder.admits("anonymous", 1_061);
  assert.equal(shedder.admits("anonymous", 1_098), true);
  assert.equal(shedder.admits("anonymous", 1_099), false);
});

test("closing ends the probe", () => {
  const { bench, shedder } = openBench();
  shedder.close();
  assert.equal(bench.closed, 1);
});

test("the probe waits as long as the loop does, and is repeated", async () => {
  let returned = () => {};
  const probe = openLoopProbe(() => returned());
  for (const busy_ms of [0, 30, 0]) {
    const waited = new Promise<number>((resolve) => {
      const sent_ms = performance.now();
      returned = () => resolve(performance.now() - sent_ms);
    });
    probe.send();
    const until_ms = performance.now() + busy_ms;
    while (performance.now() < until_ms);
    const waited_ms = await waited;
    assert.ok(waited_ms >= busy_ms, `${waited_ms} of ${busy_ms} ms`);
  }
  probe.close();
});
