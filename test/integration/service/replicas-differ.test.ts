/** Two replicas at one exchange that differ in plans, configuration and imports: each says so, once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { NO_POSTGRES, NO_VALKEY, startPostgres } from "../../support/engines.ts";
import { startStore } from "../../support/shared-store.ts";
import {
  closeAll,
  createClient,
  createFolder,
  type LogLine,
  start,
  type Started,
} from "./support.ts";

type Line = LogLine & { what?: string; others?: { name: string; value: string }[] };

async function openReplica(variables: Record<string, string>, settings: object) {
  const lines: Line[] = [];
  const started = await start({
    data_dir: await createFolder(),
    variables,
    settings,
    timetables: false,
    onLine: (line) => void lines.push(line),
  });
  const found = (msg: RegExp): string[] =>
    lines.filter((line) => msg.test(line.msg ?? "")).map(({ what = "" }) => what);
  return { started, found };
}

/** Both compare, several times. Where they do so by notices, those take a moment. */
async function pass(replicas: readonly { started: Started }[]): Promise<void> {
  for (let i = 0; i < 4; i++)
    for (const { started } of replicas) {
      await started.service.clock.advance(10_000);
      await pause(100);
    }
}

/** What replicas share, each alone. */
const STORES = [
  { over: "Valkey", variable: "VICINITY_SHARED_URL", skip: NO_VALKEY, open: startStore },
  { over: "PostgreSQL", variable: "VICINITY_STORE_URL", skip: NO_POSTGRES, open: openPostgres },
] as const;

async function openPostgres() {
  const engine = (await startPostgres())!;
  return { url: await engine.createDatabase(), stop: () => engine.stop() };
}

for (const { over, variable, skip, open } of STORES)
  test(
    `replicas that differ warn once a change, and count each other, over ${over} alone`,
    { skip },
    async (t) => {
      const engine = await open();
      const client = createClient();
      const lim = { rate_per_s: 20, burst: 40, units: null, period: null, hard: false };
      const bounds = { nearby_limit_max: 10, nearby_offset_max: 0, datasets: null };
      const settings = {
        plans: { lim: { ...lim, ...bounds } },
        mcp: { origins: ["https://a.example"] },
      };
      const one = await openReplica({ [variable]: engine.url }, settings);
      const two = await openReplica({ [variable]: engine.url }, {});
      t.after(async () => {
        for (const { started } of [one, two]) await closeAll(client, started);
        await engine.stop();
      });
      await pass([one, two]);
      for (const { found } of [one, two])
        assert.deepEqual(found(/^replicas differ/).toSorted(), ["config", "plans"]);
      await pass([one, two]);
      assert.equal(one.found(/^replicas differ/).length, 2, "once");
      const { text } = await client.call(`${two.started.service.admin_url}/metrics`);
      for (const [what, count] of [
        ["plans", 1],
        ["config", 1],
        ["bases", 0],
        ["version", 0],
      ] as const)
        assert.match(text, new RegExp(`^svc_replicas_differ\\{what="${what}"\\} ${count}$`, "m"));
      two.started.service.apply(one.started.config);
      await pass([one, two]);
      assert.deepEqual(two.found(/^replicas agree again/).toSorted(), ["config", "plans"]);
      // One that ends differs from nothing.
      two.started.service.apply({ ...two.started.config, digest: { config: "x", plans: "y" } });
      await pass([one, two]);
      assert.equal(one.found(/^replicas differ/).length, 4);
      await two.started.service.close({ delay_ms: 0 });
      await pass([one]);
      assert.deepEqual(one.found(/^replicas agree again/).length, 4);
    },
  );

test("a key on a plan that is not configured is served by the least one, and that is seen", async (t) => {
  const data_dir = await createFolder();
  const client = createClient();
  const lines: LogLine[] = [];
  const wish = { data_dir, timetables: false, onLine: (line: LogLine) => void lines.push(line) };
  const variables = { ADMIN_TOKEN: "0123456789abcdef" };
  const started = await start({ ...wish, variables });
  t.after(() => closeAll(client, started));
  const { service, config } = started;
  const lim = { ...config.plans["developer"]!, name: "lim" };
  service.apply({ plans: { ...config.plans, lim }, digest: config.digest });
  // The admin API knows a plan as soon as it is there.
  const made = await client.json<{ key: string; account_id: string }>(
    `${service.admin_url}/admin/keys`,
    {
      method: "POST",
      body: { plan: "lim", name: "maps" },
      headers: { authorization: "Bearer 0123456789abcdef", "content-type": "application/json" },
    },
  );
  const me = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${made.key}` };
    return (await client.json<{ plan: { name: string } }>(`${service.url}/v1/me`, { headers })).plan
      .name;
  };
  const metric = async (): Promise<string | undefined> =>
    /^svc_unknown_plans (\d+)$/m.exec(
      (await client.call(`${service.admin_url}/metrics`)).text,
    )?.[1];
  assert.deepEqual([await me(), await metric()], ["lim", "0"]);
  service.apply({ plans: config.plans, digest: config.digest });
  assert.deepEqual([await me(), await metric()], ["free", "1"]);
  const reported = lines.filter(({ msg }) => /plan that is not configured/.test(msg ?? ""));
  assert.equal(reported.length, 1);
  assert.equal(reported[0]!.level, 50);
  assert.ok(JSON.stringify(reported[0]).includes(made.account_id));
});
