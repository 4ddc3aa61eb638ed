/** Access to the admin API over real sockets: host names, tokens, types and sizes of bodies. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { ask, type Reply, startAdmin, TOKEN } from "../support/admin.ts";
import { createFolder, createClient, removeFolder, start } from "./service/support.ts";

const WRONG = "wrong-admin-token-of-this-test";

function assertRefused(reply: Reply, status: number, code: string): void {
  assert.equal(reply.status, status, reply.text);
  const { error, ...rest } = JSON.parse(reply.text) as { error: { code: string; message: string } };
  assert.deepEqual([error.code, rest], [code, {}]);
  assert.ok(error.message.length > 0);
  assert.equal(reply.headers["cache-control"], "no-store");
}

/** Every route, and paths below /admin that are none. */
const REQUESTS: readonly [method: string, path: string][] = [
  ["GET", "/admin/accounts"],
  ["HEAD", "/admin/accounts"],
  ["POST", "/admin/accounts"],
  ["PATCH", "/admin/accounts/acc_1"],
  ["GET", "/admin/keys"],
  ["POST", "/admin/keys"],
  ["POST", "/admin/keys/key_1/rotate"],
  ["POST", "/admin/keys/key_1/revoke"],
  ["GET", "/admin/usage"],
  ["DELETE", "/admin/keys"],
  ["OPTIONS", "/admin/keys"],
  ["GET", "/admin"],
  ["GET", "/admin/"],
  ["GET", "/admin/nowhere"],
  ["POST", "/admin/nowhere"],
  ["GET", "/%61dmin/accounts"],
];

test("nothing below /admin answers without the token", async (t) => {
  const admin = await startAdmin(t);
  for (const [method, path] of REQUESTS) {
    const reply = await admin.ask(path, { method, headers: { authorization: undefined } });
    assert.equal(reply.status, 401, `${method} ${path}`);
    assert.equal(reply.headers["www-authenticate"], "Bearer");
    if (method !== "HEAD") assertRefused(reply, 401, "invalid_token");
  }
  assert.deepEqual(admin.accounts.listAccounts(), []);
});

test("a token that is not quite the token is wrong", async (t) => {
  const values = [
    ...[`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(0, -1)}`, `Bearer ${TOKEN.toUpperCase()}`],
    ...[`Basic ${TOKEN}`, TOKEN, "Bearer", "", `Bearer ${TOKEN} ${TOKEN}`],
  ];
  for (const authorization of values) {
    const admin = await startAdmin(t);
    const reply = await admin.ask("/admin/accounts", { headers: { authorization } });
    assertRefused(reply, 401, "invalid_token");
  }
  const admin = await startAdmin(t);
  for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`])
    assert.equal((await admin.ask("/admin/accounts", { headers: { authorization } })).status, 200);
});

test("more than ten wrong tokens a minute are 429 until the stated time; the right token is not", async (t) => {
  const admin = await startAdmin(t);
  const wrong = () => admin.ask("/admin/keys", { headers: { authorization: `Bearer ${WRONG}` } });
  for (let i = 0; i < 30; i++)
    await admin.ask("/admin/keys", { headers: { authorization: undefined } });
  for (let i = 0; i < 10; i++) assertRefused(await wrong(), 401, "invalid_token");
  const refused = await wrong();
  assertRefused(refused, 429, "rate_limited");
  assert.equal(refused.headers["retry-after"], "6");
  assert.equal((await admin.ask("/admin/keys")).status, 200);
  admin.time.now_ms += 5_999;
  assertRefused(await wrong(), 429, "rate_limited");
  admin.time.now_ms += 1;
  assertRefused(await wrong(), 401, "invalid_token");
});

test("only a name of this listener is a good Host", async (t) => {
  const admin = await startAdmin(t, { host: "Admin.Internal" });
  const { port } = admin;
  const good = [
    ...["localhost", `localhost:${port}`, "LOCALHOST:1", `127.0.0.1:${port}`, `[::1]:${port}`],
    ...["[::1]", "admin.internal", "admin.internal:9090"],
  ];
  for (const host of good)
    assert.equal((await admin.ask("/admin/keys", { headers: { host } })).status, 200, host);
  const bad = [
    ...["evil.example", `evil.example:${port}`, "localhost.evil.example", "127.0.0.1.evil.example"],
    ...[
      "evil.example@localhost",
      "localhost@evil.example",
      "localhost:x",
      "::1",
      "[::2]",
      "10.0.0.1",
    ],
    ...["localhost,evil.example", "localhost/evil", "evil.example#localhost"],
  ];
  for (const host of bad)
    for (const path of ["/admin/keys", "/admin/nowhere"])
      assertRefused(await admin.ask(path, { headers: { host } }), 403, "host_not_allowed");
  assert.match(await askWithoutHost(port), /^HTTP\/1\.1 403 /);
  // No oracle for the token either: the host is looked at first, and nothing is counted.
  const headers = { host: "evil.example", authorization: `Bearer ${WRONG}` };
  for (let i = 0; i < 20; i++)
    assertRefused(await admin.ask("/admin/keys", { headers }), 403, "host_not_allowed");
  // Probes are asked by load balancers, by whatever name they know.
  assert.equal((await admin.ask("/livez", { headers: { host: "10.0.0.1" } })).status, 200);
});

test("metrics are read by names that no page of the web can have, with or without an admin API", async (t) => {
  for (const token of [TOKEN, null]) {
    const admin = await startAdmin(t, { host: "admin.example", token });
    const statusOf = async (host: string): Promise<number> =>
      (await admin.ask("/metrics", { headers: { host } })).status;
    for (const host of [
      ...[
        "localhost",
        `127.0.0.1:${admin.port}`,
        "[::1]:9090",
        "admin.example",
        "ADMIN.example:9090",
      ],
      // A collector asks by address, by the name of a container or by one of the cluster.
      ...[
        "10.1.2.3:9090",
        "[fd00::7]:9090",
        "vicinity-a:9090",
        "vicinity-0.vicinity.svc.cluster.local",
      ],
    ])
      assert.equal(await statusOf(host), 200, host);
    for (const host of [
      ...["evil.example", "evil.example:9090", "127.0.0.1.evil.example", "10.0.0.1.evil.example"],
      ...[
        "localhost.evil.example",
        "local.evil.example",
        "evil.local.example",
        "evil.example@localhost",
      ],
    ])
      assertRefused(await admin.ask("/metrics", { headers: { host } }), 403, "host_not_allowed");
    for (const path of ["/livez", "/readyz"])
      assert.equal(
        (await admin.ask(path, { headers: { host: "evil.example" } })).status,
        200,
        path,
      );
  }
});

/** As clients of HTTP/1.0 do. */
async function askWithoutHost(port: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.end(`GET /admin/keys HTTP/1.0\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
  return (await socket.toArray()).join("");
}

test("an IPv6 address is a valid Host in brackets", async (t) => {
  const admin = await startAdmin(t, { host: "fd00:0::7" });
  for (const [host, status] of [
    ["[fd00::7]:80", 200],
    ["[fd00::8]:80", 403],
  ] as const)
    assert.equal((await admin.ask("/admin/keys", { headers: { host } })).status, status, host);
});

test("a change without application/json is 415 and changes nothing", async (t) => {
  const admin = await startAdmin(t);
  const body = JSON.stringify({ name: "Ada", plan: "free" });
  const types = ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", undefined];
  for (const type of types) {
    const headers = { "content-type": type };
    for (const path of ["/admin/accounts", "/admin/keys", "/admin/keys/key_1/revoke"])
      assertRefused(await admin.ask(path, { body, headers }), 415, "unsupported_media_type");
    const bare = await admin.ask("/admin/keys/key_1/revoke", { method: "POST", headers });
    assertRefused(bare, 415, "unsupported_media_type");
  }
  assert.deepEqual(admin.accounts.listAccounts(), []);
  const headers = { "content-type": "Application/JSON; charset=utf-8" };
  assert.equal((await admin.ask("/admin/accounts", { body, headers })).status, 201);
});

test("16 KiB of body is the most", async (t) => {
  const admin = await startAdmin(t);
  const sized = (bytes: number) => `{"name":"Ada","plan":"free"}`.padEnd(bytes, " ");
  assert.equal((await admin.ask("/admin/accounts", { body: sized(16_384) })).status, 201);
  const large = await admin.ask("/admin/accounts", { body: sized(16_385) });
  assertRefused(large, 413, "body_too_large");
  assert.equal(admin.accounts.listAccounts().length, 1);
});

test("no reply has a CORS header", async (t) => {
  const admin = await startAdmin(t);
  const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
  for (const [method, path] of REQUESTS) {
    const reply = await admin.ask(path, { method, headers });
    const names = Object.keys(reply.headers).filter((name) => name.startsWith("access-control-"));
    assert.deepEqual(names, [], `${method} ${path}`);
  }
});

test("an unsupported method is 405 with the supported ones; an unknown path is 404", async (t) => {
  const admin = await startAdmin(t);
  const reply = await admin.ask("/admin/accounts", { method: "DELETE" });
  assertRefused(reply, 405, "method_not_allowed");
  assert.equal(reply.headers["allow"], "GET, HEAD, POST");
  assertRefused(await admin.ask("/admin/keys/key_1/rotate"), 405, "method_not_allowed");
  for (const path of ["/admin", "/admin/", "/admin/nowhere", "/administrator"])
    assertRefused(await admin.ask(path), 404, "not_found");
  assert.equal(
    (await admin.ask(`/admin/keys/${"k".repeat(3000)}/revoke`, { body: {} })).status,
    404,
  );
});

/** The same request, below /admin and elsewhere. */
const PROBES: readonly [method: string, rest: string, body?: string][] = [
  ["GET", "dmin"],
  ["GET", "dmin/accounts"],
  ["HEAD", "dmin/keys"],
  ["POST", "dmin/accounts", '{"name":"Ada","plan":"free"}'],
  ["POST", "dmin/keys", "not JSON"],
  ["PATCH", "dmin/accounts/acc_1", "{}"],
  ["POST", "dmin/keys/key_1/revoke", "{}"],
  ["GET", "dmin/usage?month=2026-11"],
  ["DELETE", "dmin/keys/key_1"],
  ["OPTIONS", "dmin/keys"],
  ["GET", "dmin/keys/%ff"],
];

async function assertUnknown(port: number, first = "/a"): Promise<void> {
  for (const [method, rest, body] of PROBES) {
    const call = { method, ...(body === undefined ? {} : { body }) };
    const request = await ask(port, `${first}${rest}`, call);
    const other = await ask(port, `/x${rest}`, call);
    assert.equal(request.head, other.head, `${method} ${rest}`);
    assert.equal(request.text, other.text, `${method} ${rest}`);
    assert.ok([400, 404, 415].includes(request.status), `${method} ${rest}: ${request.status}`);
  }
}

test("without a token every path below /admin is an unknown one, byte for byte", async (t) => {
  const admin = await startAdmin(t, { token: null });
  await assertUnknown(admin.port);
  await assertUnknown(admin.port, "/%61");
});

test("the public listener knows none of it, with or without a credential", async (t) => {
  const data_dir = await createFolder();
  const { service } = await start({
    data_dir,
    variables: { ADMIN_TOKEN: TOKEN },
    timetables: false,
  });
  t.after(async () => {
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });
  const client = createClient();
  t.after(() => client.close());
  await assertUnknown(Number(new URL(service.url).port));
  const { port } = new URL(service.admin_url);
  const made = await ask(Number(port), "/admin/keys", { body: { plan: "developer" } });
  assert.equal(made.status, 201, made.text);
  const { key } = JSON.parse(made.text) as { key: string };
  assert.match(key, /^svc_test_/);
  const headers = { authorization: `Bearer ${key}` };
  const me = await client.call(`${service.url}/v1/nearby?lat=0&lon=0`, { headers });
  assert.equal(me.status, 200, me.text);
  assert.equal((await ask(Number(port), "/admin/keys", { headers })).status, 401);
});

test("a service without a token has no admin API", async (t) => {
  const data_dir = await createFolder();
  const { service } = await start({ data_dir, timetables: false });
  t.after(async () => {
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });
  await assertUnknown(Number(new URL(service.admin_url).port));
});
