/**
 * While the store cannot be reached a key that is known lives on (decisions, Authentication), but
 * what its account has used may not be in memory: the store was asked, threw, and the caller got a
 * 500. It is as unavailable as the keys are, and the operations have a status for that.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Quotas } from "#app/access/unit-quota.ts";
import { call } from "../support/call.ts";
import { keyedCaller, ringOf } from "../support/gate.ts";
import { stubServer } from "../support/server.ts";

test("units that cannot be read are reported as an unavailable store, not as a defect", async () => {
  const faults: unknown[] = [];
  const unitsOf = (): number => {
    throw new Error("disk I/O error");
  };
  const quotas = new Quotas({ unitsOf }, (error) => faults.push(error));
  const keyring = ringOf({ ok: true, caller: keyedCaller() });
  const { app } = stubServer({ gate: { quotas, keyring } });
  const headers = { authorization: "Bearer k" };
  for (const [url, status, code] of [
    ["/v1/nearby?lat=0&lon=0", 503, "store_unavailable"],
    ["/v1/parking/nearby?lat=0&lon=0", 503, "store_unavailable"],
    ["/v1/me", 503, "store_unavailable"],
  ] as const) {
    const reply = await call(app, { url, headers });
    const { error } = reply.json() as { error: { code: string } };
    assert.deepEqual(
      [reply.statusCode, error.code, reply.headers["retry-after"]],
      [...[status, code, "1"]],
    );
  }
  assert.equal(faults.length, 3, "reported each time");
  // Operations that need no units, and callers without units in the store, are answered.
  assert.equal((await call(app, { url: "/v1/sources", headers })).statusCode, 200);
  assert.equal((await call(app, { url: "/v1/me" })).statusCode, 200);
});
