/**
 * Failing credentials were counted under the bucket of callers without an address: what the gate
 * handed over was the name of an address's bucket, which the throttle read as an address again and
 * could not. So 20 bad keys from anywhere made every other bad key in the world a 429 (decisions,
 * Errors: "from one address").
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClientAddress } from "#http/client-address.ts";
import { call } from "../support/call.ts";
import { stubServer } from "../support/server.ts";

test("20 bad keys of one address do not throttle another", async () => {
  const addressOf = createClientAddress(["127.0.0.1/32"]);
  const { app } = stubServer({ gate: { addressOf, enforced: true } });
  const fail = async (address: string): Promise<number> => {
    const headers = { authorization: "Bearer x", "x-forwarded-for": address };
    return (await call(app, { url: "/v1/me", headers })).statusCode;
  };
  const first: number[] = [];
  for (let i = 0; i < 22; i++) first.push(await fail("192.0.2.7"));
  assert.deepEqual(first, [...Array<number>(20).fill(401), 429, 429]);
  assert.equal(await fail("198.51.100.9"), 401);
  assert.equal(await fail("2001:db8::1"), 401);
});
