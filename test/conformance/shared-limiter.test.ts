/** RateLimiter over a real Valkey or Redis: the suite, the formula step by step, and a replica alone. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import type { Bucket } from "#core/limits/address-block.ts";
import { admit, type BucketState, charge, combine } from "#core/limits/gcra.ts";
import type { RateLimiter } from "#ports.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import { type ValkeyClient, COMMAND_TIMEOUT_MS } from "#storage/valkey/valkey-client.ts";
import { ADMIT } from "#storage/valkey/limiter-script.ts";
import { createSharedLimiter } from "#storage/valkey/limiter.ts";
import { openReplicas } from "#storage/valkey/replicas.ts";
import { forAllAsync } from "../support/domain.ts";
import { type Engine, NO_VALKEY } from "../support/engines.ts";
import { addressOf, join, joinFor, startStore } from "../support/shared-store.ts";
import { rateLimiterSuite } from "./rate-limiter.ts";
import { HANG_MS, sized, within } from "../support/size.ts";
import { noFault } from "../support/faults.ts";

const NOW_MS = 1_795_000_000_000;
const FREE = { rate_per_s: 5, burst: 50 };

if (NO_VALKEY) test("RateLimiter of a fleet", { skip: NO_VALKEY }, () => undefined);
else await run();

async function run(): Promise<void> {
  const engine = await startStore();
  const client = await join(engine);
  const cluster = await startStore({ cluster: true });
  after(async () => {
    client.close();
    await Promise.all([engine.stop(), cluster.stop()]);
  });
  rateLimiterSuite("shared", () => open(client), { minutes: 2 });

  test("equals the formula step by step, for any buckets and any clock", () =>
    comparesWithFormula(client));

  test("a bucket fills at its rate by the store's own clock, whatever time is passed", async () => {
    const limiter = open(client, { time: undefined });
    const buckets = [{ key: "a", rate_per_s: 100, burst: 20 }];
    const begun_ms = performance.now();
    const passed = (): number => performance.now() - begun_ms;
    assert.ok((await limiter.admit(buckets, 0)).admitted);
    // It was full until some moment between the question and its answer.
    const emptying_ms = passed();
    let [admitted, asked_ms, said_ms] = [1, 0, 0];
    // However long this process was kept from asking, what has come meanwhile is asked for.
    for (let more = true; more || passed() < 500; said_ms += 3_600_000) {
      asked_ms = passed();
      more = (await limiter.admit(buckets, said_ms)).admitted;
      if (more) admitted++;
    }
    const [least, most] = [20 + (asked_ms - emptying_ms) / 10 - 1, 20 + passed() / 10 + 1];
    assert.ok(admitted >= least && admitted <= most, `${admitted} of ${least} to ${most}`);
  });

  test("buckets are removed once they are full again, and not before", async () => {
    const prefix = nextPrefix();
    const limiter = open(client, { time: undefined, prefix });
    await limiter.admit([{ key: "a", rate_per_s: 0.1, burst: 5 }], 0);
    const life_ms = await client.ask("pttl", [`${prefix}limit:{a}`]);
    assert.ok(typeof life_ms === "number" && life_ms > 10_000 && life_ms <= 11_000);
  });

  test("a replica alone admits its share, and what was spent before stays spent", async (t) => {
    await fallsBack(t, await startStore());
  });

  test("owed requests are charged until a bucket is empty, refused or not", async () => {
    const keys = [`${nextPrefix()}{a}`, `${nextPrefix()}{a}`];
    const ask = (owed: number): Promise<unknown> =>
      client.run(ADMIT, {
        keys,
        // Ten each, one a second; the second one owes nothing.
        args: [NOW_MS * 1000, ...[1_000_000, 10, owed], ...[1_000_000, 10, 0]],
      });
    assert.deepEqual(await ask(3), [6_000_000, 9_000_000]);
    assert.deepEqual(await ask(0), [5_000_000, 8_000_000]);
    assert.deepEqual(await ask(99), [-1_000_000, 7_000_000], "empty, and no emptier");
    assert.deepEqual(await ask(0), [-1_000_000, 7_000_000], "the other was not charged");
  });

  test("replicas are counted while they live", async (t) => {
    const prefix = nextPrefix();
    const onFault = (error: unknown): void => noFault("replicas", error);
    const [a, b] = [await joinFor(t, engine), await joinFor(t, engine)];
    const one = await openReplicas(a, { key: `${prefix}replicas`, id: "a", onFault });
    assert.equal(one.count(), 1);
    const two = await openReplicas(b, { key: `${prefix}replicas`, id: "b", onFault });
    assert.equal(two.count(), 2);
    await one.close();
    assert.equal(
      (await openReplicas(a, { key: `${prefix}replicas`, id: "c", onFault })).count(),
      2,
      "a has left",
    );
  });

  test("in a cluster the buckets of an address are one, and others each by itself", async (t) => {
    const joined = await joinFor(t, cluster, { ...addressOf(cluster), cluster: true });
    await countsInCluster(open(joined, { cluster: true }));
  });
}

let opened = 0;

function nextPrefix(): string {
  return `test:${process.pid}:${opened++}:`;
}

/** Remembers nothing yet, and never decides alone without our noticing it. */
function open(
  client: ValkeyClient,
  how: { time?: "given" | undefined; cluster?: boolean; prefix?: string } = {},
): RateLimiter {
  const { time, cluster = false, prefix = nextPrefix() } = { time: "given" as const, ...how };
  return createSharedLimiter({
    client,
    prefix,
    cluster,
    replicas: () => 1,
    insurance: {
      admit: () => ({ admitted: true, remaining: Infinity, reset_s: 0 }),
      charge: () => undefined,
    },
    ...(time ? { time } : {}),
  });
}

async function comparesWithFormula(client: ValkeyClient): Promise<void> {
  const aLimit = fc.record({
    rate_per_s: fc.oneof(
      fc.constantFrom(1, 5, 20, 10_000),
      fc.double({ min: 0.001, max: 1000, noNaN: true }),
    ),
    burst: fc.integer({ min: 1, max: 500 }),
  });
  const aStep = fc.record({
    keys: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }),
    after_ms: fc.oneof(
      { arbitrary: fc.integer({ min: -50, max: 500 }), weight: 9 },
      fc.integer({ min: -10_000_000, max: 10_000_000 }),
    ),
    /** A plan that changes. */
    plan: fc.nat({ max: 1 }),
    times: fc.integer({ min: 1, max: 20 }),
    /** What is charged afterwards. */
    tokens: fc.oneof(fc.constant(0), fc.nat(100), fc.nat(1_000_000)),
  });
  let refusals = 0;
  await forAllAsync(
    fc.asyncProperty(
      fc.array(aLimit, { minLength: 6, maxLength: 6 }),
      fc.array(aStep, { minLength: 1, maxLength: 12 }),
      async (limits, steps) => {
        const limiter = open(client);
        const states = new Map<string, BucketState>();
        let now_ms = NOW_MS;
        for (const { keys, after_ms, plan, times, tokens } of steps) {
          now_ms += after_ms;
          const buckets = keys.map((key) => ({ key, ...limits["abc".indexOf(key) + 3 * plan]! }));
          for (let i = 0; i < times; i++) {
            const expected = model(states, buckets, now_ms);
            if (!expected.admitted) refusals++;
            assert.deepEqual(await limiter.admit(buckets, now_ms), expected);
          }
          limiter.charge(buckets, tokens, now_ms);
          for (const each of buckets)
            states.set(each.key, charge(states.get(each.key) ?? null, each, tokens, now_ms));
        }
      },
    ),
    60,
  );
  assert.ok(refusals > 200, `${refusals} refusals`);
}

function model(states: Map<string, BucketState>, buckets: readonly Bucket[], now_ms: number) {
  const decisions = buckets.map((each) => admit(states.get(each.key) ?? null, each, now_ms));
  const verdict = combine(decisions);
  for (const [i, decision] of decisions.entries())
    if (verdict.admitted || !decision.admitted) states.set(buckets[i]!.key, decision.state);
  return verdict;
}

async function fallsBack(t: Parameters<typeof joinFor>[0], engine: Engine): Promise<void> {
  t.after(() => engine.stop());
  const timeout_ms = sized(1_000, COMMAND_TIMEOUT_MS);
  const client = await joinFor(t, engine, addressOf(engine), { timeout_ms });
  const limiter = createSharedLimiter({
    client,
    prefix: nextPrefix(),
    cluster: false,
    replicas: () => 5,
    time: "given" as const,
    insurance: createMemoryLimiter({ max_buckets: 100 }),
  });
  const count = async (key: string, now_ms: number): Promise<number> => {
    let admitted = 0;
    while ((await limiter.admit([{ key, ...FREE }], now_ms)).admitted) admitted++;
    return admitted;
  };
  assert.equal(await count("spent", NOW_MS), 50);
  engine.freeze();
  const begun_ms = performance.now();
  assert.equal(await count("fresh", NOW_MS), 10, "a fifth of the burst");
  assert.equal(await count("spent", NOW_MS), 0, "the burst is not given twice");
  assert.equal(await count("spent", NOW_MS + 10_000), 10, "a fifth of 5 a second");
  assert.ok(performance.now() - begun_ms < within(200), "a replica alone does not wait");
  engine.thaw();
  await client.settled(HANG_MS);
  assert.equal(await count("other", NOW_MS), 50, "all count together again");
  assert.equal(await count("fresh", NOW_MS), 40, "what was admitted meanwhile is charged");
  assert.equal(await count("fresh", NOW_MS), 0, "once");
  assert.equal(await count("spent", NOW_MS + 10_000), 40, "to whomever");
}

async function countsInCluster(limiter: RateLimiter): Promise<void> {
  const wide = { key: "wide", block: "wide", rate_per_s: 0.001, burst: 3 };
  const narrow = (key: string, burst: number): Bucket => ({ ...wide, key, burst });
  const ask = async (...buckets: Bucket[]): Promise<boolean> =>
    (await limiter.admit(buckets, NOW_MS)).admitted;
  assert.equal(await ask(narrow("a", 1), wide), true);
  assert.equal(await ask(narrow("a", 1), wide), false);
  assert.equal(await ask(narrow("b", 5), wide), true);
  assert.equal(await ask(narrow("b", 5), wide), true, "the refusal has not charged the wide one");
  assert.equal(await ask(narrow("c", 5), wide), false);
  const apart = ["x", "y", "z"].map((key) => ({ key, rate_per_s: 0.001, burst: 1 }));
  assert.equal(await ask(...apart), true, "of three nodes");
  assert.equal(await ask(apart[0]!), false);
}
