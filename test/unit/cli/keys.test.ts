/** `vicinity keys …`: made, shown once, listed, rotated and revoked, alongside a running service. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { hashKey, parseKey } from "#core/keys/key.ts";
import { displayWidth } from "#cli/print/wrap.ts";
import { NOW, run, storeIn, terminal } from "./support.ts";

type KeyJson = {
  id: string;
  key: string;
  account_id: string;
  expires_at: string | null;
  before?: { id: string; expires_at: string };
};
type Io = ReturnType<typeof storeIn> & { now?: () => number };

async function json(argv: readonly string[], io: Io): Promise<KeyJson> {
  const ran = await run(["keys", ...argv, "--json"], io);
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  return JSON.parse(ran.out) as KeyJson;
}

/** What a service running alongside the command would find. */
function accountsOf(t: TestContext, io: Io, sandbox = false) {
  const store = io.openStore({ sandbox });
  assert.ok(!("problem" in store));
  t.after(() => store.close());
  return store.accounts;
}

test("a key with an account of its own", async (t) => {
  const io = storeIn(t);
  const accounts = accountsOf(t, io);
  const before = accounts.version();
  const { id, key, account_id, ...rest } = await json(
    ["create", "--plan=business", "--name=app"],
    io,
  );
  assert.deepEqual(parseKey(key), { prefix: "svc_live_" });
  assert.deepEqual(rest, {
    plan: "business",
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
  assert.notEqual(accounts.version(), before, "a running service notices");
  const key_by_hash = accounts.findKeyByHash(hashKey(key));
  assert.equal(key_by_hash?.key.id, id);
  assert.deepEqual(key_by_hash?.account, {
    id: account_id,
    name: "app",
    plan: "business",
    standing: "active",
    created_at_ms: NOW,
  });
});

test("keys of one account, with scopes and an end", async (t) => {
  const io = storeIn(t);
  const first = await json(["create", "--plan", "developer"], io);
  const own = ["create", "--account", first.account_id, "--scopes", "geography:read"];
  const second = await json([...own, "--expires", "30d"], io);
  assert.equal(second.account_id, first.account_id);
  assert.equal(second.expires_at, "2026-12-21T12:00:00Z");
  const dated = await json([...own, "--expires", "2027-01-31"], io);
  assert.equal(dated.expires_at, "2027-01-31T00:00:00Z");
  const accounts = accountsOf(t, io);
  assert.equal(accounts.listAccounts().length, 1);
  assert.deepEqual(accounts.findKey(second.id)?.scopes, ["geography:read"]);
});

test("keys of the sandbox are recognised by their prefix, and are in its store", async (t) => {
  const io = storeIn(t);
  const { key, id } = await json(["create", "--plan", "developer", "--sandbox"], io);
  assert.deepEqual(parseKey(key), { prefix: "svc_test_" });
  assert.deepEqual(accountsOf(t, io).listKeys(), []);
  assert.equal(accountsOf(t, io, true).findKey(id)?.id, id);
  const { key: next } = await json(["rotate", id, "--sandbox"], io);
  assert.deepEqual(parseKey(next), { prefix: "svc_test_" });
});

test("the key is shown once, and by no other command", async (t) => {
  const io = storeIn(t);
  const made = await run(["keys", "create", "--plan", "developer", "--name", "app"], io);
  const key = /svc_live_\w+/.exec(made.out)?.[0] ?? "";
  const id = /key_\w+/.exec(made.out)?.[0] ?? "";
  const account = /acc_\w+/.exec(made.out)?.[0] ?? "";
  assert.deepEqual(made.out.split("\n"), [
    `key      ${key}`,
    `id       ${id}`,
    "name     app",
    `account  ${account} (app)`,
    "plan     developer",
    "scopes   data:read, geography:read",
    "expires  never",
    "",
    "Keep it now: the key is shown this once.",
    "",
  ]);
  const others = [["list"], ["list", "--json"], ["rotate", id], ["revoke", id, "--json"]];
  for (const argv of others) {
    const ran = await run(["keys", ...argv], io);
    assert.equal(ran.code, 0);
    assert.ok(!`${ran.out}${ran.err}`.includes(key), argv.join(" "));
  }
});

test("a list for people", async (t) => {
  const io = storeIn(t);
  assert.equal((await run(["keys", "list"], io)).out, "no keys\n");
  const { id, key } = await json(["create", "--plan=developer", "--scopes=data:read"], io);
  assert.deepEqual((await run(["keys", "list"], io)).out.split("\n"), [
    "id                   key             name  account  plan       scopes     state   expires  last used",
    `${id}  ${key.slice(0, 13)}…  –     unnamed  developer  data:read  active  never    –`,
    "",
  ]);
  const listed = await run(["keys", "list", "--json"], io);
  const { keys } = JSON.parse(listed.out) as { keys: Record<string, unknown>[] };
  assert.equal(keys.length, 1);
  assert.equal(keys[0]?.["id"], id);
  assert.ok(!("key" in keys[0]) && !("hash" in keys[0]));
});

test("a rotation: both keys work for the overlap, the terms stay", async (t) => {
  const io = storeIn(t);
  const old = await json(["create", "--plan=developer", "--expires=90d", "--scopes=data:read"], io);
  const next = await json(["rotate", old.id], io);
  assert.deepEqual(next.before, { id: old.id, expires_at: "2026-11-22T12:00:00Z" });
  assert.equal(next.expires_at, old.expires_at);
  const accounts = accountsOf(t, io);
  const { id, hash, hint, rotated_from, ...terms } = accounts.findKey(next.id)!;
  assert.deepEqual(rotated_from, old.id);
  const { expires_at_ms, ...before } = accounts.findKey(old.id)!;
  assert.equal(expires_at_ms, NOW + 86_400_000);
  assert.deepEqual(terms.scopes, before.scopes);
  assert.equal(accounts.findKeyByHash(hashKey(next.key))?.key.id, next.id);
  assert.equal(accounts.findKeyByHash(hashKey(old.key))?.key.id, old.id);
  const short = await json(["rotate", next.id, "--overlap", "0s", "--expires", "180d"], io);
  assert.equal(short.before?.expires_at, "2026-11-21T12:00:00Z");
  assert.equal(short.expires_at, "2027-05-20T12:00:00Z");
  assert.ok(id && hash && hint);
});

test("a revocation is final, and can be said again", async (t) => {
  const io = storeIn(t);
  const { id } = await json(["create", "--plan", "developer"], io);
  const first = await run(["keys", "revoke", id], io);
  assert.deepEqual(first, { code: 0, out: `${id} is revoked\n`, err: "" });
  const later = { ...io, now: () => NOW + 5_000 };
  const again = await run(["keys", "revoke", id, "--json"], later);
  const { state, revoked_at } = JSON.parse(again.out) as Record<string, unknown>;
  assert.deepEqual([state, revoked_at], ["revoked", "2026-11-21T12:00:00Z"]);
  const rotated = await run(["keys", "rotate", id], io);
  const line = `vicinity: the key ${id} is revoked; make a new one\n`;
  assert.deepEqual(rotated, { code: 1, out: "", err: line });
});

test("a key that has expired has no successor", async (t) => {
  const io = storeIn(t);
  const { id } = await json(["create", "--plan=developer", "--expires=1h"], io);
  const ran = await run(["keys", "rotate", id], { ...io, now: () => NOW + 3_600_000 });
  assert.deepEqual([ran.code, ran.out], [1, ""]);
  assert.match(ran.err, /is expired; make a new one\n$/);
});

const EXPIRES = "a date, an RFC 3339 time or a duration such as 30d";
const OVERLAP = "--overlap: expected a duration such as 24h, at most 30d, got";
const SCOPES = "--scopes: expected some of data:read,geography:read,journey:read, got";
const WRONG: readonly [argv: string, code: number, line: string][] = [
  ["create", 2, "keys create needs either --account A or --plan P"],
  ["create --account acc_1 --plan free", 2, "keys create needs either --account A or --plan P"],
  ["create --account acc_1", 1, "there is no account acc_1; see vicinity accounts list"],
  ["create --plan free --scopes data:raed", 2, `${SCOPES} "data:raed"`],
  ["create --plan free --expires tomorrow", 2, `--expires: expected ${EXPIRES}, got "tomorrow"`],
  [
    "create --plan free --expires 2026-11-21",
    2,
    '--expires: expected a time to come, got "2026-11-21"',
  ],
  ["create --plan free --expires 0d", 2, '--expires: expected a time to come, got "0d"'],
  [
    "create --plan free --exipres 1d",
    2,
    "unknown option --exipres for keys create; did you mean --expires?",
  ],
  ["rotate", 2, "keys rotate needs ID"],
  ["rotate key_1", 1, "there is no key key_1; see vicinity keys list"],
  ["rotate key_1 --overlap 31d", 2, `${OVERLAP} "31d"`],
  ["rotate key_1 --overlap 24", 2, `${OVERLAP} "24"`],
  ["revoke key_1", 1, "there is no key key_1; see vicinity keys list"],
  ["revoke svc_live_oops", 1, "there is no key with such an id; see vicinity keys list"],
];
for (const [argv, code, line] of WRONG) {
  test(`wrong: keys ${argv}`, async (t) => {
    const io = storeIn(t);
    const ran = await run(["keys", ...argv.split(" ")], io);
    assert.deepEqual(ran, { code, out: "", err: `vicinity: ${line}\n` });
    assert.deepEqual(accountsOf(t, io).listAccounts(), [], "nothing was written");
  });
}

test("the table of keys fits a terminal of 80 columns, with what names a key and says how good it is", async (t) => {
  const io = storeIn(t);
  const name = "A partner in the north";
  const made = await json(["create", "--plan", "business", "--name", name, "--expires", "30d"], io);
  const [wide, narrow] = [
    (await run(["keys", "list"], { ...io, out: terminal(200) })).out,
    (await run(["keys", "list"], { ...io, out: terminal(80), variables: { NO_COLOR: "1" } })).out,
  ];
  for (const title of ["key", "account", "plan", "scopes"]) assert.ok(wide.includes(title), wide);
  const lines = narrow.split("\n");
  assert.ok(
    lines.every((line) => displayWidth(line) <= 80),
    narrow,
  );
  assert.ok(narrow.includes(made.id) && narrow.includes("2026-12-21 12:00:00"), narrow);
  assert.match(narrow, /id .*name .*state .*expires .*last used/);
});
