/** FeedExchange over a real Valkey or Redis, one node and cluster: the suite, and what is kept there. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import type { SharedAddress } from "#storage/valkey/valkey-address.ts";
import type { ValkeyClient, ValkeyOptions } from "#storage/valkey/valkey-client.ts";
import { createExchange } from "#storage/valkey/feed-exchange.ts";
import { createSubscriber } from "#storage/valkey/subscriber.ts";
import { type Engine, NO_VALKEY } from "../support/engines.ts";
import { addressOf, driverOfStore, join, joinFor, startStore } from "../support/shared-store.ts";
import { feedExchangeSuite, type Opened, type Replica } from "./feed-exchange.ts";
import { HANG_MS, sized, within } from "../support/size.ts";
import { noFault } from "../support/faults.ts";

/** Shorter than in service, so that the suite waits less; long enough that it is renewed in time on a busy machine. */
const LEASE_MS = sized(2_000, 450);
/** Behind which an answer of the store is late. */
const LATE_MS = sized(1_500, 50);
const NONE: ReadonlySet<string> = new Set();

if (NO_VALKEY) test("FeedExchange of a fleet", { skip: NO_VALKEY }, () => undefined);
else await run();

async function run(): Promise<void> {
  const engine = await startStore();
  const cluster = await startStore({ cluster: true });
  after(() => Promise.all([engine.stop(), cluster.stop()]));
  feedExchangeSuite("shared", { open: (t) => open(t, engine), runs: sized(8, 20) });
  feedExchangeSuite("cluster", {
    open: (t) => open(t, cluster, { ...addressOf(cluster), cluster: true }),
    runs: sized(5, 10),
  });

  test("the store keeps the packs of the current state for a day, and is sent each once", async (t) => {
    await flush(engine);
    const client = await joinFor(t, engine);
    const { exchange } = await enter(t, engine, addressOf(engine));
    const sizes = async (): Promise<number[]> => {
      const before = Number(
        /total_net_input_bytes:(\d+)/.exec(String(await client.ask("info", [])))?.[1],
      );
      const lease = await exchange.lease("s");
      assert.ok(typeof lease === "object");
      const big = new Uint8Array(1_000_000);
      assert.ok((await lease.publish("{}", new Map([["big", big]])))! > 0);
      const now = Number(
        /total_net_input_bytes:(\d+)/.exec(String(await client.ask("info", [])))?.[1],
      );
      return [now - before];
    };
    assert.ok((await sizes())[0]! > 1_000_000);
    assert.ok((await sizes())[0]! < 10_000, "it had it already");
    const lease = await exchange.lease("s");
    assert.ok(typeof lease === "object");
    await lease.publish("{}", new Map([["small", new Uint8Array(1)]]));
    assert.deepEqual(await client.ask("hkeys", ["{feed:s}:packs"]), [Buffer.from("small")]);
    for (const key of ["{feed:s}:packs", "{feed:s}:now"]) {
      const life_ms = (await client.ask("pttl", [key])) as number;
      assert.ok(life_ms > 86_000_000 && life_ms <= 86_400_000, `${key} ${life_ms}`);
    }
  });

  test("an answer that is late once is no outage: the lease is granted, to one", async (t) => {
    await flush(engine);
    const short = { timeout_ms: LATE_MS };
    const { client, exchange } = await enter(t, engine, addressOf(engine), short);
    const other = await enter(t, engine, addressOf(engine));
    engine.freeze();
    const request = exchange.lease("s");
    // Behind the first time-out, before the probe that follows it.
    await untilDoubtful(client);
    engine.thaw();
    const lease = await request;
    assert.ok(typeof lease === "object", "it was not granted");
    assert.equal(await other.exchange.lease("s"), "held");
    await lease.release();
  });

  test("a lease that a caller waits for, from the start or later, asks a late store only once", async (t) => {
    const { client, exchange } = await enter(t, engine, addressOf(engine), { timeout_ms: LATE_MS });
    t.after(() => engine.thaw());
    for (const since of ["start", "doubt"]) {
      engine.freeze();
      const hurry = new AbortController();
      const first = await Promise.race([
        exchange.lease("calm").then(() => "calm"),
        exchange.lease("hurried", hurry.signal).then((lease) => ["hurried", lease]),
        (since === "start" ? Promise.resolve() : untilDoubtful(client)).then(() => {
          hurry.abort();
          return new Promise(() => undefined);
        }),
      ]);
      assert.deepEqual(first, ["hurried", "unreachable"]);
      engine.thaw();
      await untilBack(client);
    }
  });

  test("an outage is detected once, and then delays no lease", async (t) => {
    const { exchange } = await enter(t, engine, addressOf(engine), { timeout_ms: LATE_MS });
    t.after(() => engine.thaw());
    engine.freeze();
    assert.equal(await exchange.lease("gone"), "unreachable");
    const begun_ms = performance.now();
    for (let i = 0; i < 20; i++) assert.equal(await exchange.lease(`gone${i}`), "unreachable");
    assert.ok(performance.now() - begun_ms < within(200), "twenty leases");
  });

  test("a store that has lost everything is filled again, by later versions", async (t) => {
    const { exchange } = await enter(t, engine, addressOf(engine));
    const publish = async (hash: string): Promise<number> => {
      const lease = await exchange.lease("s");
      assert.ok(typeof lease === "object");
      if (hash === "lost") await flush(engine, "{feed:s}:packs", "{feed:s}:now");
      return (await lease.publish("{}", new Map([["lost", new Uint8Array(3)]])))!;
    };
    const first = await publish("");
    const second = await publish("lost");
    assert.ok(second > first);
    const read = await exchange.read("s", { after: first, stored: NONE });
    assert.ok(read && read !== "unreachable");
    assert.equal(read.packs.get("lost")?.length, 3);
  });
}

/** Until the store has not answered in time. */
async function untilDoubtful(client: ValkeyClient): Promise<void> {
  while (!client.isDoubtful()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Until a probe has found the store back. */
async function untilBack(client: ValkeyClient): Promise<void> {
  while (client.isAway()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function flush(engine: Engine, ...keys: string[]): Promise<void> {
  const client = await join(engine);
  await (keys.length > 0 ? client.ask("del", keys) : client.ask("flushall", []));
  client.close();
}

async function enter(
  t: TestContext,
  engine: Engine,
  address: SharedAddress,
  options?: Partial<ValkeyOptions>,
): Promise<Replica & { client: ValkeyClient }> {
  const client = await joinFor(t, engine, address, options);
  const bulk = await joinFor(t, engine, address);
  const subscriber = createSubscriber(await driverOfStore(), address, {
    channels: ["feeds"],
    onFault: (error) => noFault("subscriber", error),
  });
  const exchange = createExchange({
    client,
    bulk,
    subscriber,
    prefix: "",
    channel: "feeds",
    onFault: (error) => noFault("exchange", error),
    lease_ms: LEASE_MS,
  });
  const end = (): void => {
    for (const each of [exchange, client, bulk, subscriber]) each.close();
  };
  t.after(end);
  await subscriber.settled(HANG_MS);
  return { client, exchange, kill: end };
}

async function open(
  t: TestContext,
  engine: Engine,
  address: SharedAddress = addressOf(engine),
): Promise<Opened> {
  await flush(engine);
  const clients: ValkeyClient[] = [];
  return {
    async join() {
      const replica = await enter(t, engine, address);
      clients.push(replica.client);
      return replica;
    },
    outlive: () => new Promise((resolve) => setTimeout(resolve, LEASE_MS * 1.5)),
    async away() {
      engine.freeze();
      return async () => {
        engine.thaw();
        await Promise.all(clients.map(untilBack));
        // Notices take a connection of their own.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      };
    },
    wipe: () => flush(engine),
  };
}
