/**
 * `period` of a plan was only written into texts: keys were counted by the month and addresses by the
 * day, whatever their plan said. A key on a daily plan had its units of a day for a month, was asked to
 * return after four days, and was still refused the next day; the allowance of addresses could not
 * be made monthly.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { advance, createClient } from "../integration/service/support.ts";
import {
  bearer,
  createCaller,
  openService,
  planLike,
  type Reply,
} from "../integration/access/support.ts";

const DAY_S = 86_400;
const TIGHT = { units: 3, hard: true, rate_per_s: 1_000, burst: 1_000 };

type Usage = { period: string; used: number; remaining: number; ends_at: string };

test("a key on a daily plan has its units each day, an address on a monthly one each month", async (t) => {
  const opened = await openService(t, {
    plans: {
      daily: planLike({ ...TIGHT, period: "day" }),
      monthly: planLike({ ...TIGHT, period: "month" }),
      free: planLike({ ...TIGHT, period: "month" }),
    },
    still: true,
  });
  const { url, service } = opened;
  const ask = createCaller(t);
  const client = createClient();
  t.after(() => client.close());
  const keyOf = (plan: string): string => service.keys.find((each) => each.plan === plan)!.key;
  const callers = {
    daily: { headers: bearer(keyOf("daily")) },
    monthly: { headers: bearer(keyOf("monthly")) },
    anonymous: {},
  };
  type Name = keyof typeof callers;
  const geocode = (name: Name): Promise<Reply> => ask(`${url}/v1/geocode?q=Paris`, callers[name]);
  const usageOf = async (name: Name): Promise<Usage> =>
    (JSON.parse((await ask(`${url}/v1/me`, callers[name])).text) as { usage: Usage }).usage;
  const today = new Date(service.clock.now()).toISOString().slice(0, 10);
  const month = today.slice(0, 7);

  for (const name of ["daily", "monthly", "anonymous"] as const) {
    for (let n = 0; n < TIGHT.units; n++) assert.equal((await geocode(name)).status, 200, name);
    const refused = await geocode(name);
    const period = name === "daily" ? "day" : "month";
    assert.equal(refused.code, "quota_exhausted", name);
    assert.match(refused.text, new RegExp(`the 3 units of this ${period} on the plan`));
    const usage = await usageOf(name);
    assert.equal(usage.period, name === "daily" ? today : month, name);
    assert.deepEqual([usage.used, usage.remaining], [3, 0], name);
    const left_s = (Date.parse(usage.ends_at) - service.clock.now()) / 1000;
    assert.equal(refused.headers["retry-after"], String(Math.ceil(left_s)), name);
    assert.equal(left_s <= DAY_S, name === "daily", name);
    assert.match(String(refused.headers["ratelimit-policy"]), new RegExp(`"${period}";q=3`));
    assert.ok(
      String(refused.headers["ratelimit"]).includes(`"${period}";r=0;t=${Math.ceil(left_s)}`),
    );
  }

  const to_midnight_s = (Date.parse(`${today}T24:00:00Z`) - service.clock.now()) / 1000;
  await advance(client, service.sandbox!.url, to_midnight_s + 60);
  assert.equal((await geocode("daily")).status, 200, "the next day");
  assert.deepEqual((await usageOf("daily")).used, 1);
  assert.equal((await geocode("monthly")).status, 429, "the same month");
  assert.equal((await geocode("anonymous")).status, 429, "the same month");
  const next_ms = Date.parse((await usageOf("monthly")).ends_at);
  await advance(client, service.sandbox!.url, (next_ms - service.clock.now()) / 1000 + 60);
  for (const name of ["daily", "monthly", "anonymous"] as const)
    assert.equal((await geocode(name)).status, 200, `${name}, the next month`);
});

test("what was used counts for the period of the plan that an account is moved to, and after a restart", async (t) => {
  const plans = {
    daily: planLike({ ...TIGHT, period: "day" }),
    monthly: planLike({ ...TIGHT, period: "month" }),
  };
  const opened = await openService(t, { plans });
  const { service } = opened;
  const ask = createCaller(t);
  const { key } = service.keys.find(({ plan }) => plan === "monthly")!;
  const geocode = ({ url }: { url: string }): Promise<Reply> =>
    ask(`${url}/v1/geocode?q=Paris`, { headers: bearer(key) });
  for (let n = 0; n < TIGHT.units; n++) assert.equal((await geocode(service)).status, 200);
  assert.match((await geocode(service)).text, /of this month/);
  const client = createClient();
  t.after(() => client.close());
  await advance(client, service.sandbox!.url, DAY_S);
  assert.match((await geocode(service)).text, /of this month/);
  const account = opened.accounts.listAccounts().find(({ plan }) => plan === "monthly")!;
  opened.accounts.setAccount(account.id, { plan: "daily" });
  // A running service notices the change.
  for (let text = "of this month"; text.includes("of this month");)
    text = (await geocode(service)).text;
  for (let n = 1; n < TIGHT.units; n++) assert.equal((await geocode(service)).status, 200);
  assert.match((await geocode(service)).text, /of this day/);
  await opened.stop();
  const again = await openService(t, { plans, data_dir: opened.data_dir });
  // The simulated time begins again: it is the day before, whose units are known as well.
  assert.match((await geocode(again.service)).text, /of this day/);
});
