/** Answers that a fleet shares: in memory and over a real Valkey or Redis; and asked by lookups. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { createClock } from "#process/clock.ts";
import { createManualClock } from "../support/manual-clock.ts";
import type { SharedAnswers } from "#ports.ts";
import { createSharedAnswers } from "#storage/valkey/shared-answers.ts";
import type { SharedAddress } from "#storage/valkey/valkey-address.ts";
import { COMMAND_TIMEOUT_MS } from "#storage/valkey/valkey-client.ts";
import { createSubscriber } from "#storage/valkey/subscriber.ts";
import { createAsk } from "#upstream/lookup/ask-source.ts";
import { createLookupCache } from "#upstream/lookup/ask-source.ts";
import { createDeadline } from "#upstream/deadline.ts";
import type { RunRequest } from "#upstream/run.ts";
import { type Engine, NO_VALKEY } from "../support/engines.ts";
import { toBody, USUAL, WORDS } from "../support/lookup.ts";
import { createMemoryAnswers } from "../support/memory-answers.ts";
import { addressOf, driverOfStore, joinFor, startStore } from "../support/shared-store.ts";
import { sharedAnswersSuite } from "./shared-answers.ts";
import { HANG_MS, sized, within } from "../support/size.ts";
import { noFault } from "../support/faults.ts";

let releases = 0;

sharedAnswersSuite("memory", () => {
  const clock = createManualClock(1_795_000_000_000);
  const memory = createMemoryAnswers(clock);
  return {
    join: () => memory.join(),
    pass: (ms) => clock.advance(ms),
    async away() {
      memory.setAway(true);
      return async () => memory.setAway(false);
    },
  };
});

if (NO_VALKEY) test("SharedAnswers of a fleet", { skip: NO_VALKEY }, () => undefined);
else await run();

async function run(): Promise<void> {
  const engine = await startStore();
  const cluster = await startStore({ cluster: true });
  after(() => Promise.all([engine.stop(), cluster.stop()]));
  const stores: [string, Engine, SharedAddress][] = [
    ["shared", engine, addressOf(engine)],
    ["cluster", cluster, { ...addressOf(cluster), cluster: true }],
  ];
  for (const [name, store, address] of stores)
    sharedAnswersSuite(name, (t) => {
      const release = nextRelease();
      return {
        join: () => enter(t, store, { address, release }),
        pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        async away() {
          store.freeze();
          return async () => {
            store.thaw();
            await new Promise((resolve) => setTimeout(resolve, 1_500));
          };
        },
      };
    });

  test("an answer of more than a megabyte is not kept; another release has its own", async (t) => {
    const [one, other] = [nextRelease(), nextRelease()];
    const a = await enter(t, engine, { address: addressOf(engine), release: one });
    for (const [length, stored] of [
      [1024 * 1024, true],
      [1024 * 1024 + 1, false],
    ] as const) {
      const claim = await a.claim(`${length}`, 1_000);
      assert.ok(typeof claim === "object");
      await claim.end({ text: "x".repeat(length), life_ms: 60_000 });
      assert.equal((await a.read(`${length}`)) !== null, stored);
    }
    const b = await enter(t, engine, { address: addressOf(engine), release: other });
    assert.equal(await b.read(`${1024 * 1024}`), null);
  });

  test("four replicas with a hundred identical queries make one call", async (t) => {
    const fleet = await openFleet(t, engine, 4);
    assert.deepEqual(
      await fleet.askAll("q", 100),
      Array.from({ length: 400 }, () => "1"),
    );
    assert.equal(fleet.calls(), 1);
    for (let round = 2; round < 10; round++) await fleet.askAll(`q${round}`, 10);
    assert.equal(fleet.calls(), 9);
  });

  test("when the replica that calls dies another calls: two calls", async (t) => {
    const fleet = await openFleet(t, engine, 4, { first: "silent" });
    const dying = fleet.ask(0, "q", 500);
    while (fleet.calls() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(await Promise.all([1, 2, 3].map((who) => fleet.ask(who, "q"))), [
      "2",
      "2",
      "2",
    ]);
    assert.equal(fleet.calls(), 2);
    assert.equal(await dying, "timeout");
  });

  test("with the store frozen each replica soon calls for itself", async (t) => {
    const fleet = await openFleet(t, engine, 4, { timeout_ms: sized(1_000, COMMAND_TIMEOUT_MS) });
    await fleet.askAll("before", 1);
    const before = fleet.calls();
    engine.freeze();
    const begun_ms = performance.now();
    await fleet.askAll("q", 100);
    assert.equal(fleet.calls(), before + 4);
    assert.ok(performance.now() - begun_ms < within(300), `${performance.now() - begun_ms} ms`);
    engine.thaw();
  });
}

function nextRelease(): string {
  return `test ${process.pid} ${releases++}`;
}

async function enter(
  t: TestContext,
  engine: Engine,
  { address, release, ...how }: { address: SharedAddress; release: string; timeout_ms?: number },
): Promise<SharedAnswers> {
  const client = await joinFor(t, engine, address, how);
  const subscriber = createSubscriber(await driverOfStore(), address, {
    channels: ["answers"],
    onFault: (error) => noFault("subscriber", error),
  });
  t.after(() => subscriber.close());
  await subscriber.settled(HANG_MS);
  return createSharedAnswers({ client, subscriber, prefix: "", channel: "answers", release });
}

type Fleet = {
  /** Resolves with the answer, or with how it failed. */
  ask(who: number, query: string, within_ms?: number): Promise<string>;
  askAll(query: string, times: number): Promise<string[]>;
  calls(): number;
};

/** Replicas with real clocks and memories of their own. The source takes 30 ms; its answers count. */
async function openFleet(
  t: TestContext,
  engine: Engine,
  size: number,
  { first, ...how }: { first?: "silent"; timeout_ms?: number } = {},
): Promise<Fleet> {
  let calls = 0;
  const fetch: RunRequest = async (_request, { signal }) => {
    const call = ++calls;
    // A process that dies does not say that it has given up either.
    if (first === "silent" && call === 1) return await new Promise(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (signal?.aborted) return { status: "timeout", reason: "aborted" };
    return toBody([`${call}`], Date.now());
  };
  const clock = createClock();
  const release = nextRelease();
  const settings = { url: "https://source.example", timeout_ms: sized(10_000, 500) };
  const asks = await Promise.all(
    Array.from({ length: size }, async () =>
      createAsk(
        WORDS,
        { settings, policy: USUAL },
        {
          run: fetch,
          clock,
          random: () => 0.5,
          onAttempt: () => undefined,
          onFault: noFault,
          cache: createLookupCache(clock),
          shared: await enter(t, engine, { address: addressOf(engine), release, ...how }),
        },
      ),
    ),
  );
  const ask: Fleet["ask"] = async (who, query, within_ms = within(5_000)) => {
    using deadline = createDeadline(clock, clock.now() + within_ms);
    const { signal } = deadline;
    const reply = await asks[who]!(query, { signal, keyed: false, freshness: null });
    return reply.status === "ok" ? reply.stored.value.join() : reply.status;
  };
  return {
    ask,
    askAll: (query, times) =>
      Promise.all(Array.from({ length: size * times }, (_, i) => ask(i % size, query))),
    calls: () => calls,
  };
}
