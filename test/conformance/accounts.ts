/** What every Accounts implementation holds (src/ports.ts). */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Account, Accounts, KeyRecord, MaybePromise } from "#ports.ts";

/** `reopen`: the same store after a restart. `openOther`: another connection to the same store. */
export type OpenedAccounts = {
  accounts: Accounts;
  reopen?: () => MaybePromise<Accounts>;
  openOther?: () => MaybePromise<Accounts>;
};

const ADA: Account = {
  id: "acc_ada",
  name: "Ada 🚲 & Söhne",
  plan: "developer",
  standing: "active",
  created_at_ms: 1_795_262_400_123,
};
const BOB: Account = { ...ADA, id: "acc_bob", name: "Bob", plan: "business" };

function aKey(id: string, change: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id,
    account_id: ADA.id,
    name: null,
    scopes: ["data:read", "geography:read"],
    hash: hashOf(id),
    hint: `svc_live_${id.slice(-4)}`,
    created_at_ms: 1_795_262_400_456,
    expires_at_ms: null,
    revoked_at_ms: null,
    rotated_from: null,
    last_used_at_ms: null,
    ...change,
  };
}

/** 32 bytes of its own for every id. */
function hashOf(id: string): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => (id.charCodeAt(i % id.length) * (i + 1)) & 255);
}

type Options = {
  open: (t: TestContext) => MaybePromise<OpenedAccounts>;
  durable: boolean;
  notice_ms?: number;
};

export function accountsSuite(name: string, options: Options): void {
  accountTests(name, options);
  keyTests(name, options);
  rotationTests(name, options);
  versionTests(name, options);
  if (options.durable) durableTests(name, options);
}

function accountTests(name: string, { open }: Options): void {
  test(`${name}: no accounts and no keys at first`, async (t) => {
    const { accounts } = await open(t);
    assert.deepEqual(await accounts.listAccounts(), []);
    assert.deepEqual(await accounts.listKeys(), []);
    assert.equal(await accounts.findAccount("acc_ada"), null);
    assert.equal(await accounts.findKey("key_1"), null);
    assert.equal(await accounts.findKeyByHash(hashOf("key_1")), null);
  });

  test(`${name}: accounts are returned as stored, oldest first`, async (t) => {
    const { accounts } = await open(t);
    const older = { ...BOB, created_at_ms: 5 };
    await accounts.createAccount(ADA);
    await accounts.createAccount(older);
    await accounts.createAccount({ ...ADA, id: "acc_aaa" });
    assert.deepEqual(await accounts.listAccounts(), [older, { ...ADA, id: "acc_aaa" }, ADA]);
    assert.deepEqual(await accounts.findAccount("acc_ada"), ADA);
  });

  test(`${name}: an account id is unique`, async (t) => {
    const { accounts } = await open(t);
    await accounts.createAccount(ADA);
    await assert.rejects(async () => accounts.createAccount({ ...BOB, id: ADA.id }));
    assert.deepEqual(await accounts.listAccounts(), [ADA]);
  });

  test(`${name}: plan and standing change, together or alone, of one account`, async (t) => {
    const { accounts } = await open(t);
    await accounts.createAccount(ADA);
    await accounts.createAccount(BOB);
    const suspended = { ...ADA, standing: "suspended" as const };
    assert.deepEqual(await accounts.setAccount(ADA.id, { standing: "suspended" }), suspended);
    assert.deepEqual(await accounts.setAccount(ADA.id, { plan: "unlimited" }), {
      ...suspended,
      plan: "unlimited",
    });
    const both = { plan: "free", standing: "past_due" } as const;
    assert.deepEqual(await accounts.setAccount(ADA.id, both), { ...ADA, ...both });
    assert.deepEqual(await accounts.setAccount(ADA.id, {}), { ...ADA, ...both });
    assert.deepEqual(await accounts.findAccount(ADA.id), { ...ADA, ...both });
    assert.deepEqual(await accounts.findAccount(BOB.id), BOB);
    assert.equal(await accounts.setAccount("acc_unknown", both), null);
  });
}

function keyTests(name: string, { open }: Options): void {
  test(`${name}: keys are returned as stored, oldest first, and found by their hash`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createAccount(BOB);
    const full = aKey("key_2", {
      account_id: BOB.id,
      name: "the app’s",
      scopes: ["journey:read"],
      created_at_ms: 5,
      expires_at_ms: 1_900_000_000_001,
      revoked_at_ms: 7,
      last_used_at_ms: 6,
    });
    const bare = aKey("key_1", { scopes: [] });
    await accounts.createKey(bare);
    await accounts.createKey(full);
    assert.deepEqual(await accounts.listKeys(), [full, bare]);
    assert.deepEqual(await accounts.findKey("key_1"), bare);
    assert.deepEqual(await accounts.findKeyByHash(full.hash), { key: full, account: BOB });
    assert.equal(await accounts.findKeyByHash(hashOf("key_3")), null);
    assert.equal(await accounts.findKeyByHash(full.hash.slice(0, 31)), null);
    assert.equal(await accounts.findKeyByHash(new Uint8Array(0)), null);
  });

  test(`${name}: a key leads to the account as it is now`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createKey(aKey("key_1"));
    await accounts.setAccount(ADA.id, { standing: "past_due" });
    const key_by_hash = await accounts.findKeyByHash(hashOf("key_1"));
    assert.deepEqual(key_by_hash?.account, { ...ADA, standing: "past_due" });
  });

  test(`${name}: no key without an account, and no id or hash twice`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createKey(aKey("key_1"));
    await assert.rejects(async () =>
      accounts.createKey(aKey("key_2", { account_id: "acc_unknown" })),
    );
    await assert.rejects(async () => accounts.createKey(aKey("key_1", { hash: hashOf("key_2") })));
    await assert.rejects(async () => accounts.createKey(aKey("key_2", { hash: hashOf("key_1") })));
    assert.deepEqual(await accounts.listKeys(), [aKey("key_1")]);
  });

  test(`${name}: keeps values, not the caller's bytes`, async (t) => {
    const { accounts } = await withAda(open, t);
    const key = aKey("key_1");
    await accounts.createKey(key);
    key.hash.fill(0);
    (await accounts.findKey("key_1"))!.hash.fill(0);
    assert.deepEqual(await accounts.findKey("key_1"), aKey("key_1"));
  });

  test(`${name}: revocation is final, and keeps its first time`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createKey(aKey("key_1"));
    await accounts.createKey(aKey("key_2"));
    assert.equal(await accounts.revokeKey("key_1", 1_000), true);
    assert.equal(await accounts.revokeKey("key_1", 2_000), true);
    assert.equal(await accounts.revokeKey("key_unknown", 1_000), false);
    assert.equal((await accounts.findKey("key_1"))?.revoked_at_ms, 1_000);
    assert.equal((await accounts.findKeyByHash(hashOf("key_1")))?.key.revoked_at_ms, 1_000);
    assert.deepEqual(await accounts.findKey("key_2"), aKey("key_2"));
  });

  test(`${name}: the last use never goes back`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createKey(aKey("key_1"));
    await accounts.touchKeys([{ id: "key_1", at_ms: 5_000 }]);
    await accounts.touchKeys([{ id: "key_1", at_ms: 3_000 }]);
    await accounts.touchKeys([{ id: "key_unknown", at_ms: 9_000 }]);
    assert.deepEqual(await accounts.listKeys(), [aKey("key_1", { last_used_at_ms: 5_000 })]);
  });
}

function rotationTests(name: string, { open }: Options): void {
  const successor = aKey("key_2", { rotated_from: "key_1" });

  test(`${name}: a rotation makes the successor and ends the key`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createKey(aKey("key_1"));
    assert.equal(await accounts.rotateKey("key_1", successor, 9_000), true);
    assert.deepEqual(await accounts.findKey("key_1"), aKey("key_1", { expires_at_ms: 9_000 }));
    assert.deepEqual(await accounts.findKeyByHash(hashOf("key_2")), {
      key: successor,
      account: ADA,
    });
  });

  test(`${name}: no rotation lets a key live longer than it would have`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createKey(aKey("key_1", { expires_at_ms: 5_000 }));
    await accounts.rotateKey("key_1", successor, 9_000);
    assert.equal((await accounts.findKey("key_1"))?.expires_at_ms, 5_000);
    await accounts.rotateKey("key_1", aKey("key_3", { rotated_from: "key_1" }), 2_000);
    assert.equal((await accounts.findKey("key_1"))?.expires_at_ms, 2_000);
  });

  test(`${name}: neither a revoked nor an unknown key can be rotated`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createKey(aKey("key_1"));
    await accounts.revokeKey("key_1", 1_000);
    const before = await accounts.listKeys();
    assert.equal(await accounts.rotateKey("key_1", successor, 9_000), false);
    assert.equal(await accounts.rotateKey("key_unknown", aKey("key_2"), 9_000), false);
    assert.deepEqual(await accounts.listKeys(), before);
  });

  test(`${name}: a rotation that fails leaves the key as it was`, async (t) => {
    const { accounts } = await withAda(open, t);
    await accounts.createKey(aKey("key_1"));
    const twin = aKey("key_2", { rotated_from: "key_1", hash: hashOf("key_1") });
    await assert.rejects(async () => accounts.rotateKey("key_1", twin, 9_000));
    assert.deepEqual(await accounts.listKeys(), [aKey("key_1")]);
    assert.equal(await accounts.rotateKey("key_1", successor, 9_000), true);
  });
}

function versionTests(name: string, { open }: Options): void {
  test(`${name}: the version changes with every write, and with nothing else`, async (t) => {
    const { accounts } = await open(t);
    const seen = new Set([accounts.version()]);
    const writes: (() => unknown)[] = [
      () => accounts.createAccount(ADA),
      () => accounts.setAccount(ADA.id, { plan: "business" }),
      () => accounts.setAccount(ADA.id, { standing: "suspended" }),
      () => accounts.createKey(aKey("key_1")),
      () => accounts.rotateKey("key_1", aKey("key_2", { rotated_from: "key_1" }), 9_000),
      () => accounts.revokeKey("key_1", 1_000),
    ];
    for (const [index, write] of writes.entries()) {
      await write();
      seen.add(accounts.version());
      assert.equal(seen.size, index + 2, String(write));
    }
    const last = accounts.version();
    await accounts.touchKeys([{ id: "key_2", at_ms: 5_000 }]);
    await accounts.listKeys();
    await accounts.findKeyByHash(hashOf("key_2"));
    await accounts.revokeKey("key_1", 2_000);
    await accounts.setAccount(ADA.id, {});
    await assert.rejects(async () => accounts.createKey(aKey("key_2")));
    assert.equal(accounts.version(), last);
  });
}

function durableTests(name: string, { open, notice_ms = 0 }: Options): void {
  /** At once where the store is at hand, else within the time that a notice takes. */
  const noticed = async (holds: () => boolean): Promise<void> => {
    const until_ms = performance.now() + notice_ms;
    while (!holds() && performance.now() < until_ms) await setImmediate();
    assert.ok(holds(), String(holds));
  };

  test(`${name}: accounts, keys and version outlive the process`, async (t) => {
    const { accounts, reopen } = await withAda(open, t);
    await accounts.createKey(aKey("key_1"));
    await accounts.rotateKey("key_1", aKey("key_2", { rotated_from: "key_1" }), 9_000);
    await accounts.revokeKey("key_2", 1_000);
    const before = await accounts.listKeys();
    const version = accounts.version();
    const again = await reopen!();
    assert.deepEqual(await again.listAccounts(), [ADA]);
    assert.deepEqual(await again.listKeys(), before);
    assert.equal(again.version(), version);
  });

  test(`${name}: a write of another connection is visible at once and changes the version`, async (t) => {
    const { accounts, openOther } = await open(t);
    const other = await openOther!();
    const versions = [accounts.version()];
    const writes: (() => unknown)[] = [
      () => other.createAccount(ADA),
      () => other.createKey(aKey("key_1")),
      () => other.setAccount(ADA.id, { standing: "past_due" }),
      () => other.revokeKey("key_1", 1_000),
    ];
    for (const write of writes) {
      await write();
      await noticed(() => accounts.version() !== versions.at(-1));
      versions.push(accounts.version());
    }
    assert.equal(new Set(versions).size, writes.length + 1);
    const key_by_hash = await accounts.findKeyByHash(hashOf("key_1"));
    assert.equal(key_by_hash?.key.revoked_at_ms, 1_000);
    assert.equal(key_by_hash.account.standing, "past_due");
  });

  test(`${name}: two writers that take turns lose nothing and count every write`, async (t) => {
    const { accounts, openOther } = await withAda(open, t);
    const other = await openOther!();
    const before = accounts.version();
    for (let i = 0; i < 20; i++) await (i % 2 ? accounts : other).createKey(aKey(`key_${100 + i}`));
    assert.equal((await accounts.listKeys()).length, 20);
    await noticed(() => other.version() === accounts.version());
    assert.ok(accounts.version() >= before + 20);
  });
}

async function withAda(open: Options["open"], t: TestContext): Promise<OpenedAccounts> {
  const opened = await open(t);
  await opened.accounts.createAccount(ADA);
  return opened;
}
