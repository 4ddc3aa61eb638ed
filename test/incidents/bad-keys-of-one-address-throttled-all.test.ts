/**
 * Failing credentials are counted by address. The throttle parsed an address that the gate had
 * already turned into the name of a bucket ("192.0.2.1/32"), found it invalid, and counted all
 * callers in the one bucket for callers without an address: after 20 failures of one caller the next
 * wrong key of any other was answered 429 instead of 401 (decisions, Errors).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stubServer } from "../support/server.ts";
import { readAddressKeys } from "../support/address.ts";
import { call } from "../support/call.ts";

test("a caller that fails repeatedly is throttled, and the next address is not", async (t) => {
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
