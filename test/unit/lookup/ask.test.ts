/** Questions that may have been asked before: shared, cached by terms, rescued (decisions, Errors). */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import fc from "fast-check";
import type { LookupReply } from "#upstream/lookup/ask-source.ts";
import { createDeadline, toAbandoned } from "#upstream/deadline.ts";
import { policyOf } from "#upstream/lookup/lookup-policy.ts";
import { forAllAsync } from "../../support/domain.ts";
import {
  type Asker,
  BROKEN,
  createAsker,
  createWatchedClock,
  REFUSED,
  toBody,
  turn,
} from "../../support/lookup.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Good for a minute, shown for another while renewed, held for 30 days. */
const OPEN = policyOf({ store: "all" }, { cache_s: 60 });
const IDS = policyOf({ store: "ids" }, { cache_s: 3600 });

const textOf = (reply: LookupReply<string[]>): string =>
  reply.status === "ok"
    ? `${reply.cache} ${reply.stored.value.join()}`
    : `${reply.status} ${reply.reason}, ${reply.rescue ? reply.rescue.value.join() : "nothing"}`;

/** Each call gets its number for an answer. */
function numbered({ line, clock }: Asker): void {
  line.always(() => toBody([`${line.calls.length}`], clock.now()));
}

test("a hundred identical questions make one call, and leave nothing behind", async () => {
  const { ask, line, clock } = createAsker();
  const signals = Array.from({ length: 100 }, () => new AbortController().signal);
  const replies = signals.map((signal) => ask("q", { signal }));
  await turn();
  assert.equal(line.calls.length, 1);
  assert.equal(clock.pending(), 100);
  line.calls[0]!.answer(toBody(["x"], clock.now()));
  for (const reply of await Promise.all(replies)) assert.equal(textOf(reply), "miss x");
  assert.equal(clock.pending(), 0);
  for (const signal of signals) assert.deepEqual(getEventListeners(signal, "abort"), []);
});

test("with 99 of 100 gone the last gets its answer; when all are gone the call is called off", async () => {
  for (const stays of [true, false]) {
    const { ask, line, clock } = createAsker();
    const people = Array.from({ length: 100 }, () => new AbortController());
    const replies = people.map(({ signal }) => ask("q", { signal }));
    await turn();
    for (const person of people.slice(1)) person.abort();
    await turn();
    assert.equal(line.calls[0]!.aborted, null);
    if (stays) line.calls[0]!.answer(toBody(["x"], clock.now()));
    else people[0]!.abort();
    const [first, ...rest] = await Promise.all(replies);
    assert.equal(textOf(first!), stays ? "miss x" : "timeout aborted, nothing");
    for (const reply of rest) assert.equal(textOf(reply), "timeout aborted, nothing");
    assert.equal(line.calls[0]!.aborted !== null, !stays);
    assert.equal(clock.pending(), 0);
  }
});

test("a caller whose time is up gets a timeout; the last one's call is called off as out of time", async () => {
  const { ask, line, clock } = createAsker();
  const short = ask("q", { within_ms: 100 });
  const long = ask("q", { within_ms: 200 });
  await clock.advance(100);
  assert.equal(textOf(await short), "timeout deadline, nothing");
  assert.equal(line.calls[0]!.aborted, null);
  await clock.advance(100);
  assert.equal(textOf(await long), "timeout deadline, nothing");
  assert.equal((line.calls[0]!.aborted as unknown as { code: string }).code, "DEADLINE");
  assert.equal(clock.pending(), 0);
});

test("a caller that comes when all have gone starts a new call, which is not called off with theirs", async () => {
  const { ask, line, clock } = createAsker();
  const gone = new AbortController();
  const first = ask("q", { signal: gone.signal });
  await turn();
  gone.abort();
  await first;
  const second = ask("q");
  await turn();
  assert.equal(line.calls.length, 2);
  line.calls[1]!.answer(toBody(["x"], clock.now()));
  assert.equal(textOf(await second), "miss x");
});

test("other keys are other calls", async () => {
  const asker = createAsker();
  numbered(asker);
  const replies = await Promise.all(["a", "b", "a"].map((query) => asker.ask(query)));
  assert.deepEqual(replies.map(textOf), ["miss 1", "miss 2", "miss 1"]);
});

test("open data: a hit while good, a hit and one renewal after, asked again when too old", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  numbered(asker);
  assert.equal(textOf(await ask("q")), "miss 1");
  await clock.advance(MINUTE_MS - 1);
  assert.equal(textOf(await ask("q")), "hit 1");
  assert.equal(line.calls.length, 1);
  await clock.advance(1);
  line.always(null);
  const stale = await Promise.all(Array.from({ length: 50 }, () => ask("q")));
  assert.deepEqual(new Set(stale.map(textOf)), new Set(["hit 1"]));
  assert.equal(line.calls.length, 2, "renewed once, in the background");
  line.calls[1]!.answer(toBody(["new"], clock.now()));
  await turn();
  assert.equal(textOf(await ask("q")), "hit new");
  await clock.advance(2 * MINUTE_MS);
  numbered(asker);
  assert.equal(textOf(await ask("q")), "miss 3");
});

test("the renewal goes on when the callers it answered are gone", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  numbered(asker);
  await ask("q");
  await clock.advance(MINUTE_MS);
  line.always(null);
  const person = new AbortController();
  await ask("q", { signal: person.signal });
  person.abort();
  await clock.advance(5_000);
  assert.equal(line.calls[1]!.aborted, null);
});

test("the renewal goes on when the callers that joined it have left", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  numbered(asker);
  await ask("q");
  await clock.advance(MINUTE_MS);
  line.always(null);
  await ask("q");
  await clock.advance(MINUTE_MS);
  const person = new AbortController();
  const reply = ask("q", { signal: person.signal });
  await turn();
  person.abort();
  assert.equal(textOf(await reply), "timeout aborted, 1");
  assert.deepEqual([line.calls.length, line.calls[1]!.aborted], [2, null]);
});

test("the held answer is given with the failure while the terms allow it, and no longer", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  numbered(asker);
  const first = await ask("q");
  line.always(() => REFUSED);
  await clock.advance(2 * MINUTE_MS);
  const failed = await ask("q");
  assert.equal(textOf(failed), "error http_400, 1");
  assert.ok(failed.status !== "ok" && first.status === "ok");
  assert.deepEqual(failed.rescue, first.stored, "with its own age");
  await clock.advance(30 * DAY_MS - MINUTE_MS - 1);
  assert.equal(textOf(await ask("q")), "error http_400, 1");
  await clock.advance(1);
  assert.equal(textOf(await ask("q")), "error http_400, nothing");
});

test("the held answer is used when time runs out, and while the source is left alone", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  numbered(asker);
  await ask("q");
  await clock.advance(2 * MINUTE_MS);
  line.always(null);
  const late = ask("q", { within_ms: 50 });
  await clock.advance(50);
  assert.equal(textOf(await late), "timeout deadline, 1");
  line.always(() => ({ ...BROKEN, reason: "http_429", retry_at_ms: clock.now() + 9_000 }));
  assert.equal(textOf(await ask("q")), "unavailable http_429, 1");
  const calls = line.calls.length;
  const quiet = await ask("q");
  assert.equal(textOf(quiet), "unavailable cooling_down, 1");
  assert.ok(quiet.status !== "ok" && quiet.retry_at_ms === clock.now() + 9_000);
  assert.equal(textOf(await ask("other")), "unavailable cooling_down, nothing");
  assert.equal(line.calls.length, calls);
});

test("a failure is not kept: the next question makes a call", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  line.always(() => REFUSED);
  assert.equal(textOf(await ask("q")), "error http_400, nothing");
  line.always(() => toBody(null, clock.now()));
  assert.equal(textOf(await ask("q")), "error wrong_shape, nothing");
  numbered(asker);
  assert.equal(textOf(await ask("q")), "miss 3");
});

test("an empty answer is kept half as long", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  line.always(() => toBody([], clock.now()));
  const first = await ask("q");
  assert.ok(first.status === "ok");
  assert.equal(first.stored.good_until_ms, clock.now() + MINUTE_MS / 2);
  await clock.advance(MINUTE_MS / 2 - 1);
  await ask("q");
  assert.equal(line.calls.length, 1);
  await clock.advance(1);
  assert.equal(textOf(await ask("q")), "hit ");
  await turn();
  assert.equal(line.calls.length, 2);
});

test("an answer that may not be stored: shared in flight, 30 s in memory, then asked; never renewed, no rescue", async () => {
  const asker = createAsker(IDS);
  const { ask, line, clock, cache } = asker;
  numbered(asker);
  const both = await Promise.all([ask("q"), ask("q")]);
  assert.deepEqual(both.map(textOf), ["miss 1", "miss 1"]);
  await clock.advance(29_999);
  assert.equal(textOf(await ask("q")), "hit 1");
  line.always(() => REFUSED);
  await clock.advance(1);
  assert.equal(textOf(await ask("q")), "error http_400, nothing");
  assert.equal(line.calls.length, 2);
  assert.equal(cache.size(), 0, "nothing of it is held any more");
});

test("a policy that keeps nothing keeps nothing", async () => {
  const asker = createAsker({ ...OPEN, fresh_ms: 0 });
  numbered(asker);
  assert.equal(textOf(await asker.ask("q")), "miss 1");
  assert.equal(textOf(await asker.ask("q")), "miss 2");
  assert.equal(asker.cache.size(), 0);
});

test("revalidate: asked unless it was asked in the last 5 s; an older request does not do", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  const revalidate = (): Promise<LookupReply<string[]>> => ask("q", { freshness: "revalidate" });
  numbered(asker);
  await ask("q");
  await clock.advance(5_000);
  assert.equal(textOf(await revalidate()), "hit 1");
  await clock.advance(1);
  assert.equal(textOf(await revalidate()), "miss 2");
  assert.equal(textOf(await ask("q")), "hit 2", "and everybody has it");
  await clock.advance(2 * MINUTE_MS);
  line.always(null);
  const plain = ask("q");
  await clock.advance(1);
  const [one, other] = [revalidate(), revalidate()];
  await turn();
  assert.equal(line.calls.length, 4, "two who revalidate at once are one");
  line.calls[2]!.answer(toBody(["old"], clock.now()));
  line.calls[3]!.answer(toBody(["new"], clock.now()));
  assert.deepEqual((await Promise.all([plain, one, other])).map(textOf), [
    "miss old",
    "miss new",
    "miss new",
  ]);
});

test("accept_valid_cache: what is good is a hit; what is not is asked for, never in the background", async () => {
  const asker = createAsker(OPEN);
  const { ask, line, clock } = asker;
  const accept = (): Promise<LookupReply<string[]>> =>
    ask("q", { freshness: "accept_valid_cache" });
  numbered(asker);
  await ask("q");
  await clock.advance(MINUTE_MS - 1);
  assert.equal(textOf(await accept()), "hit 1");
  await turn();
  assert.equal(line.calls.length, 1);
  await clock.advance(1);
  assert.equal(textOf(await accept()), "miss 2");
  assert.equal(line.calls.length, 2);
});

test("a deadline: gone before it began, gone first, out of time first; disposed of, nothing is left", async () => {
  const clock = createWatchedClock();
  const until_ms = clock.now() + 100;
  const client = new AbortController();
  {
    using gone = createDeadline(clock, until_ms, AbortSignal.abort());
    assert.deepEqual(toAbandoned(gone.signal), { status: "timeout", reason: "aborted" });
    using first = createDeadline(clock, until_ms, client.signal);
    using third = createDeadline(clock, until_ms);
    {
      using second = createDeadline(clock, until_ms, client.signal);
      assert.equal(second.signal.aborted, false);
      assert.equal(clock.pending(), 4);
    }
    // One of each for the first, which is still waited for.
    assert.deepEqual([clock.pending(), getEventListeners(client.signal, "abort").length], [3, 1]);
    client.abort();
    await clock.advance(100);
    assert.deepEqual(
      [toAbandoned(first.signal).reason, toAbandoned(third.signal).reason],
      ["aborted", "deadline"],
    );
  }
  assert.deepEqual([clock.pending(), getEventListeners(client.signal, "abort").length], [0, 0]);
});

type Step =
  | { does: "ask"; freshness: 0 | 1 | 2 }
  | { does: "wait"; ms: number }
  | { does: "break" };
const FRESHNESS = [null, "accept_valid_cache", "revalidate"] as const;

test("any history: nothing older than its terms is ever given, as an answer or as a rescue", async () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant("ask"), freshness: fc.constantFrom(0, 1, 2) }),
    },
    fc.record({
      does: fc.constant("wait"),
      ms: fc.constantFrom(1, 4_999, 5_001, 15_000, 29_999, 30_001, 61_000, 30 * DAY_MS),
    }),
    fc.record({ does: fc.constant("break") }),
  );
  for (const policy of [OPEN, IDS])
    await forAllAsync(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const asker = createAsker(policy);
        const { ask, line, clock } = asker;
        let broken = false;
        line.always(() => (broken ? REFUSED : toBody([`${clock.now()}`], clock.now())));
        for (const each of steps) {
          if (each.does === "wait") await clock.advance(each.ms);
          else if (each.does === "break") broken = !broken;
          else {
            const freshness = FRESHNESS[each.freshness]!;
            const reply = await ask("q", { freshness });
            const stored = reply.status === "ok" ? reply.stored : reply.rescue;
            if (!stored) continue;
            assert.equal(stored.value[0], `${stored.fetched_at_ms}`);
            const age_ms = clock.now() - stored.fetched_at_ms;
            const most_ms =
              reply.status !== "ok"
                ? policy.fresh_ms + policy.rescue_ms
                : freshness === null
                  ? policy.fresh_ms + policy.renew_ms
                  : freshness === "revalidate"
                    ? 5_000
                    : policy.fresh_ms;
            assert.ok(age_ms <= most_ms, `${age_ms} ms old`);
            if (policy === IDS) assert.ok(age_ms < 30_000);
          }
        }
      }),
      100,
    );
});
