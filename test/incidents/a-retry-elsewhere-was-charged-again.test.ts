/**
 * A retry that reached another replica while the first request was under way was executed and charged
 * as well: that store knows of a search only once it is stored. A client that gave up and tried again
 * through the balancer paid twice. A search is claimed before it is executed now.
 */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { NO_POSTGRES, NO_VALKEY, startPostgres, startValkey } from "../support/engines.ts";
import { bearer, createCaller, openService, planLike } from "../integration/access/support.ts";
import { toSearch } from "../integration/service/capabilities.ts";
import { eventually } from "../integration/service/support.ts";
import { HANG_MS } from "../support/size.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());

const RETRIES = 20;
const UNITS = 2;
const COUNTED = { within_ms: HANG_MS, what: "the search is counted" };
/** Enough for one search: a retry needs none. */
const PLANS = { tight: planLike({ units: UNITS, period: "month", hard: true }) };

async function retriesElsewhere(t: TestContext, variables: Record<string, string>): Promise<void> {
  const wish = {
    plans: PLANS,
    variables: { VICINITY_STORE_URL: await engine.createDatabase(), ...variables },
  };
  const opened = [await openService(t, wish), await openService(t, wish)];
  const askers = opened.map(({ url }) => ({ url, ask: createCaller(t) }));
  const { key } = opened[0]!.service.keys.find(({ plan }) => plan === "tight")!;
  const headers = bearer(key);
  const body = toSearch({ lat: 48.8566, lon: 2.3522, limit: 5 });
  const replies = await Promise.all(
    Array.from({ length: RETRIES }, (_, n) => {
      const { url, ask } = askers[n % 2]!;
      return ask(`${url}/v1/capabilities`, { method: "POST", headers, body });
    }),
  );
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1, "one observation");
  const usedAt = async ({ url, ask }: (typeof askers)[number]): Promise<number> => {
    const me = await ask(`${url}/v1/me`, { headers });
    return (JSON.parse(me.text) as { usage: { used: number } }).usage.used;
  };
  for (const each of askers)
    await eventually(async () => (await usedAt(each)) >= UNITS || null, COUNTED);
  for (const each of askers) assert.equal(await usedAt(each), UNITS);
}

test(
  "retries at two replicas at once are one search, claimed in PostgreSQL",
  { skip: NO_POSTGRES },
  (t) => retriesElsewhere(t, {}),
);

test(
  "retries at two replicas at once are one search, claimed in Valkey",
  { skip: NO_POSTGRES || NO_VALKEY },
  async (t) => {
    const shared = (await startValkey())!;
    t.after(() => shared.stop());
    await retriesElsewhere(t, { VICINITY_SHARED_URL: shared.url });
  },
);
