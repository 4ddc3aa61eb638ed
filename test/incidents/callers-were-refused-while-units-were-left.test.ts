/**
 * An answer to an address was counted twice for a moment: its units were booked, and it was still
 * counted as under way until its batch had ended. Of 40 requests at once on 50 units 14 were refused
 * until midnight, while half of the units were left. And each operation that a tool of /mcp may ask
 * was counted as under way, of which one ended: some calls later an account with all of its units was
 * refused. What is under way is one reservation now, which is booked or released once.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RPC_HEADERS, toRpc } from "../support/mcp.ts";
import { bearer, createCaller, openService, planLike } from "../integration/access/support.ts";

const UNITS = 50;
const AT_ONCE = 10;
const POINT = "lat=48.8566&lon=2.3522";

test("as many requests at once as there are units are all answered", async (t) => {
  const free = planLike({ units: UNITS, period: "day", hard: true });
  const { url } = await openService(t, { plans: { free } });
  const askers = Array.from({ length: UNITS / AT_ONCE }, () => createCaller(t));
  for (const [round, path] of [
    `/v1/parking/nearby?${POINT}`,
    "/v1/geocode?q=Paris",
    `/v1/nearby?${POINT}&limit=20`,
    `/v1/weather?coords=48.85,2.35`,
  ].entries()) {
    const address = `10.0.${round}.1`;
    await askers[0]!(url + path, { address: `10.1.${round}.1` });
    const crowd = Array.from({ length: UNITS }, async (_, n) => {
      const reply = await askers[n % askers.length]!(url + path, { address });
      return reply.status;
    });
    const answered = (await Promise.all(crowd)).filter((status) => status !== 429);
    assert.equal(answered.length, UNITS, path);
  }
});

test("calls of a tool that may ask several operations leave nothing reserved", async (t) => {
  const tight = planLike({ units: 20, period: "month", hard: true });
  const { url, service } = await openService(t, { plans: { tight } });
  const { key } = service.keys.find(({ plan }) => plan === "tight")!;
  const ask = createCaller(t);
  const request = { name: "get_weather", arguments: { lat: 48.8566, lon: 2.3522 } };
  const call = JSON.parse(toRpc("tools/call", request)) as object;
  for (let n = 0; n < 3; n++)
    await ask(`${url}/mcp`, {
      method: "POST",
      headers: { ...RPC_HEADERS, ...bearer(key) },
      body: call,
    });
  const me = await ask(`${url}/v1/me`, { headers: bearer(key) });
  const { usage } = JSON.parse(me.text) as { usage: { remaining: number } };
  for (let n = 0; n < usage.remaining; n++)
    assert.equal(
      (await ask(`${url}/v1/geocode?q=Paris`, { headers: bearer(key) })).status,
      200,
      `${n}`,
    );
  assert.ok(usage.remaining > 0 && usage.remaining < 20);
});
