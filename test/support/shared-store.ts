/** The base of tests of the shared store: a private server, and clients of it that end with the test. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { readSharedAddress, type SharedAddress } from "#storage/valkey/valkey-address.ts";
import {
  type ValkeyClient,
  type ValkeyOptions,
  createValkeyClient,
} from "#storage/valkey/valkey-client.ts";
import { type Driver, loadDriver } from "#storage/valkey/driver.ts";
import { type Engine, startValkey } from "./engines.ts";
import { HANG_MS } from "./size.ts";
import { noFault } from "./faults.ts";

export async function startStore(options?: { cluster?: boolean }): Promise<Engine> {
  const engine = await startValkey(options);
  assert.ok(engine);
  if (!options?.cluster) return engine;
  // A client of ours is away until the store takes writes, which needs these slots.
  const { Redis } = await driverOfStore();
  const admin = new Redis(engine.url);
  // It has met no other node that would have given it its address.
  await admin.call("config", "set", "cluster-announce-ip", "127.0.0.1");
  await admin.call("cluster", "addslotsrange", 0, 16_383);
  for (let state = ""; !state.includes("cluster_state:ok");)
    state = String(await admin.call("cluster", "info"));
  admin.disconnect();
  return engine;
}

export function addressOf({ url }: Pick<Engine, "url">): SharedAddress {
  const address = readSharedAddress(url);
  assert.ok(address);
  return address;
}

export async function driverOfStore(): Promise<Driver> {
  const driver = await loadDriver();
  assert.ok(!("problem" in driver));
  return driver;
}

/**
 * A client that answers already. What counts calls must not depend on how busy the machine is, so
 * its default timeout is longer than in service.
 */
export async function join(
  engine: Pick<Engine, "url">,
  address: SharedAddress = addressOf(engine),
  { onEvent = () => undefined, timeout_ms = 2_000 }: Partial<ValkeyOptions> = {},
): Promise<ValkeyClient> {
  const client = createValkeyClient(await driverOfStore(), address, {
    onEvent,
    onFault: (error) => noFault("store", error),
    timeout_ms,
  });
  await client.settled(HANG_MS);
  if (!client.isAway()) return client;
  client.close();
  assert.fail("the store does not answer");
}

/** The same, and it ends with the test. */
export async function joinFor(
  t: TestContext,
  ...args: Parameters<typeof join>
): Promise<ValkeyClient> {
  const client = await join(...args);
  t.after(() => client.close());
  return client;
}
