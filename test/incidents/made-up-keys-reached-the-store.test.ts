/**
 * Keys with a right checksum, made up, were looked up in the store one by one: 25,809 requests from
 * one address, nearly all of them answered 429, were 21,848 transactions. The throttle for bad keys
 * was asked after the look-up.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyring } from "#app/access/keyring.ts";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { composeKey, hashKey, KEY_PREFIXES } from "#core/keys/key.ts";
import { BadKeyThrottle } from "#http/bad-keys.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import { ask, stubGate } from "../support/gate.ts";
import { createMemoryAccounts } from "../support/memory.ts";
import { sized } from "../support/size.ts";

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const prefix = KEY_PREFIXES.live;

/** A gate before a store that counts look-ups; `elsewhere`: each takes a turn of the event loop. */
function openBench(elsewhere: boolean) {
  const accounts = createMemoryAccounts();
  const time = { now_ms: NOW_MS };
  const store = { looked_up: 0 };
  let drawn = 0;
  const draw = (size: number): Uint8Array => {
    const bytes = Buffer.alloc(size);
    bytes.writeUInt32BE((drawn += 1), size - 4);
    return bytes;
  };
  const account = newAccount({ name: "good", plan: "business" }, { now_ms: NOW_MS, draw });
  accounts.createAccount(account);
  const issue = (): string => {
    const terms = { account_id: account.id, name: null, expires_at_ms: null };
    const { key, record } = newKey(
      { ...terms, scopes: ["data:read"] },
      { now_ms: time.now_ms, draw, prefix },
    );
    accounts.createKey(record);
    return key;
  };
  const clock = { now: () => time.now_ms };
  const keyring = createKeyring({
    accounts: {
      ...accounts,
      findKeyByHash: (hash) => {
        store.looked_up += 1;
        const key_by_hash = accounts.findKeyByHash(hash);
        return elsewhere
          ? new Promise((resolve) => setImmediate(() => resolve(key_by_hash)))
          : key_by_hash;
      },
    },
    clock,
    prefix,
    hash: hashKey,
    onFault: assert.ifError,
    planOf: (name) => SHIPPED_PLANS.find((plan) => plan.name === name)!,
  });
  const badKeys = new BadKeyThrottle(createMemoryLimiter({ max_buckets: 1_000 }));
  const { deps } = stubGate({ keyring, badKeys, clock });
  const present = async (key: string): Promise<number> => {
    const query = ask(deps, "getMe", { authorization: `Bearer ${key}` });
    await query.done;
    return query.reply()!.status;
  };
  const makeUp = (): string => composeKey(prefix, draw(32));
  return { time, store, issue, present, makeUp, accounts, account };
}

for (const elsewhere of [false, true]) {
  const where = elsewhere ? "elsewhere" : "in this process";
  test(`of 5,000 made-up keys of one address few reach a store ${where}`, async () => {
    const { store, present, makeUp, issue } = openBench(elsewhere);
    const good = issue();
    assert.equal(await present(good), 200);
    store.looked_up = 0;
    const statuses = await Promise.all(Array.from({ length: 5_000 }, () => present(makeUp())));
    assert.equal(statuses.filter((status) => status === 401).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 4_980);
    assert.ok(store.looked_up <= 220, `${store.looked_up} look-ups`);
    store.looked_up = 0;
    for (let i = 0; i < 5_000; i++) await present(makeUp());
    assert.ok(store.looked_up <= 10, `${store.looked_up} look-ups once it is throttled`);
    assert.equal(await present(good), 200, "a key that is known here");
  });
}

/** Whether it is an hour or a part of it: what is asked of the store does not grow. */
const MINUTES = sized(12, 60);

test("for as long as 10 made-up keys a second come, the store is asked 75 times a minute at most", async () => {
  const { time, store, present, makeUp } = openBench(false);
  for (let i = 0; i < MINUTES * 600; i++) {
    time.now_ms += 100;
    await present(makeUp());
  }
  assert.ok(store.looked_up <= MINUTES * 75, `${store.looked_up} look-ups`);
});

test("a new good key of a throttled address gets in, and one known before is not throttled", async () => {
  const { time, store, present, makeUp, issue, accounts, account } = openBench(false);
  const entry = issue();
  assert.equal(await present(entry), 200);
  for (let i = 0; i < 100; i++) await present(makeUp());
  assert.equal(await present(makeUp()), 429);
  // Written to, so that it must be looked up in the store again.
  accounts.setAccount(account.id, { standing: "past_due" });
  time.now_ms += 300;
  store.looked_up = 0;
  assert.equal(await present(entry), 200);

  const fresh = issue();
  let waited_s = 0;
  while ((await present(fresh)) !== 200) {
    time.now_ms += 1_000;
    waited_s += 1;
    await present(makeUp());
    assert.ok(waited_s < 60, "the good key did not get in within a minute");
  }
  for (let i = 0; i < 200; i++) assert.equal(await present(fresh), 200);
});
