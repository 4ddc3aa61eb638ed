/** New accounts and keys, scopes, names, and what state a key is in. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { keyState, newAccount, newKey, successorOf, NAME } from "#core/keys/issue.ts";
import { hashKey, parseKey } from "#core/keys/key.ts";
import { SCOPE_LIST } from "#core/keys/scopes.ts";

const issue = { now_ms: 1_795_262_400_000, draw: (size: number) => randomBytes(size) };
const TERMS = {
  account_id: "acc_1",
  name: "app",
  expires_at_ms: 1_800_000_000_000,
  scopes: ["data:read"] as const,
};

test("an account begins in good standing, with an id of its own", () => {
  const account = newAccount({ name: "Ada", plan: "developer" }, issue);
  const { id, ...rest } = account;
  assert.match(id, /^acc_[0-9A-Za-z]{15}$/);
  assert.deepEqual(rest, {
    name: "Ada",
    plan: "developer",
    standing: "active",
    created_at_ms: issue.now_ms,
  });
  assert.notEqual(newAccount({ name: "Ada", plan: "developer" }, issue).id, id);
});

test("only the hash and a hint of a key are kept, never the key", () => {
  const { key, record } = newKey(TERMS, { ...issue, prefix: "svc_test_" });
  assert.deepEqual(parseKey(key), { prefix: "svc_test_" });
  const { id, hash, hint, ...rest } = record;
  assert.match(id, /^key_[0-9A-Za-z]{15}$/);
  assert.deepEqual(hash, hashKey(key));
  assert.equal(hint, key.slice(0, 13));
  assert.deepEqual(rest, {
    ...TERMS,
    created_at_ms: issue.now_ms,
    revoked_at_ms: null,
    rotated_from: null,
    last_used_at_ms: null,
  });
  assert.ok(!JSON.stringify(record).includes(key.slice(13)));
});

test("the same bytes make the same key: the sandbox draws them from its seed", () => {
  const draw = (size: number): Uint8Array => new Uint8Array(size).fill(3);
  const first = newKey(TERMS, { now_ms: 1, draw, prefix: "svc_test_" });
  assert.deepEqual(newKey(TERMS, { now_ms: 1, draw, prefix: "svc_test_" }), first);
});

test("a successor has the terms of the key it takes the place of, its end included", () => {
  const old = newKey(TERMS, { ...issue, prefix: "svc_live_" }).record;
  const used = { ...old, last_used_at_ms: 5, rotated_from: "key_0" };
  const { key, record } = successorOf(used, { ...issue, prefix: "svc_live_", now_ms: 9 });
  assert.notEqual(record.id, old.id);
  assert.deepEqual(record.hash, hashKey(key));
  const { account_id, name, scopes, expires_at_ms } = record;
  assert.deepEqual({ account_id, name, scopes, expires_at_ms }, TERMS);
  assert.equal(record.rotated_from, old.id);
  assert.equal(record.last_used_at_ms, null);
  assert.equal(record.created_at_ms, 9);
});

test("a key is expired from the moment that it names; revoked says more", () => {
  const key = { expires_at_ms: 1_000, revoked_at_ms: null };
  assert.equal(keyState(key, 999), "active");
  assert.equal(keyState(key, 1_000), "expired");
  assert.equal(keyState({ ...key, revoked_at_ms: 5 }, 2_000), "revoked");
  assert.equal(keyState({ expires_at_ms: null, revoked_at_ms: null }, Infinity), "active");
});

test("scopes are known ones, each once, in one order", () => {
  assert.deepEqual(SCOPE_LIST.read("geography:read, data:read,data:read"), [
    "data:read",
    "geography:read",
  ]);
  assert.deepEqual(SCOPE_LIST.read("journey:read"), ["journey:read"]);
  for (const text of [
    "",
    "data",
    "data:read,",
    "data:write",
    "DATA:READ",
    "data:read geography:read",
  ])
    assert.equal(SCOPE_LIST.read(text), undefined, text);
});

test("a name is one line of at most 100 characters", () => {
  assert.equal(NAME.read("  Ville de Paris 🚲 "), "Ville de Paris 🚲");
  assert.equal(NAME.read("x".repeat(100)), "x".repeat(100));
  for (const text of ["", "   ", "x".repeat(101), "a\nb", "a\u001b[2Jb", "a\u2028b"])
    assert.equal(NAME.read(text), undefined, JSON.stringify(text));
});
