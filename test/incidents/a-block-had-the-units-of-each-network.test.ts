/**
 * A /48 block of IPv6 holds 65,536 networks of a /64 each. The rate was bounded for the block as
 * well, but each network had its own daily units and its own number of stored datasets: the block
 * had 65,536 times both, enough to fill the disk of a service in a few hours. Today a search alone
 * makes a dataset that lives for an hour, and the bound is of those that were read again.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toSearch } from "../integration/service/capabilities.ts";
import { createCaller, openService, planLike } from "../integration/access/support.ts";

const FREE = planLike({
  units: 2,
  period: "day",
  hard: true,
  datasets: 1,
  nearby_limit_max: 5,
  rate_per_s: 1_000,
  burst: 1_000,
});
const CIRCLE = { lat: 48.8566, lon: 2.3522, radius: 400 };

const networkOf = (n: number): string => `2001:db8:1:${n.toString(16)}::1`;

test("a /48 has eight times the units of a /64, and the refusal says so", async (t) => {
  const { url } = await openService(t, { plans: { free: FREE }, still: true });
  const ask = createCaller(t);
  const { lat, lon, radius } = CIRCLE;
  const path = `${url}/v1/nearby?lat=${lat}&lon=${lon}&radius=${radius}&limit=1`;
  for (let n = 0; n < 16; n++)
    assert.equal((await ask(path, { address: networkOf(n >> 1) })).status, 200, `request ${n}`);
  const own = await ask(path, { address: networkOf(0) });
  assert.deepEqual([own.status, own.code], [429, "quota_exhausted"]);
  for (const n of [8, 9, 65_535]) {
    const fresh = await ask(path, { address: networkOf(n) });
    assert.deepEqual([fresh.status, fresh.code], [429, "quota_exhausted"], `network ${n}`);
    assert.match(fresh.text, /the 16 units of this day that a block of addresses/);
    assert.match(String(fresh.headers["ratelimit"]), /"day";r=0;/, "nothing is promised");
  }
  const me = await ask(`${url}/v1/me`, { address: networkOf(9) });
  const { usage } = JSON.parse(me.text) as { usage: { used: number; remaining: number } };
  assert.deepEqual([usage.used, usage.remaining], [0, 0]);
  assert.equal((await ask(path, { address: "2001:db8:2::1" })).status, 200, "the next /48");
});

test("a /48 keeps eight times the datasets of a /64 for long; a search alone is never refused", async (t) => {
  const plans = { free: { ...FREE, units: 1_000 } };
  const { url } = await openService(t, { plans });
  const ask = createCaller(t);
  const search = async (address: string): Promise<string> => {
    const { status, text } = await ask(`${url}/v1/capabilities`, {
      method: "POST",
      address,
      headers: { "content-type": "application/json" },
      body: toSearch({ ...CIRCLE, limit: 1 }),
    });
    assert.equal(status, 200, text);
    const { observation } = JSON.parse(text) as {
      observation: { provenance: [{ href: string }] };
    };
    return observation.provenance[0].href;
  };
  const matches: [address: string, href: string][] = [];
  for (let n = 0; n < 24; n++) {
    const address = networkOf(n >> 1);
    matches.push([address, await search(address)]);
  }
  const lives = await Promise.all(
    matches.map(async ([address, href]) => {
      const { status, headers } = await ask(url + href, { address });
      assert.equal(status, 200);
      return Number(/max-age=(\d+)/.exec(String(headers["cache-control"]))![1]) > 3600;
    }),
  );
  assert.equal(lives.filter(Boolean).length, 8);
});
