/** Sources that say how long an answer is good: heeded, and asked only whether anything changed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "#kit/outcome.ts";
import { createAsk } from "#upstream/lookup/ask-source.ts";
import { createDeadline } from "#upstream/deadline.ts";
import { policyOf } from "#upstream/lookup/lookup-policy.ts";
import type { Fetched } from "#upstream/run.ts";
import { BROKEN, createDesk, turn, TIMEOUT_MS, toBody, WORDS } from "../../support/lookup.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MODIFIED = "Sat, 21 Nov 2026 06:30:00 GMT";
const OPEN = policyOf({ store: "all" }, { cache_s: 3600 });

/** A lookup of words that honours the expiry the source states, asked at once. */
function createAsker(policy = OPEN, honours = true) {
  const desk = createDesk();
  const settings = { url: "https://source.example", timeout_ms: TIMEOUT_MS };
  const lookup = honours ? { ...WORDS, honours_expiry: true as const } : WORDS;
  const ask = createAsk(lookup, { settings, policy }, desk.deps);
  return {
    ...desk,
    async ask() {
      using deadline = createDeadline(desk.clock, desk.clock.now() + 60_000);
      const { signal } = deadline;
      const reply = await ask("q", { signal, keyed: false, freshness: null });
      await turn();
      assert.ok(reply.status === "ok", JSON.stringify(reply));
      return `${reply.cache} ${reply.stored.value.join()}`;
    },
  };
}

type Dates = { expires_in_s?: number; last_modified?: string | null };

function answer(word: string, at_ms: number, dates: Dates = {}): Outcome<Fetched> {
  const plain = toBody([word], at_ms);
  return { ...plain, value: { ...plain.value, last_modified: MODIFIED, ...dates } };
}

function unchanged(at_ms: number, expires_in_s?: number): Outcome<Fetched> {
  const value = { kind: "not_modified" as const, ...(expires_in_s ? { expires_in_s } : {}) };
  return { status: "ok", value, fetched_at_ms: at_ms, cache: "revalidated" };
}

/** Beyond what may be shown while it is renewed. */
const LATER_MS = 2 * 3_600_000;

test("an answer is good as long as the source says, not as the policy has it", async () => {
  const { ask, line, clock } = createAsker();
  line.always(() => answer(`${line.calls.length}`, clock.now(), { expires_in_s: 600 }));
  assert.equal(await ask(), "miss 1");
  await clock.advance(10 * MINUTE_MS - 1);
  assert.deepEqual([await ask(), line.calls.length], ["hit 1", 1]);
  await clock.advance(1);
  // Shown once more while it is renewed.
  assert.deepEqual([await ask(), line.calls.length], ["hit 1", 2]);
  assert.deepEqual([await ask(), line.calls.length], ["hit 2", 2]);
});

test("asked again it is asked only whether anything changed; if not, the old one lives on", async () => {
  const { ask, line, clock } = createAsker();
  line.always(() => answer("x", clock.now(), { expires_in_s: 600 }));
  await ask();
  assert.equal(line.calls[0]!.request.last_modified, undefined);
  line.always(() => unchanged(clock.now(), 1200));
  await clock.advance(LATER_MS);
  assert.equal(await ask(), "miss x");
  assert.equal(line.calls[1]!.request.last_modified, MODIFIED);
  await clock.advance(20 * MINUTE_MS - 1);
  assert.deepEqual([await ask(), line.calls.length], ["hit x", 2]);
  await clock.advance(LATER_MS);
  line.always(() => answer("y", clock.now()));
  assert.equal(await ask(), "miss y");
  assert.equal(line.calls[2]!.request.last_modified, MODIFIED, "the earlier date still counts");
});

test("without a word of it, or with one that is past, the policy counts", async () => {
  for (const expires_in_s of [undefined, 0]) {
    const { ask, line, clock } = createAsker();
    const dates = expires_in_s === undefined ? {} : { expires_in_s };
    line.always(() => answer(`${line.calls.length}`, clock.now(), dates));
    await ask();
    await clock.advance(60 * MINUTE_MS - 1);
    assert.deepEqual([await ask(), line.calls.length], ["hit 1", 1]);
    await clock.advance(LATER_MS);
    assert.equal(await ask(), "miss 2");
  }
});

test("a word that is too great counts for a day, and where nothing may be stored for half a minute", async () => {
  const unstored = policyOf({ store: "none" }, { cache_s: 3600 });
  for (const [policy, most_ms] of [[OPEN, DAY_MS] as const, [unstored, 30_000] as const]) {
    const { ask, line, clock } = createAsker({ ...policy, renew_ms: 0 });
    line.always(() => answer(`${line.calls.length}`, clock.now(), { expires_in_s: 1e9 }));
    await ask();
    await clock.advance(most_ms - 1);
    assert.equal(await ask(), "hit 1");
    await clock.advance(1);
    assert.equal(await ask(), "miss 2");
  }
});

test("a lookup that ignores expiry, or has no date of change, asks plainly", async () => {
  const plain = createAsker(OPEN, false);
  plain.line.always(() => answer("x", plain.clock.now(), { expires_in_s: 5 }));
  await plain.ask();
  await plain.clock.advance(60 * MINUTE_MS - 1);
  assert.equal(await plain.ask(), "hit x");
  await plain.clock.advance(LATER_MS);
  await plain.ask();
  assert.equal(plain.line.calls[1]!.request.last_modified, undefined);
  const untold = createAsker();
  untold.line.always(() => answer("x", untold.clock.now(), { last_modified: null }));
  await untold.ask();
  await untold.clock.advance(LATER_MS);
  await untold.ask();
  assert.equal(untold.line.calls[1]!.request.last_modified, undefined);
});

test("a failure leaves the old answer, with what the source said of it", async () => {
  const { ask, line, clock, cache } = createAsker();
  line.always(() => answer("x", clock.now(), { expires_in_s: 600 }));
  await ask();
  line.always(() => BROKEN);
  await clock.advance(11 * MINUTE_MS);
  assert.equal(await ask(), "hit x");
  assert.equal(cache.get("source.words q")!.validity!.last_modified, MODIFIED);
});
