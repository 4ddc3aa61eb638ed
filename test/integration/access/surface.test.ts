/** The admin API is for operators alone (reliability 4.4): absent for the public, and without a token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sendRaw } from "./canaries.ts";
import { ADMIN_TOKEN, makeKey, openService } from "./support.ts";

const PATHS = [
  ...["/admin", "/admin/", "/admin/accounts", "/admin/accounts/acc_1", "/admin/keys"],
  ...["/admin/keys/key_1", "/admin/keys/key_1/rotate", "/admin/keys/key_1/revoke"],
  ...["/admin/usage", "/admin/nowhere", "/%61dmin/keys", "//admin/keys", "/admin/../admin/keys"],
];
const PROBES = ["/livez", "/readyz", "/metrics"];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The reply without what differs every time. */
async function fetchReply(
  url: string,
  { method, path, token }: Record<string, string>,
): Promise<string> {
  const head = [`${method} ${path} HTTP/1.1`, "Host: localhost", "Connection: close"];
  const lines = [...head, `Authorization: Bearer ${token}`, "Content-Type: application/json"];
  const body = method === "GET" || method === "HEAD" ? "" : "{}";
  const text = [...lines, `Content-Length: ${body.length}`, "", body].join("\r\n");
  return (await sendRaw(url, text)).toString().replaceAll(/^(date|x-request-id): .*\r\n/gim, "");
}

test("on the public listener every path under /admin is as unknown as any other path", async (t) => {
  const { url, service, accounts } = await openService(t);
  const { key } = makeKey(accounts);
  let count = 0;
  for (const method of METHODS)
    for (const token of [ADMIN_TOKEN, key]) {
      const unknown = await fetchReply(url, { method, path: "/unknown", token });
      assert.match(unknown, /^HTTP\/1\.1 404 /);
      for (const path of [...PATHS, ...PROBES]) {
        assert.equal(await fetchReply(url, { method, path, token }), unknown, `${method} ${path}`);
        count += 1;
      }
    }
  assert.equal(count, METHODS.length * 2 * (PATHS.length + PROBES.length));
  // There, with its token, it is; and the keys of callers are no tokens there.
  const admin = { method: "GET", path: "/admin/keys" };
  assert.match(
    await fetchReply(service.admin_url, { ...admin, token: ADMIN_TOKEN }),
    /^HTTP\/1\.1 200 /,
  );
  assert.match(await fetchReply(service.admin_url, { ...admin, token: key }), /^HTTP\/1\.1 401 /);
  assert.match(
    await fetchReply(service.admin_url, { ...admin, path: "/v1/me", token: key }),
    / 404 /,
  );
});

test("without a token in the environment there is no admin API at all", async (t) => {
  const { service } = await openService(t, { variables: { ADMIN_TOKEN: "" } });
  const url = service.admin_url;
  for (const method of METHODS) {
    const unknown = await fetchReply(url, { method, path: "/unknown", token: ADMIN_TOKEN });
    assert.match(unknown, /^HTTP\/1\.1 404 /);
    for (const path of PATHS)
      for (const token of [ADMIN_TOKEN, ""])
        assert.equal(await fetchReply(url, { method, path, token }), unknown, `${method} ${path}`);
  }
  assert.match(
    await fetchReply(url, { method: "GET", path: "/readyz", token: "" }),
    /^HTTP\/1\.1 200 /,
  );
});
