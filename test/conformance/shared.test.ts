/** What a fleet shares, opened as a service does: over a real store, and with none that answers. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import { openShared, type Shared, type SharedOptions } from "#storage/valkey/open-valkey.ts";
import { type Engine, NO_VALKEY } from "../support/engines.ts";
import { joinFor, startStore } from "../support/shared-store.ts";
import { HANG_MS, within } from "../support/size.ts";
import { noFault } from "../support/faults.ts";

const FREE = { rate_per_s: 0.001, burst: 9 };

if (NO_VALKEY) test("what a fleet shares", { skip: NO_VALKEY }, () => undefined);
else await run();

async function run(): Promise<void> {
  const engine = await startStore();
  after(() => engine.stop());

  test("replicas count, exchange and answer together, and each mode by itself", async (t) => {
    const [a, b, other] = [
      await enter(t, engine),
      await enter(t, engine),
      await enter(t, engine, { mode: "sandbox" }),
    ];
    await until(() => a.replicas() === 2 && b.replicas() === 2);
    assert.equal(other.replicas(), 1);
    assert.equal(await drain(a), 9);
    assert.equal(await drain(b), 0, "it has been spent at the other");
    assert.equal(await drain(other), 9);
    const { promise, resolve } = Promise.withResolvers<{ source_id: string }>();
    b.exchange.watch(resolve);
    const lease = await a.exchange.lease("s");
    assert.ok(typeof lease === "object");
    await lease.publish("{}", new Map());
    assert.equal((await promise).source_id, "s");
    assert.deepEqual(await other.exchange.list(), []);
    const claim = await a.answers.claim("k", 1_000);
    assert.ok(typeof claim === "object");
    await claim.end({ text: "x", life_ms: 60_000 });
    assert.notEqual(await b.answers.read("k"), null);
    assert.equal(await other.answers.read("k"), null);
    const client = await joinFor(t, engine);
    const names = ((await client.ask("keys", ["*"])) as Buffer[]).map(String);
    assert.ok(names.length >= 6, names.join(" "));
    for (const name of names)
      assert.match(
        name,
        /^vicinity:(sandbox:)?(replicas$|feeds$|probe$|limit:\{|answer:\{|\{feed:)/,
      );
    await a.close();
    await until(() => b.replicas() === 1);
  });

  test("a replica that began alone joins the others once the store is there", async (t) => {
    const store = await startStore();
    t.after(() => store.stop());
    await store.kill();
    const [a, b] = [await enter(t, store), await enter(t, store)];
    await store.restart();
    await until(() => !a.isAway() && a.replicas() === 2);
    const received: unknown[] = [];
    b.exchange.watch((notice) => received.push(notice));
    // Its notices travel apart from the commands and may come later.
    for (const by_ms = performance.now() + HANG_MS; received.length === 0;) {
      assert.ok(performance.now() < by_ms, "it receives nothing");
      const lease = await a.exchange.lease("s");
      if (typeof lease === "object") await lease.publish("{}", new Map());
    }
    assert.equal(await drain(a), 9);
    assert.equal(await drain(b), 0);
  });

  test("a replica that reaches no store starts alone and says so", async (t) => {
    const url = "redis://127.0.0.1:1";
    const begun_ms = performance.now();
    const alone = await enter(t, { url });
    assert.ok(performance.now() - begun_ms < within(3_000));
    assert.equal(alone.isAway(), true);
    assert.equal(await drain(alone), 9);
    assert.equal(await alone.exchange.lease("s"), "unreachable");
    assert.equal(await alone.answers.read("k"), "unreachable");
  });
}

async function enter(
  t: TestContext,
  { url }: Pick<Engine, "url">,
  change: Partial<SharedOptions> = {},
): Promise<Shared> {
  const shared = await openShared({
    url,
    mode: "live" as const,
    release: "1",
    onRefused: () => undefined,
    onHealth: () => undefined,
    onFault: noFault,
    insurance: createMemoryLimiter({ max_buckets: 100 }),
    ...change,
  });
  assert.ok(!("problem" in shared));
  t.after(() => shared.close());
  return shared;
}

async function drain({ limiter }: Shared): Promise<number> {
  let admitted = 0;
  while ((await limiter.admit([{ key: "k", ...FREE }], Date.now())).admitted) admitted++;
  return admitted;
}

async function until(holds: () => boolean): Promise<void> {
  for (const by_ms = performance.now() + HANG_MS; !holds();) {
    assert.ok(performance.now() < by_ms, "it does not come about");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
