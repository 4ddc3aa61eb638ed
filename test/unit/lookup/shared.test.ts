/** Lookups of a fleet: one call for all, by the terms, as fresh as asked for, and alone when need be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Freshness, LookupReply } from "#upstream/lookup/ask-source.ts";
import { type LookupPolicy, policyOf } from "#upstream/lookup/lookup-policy.ts";
import {
  type Asker,
  BROKEN,
  createAsker,
  createDesk,
  type Desk,
  joinDesk,
  toBody,
  turn,
  USUAL,
} from "../../support/lookup.ts";
import { createMemoryAnswers, type MemoryAnswers } from "../../support/memory-answers.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Fleet = Desk & { replicas: Asker[]; store: MemoryAnswers; kill(who: number): void };

function openFleet(size: number, policy: LookupPolicy = USUAL): Fleet {
  const desk = createDesk();
  const store = createMemoryAnswers(desk.clock);
  const joined = Array.from({ length: size }, () => store.join());
  const replicas = joined.map((shared) => createAsker(policy, { desk: joinDesk(desk), shared }));
  return { ...desk, replicas, store, kill: (who) => joined[who]!.kill() };
}

const textOf = (reply: LookupReply<string[]>): string =>
  reply.status === "ok"
    ? `${reply.cache} ${reply.stored.value.join()}`
    : `${reply.status} ${reply.reason}, ${reply.rescue ? reply.rescue.value.join() : "nothing"}`;

/** Each call gets its number for an answer. */
function numbered({ line, clock }: Desk): void {
  line.always(() => toBody([`${line.calls.length}`], clock.now()));
}

/** What can go on without time passing has gone on. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await turn();
}

test("four replicas that are asked the same a hundred times make one call", async () => {
  const fleet = openFleet(4);
  const replies = Array.from({ length: 400 }, (_, i) => fleet.replicas[i % 4]!.ask("q"));
  await settle();
  assert.equal(fleet.line.calls.length, 1);
  fleet.line.calls[0]!.answer(toBody(["x"], fleet.clock.now()));
  const all = (await Promise.all(replies)).map(textOf);
  assert.equal(all.filter((each) => each === "miss x").length, 100);
  assert.equal(all.filter((each) => each === "hit x").length, 300);
  assert.equal(fleet.line.calls.length, 1);
  assert.equal(fleet.clock.pending(), 0, "nothing is left behind");
});

test("when the replica that asks dies, another asks after its claim has ended", async () => {
  const fleet = openFleet(3);
  const [dying, ...others] = fleet.replicas.map((replica) => replica.ask("q"));
  await settle();
  fleet.kill(0);
  for (let passed_ms = 0; passed_ms < 2_150; passed_ms += 50) await fleet.clock.advance(50);
  assert.equal(fleet.line.calls.length, 1, "it might live");
  await fleet.clock.advance(50);
  await settle();
  assert.equal(fleet.line.calls.length, 2);
  fleet.line.calls[1]!.answer(toBody(["y"], fleet.clock.now()));
  assert.deepEqual((await Promise.all(others)).map(textOf).sort(), ["hit y", "miss y"]);
  fleet.line.calls[0]!.answer(toBody(["x"], fleet.clock.now()));
  await dying;
});

test("no replica waits for another beyond its own time", async () => {
  const fleet = openFleet(2);
  const first = fleet.replicas[0]!.ask("q");
  await settle();
  const second = fleet.replicas[1]!.ask("q", { within_ms: 120 });
  await settle();
  await fleet.clock.advance(120);
  assert.equal(textOf(await second), "timeout deadline, nothing");
  await settle();
  fleet.line.calls[0]!.answer(toBody(["x"], fleet.clock.now()));
  await first;
  await settle();
  assert.equal(fleet.clock.pending(), 0);
  assert.equal(fleet.line.calls.length, 1);
});

test("while the store is away each replica asks at once", async () => {
  const fleet = openFleet(3);
  numbered(fleet);
  fleet.store.setAway(true);
  const replies = await Promise.all(fleet.replicas.map((replica) => replica.ask("q")));
  assert.deepEqual(replies.map(textOf), ["miss 1", "miss 2", "miss 3"]);
  fleet.store.setAway(false);
  assert.equal(textOf(await fleet.replicas[0]!.ask("p")), "miss 4");
  assert.equal(textOf(await fleet.replicas[1]!.ask("p")), "hit 4");
});

test("a store that goes away while one waits for another does not hold it", async () => {
  const fleet = openFleet(2);
  const first = fleet.replicas[0]!.ask("q");
  await settle();
  const second = fleet.replicas[1]!.ask("q");
  await settle();
  fleet.store.setAway(true);
  await fleet.clock.advance(50);
  await settle();
  assert.equal(fleet.line.calls.length, 2);
  for (const call of fleet.line.calls) call.answer(toBody(["x"], fleet.clock.now()));
  assert.deepEqual((await Promise.all([first, second])).map(textOf), ["miss x", "miss x"]);
});

test("an answer that the terms do not let us keep is not shared", async () => {
  for (const policy of [
    policyOf({ store: "none" }, { cache_s: 60 }),
    policyOf({ store: "ids" }, { cache_s: 3600 }),
    policyOf({ store: "all" }, { cache_s: 0 }),
  ]) {
    const fleet = openFleet(2, policy);
    numbered(fleet);
    for (const [who, expected] of ["miss 1", "miss 2"].entries())
      assert.equal(textOf(await fleet.replicas[who]!.ask("q")), expected);
    assert.deepEqual(fleet.store.texts(), []);
    assert.deepEqual(fleet.store.calls, { read: 0, claim: 0, end: 0 });
  }
});

test("a failure is not kept; the replica that waited makes its own call", async () => {
  const fleet = openFleet(2);
  const replies = fleet.replicas.map((replica) => replica.ask("q"));
  await settle();
  fleet.line.calls[0]!.answer(BROKEN);
  await settle();
  assert.equal(fleet.line.calls.length, 2, "at once, since the end is notified");
  fleet.line.calls[1]!.answer(toBody(["x"], fleet.clock.now()));
  assert.deepEqual((await Promise.all(replies)).map(textOf), [
    "unavailable http_500, nothing",
    "miss x",
  ]);
  assert.equal(fleet.store.texts().length, 1);
});

test("how old an answer may be is each question's own matter", async () => {
  const cases: { age_ms: number; freshness: Freshness; expected: string }[] = [
    { age_ms: MINUTE_MS - 1, freshness: null, expected: "hit 1" },
    { age_ms: MINUTE_MS - 1, freshness: "accept_valid_cache", expected: "hit 1" },
    { age_ms: MINUTE_MS, freshness: null, expected: "miss 2" },
    { age_ms: MINUTE_MS, freshness: "accept_valid_cache", expected: "miss 2" },
    { age_ms: 5_000, freshness: "revalidate", expected: "hit 1" },
    { age_ms: 5_001, freshness: "revalidate", expected: "miss 2" },
  ];
  for (const { age_ms, freshness, expected } of cases) {
    const fleet = openFleet(2);
    numbered(fleet);
    await fleet.replicas[0]!.ask("q");
    await fleet.clock.advance(age_ms);
    const reply = await fleet.replicas[1]!.ask("q", { freshness });
    assert.equal(textOf(reply), expected, `${freshness} ${age_ms}`);
    if (expected === "hit 1")
      assert.equal(
        (reply as { stored: { fetched_at_ms: number } }).stored.fetched_at_ms,
        fleet.clock.now() - age_ms,
      );
  }
});

test("a caller that revalidates does not share a request that may land with an older answer", async () => {
  const fleet = openFleet(2);
  numbered(fleet);
  await fleet.replicas[0]!.ask("q");
  await fleet.clock.advance(30_000);
  const { ask } = fleet.replicas[1]!;
  const replies = [ask("q"), ask("q", { freshness: "revalidate" })];
  assert.deepEqual((await Promise.all(replies)).map(textOf), ["hit 1", "miss 2"]);
  await fleet.clock.advance(10_000);
  const both = [ask("q", { freshness: "revalidate" }), ask("q", { freshness: "revalidate" })];
  assert.deepEqual(
    (await Promise.all(both)).map(textOf),
    ["miss 3", "miss 3"],
    "but one of its own",
  );
  assert.equal(textOf(await fleet.replicas[0]!.ask("q", { freshness: "revalidate" })), "hit 3");
});

test("one replica renews for all while the old answer may be shown", async () => {
  const fleet = openFleet(2);
  numbered(fleet);
  for (const replica of fleet.replicas) await replica.ask("q");
  await fleet.clock.advance(MINUTE_MS + 1);
  for (const replica of fleet.replicas) {
    assert.equal(textOf(await replica.ask("q")), "hit 1");
    await settle();
  }
  assert.equal(fleet.line.calls.length, 2);
  for (const replica of fleet.replicas) assert.equal(textOf(await replica.ask("q")), "hit 2");
});

test("an old answer of another replica is served when the source fails", async () => {
  const fleet = openFleet(2);
  numbered(fleet);
  await fleet.replicas[0]!.ask("q");
  await fleet.clock.advance(DAY_MS - 1);
  fleet.line.always(() => BROKEN);
  assert.equal(textOf(await fleet.replicas[1]!.ask("q")), "unavailable http_500, 1");
});

test("it is kept for a day at most, whatever the terms", async () => {
  const fleet = openFleet(2);
  numbered(fleet);
  await fleet.replicas[0]!.ask("q");
  await fleet.clock.advance(DAY_MS);
  fleet.line.always(() => BROKEN);
  assert.equal(textOf(await fleet.replicas[1]!.ask("q")), "unavailable http_500, nothing");
});

test("a text that is none of ours is no answer", async () => {
  for (const text of [
    ...["", "{", "null", "[]", "7", "{}", '{"value":["x"]}'],
    '{"value":["x"],"raw":1,"bytes":1,"fetched_at_ms":"now"}',
    '{"value":["x"],"raw":1,"bytes":1,"fetched_at_ms":1795000000000,"validity":null}',
  ]) {
    const fleet = openFleet(1);
    numbered(fleet);
    fleet.store.poison(text);
    assert.equal(textOf(await fleet.replicas[0]!.ask("q")), "miss 1", text);
  }
});

test("a clock that is ahead makes nothing younger than the store has had it", async () => {
  const fleet = openFleet(2);
  fleet.line.always(() => toBody(["x"], fleet.clock.now() + 3_600_000));
  await fleet.replicas[0]!.ask("q");
  await fleet.clock.advance(6_000);
  const reply = await fleet.replicas[1]!.ask("q");
  assert.ok(reply.status === "ok");
  assert.equal(reply.stored.fetched_at_ms, fleet.clock.now() - 6_000);
  numbered(fleet);
  assert.equal(textOf(await fleet.replicas[1]!.ask("q", { freshness: "revalidate" })), "miss 2");
});
