/** Which status a refusal of the capabilities becomes, and what it says in addition to its code. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SEARCH_REQUEST_EXAMPLE } from "#api/capabilities-examples.ts";
import { call } from "../support/call.ts";
import { stubServer, type StubOptions } from "../support/server.ts";

type Capabilities = NonNullable<StubOptions["capabilities"]>;

function ask(stub: StubOptions, path: string) {
  const post = { method: "POST", payload: JSON.stringify(SEARCH_REQUEST_EXAMPLE) };
  const headers = { "content-type": "application/json" };
  const { app } = stubServer(stub);
  return call(app, { url: path, ...(path === POST ? { ...post, headers } : {}) });
}

const POST = "/v1/capabilities";
const GET = "/v1/datasets/nearby_x/1-y";

const REFUSALS = [
  [POST, "store_unavailable", 503, "1"],
  [POST, "quota_exhausted", 429, "77"],
  [GET, "store_unavailable", 503, "1"],
  [GET, "dataset_not_found", 404, undefined],
  [GET, "dataset_gone", 410, undefined],
] as const;

for (const [path, code, status, retry_after] of REFUSALS)
  test(`${path}: ${code} is ${status}`, async () => {
    const wait = code === "quota_exhausted" ? { retry_after_s: 77 } : {};
    const refused = { kind: "refused", code, ...wait } as const;
    const capabilities: Capabilities = {
      execute: () => Promise.resolve(refused as Awaited<ReturnType<Capabilities["execute"]>>),
      begin: () => Promise.resolve({ free: false, turn: null, end: () => undefined }),
      read: () => Promise.resolve(refused as Awaited<ReturnType<Capabilities["read"]>>),
    };
    const reply = await ask({ capabilities }, path);
    assert.equal(reply.statusCode, status);
    assert.equal((reply.json() as { error: { code: string } }).error.code, code);
    assert.equal(reply.headers["retry-after"], retry_after);
    assert.equal(reply.headers["cache-control"], "no-store");
  });

test("after the drain delay both refuse with 503", async () => {
  for (const path of [POST, GET]) {
    const reply = await ask({ drain: { phase: "closed" } }, path);
    assert.equal(reply.statusCode, 503);
    assert.equal((reply.json() as { error: { code: string } }).error.code, "shutting_down");
  }
});

test("a bad credential is refused before the body is looked at", async () => {
  const { app } = stubServer();
  const headers = { authorization: "Bearer x", "content-type": "text/plain" };
  const reply = await call(app, { url: POST, method: "POST", headers, payload: "no JSON" });
  assert.equal(reply.statusCode, 401);
});
