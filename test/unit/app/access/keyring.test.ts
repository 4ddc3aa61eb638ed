/** From memory while it is good, from the store when it is not; to the millisecond where it matters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyring, type Keyring, type KeyVerdict } from "#app/access/keyring.ts";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { newAccount, newKey, successorOf } from "#core/keys/issue.ts";
import { composeKey, hashKey, KEY_PREFIXES, type KeyPrefix } from "#core/keys/key.ts";
import type { Accounts, KeyRecord, Standing } from "#ports.ts";
import { createMemoryAccounts } from "../../../support/memory.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12);
/** Decisions: a revocation reaches every replica within this time; the goal is 250 ms. */
const NOTICED_MS = 250;
const SURVIVAL_MS = 60_000;

let drawn = 0;
const draw = (size: number): Uint8Array => {
  drawn += 1;
  // Another one each time, by its first four bytes.
  const mixed = Math.imul(drawn, 0x9e3779b1) >>> 0;
  return Uint8Array.from({ length: size }, (_, i) => ((mixed >>> (8 * (i % 4))) + i * 7) & 255);
};

/** A keyring over a store that can be cut off, and that counts what it is asked. */
function createBench() {
  const accounts = createMemoryAccounts();
  const time = { now_ms: NOW_MS };
  const store = { reached: true, found: 0, versions: 0, touched: [] as string[][] };
  const faults: unknown[] = [];
  const reach = <T>(count: () => void, answer: () => T): T => {
    count();
    if (!store.reached) throw new Error("unable to open database file");
    return answer();
  };
  const keyring = createKeyring({
    grace_ms: 60_000,
    accounts: {
      findKeyByHash: (hash) =>
        reach(
          () => (store.found += 1),
          () => accounts.findKeyByHash(hash),
        ),
      version: () => reach(() => (store.versions += 1), accounts.version),
      changesSince: accounts.changesSince,
      touchKeys: (used) =>
        reach(
          () => store.touched.push(used.map(({ id }) => id)),
          () => accounts.touchKeys(used),
        ),
    },
    clock: { now: () => time.now_ms },
    prefix: KEY_PREFIXES.live,
    planOf: (name) => SHIPPED_PLANS.find((plan) => plan.name === name) ?? SHIPPED_PLANS[0]!,
    hash: hashKey,
    onFault: (error) => faults.push(error),
  });
  return { accounts, time, store, faults, keyring, ask: (key: string) => judge(keyring, key) };
}

/** As the gate asks: the memory first, then the store. */
function judge(keyring: Keyring, key: string): string {
  const recalled = keyring.recall(key);
  const verdict = recalled instanceof Uint8Array ? keyring.lookUp(recalled) : recalled;
  assert.ok(!(verdict instanceof Promise), "a store at hand is not waited for");
  return toWords(verdict);
}

function toWords(verdict: KeyVerdict): string {
  return verdict.ok ? `good ${verdict.caller.plan.name}` : verdict.code;
}

type Wish = { expires_at_ms?: number | null; plan?: string; prefix?: KeyPrefix };

function addKey(
  accounts: Accounts,
  { expires_at_ms = null, plan = "developer", prefix = KEY_PREFIXES.live }: Wish = {},
) {
  const issue = { now_ms: NOW_MS, draw, prefix };
  const account = newAccount({ name: "test", plan }, issue);
  accounts.createAccount(account);
  const terms = { account_id: account.id, name: null, scopes: ["data:read"] as const };
  const made = newKey({ ...terms, expires_at_ms }, issue);
  accounts.createKey(made.record);
  return { key: made.key, id: made.record.id, record: made.record as KeyRecord, account };
}

test("a key is looked up once, and then known without the store", () => {
  const { accounts, store, ask, keyring } = createBench();
  const { key, id, account } = addKey(accounts);
  assert.ok(keyring.recall(key) instanceof Uint8Array, "nothing is known at first");
  for (let i = 0; i < 100; i++) assert.equal(ask(key), "good developer");
  assert.equal(store.found, 1);
  assert.equal(store.versions, 1);
  const recalled = keyring.recall(key) as Extract<KeyVerdict, { ok: true }>;
  const { kind, key_id, account_id, scopes, standing } = recalled.caller;
  assert.deepEqual(
    { kind, key_id, account_id, scopes, standing },
    {
      kind: "keyed",
      key_id: id,
      account_id: account.id,
      scopes: ["data:read"],
      standing: "active",
    },
  );
});

test("a key without a valid form or checksum, or of the other mode, never reaches the store", () => {
  const { accounts, store, ask } = createBench();
  const { key } = addKey(accounts);
  const other = addKey(accounts, { prefix: KEY_PREFIXES.sandbox });
  const swapped = key.slice(0, 20) + key[21] + key[20] + key.slice(22);
  const bad = ["", "x", key.slice(1), `${key}x`, key.toUpperCase(), swapped, other.key];
  for (const text of bad) assert.equal(ask(text), "invalid_api_key", text);
  assert.deepEqual([store.found, store.versions], [0, 0]);
});

test("a key of the other mode is refused as such, and is no good key for that", () => {
  const { accounts, keyring } = createBench();
  const other = addKey(accounts, { prefix: KEY_PREFIXES.sandbox });
  const refused = { ok: false, code: "invalid_api_key" };
  assert.deepEqual(keyring.recall(other.key), { ...refused, is_of_other_mode: true });
  assert.deepEqual(keyring.recall("svc_test_x"), refused);
});

test("a key that does not exist is looked up once, and again after a write", () => {
  const { accounts, store, ask, time } = createBench();
  const stranger = newKey(
    { account_id: "", name: null, scopes: [], expires_at_ms: null },
    { now_ms: NOW_MS, draw, prefix: KEY_PREFIXES.live },
  );
  for (let i = 0; i < 10; i++) assert.equal(ask(stranger.key), "invalid_api_key");
  assert.equal(store.found, 1);
  const { account } = addKey(accounts);
  accounts.createKey({ ...stranger.record, account_id: account.id });
  time.now_ms += NOTICED_MS;
  assert.equal(ask(stranger.key), "good developer");
});

test("every write to the store is noticed within the bound decided", () => {
  const { accounts, ask, time } = createBench();
  const { key, id, account } = addKey(accounts);
  const changes: [string, () => unknown][] = [
    ["good business", () => accounts.setAccount(account.id, { plan: "business" })],
    // A plan that is configured no more is the smallest.
    ["good free", () => accounts.setAccount(account.id, { plan: "gone" })],
    ["invalid_api_key", () => accounts.revokeKey(id, time.now_ms)],
  ];
  ask(key);
  for (const [expected, change] of changes) {
    change();
    time.now_ms += NOTICED_MS;
    assert.equal(ask(key), expected);
  }
  time.now_ms += 365 * 86_400_000;
  assert.equal(ask(key), "invalid_api_key", "a revoked key stays revoked");
});

test("the standing of an account is noticed as its plan is", () => {
  const { accounts, keyring, ask, time } = createBench();
  const { key, account } = addKey(accounts);
  ask(key);
  for (const standing of ["past_due", "suspended", "active"] satisfies Standing[]) {
    accounts.setAccount(account.id, { standing });
    time.now_ms += NOTICED_MS;
    ask(key);
    const recalled = keyring.recall(key) as Extract<KeyVerdict, { ok: true }>;
    assert.equal(recalled.caller.standing, standing);
  }
});

test("a clock that was set back is no reason to notice nothing", () => {
  const { accounts, ask, time } = createBench();
  const { key, id } = addKey(accounts);
  ask(key);
  time.now_ms -= 3_600_000;
  accounts.revokeKey(id, time.now_ms);
  assert.equal(ask(key), "invalid_api_key");
});

test("with the store out of reach, known keys live for the grace, and then their state is unknown", () => {
  const { accounts, store, faults, ask, time } = createBench();
  const { key } = addKey(accounts);
  const other = addKey(accounts);
  ask(key);
  store.reached = false;
  time.now_ms += NOTICED_MS;
  const lost_ms = time.now_ms;
  assert.equal(ask(key), "good developer");
  assert.equal(ask(other.key), "store_unavailable", "unknown is not bad");
  assert.ok(faults.length >= 1, "the fault is reported");
  for (; time.now_ms < lost_ms + SURVIVAL_MS; time.now_ms += 500)
    assert.equal(ask(key), "good developer", `${time.now_ms - lost_ms} ms`);
  time.now_ms = lost_ms + SURVIVAL_MS - 1;
  assert.equal(ask(key), "good developer");
  time.now_ms = lost_ms + SURVIVAL_MS + NOTICED_MS;
  assert.equal(ask(key), "store_unavailable");
  store.reached = true;
  assert.equal(ask(key), "good developer", "it comes back without a wait");
  assert.equal(ask(other.key), "good developer");
});

test("an outage that ends in time leaves the next one a full grace period", () => {
  const { accounts, store, ask, time } = createBench();
  const { key } = addKey(accounts);
  ask(key);
  for (let i = 0; i < 3; i++) {
    store.reached = false;
    time.now_ms += NOTICED_MS;
    assert.equal(ask(key), "good developer");
    time.now_ms += SURVIVAL_MS - NOTICED_MS;
    assert.equal(ask(key), "good developer");
    store.reached = true;
    time.now_ms += NOTICED_MS;
    assert.equal(ask(key), "good developer");
  }
});

test("a key that expires, or was revoked before the loss, is refused during it; a revocation comes to light after it", () => {
  const { accounts, store, ask, time } = createBench();
  const ending = addKey(accounts, { expires_at_ms: NOW_MS + 10_000 });
  const revoked = addKey(accounts);
  const late = addKey(accounts);
  accounts.revokeKey(revoked.id, NOW_MS);
  for (const { key } of [ending, revoked, late]) ask(key);
  store.reached = false;
  accounts.revokeKey(late.id, NOW_MS);
  time.now_ms += 10_000;
  assert.equal(ask(ending.key), "expired_api_key");
  assert.equal(ask(revoked.key), "invalid_api_key");
  assert.equal(ask(late.key), "good developer");
  store.reached = true;
  time.now_ms += NOTICED_MS;
  assert.equal(ask(late.key), "invalid_api_key");
});

test("a key ends at the millisecond that it names, in memory as in the store", () => {
  const { accounts, ask, time } = createBench();
  const ends_ms = NOW_MS + 90;
  const entry = addKey(accounts, { expires_at_ms: ends_ms });
  const fresh = addKey(accounts, { expires_at_ms: ends_ms });
  ask(entry.key);
  time.now_ms = ends_ms - 1;
  assert.equal(ask(entry.key), "good developer");
  time.now_ms = ends_ms;
  assert.equal(ask(entry.key), "expired_api_key");
  assert.equal(ask(fresh.key), "expired_api_key");
});

test("after a rotation both keys work, the old one to the end of the overlap and no longer", () => {
  const { accounts, ask, time } = createBench();
  const { key, id, record } = addKey(accounts);
  ask(key);
  const next = successorOf(record, { now_ms: NOW_MS, draw, prefix: KEY_PREFIXES.live });
  const over_ms = NOW_MS + 86_400_000;
  assert.equal(accounts.rotateKey(id, next.record as KeyRecord, over_ms), true);
  assert.equal(ask(next.key), "good developer", "the successor works at once");
  time.now_ms = over_ms - 1;
  assert.deepEqual([ask(key), ask(next.key)], ["good developer", "good developer"]);
  time.now_ms = over_ms;
  assert.deepEqual([ask(key), ask(next.key)], ["expired_api_key", "good developer"]);
});

test("the last use is written when it is asked for, once a key, of good keys alone", () => {
  const { accounts, store, keyring, ask, time } = createBench();
  const good = addKey(accounts);
  const revoked = addKey(accounts);
  accounts.revokeKey(revoked.id, NOW_MS);
  for (let i = 0; i < 5; i++) {
    time.now_ms += 10;
    ask(good.key);
    ask(revoked.key);
  }
  keyring.flush();
  keyring.flush();
  assert.deepEqual(store.touched, [[good.id]]);
  assert.equal(accounts.findKey(good.id)?.last_used_at_ms, NOW_MS + 50);
  // Writing it is no reason to forget anybody.
  const before = store.found;
  time.now_ms += NOTICED_MS;
  ask(good.key);
  assert.equal(store.found, before);
});

test("the last uses of many keys are written before they are asked for, a thousand at once", () => {
  const { accounts, store, keyring, ask } = createBench();
  const keys = Array.from({ length: 2_500 }, () => addKey(accounts));
  for (const { key } of keys) assert.equal(ask(key), "good developer");
  keyring.flush();
  assert.deepEqual(
    store.touched.map(({ length }) => length),
    [1000, 1000, 500],
  );
  assert.deepEqual(
    store.touched.flat(),
    keys.map(({ id }) => id),
  );
});

test("a last use that cannot be written delays no request", () => {
  const { accounts, store, faults, keyring, ask } = createBench();
  const { key } = addKey(accounts);
  ask(key);
  store.reached = false;
  keyring.flush();
  assert.equal(faults.length, 1);
  assert.equal(ask(key), "good developer");
});

test("floods of made-up keys evict no known key", () => {
  const { accounts, store, ask } = createBench();
  const { key } = addKey(accounts);
  ask(key);
  for (let i = 0; i < 15_000; i++) {
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => (i >> (8 * (at % 3))) & 255);
    assert.equal(ask(composeKey(KEY_PREFIXES.live, bytes)), "invalid_api_key");
  }
  store.found = 0;
  assert.equal(ask(key), "good developer");
  assert.equal(store.found, 0);
});
