/**
 * A request under way counted one unit against its quota, whatever it would cost: with 10 units left,
 * ten searches of three units each passed at once, and 30 units were used of a hard quota. The prices
 * of most operations are known from the question, and are reserved before the work.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toSearch } from "../integration/service/capabilities.ts";
import { bearer, createCaller, openService, planLike } from "../integration/access/support.ts";

const UNITS = 10;
const CROWD = 100;
/** Of one connection each. */
const AT_ONCE = 16;
const POINT = "lat=48.8566&lon=2.3522";

const CASES = [
  { name: "one unit", path: () => "/v1/geocode?q=Paris", units: 1 },
  {
    name: "three units",
    path: () => `/v1/services/nearby?${POINT}&types=toilets,parking,charging`,
    units: 3,
  },
  {
    name: "two units",
    body: (n: number) => toSearch({ lat: 48.8566, lon: 2.3522, limit: 1 + n }),
    units: 2,
  },
] as const;

for (const { name, units, ...request } of CASES)
  test(`of ${UNITS} units a crowd at once uses what ${UNITS} units pay for: ${name} each`, async (t) => {
    const tight = planLike({ units: UNITS, period: "month", hard: true });
    const { url, service } = await openService(t, { plans: { tight } });
    const { key } = service.keys.find(({ plan }) => plan === "tight")!;
    const askers = Array.from({ length: Math.ceil(CROWD / AT_ONCE) }, () => createCaller(t));
    const one = async (n: number): Promise<number> => {
      const question = "body" in request ? { method: "POST", body: request.body(n) } : {};
      const path = "path" in request ? request.path() : "/v1/capabilities";
      const ask = askers[n % askers.length]!;
      return (await ask(url + path, { ...question, headers: bearer(key) })).status;
    };
    const statuses = await Promise.all(Array.from({ length: CROWD }, (_, n) => one(n)));
    const passed = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => status === 402 || status === 429).length;
    const most = Math.floor(UNITS / units);
    assert.deepEqual([passed, refused], [most, CROWD - most]);
    const me = await askers[0]!(`${url}/v1/me`, { headers: bearer(key) });
    const { usage } = JSON.parse(me.text) as { usage: { used: number; remaining: number } };
    assert.deepEqual([usage.used, usage.remaining], [most * units, UNITS - most * units]);
    if (units !== 3) return;
    const last = await askers[0]!(url + CASES[1].path(), { headers: bearer(key) });
    assert.match(
      last.text,
      /this needs 3 units, and 1 of the 10 units of this month on the plan tight is left/,
    );
    assert.notEqual(last.headers["retry-after"], "1");
    assert.equal(
      (await askers[0]!(`${url}/v1/geocode?q=Paris`, { headers: bearer(key) })).status,
      200,
    );
  });
