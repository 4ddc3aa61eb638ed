/**
 * Failing credentials are counted by address. The throttle parsed an address anew that the gate had
 * made a bucket's name of already ("192.0.2.1/32"), found that it was none, and counted everybody in
 * the one bucket of those without an address: who failed 20 times made the next wrong key of
 * everybody else a 429 instead of a 401 (decisions, Errors).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stubServer } from "../support/server.ts";
import { readAddressKeys } from "../support/address.ts";
import { call } from "../support/call.ts";

test("who fails from one address is throttled, and the next address is not", async (t) => {
  const addressOf = ({ headers }: { headers: Record<string, unknown> }) =>
    readAddressKeys(headers["x-from"] as string) ?? assert.fail("no address");
  const { app } = stubServer({ gate: { addressOf, enforced: true } });
  t.after(() => app.close());
  const statusFor = async (from: string): Promise<number> => {
    const headers = { authorization: "Bearer wrong", "x-from": from };
    return (await call(app, { url: "/v1/me", headers })).statusCode;
  };
  for (let i = 0; i < 20; i++) assert.equal(await statusFor("192.0.2.1"), 401, `${i}`);
  assert.equal(await statusFor("192.0.2.1"), 429);
  assert.equal(await statusFor("192.0.2.2"), 401);
  assert.equal(await statusFor("2001:db8::1"), 401);
});
