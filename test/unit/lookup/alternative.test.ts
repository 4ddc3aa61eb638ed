/** A source that refuses the usual settings is asked with others for an hour, and not until the next start. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Alternative } from "#upstream/lookup/alternative.ts";
import type { Ask, LookupReply } from "#upstream/lookup/ask-source.ts";
import { createManualClock } from "../../support/manual-clock.ts";

const HOUR_MS = 3_600_000;
const OPTIONS = { signal: new AbortController().signal, keyed: false, freshness: null };

const failed = (reason: string): LookupReply<string> => ({ status: "error", reason, rescue: null });
const found = (value: string): LookupReply<string> => ({
  status: "ok",
  stored: { value, raw: 1, fetched_at_ms: 0, good_until_ms: 0 },
  cache: "miss",
});

function create(usual: () => LookupReply<string>) {
  const clock = createManualClock(1_000);
  const calls: string[] = [];
  const askWith =
    (name: string, reply: () => LookupReply<string>): Ask<string, string> =>
    (query) => {
      calls.push(`${name} ${query}`);
      return Promise.resolve(reply());
    };
  const { ask } = new Alternative({
    clock,
    usual: askWith("usual", usual),
    other: askWith("other", () => found("others")),
    refusal: "unsupported_type",
  });
  return { clock, calls, ask: (query: string) => ask(query, OPTIONS) };
}

test("what refuses the usual settings is asked with the others at once, and for an hour", async () => {
  const { clock, calls, ask } = create(() => failed("unsupported_type"));
  assert.deepEqual(await ask("a"), found("others"));
  assert.deepEqual(await ask("b"), found("others"));
  assert.deepEqual(calls, ["usual a", "other a", "other b"]);
  await clock.advance(HOUR_MS - 1);
  await ask("c");
  assert.deepEqual(calls.at(-1), "other c");
  await clock.advance(1);
  await ask("d");
  assert.deepEqual(calls.slice(-2), ["usual d", "other d"]);
});

test("a deployment that has learned the usual settings gets them again", async () => {
  let knows = false;
  const { clock, ask } = create(() => (knows ? found("usual") : failed("unsupported_type")));
  assert.deepEqual(await ask("a"), found("others"));
  knows = true;
  await clock.advance(HOUR_MS);
  assert.deepEqual(await ask("b"), found("usual"));
});

test("another failure changes no settings", async () => {
  const { calls, ask } = create(() => failed("http_500"));
  assert.deepEqual(await ask("a"), failed("http_500"));
  assert.deepEqual(await ask("b"), failed("http_500"));
  assert.deepEqual(calls, ["usual a", "usual b"]);
});

test("callers at once each get an answer, whichever call is refused first", async () => {
  const { ask } = create(() => failed("unsupported_type"));
  const replies = await Promise.all(["a", "b", "c", "d"].map(ask));
  for (const reply of replies) assert.deepEqual(reply, found("others"));
});
