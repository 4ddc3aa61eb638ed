/** The sandbox's own keys: made once, the same for a seed, and whatever the store does at first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { provideSandboxKeys } from "#storage/sandbox-keys.ts";
import type { Accounts } from "#ports.ts";
import { hashKey } from "#core/keys/key.ts";
import { unavailable } from "#storage/unavailable.ts";
import { noFault } from "../../support/faults.ts";
import { createMemoryAccounts } from "../../support/memory.ts";

const DEPS = { plans: ["free", "city"], seed: 7, now_ms: 1_795_000_000_000, onFault: noFault };

const inStore = (accounts: Accounts) => async (keys: readonly { key: string }[]) =>
  Promise.all(keys.map(async ({ key }) => (await accounts.findKeyByHash(hashKey(key))) !== null));

test("one key a plan, derived from the seed, and made once", async () => {
  const accounts = createMemoryAccounts();
  const { keys } = await provideSandboxKeys(accounts, DEPS);
  assert.deepEqual(
    keys.map(({ plan }) => plan),
    DEPS.plans,
  );
  assert.deepEqual(await inStore(accounts)(keys), [true, true]);
  const version = accounts.version();
  // At the next start, and at a second replica, all of it is there: nothing is written.
  assert.deepEqual((await provideSandboxKeys(accounts, DEPS)).keys, keys);
  assert.equal(accounts.version(), version);
  const others = await provideSandboxKeys(createMemoryAccounts(), { ...DEPS, seed: 8 });
  assert.notEqual(others.keys[0]!.key, keys[0]!.key);
});

/** Accounts whose first questions fail. */
function failing(times: number, error: Error): Accounts {
  let left = times;
  const accounts = createMemoryAccounts();
  return {
    ...accounts,
    findAccount: (id) => {
      if (left-- > 0) throw error;
      return accounts.findAccount(id);
    },
  };
}

test("a store that fails twice is asked a third time, and no fourth", async () => {
  const broken = new Error("no such table");
  const twice = failing(2, broken);
  const { keys } = await provideSandboxKeys(twice, DEPS);
  assert.deepEqual(await inStore(twice)(keys), [true, true]);
  await assert.rejects(provideSandboxKeys(failing(3, broken), DEPS), broken);
});

test("a store that is away gets its keys later: they are known without it", async () => {
  const away = failing(3, unavailable("the key store is silent"));
  const { keys, close } = await provideSandboxKeys(away, DEPS);
  close();
  assert.equal(keys.length, 2);
  assert.deepEqual(await inStore(away)(keys), [false, false]);
});
