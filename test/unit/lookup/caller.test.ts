/** One call, as its policy allows: retries, cool-downs, spending, places, pace (reliability 2.4). */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import fc from "fast-check";
import type { Failure, Outcome } from "#kit/outcome.ts";
import { createCaller } from "#upstream/lookup/lookup-caller.ts";
import type { LookupPolicy } from "#upstream/lookup/lookup-policy.ts";
import type { Fetched } from "#upstream/run.ts";
import { forAllAsync } from "../../support/domain.ts";
import {
  BROKEN,
  createDesk,
  TIMEOUT_MS,
  toBody,
  turn,
  USUAL,
  WORDS,
} from "../../support/lookup.ts";

const settings = { url: "https://source.example", timeout_ms: TIMEOUT_MS };

function bench(change: Partial<LookupPolicy> = {}, random = 0.5) {
  const desk = createDesk(() => random);
  const call = createCaller(WORDS, { settings, policy: { ...USUAL, ...change } }, desk.deps);
  const forEver = new AbortController().signal;
  return { ...desk, call: (query = "q", signal = forEver) => call(query, signal) };
}

const error = (reason: string, retry_at_ms?: number): Failure => ({
  status: "error",
  reason,
  ...(retry_at_ms === undefined ? {} : { retry_at_ms }),
});
const textOf = (outcome: Outcome<unknown>): string =>
  outcome.status === "ok" ? "ok" : `${outcome.status} ${outcome.reason}`;

const RETRIED = [
  ...["connection_refused", "connection_reset"],
  ...["http_408", "http_502", "http_503", "http_504"],
];
const NOT_RETRIED = ["http_429", "http_400", "http_404", "http_500", "deadline", "dns_failed"];

for (const reason of [...RETRIED, ...NOT_RETRIED])
  test(`${reason} is ${RETRIED.includes(reason) ? "tried once more" : "not tried again"}`, async () => {
    const { clock, line, call } = bench();
    let number = 0;
    line.always(() => (number++ === 0 ? error(reason) : toBody(["x"], clock.now())));
    const outcome = call();
    await clock.advance(400);
    assert.equal(line.calls.length, RETRIED.includes(reason) ? 2 : 1);
    assert.equal((await outcome).status === "ok", RETRIED.includes(reason));
    assert.equal(clock.pending(), 0);
  });

test("one retry and no more; none of a source that is not retried, or that says when to come", async () => {
  for (const [change, failure, calls] of [
    [{}, error("http_502"), 2],
    [{ retry: false }, error("http_502"), 1],
    [{}, error("http_503", 1), 1],
  ] as const) {
    const { clock, line, call } = bench(change);
    line.always(() => failure);
    const outcome = call();
    await clock.advance(400);
    await outcome;
    assert.equal(line.calls.length, calls);
  }
});

test("the pause before a retry is U(0, 100 ms); called off in it, nothing follows", async () => {
  for (const [random, ms] of [
    [0, 0],
    [0.5, 50],
    [0.99, 99],
  ] as const) {
    const { clock, line, call } = bench({}, random);
    line.always(() => error("http_502"));
    void call();
    await turn();
    if (ms > 0) {
      await clock.advance(ms - 1);
      assert.equal(line.calls.length, 1);
    }
    await clock.advance(1);
    assert.equal(line.calls.length, 2);
  }
  const { clock, line, call } = bench();
  const controller = new AbortController();
  line.always(() => error("http_502"));
  const outcome = call("q", controller.signal);
  await turn();
  controller.abort();
  assert.equal(textOf(await outcome), "unavailable http_502");
  assert.deepEqual([line.calls.length, clock.pending()], [1, 0]);
  assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
});

test("no retry is begun with less than 30 ms left of the source's own deadline", async () => {
  for (const [spent_ms, calls] of [
    [TIMEOUT_MS - 81, 2],
    [TIMEOUT_MS - 79, 1],
  ] as const) {
    const { clock, line, call } = bench();
    void call();
    await clock.advance(spent_ms);
    line.calls[0]!.answer(error("http_502"));
    await clock.advance(100);
    assert.equal(line.calls.length, calls);
  }
});

test("two failures of three calls, a hundred times: ten retries, and a tenth of what succeeded", async () => {
  const { clock, line, call } = bench();
  let number = 0;
  line.always(() => (++number % 3 === 0 ? toBody(["x"], clock.now()) : error("http_502")));
  let request_count = 0;
  let good = 0;
  for (let i = 0; i < 100; i++) {
    const outcome = call();
    await clock.advance(100);
    const reply = textOf(await outcome);
    if (reply.startsWith("unavailable circuit_open")) await clock.advance(60_000);
    else request_count++;
    if (reply === "ok") good++;
  }
  const retries = line.calls.length - request_count;
  assert.ok(retries >= 10, `${retries} retries show nothing`);
  assert.ok(retries <= 10 + good / 10, `${retries} retries`);
});

test("every attempt is reported, with its outcome", async () => {
  const { clock, line, call, attempts } = bench();
  let number = 0;
  line.always(() => (number++ === 0 ? error("http_502") : toBody(["x"], clock.now())));
  const outcome = call();
  await clock.advance(50);
  await outcome;
  const common = { lookup_id: "source.words", provider: "source", elapsed_ms: 0 };
  const plain = attempts.map(({ trail, sent, ...event }) => {
    assert.deepEqual(sent(), { method: "GET", host: "source.example" });
    assert.deepEqual(trail(), { dropped: [], repaired: [] });
    return event;
  });
  assert.deepEqual(plain, [
    { ...common, status: "unavailable", reason: "http_502", resend: 0 },
    { ...common, status: "ok", reason: null, resend: 1 },
  ]);
});

test("a body of another shape is a failure, and counts as one", async () => {
  const { clock, line, call } = bench();
  line.always(() => toBody(null, clock.now()));
  for (let i = 0; i < 5; i++) assert.equal(textOf(await call()), "error wrong_shape");
  assert.equal(textOf(await call()), "unavailable circuit_open_wrong_shape");
  assert.equal(line.calls.length, 5);
});

test("Retry-After holds for every caller, whatever the question, and is passed on", async () => {
  for (const reason of ["http_429", "http_503"]) {
    const { clock, line, call } = bench();
    const retry_at_ms = clock.now() + 7_000;
    line.always(() => error(reason, retry_at_ms));
    await call("a");
    line.always(() => toBody(["x"], clock.now()));
    assert.deepEqual(await call("b"), {
      status: "unavailable",
      reason: "cooling_down",
      retry_at_ms,
    });
    await clock.advance(6_999);
    assert.equal(textOf(await call("b")), "unavailable cooling_down");
    await clock.advance(1);
    assert.equal(textOf(await call("b")), "ok");
    assert.equal(line.calls.length, 2);
  }
});

test("callers that wait for a place when a source says too many honour it too", async () => {
  const { clock, line, call } = bench({ places: 1 });
  const outcomes = ["a", "b", "c"].map((query) => call(query));
  await turn();
  line.calls[0]!.answer(error("http_429", clock.now() + 5_000));
  const all = (await Promise.all(outcomes)).map(textOf);
  assert.deepEqual(all, [
    "unavailable http_429",
    "unavailable cooling_down",
    "unavailable cooling_down",
  ]);
  assert.equal(line.calls.length, 1);
});

test("too many without a time: left alone for the source's own cool-down", async () => {
  const { clock, line, call } = bench({ cool_down_ms: 30_000 });
  line.always(() => error("http_429"));
  await call();
  line.always(() => toBody(["x"], clock.now()));
  await clock.advance(29_999);
  assert.equal(textOf(await call()), "unavailable cooling_down");
  await clock.advance(1);
  assert.equal(textOf(await call()), "ok");
});

test("spending: beyond the cap no call is made, retries count, and the source is not blamed", async () => {
  const { clock, line, call } = bench({ calls_per_day: 3 });
  line.always(() => error("http_502"));
  void call();
  await clock.advance(100);
  line.always(() => toBody(["x"], clock.now()));
  assert.equal(textOf(await call()), "ok");
  for (let i = 0; i < 20; i++) assert.equal(textOf(await call()), "unavailable spend_cap");
  assert.equal(line.calls.length, 3);
  const midnight = Math.ceil(clock.now() / 86_400_000) * 86_400_000;
  await clock.advance(midnight - clock.now());
  assert.equal(textOf(await call()), "ok");
});

test("places: calls at once and calls that wait are bounded, and they wait a quarter of the deadline", async () => {
  const { clock, line, call } = bench({ places: 2, queue: 3 });
  const outcomes = Array.from({ length: 6 }, (_, i) => call(`${i}`));
  await turn();
  assert.deepEqual([line.flying(), line.peak()], [2, 2]);
  assert.equal(textOf(await outcomes[5]!), "unavailable busy");
  line.calls[0]!.answer(toBody([], clock.now()));
  await turn();
  assert.deepEqual([line.flying(), line.peak()], [2, 2]);
  await clock.advance(TIMEOUT_MS / 4 - 1);
  assert.equal(clock.pending(), 2);
  await clock.advance(1);
  assert.deepEqual((await Promise.all(outcomes.slice(3, 5))).map(textOf), [
    "unavailable busy",
    "unavailable busy",
  ]);
  assert.deepEqual(
    line.calls.map(({ request }) => request.url.at(-1)),
    ["0", "1", "2"],
  );
});

test("a call that has waited for a place has what is left of the source's deadline", async () => {
  const { clock, line, call } = bench({ places: 1 });
  const begun_ms = clock.now();
  void call("a");
  void call("b");
  await clock.advance(300);
  line.calls[0]!.answer(toBody([], clock.now()));
  await turn();
  assert.deepEqual(
    line.calls.map(({ options }) => options.deadline_ms! - begun_ms),
    [TIMEOUT_MS, TIMEOUT_MS],
  );
});

test("a call that is aborted in the queue, while paced or under way says so and frees the place", async () => {
  const { clock, line, call } = bench({ places: 1, per_second: 4 });
  const abort = async (query: string): Promise<string> => {
    const controller = new AbortController();
    const outcome = call(query, controller.signal);
    await clock.advance(0);
    controller.abort(Object.assign(new Error("gone"), { code: "ABORTED" }));
    const reply = textOf(await outcome);
    assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
    return reply;
  };
  assert.equal(await abort("in the call"), "timeout aborted");
  assert.equal(await abort("in the pace"), "timeout aborted");
  await clock.advance(1000);
  void call("holds the place");
  await clock.advance(0);
  assert.equal(await abort("in the queue"), "timeout aborted");
  assert.deepEqual(
    line.calls.map(({ request }) => request.url.split("/").at(-1)),
    ["in the call", "holds the place"],
  );
  assert.equal(clock.pending(), 0);
  line.calls[1]!.answer(toBody([], clock.now()));
  await turn();
  await clock.advance(1000);
  line.always(() => toBody([], clock.now()));
  const next = call();
  await clock.advance(0);
  assert.equal(textOf(await next), "ok");
});

test("a source with a rate of its own: calls begin that far apart, or say that they are too many", async () => {
  const { clock, line, call } = bench({ per_second: 4 });
  line.always(() => toBody([], clock.now()));
  const begun: number[] = [];
  const start_ms = clock.now();
  const outcomes = Array.from({ length: 5 }, (_, i) => call(`${i}`));
  for (let i = 0; i < 60; i++) {
    await clock.advance(0);
    while (begun.length < line.calls.length) begun.push(clock.now() - start_ms);
    await clock.advance(10);
  }
  assert.deepEqual(begun, [0, 250, 500]);
  const all = (await Promise.all(outcomes)).map(textOf);
  assert.deepEqual(all, ["ok", "ok", "ok", "unavailable busy", "unavailable busy"]);
});

test("when the circuit is due for a probe one of many calls goes, and a bad one holds off the rest", async () => {
  const { clock, line, call } = bench({ retry: false });
  line.always(() => BROKEN);
  for (let i = 0; i < 5; i++) await call();
  await clock.advance(5_000);
  line.always(null);
  const outcomes = Array.from({ length: 20 }, (_, i) => call(`${i}`));
  await turn();
  assert.equal(line.flying(), 1);
  line.calls.at(-1)!.answer(BROKEN);
  const all = (await Promise.all(outcomes)).map(textOf);
  assert.deepEqual(new Set(all.slice(1)), new Set(["unavailable circuit_open_http_500"]));
  assert.equal(line.calls.length, 6);
  assert.equal(textOf(await call()), "unavailable circuit_open_http_500");
});

test("any weather: every call ends, never more at once than places, nothing left behind", async () => {
  const weather = fc.constantFrom<(now_ms: number) => Outcome<Fetched>>(
    (now_ms) => toBody(["x"], now_ms),
    () => error("http_502"),
    () => error("connection_reset"),
    (now_ms) => error("http_429", now_ms + 1_000),
    () => ({ status: "unauthorized", reason: "http_401" }),
    () => ({ status: "timeout", reason: "deadline" }),
    (now_ms) => toBody(null, now_ms),
  );
  const step = fc.oneof(
    fc.record({ does: fc.constant("call") }),
    fc.record({ does: fc.constant("answer"), reply: weather }),
    fc.record({ does: fc.constant("abort"), which: fc.nat({ max: 30 }) }),
    fc.record({ does: fc.constant("wait"), ms: fc.constantFrom(1, 60, 400, 3_000) }),
  );
  await forAllAsync(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { clock, line, call } = bench({ places: 2, queue: 3, per_second: 20 });
      const outcomes: Promise<Outcome<unknown>>[] = [];
      const people: AbortController[] = [];
      const answer = (reply: (now_ms: number) => Outcome<Fetched>): void => {
        for (const each of line.calls) each.answer(reply(clock.now()));
      };
      for (const each of steps) {
        if (each.does === "call") {
          const person = new AbortController();
          people.push(person);
          outcomes.push(call("q", person.signal));
        } else if ("reply" in each) answer(each.reply);
        else if ("which" in each)
          people[each.which]?.abort(Object.assign(new Error("gone"), { code: "ABORTED" }));
        else if ("ms" in each) await clock.advance(each.ms);
        await turn();
        assert.ok(line.flying() <= 2);
      }
      for (let i = 0; i < 20; i++) {
        answer(() => BROKEN);
        await clock.advance(500);
      }
      await Promise.all(outcomes);
      assert.deepEqual([line.flying(), clock.pending()], [0, 0]);
      for (const { signal } of people) assert.deepEqual(getEventListeners(signal, "abort"), []);
    }),
    150,
  );
});
