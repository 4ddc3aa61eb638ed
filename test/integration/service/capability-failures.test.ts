/** Executions that fail are reported in a 200, free, and nothing is kept (§7 rule 5); refusals are not. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { sized } from "../../support/size.ts";
import {
  fail,
  get,
  observe,
  post,
  refusalOf,
  toBody,
  toRead,
  toSearch,
  unitsOf,
} from "./capabilities.ts";
import { advance, createClient, createFolder, start, type Wish, closeAll } from "./support.ts";

async function open(t: TestContext, wish: Omit<Wish, "data_dir"> = {}) {
  const client = createClient();
  const { service, data_dir } = await start({
    cities: sized("paris,tokyo,sao-paulo", "all"),
    data_dir: await createFolder(),
    ...wish,
  });
  t.after(() => closeAll(client, { service, data_dir }));
  await service.feeds.surveyed();
  const sandbox = service.sandbox!;
  const keyOf = (plan: string) => ({ key: service.keys.find((one) => one.plan === plan)!.key });
  const city = (country: string): { lat: number; lon: number } => {
    const { lat, lon } = sandbox.cities().find((each) => each.country === country)!;
    return { lat, lon };
  };
  /** Breaks every source that could know something of a place. */
  const breakAll = async (fault: object): Promise<void> => {
    for (const source of ["gbfs", "citybikes", "motis", "openstreetmap"])
      await client.json(`${sandbox.url}/__sandbox/faults/${source}`, {
        method: "PUT",
        body: fault,
      });
  };
  const kept = (): number => countKept(data_dir);
  return { client, service, sandbox, keyOf, city, breakAll, kept };
}

function countKept(data_dir: string): number {
  const folder = join(data_dir, "sandbox");
  assert.ok(readdirSync(folder).includes("datasets.db"));
  const database = new DatabaseSync(join(folder, "datasets.db"), { readOnly: true });
  const { n } = database.prepare("SELECT count(*) AS n FROM dataset").get() as { n: number };
  database.close();
  return n;
}

const STATIONS = { include: "stations,vehicles" };

// Proves §4.8 error observation; §7 rule 5
test("all sources failing, late, or none at all: an error observation, free, nothing kept", async (t) => {
  const settings = { deadlines_ms: { capabilities: sized(4_000, 600) } };
  const { client, service, keyOf, city, breakAll, kept } = await open(t, { settings });
  const who = keyOf("developer");
  const tokyo = { ...city("JP"), ...STATIONS };
  await breakAll({ fault: "http_500" });
  const failed = await fail(client, service, toSearch(tokyo), who);
  assert.ok(failed.errors.length > 0);
  for (const { code, source_id, retryable } of failed.errors)
    assert.deepEqual([code, typeof source_id, retryable], ["all_sources_failed", "string", true]);
  assert.equal(failed.query!["lat"], tokyo.lat);
  assert.equal(failed.query!["requested_radius"], 400);
  await breakAll({ fault: "timeout" });
  const late = await fail(client, service, toSearch({ ...city("BR"), ...STATIONS }), who);
  assert.deepEqual([...new Set(late.errors.map(({ code }) => code))], ["deadline_exceeded"]);
  const uncovered = await fail(
    client,
    service,
    toSearch({ lat: -47.5, lon: -130, ...STATIONS }),
    who,
  );
  assert.deepEqual(
    uncovered.errors.map(({ code, source_id, retryable }) => ({ code, source_id, retryable })),
    [{ code: "no_sources_in_area", source_id: null, retryable: false }],
  );
  assert.equal(await unitsOf(client, service, who), 0);
  assert.equal(kept(), 0);
});

test("a failing source leaves what is held: reported as stale, never an error", async (t) => {
  const { client, service, sandbox, city, breakAll } = await open(t);
  const args = { ...city("FR"), ...STATIONS };
  const first = await observe(client, service, toSearch(args, "revalidate"));
  assert.ok(first.freshness.fresh > 0);
  await breakAll({ fault: "http_500" });
  await advance(client, sandbox.url, 60);
  for (const policy of ["revalidate", "accept_valid_cache"] as const) {
    const { freshness, provenance } = await observe(client, service, toSearch(args, policy));
    assert.ok(freshness.stale > 0, policy);
    assert.equal(freshness.realtime_reliable, false);
    assert.equal(freshness.fresh + freshness.stale + freshness.unknown, provenance[0].entity_count);
    assert.ok(provenance.some((each) => "status" in each && each.status === "error"));
  }
});

test("refused before it is executed: nothing is kept, and nothing is remembered", async (t) => {
  const { client, service, kept, keyOf } = await open(t);
  const bad = toBody({ capability: "search_mobility", args: { lat: 91, lon: 0 } });
  for (let i = 0; i < 2; i++)
    assert.equal(
      refusalOf(await post(client, service, bad, keyOf("developer"))),
      "400 invalid_request",
    );
  assert.equal(kept(), 0);
  const unknown = await post(client, service, toRead({ id: "nearby_x", version: "1-y" }));
  assert.equal(refusalOf(unknown), "404 dataset_not_found");
});

test("as many datasets as an account's plan keeps; then 429 that names it, until one expires", async (t) => {
  const plans = { developer: { datasets: 3 }, free: { datasets: 2 } };
  const settings = { plans, datasets: { anonymous_h: 1, keyed_h: 1 } };
  const variables = { VICINITY_ENFORCE_LIMITS: "1" };
  const { client, service, sandbox, keyOf, city, kept } = await open(t, { settings, variables });
  const args = city("FR");
  const who = keyOf("developer");
  for (let i = 0; i < 3; i++) await observe(client, service, toSearch(args), who);
  const body = toSearch(args);
  for (let i = 0; i < 2; i++) {
    const reply = await post(client, service, body, who);
    assert.equal(refusalOf(reply), "429 quota_exhausted");
    assert.match(reply.text, /plan developer keeps at most 3 datasets/);
    assert.ok(Number(reply.headers["retry-after"]) >= 1);
  }
  for (let i = 0; i < 5; i++) await observe(client, service, toSearch(args));
  assert.equal(kept(), 8, "searches without a key are not refused for their number");
  assert.equal(await unitsOf(client, service, who), 6, "a refusal costs nothing");
  await advance(client, sandbox.url, 3600);
  await observe(client, service, toSearch(args), who);
});

test("the sandbox enforces no number of datasets", async (t) => {
  const settings = { plans: { developer: { datasets: 1 } } };
  const { client, service, keyOf, city } = await open(t, { settings });
  const who = keyOf("developer");
  for (let i = 0; i < 3; i++) await observe(client, service, toSearch(city("FR")), who);
});

test("units used up: 429 for what is new; repeats and reading go on", async (t) => {
  const { client, service, keyOf, city } = await open(t, {
    settings: { plans: { developer: { units: 2, period: "month", hard: true } } },
    variables: { VICINITY_ENFORCE_LIMITS: "1" },
  });
  const who = keyOf("developer");
  const body = toSearch(city("FR"));
  const { provenance, dataset_id } = await observe(client, service, body, who);
  assert.equal(await unitsOf(client, service, who), 2);
  const more = await post(client, service, toSearch(city("FR")), who);
  assert.equal(refusalOf(more), "429 quota_exhausted");
  assert.equal((await observe(client, service, body, who)).dataset_id, dataset_id, "a repeat");
  const { version, href } = provenance[0];
  const read = await observe(client, service, toRead({ id: dataset_id, version }), who);
  assert.equal(read.dataset_id, dataset_id);
  assert.equal((await get(client, service, href, {}, who)).status, 200);
  assert.equal(await unitsOf(client, service, who), 2);
});
