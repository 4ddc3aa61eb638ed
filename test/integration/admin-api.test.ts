/** The admin API over real sockets: accounts, keys and usage, what it refuses, and its audit. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { parseKey, hashKey } from "#core/keys/key.ts";
import { startAdmin, NOW_MS, TOKEN } from "../support/admin.ts";
import { createMemoryAccounts } from "../support/memory.ts";

const WRONG = "wrong-admin-token-of-this-test";
const NO_ACCOUNT = "acc_000000000000000";
const NO_KEY = "key_000000000000000";

type Admin = Awaited<ReturnType<typeof startAdmin>>;
type Json = Record<string, unknown> & { id: string; account_id: string; key: string };

async function json(
  admin: Admin,
  path: string,
  call: Parameters<Admin["ask"]>[1] & { status?: number } = {},
): Promise<Json> {
  const { status = call.body === undefined ? 200 : 201, ...rest } = call;
  const reply = await admin.ask(`/admin${path}`, rest);
  assert.equal(reply.status, status, reply.text);
  assert.match(reply.headers["content-type"] ?? "", /^application\/json/);
  return JSON.parse(reply.text) as Json;
}

async function messageOf(admin: Admin, path: string, call: Parameters<Admin["ask"]>[1] = {}) {
  const reply = await admin.ask(`/admin${path}`, call);
  const { error } = JSON.parse(reply.text) as { error: { code: string; message: string } };
  return `${reply.status} ${error.code} ${error.message}`;
}

async function withKey(t: TestContext) {
  const admin = await startAdmin(t);
  return { admin, made: await json(admin, "/keys", { body: { plan: "developer", name: "app" } }) };
}

test("accounts are made, listed and changed", async (t) => {
  const admin = await startAdmin(t);
  const { id, ...made } = await json(admin, "/accounts", { body: { name: " Ada ", plan: "free" } });
  const ada = { name: "Ada", plan: "free", standing: "active", created_at: "2026-11-21T12:00:00Z" };
  assert.match(id, /^acc_\w{15}$/);
  assert.deepEqual(made, ada);
  assert.deepEqual(await json(admin, "/accounts"), { accounts: [{ id, ...ada }] });
  const patch = (body: object) =>
    json(admin, `/accounts/${id}`, { method: "PATCH", body, status: 200 });
  assert.deepEqual(await patch({ plan: "business" }), { id, ...ada, plan: "business" });
  const suspended = { id, ...ada, plan: "business", standing: "suspended" };
  assert.deepEqual(await patch({ standing: "suspended" }), suspended);
  const both = await patch({ plan: "free", standing: "past_due" });
  assert.deepEqual(both, { id, ...ada, standing: "past_due" });
  assert.equal(admin.accounts.findAccount(id)?.standing, "past_due");
});

test("a key with an account of its own is shown once", async (t) => {
  const { admin, made } = await withKey(t);
  const { id, account_id, key, ...rest } = made;
  assert.deepEqual(parseKey(key), { prefix: "svc_live_" });
  assert.deepEqual(rest, {
    plan: "developer",
    name: "app",
    scopes: ["data:read", "geography:read"],
    hint: key.slice(0, 13),
    state: "active",
    created_at: "2026-11-21T12:00:00Z",
    expires_at: null,
    revoked_at: null,
    rotated_from: null,
    last_used_at: null,
  });
  const key_by_hash = admin.accounts.findKeyByHash(hashKey(key));
  assert.deepEqual([key_by_hash?.key.id, key_by_hash?.account.id], [id, account_id]);
  assert.equal(key_by_hash?.account.name, "app");
  assert.deepEqual(await json(admin, "/keys"), { keys: [{ id, account_id, ...rest }] });
  for (const path of ["/admin/keys", "/admin/accounts", `/admin/usage?key=${id}`])
    assert.ok(!(await admin.ask(path)).text.includes(key), path);
  assert.ok(!JSON.stringify(admin.lines).includes(key));
});

test("keys of an account, with scopes and an end; listed by account", async (t) => {
  const { admin, made } = await withKey(t);
  const { account_id } = made;
  const scopes = ["journey:read", "data:read", "journey:read"];
  const second = await json(admin, "/keys", { body: { account_id, scopes, expires_at: "30d" } });
  assert.deepEqual(second["scopes"], ["data:read", "journey:read"]);
  assert.equal(second["expires_at"], "2026-12-21T12:00:00Z");
  const own = { account_id, expires_at: "2027-01-31T12:00:00+02:00" };
  const dated = await json(admin, "/keys", { body: own });
  assert.equal(dated["expires_at"], "2027-01-31T10:00:00Z");
  const endless = await json(admin, "/keys", { body: { account_id, expires_at: null } });
  assert.equal(endless["expires_at"], null);
  const other = await json(admin, "/keys", { body: { plan: "free" } });
  assert.equal(admin.accounts.findAccount(other.account_id)?.name, "unnamed");
  const ids = async (query: string) =>
    ((await json(admin, `/keys${query}`))["keys"] as Json[]).map(({ id }) => id).toSorted();
  assert.deepEqual(await ids(`?account=${other.account_id}`), [other.id]);
  const four = [made.id, second.id, dated.id, endless.id].toSorted();
  assert.deepEqual(await ids(`?account=${account_id}`), four);
  assert.equal((await ids("")).length, 5);
});

test("a rotated key stays valid for the overlap; its successor has the same terms", async (t) => {
  const { admin, made } = await withKey(t);
  const next = await json(admin, `/keys/${made.id}/rotate`, { body: "" });
  assert.deepEqual(next["before"], { id: made.id, expires_at: "2026-11-22T12:00:00Z" });
  assert.deepEqual(
    [next["rotated_from"], next["name"], next["expires_at"]],
    [made.id, "app", null],
  );
  assert.notEqual(next.key, made.key);
  assert.equal(admin.accounts.findKeyByHash(hashKey(next.key))?.key.id, next.id);
  const body = { overlap_s: 90, expires_at: "2d" };
  const third = await json(admin, `/keys/${next.id}/rotate`, { body });
  assert.deepEqual(third["before"], { id: next.id, expires_at: "2026-11-21T12:01:30Z" });
  assert.equal(third["expires_at"], "2026-11-23T12:00:00Z");
  const stored = await json(admin, `/keys/${third.id}/rotate`, { body: { overlap_s: 0 } });
  assert.equal(stored["expires_at"], "2026-11-23T12:00:00Z");
  const freed = await json(admin, `/keys/${stored.id}/rotate`, { body: { expires_at: null } });
  assert.equal(freed["expires_at"], null);
  const again = await messageOf(admin, `/keys/${third.id}/rotate`, { body: {} });
  assert.equal(again, "409 key_not_active the key is expired; make a new one");
});

test("a revoked key stays so, and has no successor", async (t) => {
  const { admin, made } = await withKey(t);
  const revoke = () => json(admin, `/keys/${made.id}/revoke`, { body: {}, status: 200 });
  const { key: _key, ...listed } = made;
  const expected = { ...listed, state: "revoked", revoked_at: "2026-11-21T12:00:00Z" };
  assert.deepEqual(await revoke(), expected);
  admin.time.now_ms += 60_000;
  assert.deepEqual(await revoke(), expected);
  const rotated = await messageOf(admin, `/keys/${made.id}/rotate`, { body: {} });
  assert.equal(rotated, "409 key_not_active the key is revoked; make a new one");
  assert.equal(admin.accounts.listKeys().length, 1);
});

test("usage of a month, of all or of one key", async (t) => {
  const { admin, made } = await withKey(t);
  const { id: key_id, account_id } = made;
  const event = { operation: "nearby", units: 2, at_ms: NOW_MS };
  admin.usage.record([{ ...event, event_id: "1", account_id: null, key_id: null }]);
  admin.usage.record([{ ...event, event_id: "2", account_id, key_id }]);
  const october = { ...event, at_ms: NOW_MS - 40 * 86_400_000 };
  admin.usage.record([{ ...october, event_id: "3", account_id, key_id }]);
  const row = { operation: "nearby", day: "2026-11-21", units: 2, requests: 1 };
  const keyed = { ...row, account_id, key_id };
  const anonymous = { ...row, account_id: null, key_id: null };
  const all = { month: "2026-11", units: 4, requests: 2, rows: [keyed, anonymous] };
  assert.deepEqual(await json(admin, "/usage"), all);
  assert.deepEqual(await json(admin, "/usage?month=2026-11"), all);
  const own = { month: "2026-11", units: 2, requests: 1, rows: [keyed] };
  assert.deepEqual(await json(admin, `/usage?key=${key_id}`), own);
  const before = await json(admin, `/usage?month=2026-10&key=${key_id}`);
  assert.deepEqual(before["rows"], [{ ...keyed, day: "2026-10-12" }]);
});

const PLAN_RULE = 'expected one of "free", "developer", "business", "unlimited"';
const KEY_MEMBERS = "known are account_id, plan, name, scopes, expires_at";
const END_RULE = "expected a date, an RFC 3339 time or a duration such as 30d";
const NAME_RULE = "name: expected one line of 1 to 100 characters";
const SCOPE_RULE = 'expected one of "data:read", "geography:read", "journey:read"';
const ONE_OWNER = "expected either account_id or plan";

/** `:key` and `:account` are placeholders for those of a key that exists. */
const WRONG_BODIES: readonly [method: string, path: string, body: unknown, message: string][] = [
  ["POST", "/accounts", {}, "name: expected text, it is missing"],
  ["POST", "/accounts", { name: "Ada" }, `plan: ${PLAN_RULE}, it is missing`],
  ["POST", "/accounts", { name: "Ada", plan: "gold" }, `plan: ${PLAN_RULE}`],
  ["POST", "/accounts", { name: "Ada", plan: "toString" }, `plan: ${PLAN_RULE}`],
  ["POST", "/accounts", { name: 5, plan: "free" }, "name: expected text"],
  ["POST", "/accounts", { name: "", plan: "free" }, NAME_RULE],
  ["POST", "/accounts", { name: "a\nb", plan: "free" }, NAME_RULE],
  ["POST", "/accounts", { name: "a".repeat(101), plan: "free" }, NAME_RULE],
  [
    ...(["POST", "/accounts", { name: "Ada", plna: "free" }] as const),
    "plna: unknown member, did you mean plan?",
  ],
  ["POST", "/accounts", [], "expected an object"],
  ["POST", "/accounts", "null", "expected an object"],
  ["POST", "/accounts", "{", "the body must be JSON"],
  [
    ...(["POST", "/accounts", '{"__proto__":{},"name":"Ada","plan":"free"}'] as const),
    "__proto__: unknown member, known are name, plan",
  ],
  ["PATCH", "/accounts/:account", {}, "expected plan, standing or both"],
  ["PATCH", "/accounts/:account", { plan: null }, `plan: ${PLAN_RULE}`],
  [
    ...(["PATCH", "/accounts/:account", { plan: "business", standing: "gone" }] as const),
    'standing: expected one of "active", "past_due", "suspended"',
  ],
  [
    ...(["PATCH", "/accounts/:account", { name: "Eve" }] as const),
    "name: unknown member, known are plan, standing",
  ],
  ["POST", "/keys", {}, ONE_OWNER],
  ["POST", "/keys", { plan: "free", account_id: ":account" }, ONE_OWNER],
  ["POST", "/keys", { plan: "gold" }, `plan: ${PLAN_RULE}`],
  ["POST", "/keys", { plan: "free", owner: 1 }, `owner: unknown member, ${KEY_MEMBERS}`],
  ["POST", "/keys", { plan: "free", name: " " }, NAME_RULE],
  ["POST", "/keys", { plan: "free", scopes: "data:read" }, "scopes: expected a list"],
  ["POST", "/keys", { plan: "free", scopes: [] }, "scopes: expected a list of 1 to 3, it has 0"],
  ["POST", "/keys", { plan: "free", scopes: ["data:read", "data"] }, `scopes[1]: ${SCOPE_RULE}`],
  ["POST", "/keys", { plan: "free", expires_at: "soon" }, `expires_at: ${END_RULE}`],
  ["POST", "/keys", { plan: "free", expires_at: "2026-02-31" }, `expires_at: ${END_RULE}`],
  [
    ...(["POST", "/keys", { plan: "free", expires_at: "2026-11-21T12:00:00Z" }] as const),
    "expires_at: expected a time to come",
  ],
  ["POST", "/keys", { plan: "free", expires_at: 5 }, "expires_at: expected text or null"],
  [
    ...(["POST", "/keys/:key/rotate", { overlap_s: -1 }] as const),
    "overlap_s: expected an integer from 0 to 2592000",
  ],
  [
    ...(["POST", "/keys/:key/rotate", { overlap_s: 2_592_001 }] as const),
    "overlap_s: expected an integer from 0 to 2592000",
  ],
  [
    "POST",
    "/keys/:key/rotate",
    { expires_at: "2026-11-20" },
    "expires_at: expected a time to come",
  ],
  ["POST", "/keys/:key/revoke", { now: true }, "now: unknown member, known are "],
  ["GET", "/keys?acount=x", undefined, "acount: unknown member, did you mean account?"],
  ["GET", "/keys?account=a&account=b", undefined, "account: expected text"],
  ["GET", "/accounts?plan=free", undefined, "plan: unknown member, known are "],
  ["GET", "/usage?month=2026-13", undefined, "month: expected a month such as 2026-11"],
  ["GET", "/usage?month=", undefined, "month: expected a month such as 2026-11"],
];

test("an invalid request is 400 with the fault named, and changes nothing", async (t) => {
  const { admin, made } = await withKey(t);
  const put = (text: string): string =>
    text.replaceAll(":key", made.id).replaceAll(":account", made.account_id);
  const before = admin.accounts.version();
  for (const [method, path, body, message] of WRONG_BODIES) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const sent = text === undefined ? {} : { body: put(text) };
    const reported = await messageOf(admin, put(path), { method, ...sent });
    assert.equal(reported, `400 invalid_request ${message}`, `${method} ${path} ${text}`);
  }
  assert.equal(admin.accounts.version(), before);
  const latin = Buffer.from('{"name":"Andr\u00e9","plan":"free"}', "latin1");
  assert.equal(latin.includes(0xe9), true);
});

test("an unknown id is 404 and changes nothing", async (t) => {
  const { admin } = await withKey(t);
  const before = admin.accounts.version();
  const requests: [path: string, call: Parameters<Admin["ask"]>[1], message: string][] = [
    [
      `/accounts/${NO_ACCOUNT}`,
      { method: "PATCH", body: { plan: "free" } },
      `account ${NO_ACCOUNT}`,
    ],
    ["/keys", { body: { account_id: NO_ACCOUNT } }, `account ${NO_ACCOUNT}`],
    [`/keys?account=${NO_ACCOUNT}`, {}, `account ${NO_ACCOUNT}`],
    [`/keys/${NO_KEY}/rotate`, { body: {} }, `key ${NO_KEY}`],
    [`/keys/${NO_KEY}/revoke`, { body: {} }, `key ${NO_KEY}`],
    [`/usage?key=${NO_KEY}`, {}, `key ${NO_KEY}`],
    [`/keys/svc_live_${"a".repeat(49)}/revoke`, { body: {} }, "key with such an id"],
  ];
  for (const [path, call, message] of requests)
    assert.equal(await messageOf(admin, path, call), `404 not_found there is no ${message}`, path);
  assert.equal(admin.accounts.version(), before);
});

test("a failing store is 500 without its message, which is in the log", async (t) => {
  const accounts = createMemoryAccounts();
  const fail = () => {
    throw new Error("disk on fire");
  };
  const admin = await startAdmin(t, { accounts: { ...accounts, createAccount: fail } });
  const message = await messageOf(admin, "/accounts", { body: { name: "Ada", plan: "free" } });
  assert.equal(message, "500 internal an internal error occurred");
  assert.match(JSON.stringify(admin.lines), /disk on fire/);
  const neither = { account_id: null, key_id: null };
  assert.deepEqual(admin.audits(), [{ action: "account.create", ...neither, outcome: "internal" }]);
});

test("a remote store that does not answer is 503, and in the log", async (t) => {
  const accounts = createMemoryAccounts();
  const away = () => Promise.reject(Object.assign(new Error("db"), { code: "store_unavailable" }));
  const admin = await startAdmin(t, { accounts: { ...accounts, createAccount: away } });
  const message = await messageOf(admin, "/accounts", { body: { name: "Ada", plan: "free" } });
  assert.equal(message, "503 store_unavailable the store does not answer; look before you repeat");
  assert.equal(admin.audits()[0]?.outcome, "store_unavailable");
});

test("every change leaves one line, made or refused; reading leaves none", async (t) => {
  const { admin, made } = await withKey(t);
  const { id: key_id, account_id } = made;
  const subject = { account_id, key_id };
  const neither = { account_id: null, key_id: null };
  assert.deepEqual(admin.audits(), [{ action: "key.create", ...subject, outcome: "done" }]);
  const leaves = async (
    path: string,
    call: Parameters<Admin["ask"]>[1],
    line: ReturnType<Admin["audits"]>[number],
  ): Promise<void> => {
    const before = admin.audits().length;
    const reply = await admin.ask(`/admin${path}`, call);
    assert.deepEqual(admin.audits().slice(before), [line], `${path} ${reply.text}`);
  };
  const bare = { body: {} };
  const account = { account_id, key_id: null };
  await leaves(
    `/accounts/${account_id}`,
    { method: "PATCH", body: { plan: "free" } },
    { action: "account.change", ...account, outcome: "done" },
  );
  await leaves(
    `/accounts/${account_id}`,
    { method: "PATCH", ...bare },
    { action: "account.change", ...account, outcome: "invalid_request" },
  );
  await leaves(
    "/keys",
    { body: { account_id, scopes: ["x"] } },
    { action: "key.create", ...account, outcome: "invalid_request" },
  );
  const key = { account_id: null, key_id };
  await leaves(
    `/keys/${key_id}/revoke`,
    { ...bare, headers: { authorization: undefined } },
    { action: "key.revoke", ...key, outcome: "invalid_token" },
  );
  await leaves(
    `/keys/${key_id}/revoke`,
    { ...bare, headers: { host: "evil.example" } },
    { action: "key.revoke", ...key, outcome: "host_not_allowed" },
  );
  await leaves(
    `/keys/${key_id}/rotate`,
    { ...bare, headers: { "content-type": "text/plain" } },
    { action: "key.rotate", ...key, outcome: "unsupported_media_type" },
  );
  await leaves(
    "/accounts",
    { body: " ".repeat(20_000) },
    { action: "account.create", ...neither, outcome: "body_too_large" },
  );
  await leaves(`/keys/${key_id}/revoke`, bare, {
    action: "key.revoke",
    ...subject,
    outcome: "done",
  });
  await leaves(`/keys/${key_id}/rotate`, bare, {
    action: "key.rotate",
    ...key,
    outcome: "key_not_active",
  });
  await leaves(`/keys/${NO_KEY}/revoke`, bare, {
    action: "key.revoke",
    account_id: null,
    key_id: NO_KEY,
    outcome: "not_found",
  });
  const count = admin.audits().length;
  for (const path of ["/accounts", "/keys", "/usage", "/nowhere"]) await admin.ask(`/admin${path}`);
  assert.equal(admin.audits().length, count);
});

test("no line shows a key or a token, wherever they were put", async (t) => {
  const { admin, made } = await withKey(t);
  const { key } = made;
  const rotated = await json(admin, `/keys/${made.id}/rotate`, { body: {} });
  for (const secret of [key, TOKEN, WRONG]) {
    await admin.ask(`/admin/keys/${secret}/revoke`, { body: {} });
    await admin.ask(`/admin/accounts/${secret}`, { method: "PATCH", body: { plan: "free" } });
    await admin.ask("/admin/keys", { body: { account_id: secret, [secret]: 1 } });
    await admin.ask("/admin/keys", { body: { account_id: secret } });
    await admin.ask("/admin/accounts", { body: secret });
    await admin.ask("/admin/keys", { body: {}, headers: { authorization: `Bearer ${secret}x` } });
  }
  assert.ok(admin.audits().length >= 18);
  const log = JSON.stringify(admin.lines);
  for (const secret of [key, rotated.key, TOKEN, WRONG]) assert.ok(!log.includes(secret), secret);
});
