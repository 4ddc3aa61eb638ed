/**
 * Every write to any key or account emptied the cache of all keys. When PostgreSQL became
 * unreachable right after a write, callers whose keys had been known for hours were asked to retry
 * later, although known keys stay valid for a minute (decisions, Authentication). In a trial it
 * showed as a limiter that admitted 0.91 to 0.96 of what it should in calm, and was mistaken for a
 * busy machine.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyring } from "#app/access/keyring.ts";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { hashKey, KEY_PREFIXES } from "#core/keys/key.ts";
import { call } from "../support/call.ts";
import { createMemoryAccounts } from "../support/memory.ts";
import { stubServer } from "../support/server.ts";

test("a change to another account and then a lost store do not lock out known callers", async () => {
  const accounts = createMemoryAccounts();
  const time = { now_ms: Date.UTC(2026, 10, 21, 12) };
  const store = { reached: true };
  let drawn = 0;
  const draw = (size: number): Uint8Array => new Uint8Array(size).fill(++drawn);
  const issue = { now_ms: time.now_ms, draw, prefix: KEY_PREFIXES.live };
  const account = newAccount({ name: "known", plan: "developer" }, issue);
  accounts.createAccount(account);
  const terms = { account_id: account.id, name: null, expires_at_ms: null };
  const made = newKey({ ...terms, scopes: ["data:read"] }, issue);
  accounts.createKey(made.record);
  const keyring = createKeyring({
    accounts: {
      ...accounts,
      findKeyByHash: (hash) => {
        if (!store.reached) throw new Error("connect ECONNREFUSED");
        return accounts.findKeyByHash(hash);
      },
    },
    clock: { now: () => time.now_ms },
    prefix: KEY_PREFIXES.live,
    planOf: (name) => SHIPPED_PLANS.find((plan) => plan.name === name)!,
    hash: hashKey,
    onFault: () => undefined,
  });
  const { app } = stubServer({ gate: { keyring } });
  const ask = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${made.key}` };
    return (await call(app, { url: "/v1/nearby?lat=0&lon=0", headers })).statusCode;
  };
  assert.equal(await ask(), 200);
  accounts.createAccount(newAccount({ name: "another", plan: "developer" }, issue));
  time.now_ms += 200;
  store.reached = false;
  assert.equal(await ask(), 200);
  time.now_ms += 3_599_000;
  assert.equal(await ask(), 200);
  time.now_ms += 1_000;
  assert.equal(await ask(), 503, "after an hour the key is no longer known");
});
