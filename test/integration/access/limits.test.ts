/** A caller that waits as long as `Retry-After` says is admitted, and none sooner: on the service's own clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bearer,
  createCaller,
  makeKey,
  openService,
  planLike,
  type Question,
  strangeKey,
} from "./support.ts";

/** One in twenty seconds: real time, which goes on meanwhile, makes no difference. */
const RATE = { rate_per_s: 0.05, burst: 3 };
/** The time before a retry is due at which a request is still too early. */
const MARGIN_MS = 2_500;
const PLANS = { free: RATE, slow: planLike(RATE) };

test("Retry-After is true for keys, addresses and bad keys", async (t) => {
  const { url, accounts, service } = await openService(t, { plans: PLANS, still: true });
  const ask = createCaller(t);
  const { key } = makeKey(accounts, { plan: "slow" });
  const path = `${url}/v1/sources`;
  const buckets: [what: string, question: Question, admitted: number, burst: number][] = [
    ["key", { headers: bearer(key) }, 200, 3],
    ["address", { address: "10.1.0.1" }, 200, 3],
    ["IPv6 /64", { address: "2001:db8::7" }, 200, 3],
    ["bad keys", { headers: bearer("x"), address: "10.2.0.1" }, 401, 20],
    ["unknown keys", { headers: bearer(strangeKey()), address: "10.3.0.1" }, 401, 20],
  ];
  for (const [what, question, admitted, burst] of buckets) {
    for (let i = 0; i < burst; i++)
      assert.equal((await ask(path, question)).status, admitted, `${what} ${i}`);
    // A refusal moves nothing: a second one states the same time.
    const refused = [await ask(path, question), await ask(path, question)];
    for (const { status, code } of refused)
      assert.deepEqual([status, code], [429, "rate_limited"], what);
    const wait_s = Number(refused[0]!.headers["retry-after"]);
    assert.ok(Number.isInteger(wait_s) && wait_s >= 2 && wait_s <= 20, `${what}: ${wait_s}`);
    await service.clock.advance(Math.max(0, wait_s * 1_000 - MARGIN_MS));
    assert.equal((await ask(path, question)).status, 429, `${what}: too soon`);
    await service.clock.advance(MARGIN_MS);
    assert.equal((await ask(path, question)).status, admitted, `${what}: after ${wait_s} s`);
    assert.equal((await ask(path, question)).status, 429, `${what}: one and no more`);
  }
});

test("an empty bucket affects its owner alone, not other keys, other addresses or good keys from there", async (t) => {
  const { url, accounts } = await openService(t, { plans: PLANS, still: true });
  const ask = createCaller(t);
  const path = `${url}/v1/sources`;
  const first = makeKey(accounts, { plan: "slow" });
  const second = makeKey(accounts, { plan: "slow", account_id: first.account_id });
  const statuses = async (question: Question, count: number): Promise<number[]> => {
    const seen: number[] = [];
    for (let i = 0; i < count; i++) seen.push((await ask(path, question)).status);
    return seen;
  };
  const three = [200, 200, 200, 429];
  assert.deepEqual(await statuses({ headers: bearer(first.key) }, 4), three);
  // A burst is a key's, though its units are the account's; and no address is asked of it.
  assert.deepEqual(await statuses({ headers: bearer(second.key) }, 4), three);
  assert.deepEqual(await statuses({ address: "10.4.0.1" }, 4), three);
  const good = makeKey(accounts);
  assert.deepEqual(await statuses({ address: "10.4.0.1", headers: bearer(good.key) }, 4), [
    ...[200, 200, 200, 200],
  ]);
  // One /64 is one caller; a /24 has as much as eight addresses.
  for (const host of ["1", "2:3", "ffff"])
    assert.deepEqual(await statuses({ address: `2001:db8:0:9:${host}::` }, 1), [200]);
  assert.deepEqual(await statuses({ address: "2001:db8:0:9::1" }, 1), [429]);
  const block: number[] = [];
  for (let host = 1; host <= 9; host++)
    block.push(...(await statuses({ address: `10.5.0.${host}` }, 3)));
  assert.deepEqual(
    [block.filter((status) => status === 200).length, block.slice(24)],
    [24, [429, 429, 429]],
  );
  // 20 bad keys of one address are nothing to the next.
  const bad = (address: string): Question => ({ address, headers: bearer("x") });
  await statuses(bad("10.6.0.1"), 20);
  assert.deepEqual(await statuses(bad("10.6.0.1"), 1), [429]);
  assert.deepEqual(await statuses(bad("10.6.0.2"), 1), [401]);
});

test("the RateLimit header counts down to the refusal", async (t) => {
  const { url, accounts } = await openService(t, { plans: PLANS, still: true });
  const ask = createCaller(t);
  const { key } = makeKey(accounts, { plan: "slow" });
  const remaining: string[] = [];
  for (let i = 0; i < 4; i++) {
    const { headers } = await ask(`${url}/v1/me`, { headers: bearer(key) });
    const [, left, t_s] = /^"burst";r=(\d+);t=(\d+)$/.exec(headers["ratelimit"] as string)!;
    assert.equal(headers["ratelimit-policy"], '"burst";q=3;w=60');
    const retry = headers["retry-after"];
    assert.ok(retry === undefined || Number(retry) >= Number(t_s));
    remaining.push(left!);
  }
  assert.deepEqual(remaining, ["2", "1", "0", "0"]);
});
