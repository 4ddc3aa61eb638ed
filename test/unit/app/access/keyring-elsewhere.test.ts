/** Keys in a store elsewhere, which answers later: asked once, never trusted beyond what it said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createKeyring, type Keyring, type KeyVerdict } from "#app/access/keyring.ts";
import { SHIPPED_PLANS } from "#config/plan-settings.ts";
import { newAccount, newKey } from "#core/keys/issue.ts";
import { hashKey, KEY_PREFIXES } from "#core/keys/key.ts";
import type { AccountChange, AccountsAtHand } from "#ports.ts";
import { createMemoryAccounts } from "../../../support/memory.ts";
import { tries } from "../../../support/size.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12);
/** As often as the keyring looks at the version. */
const NOTICE_MS = 200;

type KeyWithAccount = ReturnType<AccountsAtHand["findKeyByHash"]>;

/** A keyring over a store whose look-ups wait until the test lets them go on. */
function createBench() {
  const accounts = createMemoryAccounts();
  const time = { now_ms: NOW_MS };
  const requested: { answer(): void; fail(): void }[] = [];
  const faults: unknown[] = [];
  const followed = {
    version: (): number => accounts.version(),
    changes: null as readonly AccountChange[] | null,
  };
  const keyring = createKeyring({
    grace_ms: 60_000,
    accounts: {
      findKeyByHash: (hash) => {
        // Read at the time of the call; delivered when the test says so.
        const key_by_hash = accounts.findKeyByHash(hash);
        const { promise, resolve, reject } = Promise.withResolvers<KeyWithAccount>();
        requested.push({
          answer: () => resolve(key_by_hash),
          fail: () => reject(new Error("timeout")),
        });
        return promise;
      },
      version: () => followed.version(),
      changesSince: () => followed.changes,
      touchKeys: () => Promise.reject(new Error("away")),
    },
    clock: { now: () => time.now_ms },
    prefix: KEY_PREFIXES.live,
    planOf: (name) => SHIPPED_PLANS.find((plan) => plan.name === name) ?? SHIPPED_PLANS[0]!,
    hash: hashKey,
    onFault: (error) => faults.push(error),
  });
  let drawn = 0;
  const draw = (size: number): Uint8Array => new Uint8Array(size).fill(++drawn);
  const account = newAccount({ name: "test", plan: "developer" }, { now_ms: NOW_MS, draw });
  accounts.createAccount(account);
  const terms = { account_id: account.id, name: null, scopes: ["data:read"] as const };
  const made = newKey(
    { ...terms, expires_at_ms: null },
    { now_ms: NOW_MS, draw, prefix: "svc_live_" },
  );
  return { accounts, account, ...made, time, requested, faults, followed, keyring };
}

/** One that has asked for the key, and knows it. */
async function createKnown() {
  const bench = createBench();
  bench.accounts.createKey(bench.record);
  const first = ask(bench.keyring, bench.key);
  bench.requested.pop()!.answer();
  assert.equal(await first, "good developer");
  return bench;
}

/** As the gate asks of a key that the memory does not know. */
function ask(keyring: Keyring, key: string): Promise<string> {
  const recalled = keyring.recall(key);
  assert.ok(recalled instanceof Uint8Array, "it is not in memory");
  const verdict = keyring.lookUp(recalled);
  assert.ok(verdict instanceof Promise);
  return verdict.then(toWords);
}

function toWords(verdict: KeyVerdict): string {
  return verdict.ok ? `good ${verdict.caller.plan.name}` : verdict.code;
}

function recallOf({ keyring, key }: { keyring: Keyring; key: string }): string {
  const recalled = keyring.recall(key);
  return recalled instanceof Uint8Array ? "unknown" : toWords(recalled);
}

test("requests with the same unknown key at once are one look-up, and then none", async () => {
  const bench = createBench();
  const { accounts, keyring, key, record, requested } = bench;
  accounts.createKey(record);
  const answers = Array.from({ length: 50 }, () => ask(keyring, key));
  assert.equal(requested.length, 1);
  requested[0]!.answer();
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(["good developer"]));
  assert.equal(recallOf(bench), "good developer");
  assert.equal(requested.length, 1);
});

test("a key that does not exist is looked up once", async () => {
  const bench = createBench();
  const { keyring, key, requested } = bench;
  const answers = [ask(keyring, key), ask(keyring, key)];
  requested[0]!.answer();
  assert.deepEqual(await Promise.all(answers), ["invalid_api_key", "invalid_api_key"]);
  assert.equal(recallOf(bench), "invalid_api_key");
  assert.equal(requested.length, 1);
});

test("a failing store does not reject the key, and is asked again", async () => {
  const bench = createBench();
  const { accounts, keyring, key, record, requested, faults } = bench;
  accounts.createKey(record);
  const answers = [ask(keyring, key), ask(keyring, key)];
  requested[0]!.fail();
  assert.deepEqual(await Promise.all(answers), ["store_unavailable", "store_unavailable"]);
  assert.equal(faults.length, 1);
  const again = ask(keyring, key);
  requested[1]!.answer();
  assert.equal(await again, "good developer");
});

test("an answer from before a revocation that comes after its notice is not kept", async () => {
  const bench = createBench();
  const { accounts, keyring, key, record, time, requested } = bench;
  accounts.createKey(record);
  const early = ask(keyring, key);
  accounts.revokeKey(record.id, NOW_MS);
  time.now_ms += NOTICE_MS;
  // The notice is seen, and callers from now on do not wait for the old answer.
  const late = ask(keyring, key);
  assert.equal(requested.length, 2);
  requested[0]!.answer();
  assert.equal(await early, "good developer", "as it was when it was asked");
  assert.equal(recallOf(bench), "unknown");
  requested[1]!.answer();
  assert.equal(await late, "invalid_api_key");
  assert.equal(recallOf(bench), "invalid_api_key");
});

test("successful look-ups keep no key alive while the version is unknown", async () => {
  const bench = await createKnown();
  const { accounts, account, keyring, record, time, requested, followed } = bench;
  const version = followed.version;
  followed.version = () => {
    throw new Error("silent");
  };
  accounts.revokeKey(record.id, NOW_MS);
  let drawn = 100;
  for (const ends_ms = time.now_ms + 60_000; time.now_ms <= ends_ms; time.now_ms += 1_000) {
    assert.equal(recallOf(bench), "good developer");
    const draw = (size: number): Uint8Array => new Uint8Array(size).fill(++drawn);
    const other = newKey(
      { account_id: account.id, name: null, scopes: [], expires_at_ms: null },
      { now_ms: NOW_MS, draw, prefix: "svc_live_" },
    );
    const answer = ask(keyring, other.key);
    requested.at(-1)!.answer();
    await answer;
  }
  assert.equal(recallOf(bench), "unknown");
  followed.version = version;
});

test("a key due for another look-up lives for the grace when the store does not answer", async () => {
  const bench = await createKnown();
  const { accounts, account, keyring, key, time, requested } = bench;
  // Another account's key, and then the store is gone: no known caller is turned away for it.
  accounts.setAccount(account.id, { plan: "business" });
  time.now_ms += NOTICE_MS;
  const lost_ms = time.now_ms;
  for (; time.now_ms < lost_ms + 60_000; time.now_ms += 1_000) {
    const again = ask(keyring, key);
    requested.pop()!.fail();
    assert.equal(await again, "good developer", `${time.now_ms - lost_ms} ms`);
  }
  const over = ask(keyring, key);
  requested.pop()!.fail();
  assert.equal(await over, "store_unavailable");
  const back = ask(keyring, key);
  requested.pop()!.answer();
  assert.equal(await back, "good business");
  assert.equal(recallOf(bench), "good business");
});

test("a write about another caller is no reason to ask again; one about this caller is", async () => {
  const bench = await createKnown();
  const { accounts, account, keyring, key, record, time, requested, followed } = bench;
  accounts.createAccount({ ...account, id: "acc_other" });
  followed.changes = [
    { what: "account", id: "acc_other" },
    { what: "key", hash: new Uint8Array(32) },
  ];
  time.now_ms += NOTICE_MS;
  assert.equal(recallOf(bench), "good developer");
  const concerned: [AccountChange, string][] = [
    [{ what: "account", id: account.id }, "business"],
    [{ what: "key", hash: record.hash }, "developer"],
  ];
  for (const [change, plan] of concerned) {
    accounts.setAccount(account.id, { plan });
    followed.changes = [change];
    time.now_ms += NOTICE_MS;
    assert.equal(recallOf(bench), "unknown", change.what);
    // It may be a revocation: the key is not accepted while the store does not confirm it.
    const lost = ask(keyring, key);
    requested.pop()!.fail();
    assert.equal(await lost, "store_unavailable");
    const again = ask(keyring, key);
    requested.pop()!.answer();
    assert.equal(await again, `good ${plan}`);
    assert.equal(recallOf(bench), `good ${plan}`);
  }
});

test("a key created after it was found unknown is looked up again, and the earlier answer is not kept", async () => {
  const bench = createBench();
  const { accounts, keyring, key, record, time, requested, followed } = bench;
  const none = ask(keyring, key);
  requested.pop()!.answer();
  assert.equal(await none, "invalid_api_key");
  accounts.createKey(record);
  followed.changes = [{ what: "key", hash: record.hash }];
  time.now_ms += NOTICE_MS;
  const early = ask(keyring, key);
  accounts.revokeKey(record.id, NOW_MS);
  time.now_ms += NOTICE_MS;
  assert.equal(recallOf(bench), "unknown");
  requested.pop()!.answer();
  assert.equal(await early, "good developer", "as it was when it was asked");
  assert.equal(recallOf(bench), "unknown");
});

test("a revoked key is refused by a replica that has seen the revocation, whatever the store says later", async () => {
  const bench = createBench();
  const { accounts, account, keyring, key, record, time, requested } = bench;
  accounts.createKey(record);
  accounts.revokeKey(record.id, NOW_MS);
  const first = ask(keyring, key);
  requested.pop()!.answer();
  assert.equal(await first, "invalid_api_key");
  accounts.setAccount(account.id, { plan: "business" });
  time.now_ms += NOTICE_MS;
  const again = ask(keyring, key);
  requested.pop()!.fail();
  assert.equal(await again, "invalid_api_key");
});

test("while the store is silent, a known key does not wait for it", async () => {
  const bench = await createKnown();
  const { accounts, account, time, followed } = bench;
  accounts.setAccount(account.id, { plan: "business" });
  time.now_ms += NOTICE_MS;
  assert.equal(recallOf(bench), "unknown", "to be looked up again");
  const version = followed.version;
  followed.version = () => {
    throw new Error("silent");
  };
  time.now_ms += NOTICE_MS;
  assert.equal(recallOf(bench), "good developer");
  followed.version = version;
  time.now_ms += NOTICE_MS;
  assert.equal(recallOf(bench), "unknown", "and is asked for when it is back");
});

test("a last use that cannot be written is reported, and no promise rejects", async () => {
  const { accounts, keyring, key, record, requested, faults } = createBench();
  accounts.createKey(record);
  const answer = ask(keyring, key);
  requested[0]!.answer();
  await answer;
  keyring.flush();
  await new Promise((done) => setImmediate(done));
  assert.equal(faults.length, 1);
});

const PLANS = ["developer", "business"];

for (const is_named of [false, true])
  test(`whatever the order of answers, writes and looks, ${is_named ? "" : "not "}named: what is kept is no older than the last look`, async () => {
    const step = fc.constantFrom("ask", "answer", "fail", "revoke", "plan", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const bench = createBench();
        const { accounts, account, keyring, key, record, time, requested } = bench;
        accounts.createKey(record);
        let changes = 0;
        const { id } = account;
        const { hash } = record;
        if (is_named)
          bench.followed.changes = [
            { what: "account", id },
            { what: "key", hash },
          ];
        const does: Record<string, () => unknown> = {
          ask: () => recallOf(bench) === "unknown" && ask(keyring, key),
          answer: () => requested.shift()?.answer(),
          fail: () => requested.shift()?.fail(),
          revoke: () => accounts.revokeKey(record.id, NOW_MS),
          plan: () => accounts.setAccount(account.id, { plan: PLANS[++changes % 2]! }),
          wait: () => (time.now_ms += NOTICE_MS),
        };
        for (const each of steps) {
          void does[each]!();
          await new Promise((done) => setImmediate(done));
          if (each !== "wait") continue;
          const key_by_hash = accounts.findKeyByHash(record.hash)!;
          const truth =
            key_by_hash.key.revoked_at_ms === null
              ? `good ${key_by_hash.account.plan}`
              : "invalid_api_key";
          assert.ok(
            [truth, "unknown"].includes(recallOf(bench)),
            `${recallOf(bench)}, not ${truth}`,
          );
        }
      }),
      { seed: 10, numRuns: tries(300) },
    );
  });
