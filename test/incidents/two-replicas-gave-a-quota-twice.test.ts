/**
 * Each replica checked a hard quota against what it knew of the others, which is up to a second old:
 * ten units were given out twice by two replicas. That is bounded and stated now, and a plan that says
 * `exact` reserves its units in the store that the replicas share.
 */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { NO_POSTGRES, startPostgres } from "../support/engines.ts";
import { bearer, createCaller, openService, planLike } from "../integration/access/support.ts";
import { eventually } from "../integration/service/support.ts";
import { HANG_MS } from "../support/size.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());

const UNITS = 10;
const CROWD = 64;
const COUNTED = { within_ms: HANG_MS, what: "the ledger counts what was answered" };
const POINT = "lat=48.8566&lon=2.3522";
const SERVICES = `/v1/services/nearby?${POINT}&types=toilets,parking,charging`;

async function openTwo(t: TestContext) {
  const exact = planLike({ units: UNITS, period: "month", hard: true, exact: true });
  const wish = {
    plans: { exact, daily: { ...exact, period: "day" } },
    variables: { VICINITY_STORE_URL: await engine.createDatabase() },
  };
  const opened = [await openService(t, wish), await openService(t, wish)];
  const keyOf = (plan: string): string =>
    opened[0]!.service.keys.find((each) => each.plan === plan)!.key;
  return { urls: opened.map(({ url }) => url), keyOf };
}

test("two replicas give the units of an exact plan once", { skip: NO_POSTGRES }, async (t) => {
  const { urls, keyOf } = await openTwo(t);
  const askers = urls.flatMap((url) => [1, 2].map(() => ({ url, ask: createCaller(t) })));
  for (const [plan, path, units] of [
    ["exact", SERVICES, 3],
    ["daily", "/v1/geocode?q=Paris", 1],
  ] as const) {
    const headers = bearer(keyOf(plan));
    const crowd = Array.from({ length: CROWD }, async (_, n) => {
      const { url, ask } = askers[n % askers.length]!;
      return (await ask(url + path, { headers })).status;
    });
    const statuses = await Promise.all(crowd);
    const passed = statuses.filter((status) => status === 200).length;
    assert.equal(passed, Math.floor(UNITS / units), `${plan}: ${statuses.join(" ")}`);
    // What the ledger counts is what was answered, and what is left can be used, anywhere.
    for (const { url, ask } of askers)
      await eventually(async () => {
        const { text } = await ask(`${url}/v1/me`, { headers });
        const { usage } = JSON.parse(text) as { usage: { used: number } };
        return usage.used === passed * units || null;
      }, COUNTED);
    for (let left = UNITS - passed * units; left > 0; left--) {
      const { url, ask } = askers[left % askers.length]!;
      assert.equal(
        (await ask(`${url}/v1/geocode?q=Paris`, { headers })).status,
        200,
        `${left} left`,
      );
    }
    const { url, ask } = askers[1]!;
    assert.equal((await ask(`${url}/v1/geocode?q=Paris`, { headers })).code, "quota_exhausted");
  }
});

test(
  "an exact plan gives nothing out while the store is away",
  { skip: NO_POSTGRES },
  async (t) => {
    const { urls, keyOf } = await openTwo(t);
    const ask = createCaller(t);
    const headers = bearer(keyOf("exact"));
    assert.equal((await ask(`${urls[0]}/v1/geocode?q=Paris`, { headers })).status, 200);
    await engine.kill();
    t.after(() => engine.restart());
    const reply = await ask(`${urls[0]}/v1/geocode?q=Paris`, { headers });
    assert.deepEqual([reply.status, reply.code], [503, "store_unavailable"]);
  },
);
