/** Access to operations (§4.5, §5), through the server, with a key ring of one key. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeyedCaller } from "#app/access/request-caller.ts";
import { listOperations } from "#api/operations.ts";
import { ringOf } from "../support/gate.ts";
import { call } from "../support/call.ts";
import { FREE, stubServer } from "../support/server.ts";

/** The status of a request whose key has these scopes; null: without a key. */
async function statusOf(url: string, scopes: KeyedCaller["scopes"] | null): Promise<number> {
  const caller: KeyedCaller = {
    kind: "keyed",
    plan: FREE,
    key_id: "key_1",
    account_id: "acc_1",
    standing: "active",
    scopes: scopes ?? [],
  };
  const verdict = { ok: true, caller } as const;
  const keyring = ringOf(verdict);
  const { app } = stubServer({ gate: { keyring } });
  const headers: Record<string, string> = scopes === null ? {} : { authorization: "Bearer key" };
  return (await call(app, { url, headers })).statusCode;
}

// Proves §4.5 scope
test("reverse geocoding: anonymous calls pass, a key needs geography:read", async () => {
  const url = "/v1/reverse-geocode?lat=48.8566&lon=2.3522";
  // The stub has no maps provider: a request that is let through gets a 503.
  assert.equal(await statusOf(url, null), 503);
  assert.equal(await statusOf(url, ["geography:read"]), 503);
  for (const scopes of [[], ["data:read"], ["data:read", "journey:read"]] as const)
    assert.equal(await statusOf(url, scopes), 403, scopes.join());
});

// Proves §5 scopes
test("public data need data:read, and no operation needs journey:read", async () => {
  const nearby = "/v1/nearby?lat=48.8566&lon=2.3522";
  assert.equal(await statusOf(nearby, ["data:read"]), 200);
  assert.equal(await statusOf(nearby, ["journey:read"]), 403);
  const needed = new Set(listOperations().flatMap(({ scope }) => scope));
  assert.deepEqual(needed, new Set(["data:read", "geography:read"]));
});
