/** The circuit breaker (reliability 2.4), and a model of it that random histories are held to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Outcome } from "#kit/outcome.ts";
import { Breaker } from "#upstream/lookup/breaker.ts";
import { forAllAsync } from "../../support/domain.ts";
import { createWatchedClock, turn, type WatchedClock } from "../../support/lookup.ts";

type End = "ok" | "failed" | "aborted" | "unauthorized";

const OUTCOMES: Readonly<Record<End, Outcome<null>>> = {
  ok: { status: "ok", value: null, fetched_at_ms: 0, cache: "miss" },
  failed: { status: "unavailable", reason: "http_500" },
  aborted: { status: "timeout", reason: "aborted" },
  unauthorized: { status: "unauthorized", reason: "http_403" },
};

type Bench = { clock: WatchedClock; breaker: Breaker; end(...ends: End[]): Promise<void> };

/** Jitter is none at 0.5, −20 % at 0, +20 % (almost) at 1. */
function create(random = 0.5): Bench {
  const clock = createWatchedClock();
  const breaker = new Breaker({ clock, random: () => random });
  return {
    clock,
    breaker,
    async end(...ends) {
      for (const end of ends) await breaker.run(() => Promise.resolve(OUTCOMES[end]));
    },
  };
}

const times = (count: number, end: End): End[] => Array.from({ length: count }, () => end);

test("five failures in a row open it; four and a success do not", async () => {
  const { breaker, clock, end } = create();
  await end(...times(4, "failed"), "ok", ...times(4, "failed"));
  assert.deepEqual([breaker.refusal(), breaker.state], [null, "closed"]);
  await end("failed");
  const retry_at_ms = clock.now() + 5_000;
  const refusal = { status: "unavailable", reason: "circuit_open_http_500", retry_at_ms };
  assert.deepEqual([breaker.refusal(), breaker.state], [refusal, "open"]);
});

test("half of the last twenty open it, without five in a row; of nineteen they do not", async () => {
  const alternating = (count: number): End[] =>
    Array.from({ length: count }, (_, i) => (i % 2 ? "failed" : "ok"));
  const { breaker, end } = create();
  await end(...alternating(19));
  assert.equal(breaker.refusal(), null);
  await end("failed");
  assert.equal(breaker.refusal()?.reason, "circuit_open_http_500", "ten of twenty are half");
  const young = create();
  await young.end("failed", ...alternating(18));
  assert.equal(young.breaker.refusal(), null, "nineteen calls are too few to judge by");
  const other = create();
  await other.end("ok", ...alternating(16), "ok", "ok", "failed");
  assert.equal(other.breaker.refusal(), null, "nine of twenty are not half");
});

test("calls that are called off count neither way", async () => {
  const { breaker, end } = create();
  await end(...times(100, "aborted"));
  assert.equal(breaker.refusal(), null);
  await end(...times(4, "failed"), ...times(3, "aborted"), "failed");
  assert.equal(breaker.refusal()?.reason, "circuit_open_http_500");
});

test("a probe that is called off decides nothing: the next call is the probe", async () => {
  const { breaker, clock, end } = create();
  await end(...times(5, "failed"));
  await clock.advance(5_000);
  await end("aborted");
  assert.equal(breaker.refusal(), null);
  await end("failed");
  assert.equal(breaker.refusal()?.retry_at_ms, clock.now() + 10_000);
});

test("it stays open for 5 s, twice as long after each bad probe, a minute at most", async () => {
  const { breaker, clock, end } = create();
  await end(...times(5, "failed"));
  for (const seconds of [5, 10, 20, 40, 60, 60, 60]) {
    assert.equal(breaker.refusal()?.retry_at_ms, clock.now() + seconds * 1000);
    await clock.advance(seconds * 1000 - 1);
    assert.equal(breaker.state, "open");
    await clock.advance(1);
    assert.equal(breaker.refusal(), null);
    await end("failed");
  }
});

test("a good probe closes it, forgets what was before, and the next opening is short again", async () => {
  const { breaker, clock, end } = create();
  await end(...times(5, "failed"));
  await clock.advance(5_000);
  await end("failed");
  await clock.advance(10_000);
  await end("ok", ...times(4, "failed"));
  assert.equal(breaker.refusal(), null);
  await end("failed");
  assert.equal(breaker.refusal()?.retry_at_ms, clock.now() + 5_000);
});

test("the time is scattered by a fifth either way", async () => {
  for (const [random, seconds] of [
    [0, 4],
    [0.5, 5],
    [0.999_999_999, 6],
  ] as const) {
    const { breaker, clock, end } = create(random);
    await end(...times(5, "failed"));
    const for_ms = breaker.refusal()!.retry_at_ms! - clock.now();
    assert.ok(Math.abs(for_ms - seconds * 1000) < 1, `${for_ms}`);
  }
});

test("a refused credential opens it at once, and is reported as such, 5 s growing to a minute", async () => {
  const { breaker, clock, end } = create();
  await end("ok", "unauthorized");
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    assert.deepEqual(breaker.refusal(), {
      status: "unauthorized",
      reason: "http_403",
      retry_at_ms: clock.now() + seconds * 1000,
    });
    await clock.advance(seconds * 1000);
    assert.equal(breaker.refusal(), null);
    await end("unauthorized");
  }
  await clock.advance(60_000);
  await end("ok");
  assert.equal(breaker.refusal(), null);
});

/** Calls that are begun together and end on command. */
function together(breaker: Breaker, count: number): ((end: End) => void)[] {
  return Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<Outcome<null>>();
    void breaker.run(() => promise);
    return (end: End) => resolve(OUTCOMES[end]);
  });
}

test("when it is due for a probe one call goes, and the others are refused until it has landed", async () => {
  for (const end of ["ok", "failed"] as const) {
    const bench = create();
    await bench.end(...times(5, "failed"));
    await bench.clock.advance(5_000);
    assert.equal(bench.breaker.refusal(), null);
    const [probe] = together(bench.breaker, 1);
    assert.equal(bench.breaker.refusal()?.reason, "circuit_open_http_500");
    probe!(end);
    await turn();
    assert.equal(bench.breaker.refusal() === null, end === "ok");
  }
});

test("calls that were in the air when it opened do not open it further, nor close it", async () => {
  const { breaker, clock } = create();
  const calls = together(breaker, 12);
  for (const land of calls.slice(0, 10)) land("failed");
  await turn();
  const retry_at_ms = clock.now() + 5_000;
  assert.equal(breaker.refusal()?.retry_at_ms, retry_at_ms);
  calls[10]!("unauthorized");
  calls[11]!("ok");
  await turn();
  assert.equal(breaker.refusal()?.retry_at_ms, retry_at_ms);
});

/** The rules of 2.4, written down once more without a library. */
function createModel() {
  let open_until_ms: number | null = null;
  let openings = 0;
  let inARow = 0;
  let recent: boolean[] = [];
  const open = (now_ms: number): void => {
    open_until_ms = now_ms + Math.min(60_000, 5_000 * 2 ** openings++);
  };
  return {
    refuses: (now_ms: number) => open_until_ms !== null && now_ms < open_until_ms,
    until: () => open_until_ms,
    end(how: End, now_ms: number) {
      if (how === "aborted") return;
      const ok = how === "ok";
      if (open_until_ms !== null) {
        // The probe.
        if (!ok) return open(now_ms);
        open_until_ms = null;
        openings = 0;
        inARow = 0;
        recent = [true];
        return;
      }
      inARow = ok ? 0 : inARow + 1;
      recent = [...recent, ok].slice(-20);
      const failed = recent.filter((each) => !each).length;
      const full = inARow >= 5 || (recent.length === 20 && failed >= 10 && !ok);
      if (full || how === "unauthorized") open(now_ms);
    },
  };
}

type Event = { end: End } | { wait_ms: number };

const ends = (...weights: number[]): fc.Arbitrary<Event> =>
  fc.oneof(
    ...(["ok", "failed", "aborted", "unauthorized"] as const).map((end, i) => ({
      weight: weights[i]!,
      arbitrary: fc.constant({ end }),
    })),
  );
const wait = fc.constantFrom(1, 999, 4_000, 5_000, 10_000, 60_000).map((wait_ms) => ({ wait_ms }));

test("any history: it refuses exactly when the model does, and as long", async () => {
  const mixes = [ends(5, 5, 1, 0), ends(5, 4, 2, 1), ends(1, 8, 1, 1), ends(8, 6, 0, 0)];
  const history = fc.oneof(
    ...mixes.map((mix) =>
      fc.array(fc.oneof({ weight: 6, arbitrary: mix }, { weight: 1, arbitrary: wait }), {
        maxLength: 120,
        size: "max",
      }),
    ),
  );
  let opened = 0;
  await forAllAsync(
    fc.asyncProperty(history, async (events) => {
      const { breaker, clock, end } = create();
      const model = createModel();
      for (const event of events) {
        if ("wait_ms" in event) await clock.advance(event.wait_ms);
        else if (!model.refuses(clock.now())) {
          await end(event.end);
          model.end(event.end, clock.now());
          if (model.refuses(clock.now())) opened++;
        }
        const refusal = breaker.refusal();
        assert.equal(refusal !== null, model.refuses(clock.now()));
        if (refusal) assert.equal(refusal.retry_at_ms, model.until());
      }
    }),
    200,
  );
  assert.ok(opened > 100, `only ${opened} openings were tried`);
});
