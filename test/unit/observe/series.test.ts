/** Metrics have few series, whatever callers ask (reliability 5.6; goal 30: at most 2,200). */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { METHODS as NODE_METHODS } from "node:http";
import { test } from "node:test";
import { listRoutes } from "#api/mcp-operation.ts";
import { METRICS, type MetricName, type MetricRow, OUTCOMES } from "#http/metric-table.ts";
import { createMetrics, type Metrics } from "#http/metrics.ts";
import { createFleetMeter } from "#observe/fleet-meter.ts";
import { createLookupMeter } from "#observe/lookup-meter.ts";
import { type Exposition, readExposition } from "../../support/exposition.ts";
import { stubServer } from "../../support/server.ts";
import { sized } from "../../support/size.ts";
import { call } from "../../support/call.ts";

const MOST = 2_200;
/** A deployment asks no more of them at once: maps, geocoders and weather exclude one another. */
const PROVIDERS_AT_ONCE = 10;
/** As http/pages lays them. */
const PAGES = ["/", "/docs", "/assets/*"].map((path) => ({
  path,
  method: "GET",
  errors: {},
  conditional: true as const,
}));

async function read(metrics: Metrics): Promise<Exposition> {
  return readExposition(metrics.text());
}

test("every series that there can be: at most 2,200", async (t) => {
  const metrics = createMetrics();
  t.after(metrics.close);
  let observed = 0;
  for (const { path, method, errors, conditional } of [...listRoutes(), ...PAGES]) {
    const route = metrics.route(path);
    const refusals = [...Object.keys(errors).map(Number), 404, 413, 414, 431, 500];
    const answers = [200, ...(conditional ? [304] : []), ...(path === "/mcp" ? [202] : [])];
    for (const status of [...answers, ...refusals]) {
      route.observe(method, status, 0.01);
      observed++;
    }
    route.observe("OPTIONS", 204, 0.01);
    for (const each of NODE_METHODS) route.observe(each, 405, 0.01);
  }
  for (const each of NODE_METHODS) metrics.route("unmatched").observe(each, 404, 0.01);
  const meter = createLookupMeter(metrics);
  for (let i = 0; i < PROVIDERS_AT_ONCE; i++) {
    meter.source(`provider_${i}`, () => "open");
    for (const outcome of OUTCOMES) metrics.lookedUp(`provider_${i}`, outcome, 0.1);
  }
  createFleetMeter(metrics);
  const { series } = await read(metrics);
  assert.ok(observed > 250, `${observed} combinations`);
  t.diagnostic(`${series.length} series of ${observed} combinations`);
  assert.ok(series.length <= MOST, `${series.length} series`);
});

/** Of each half; enough that every method meets every route. */
const REQUESTS = sized(600, 3_000);

test("no request can make a series of its own", async (t) => {
  const { app, metrics } = stubServer({ quiet: true });
  t.after(() => app.close());
  const paths = listRoutes().map(({ path }) => path.replaceAll(/\{(\w+)\}/g, "$1"));
  const methods = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] as const;
  const ask = async (number: number) => {
    const path = number % 7 === 0 ? `/made/up/${number}` : paths[number % paths.length]!;
    await call(app, {
      method: methods[number % methods.length]!,
      url: `${path}?lat=${(number % 170) - 85}&lon=${number % 180}.${number}&canary${number}=1`,
      headers: { authorization: `Bearer canary_${number}`, "x-request-id": `canary-${number}` },
    });
  };
  for (let i = 0; i < REQUESTS; i++) await ask(i);
  const before = (await read(metrics)).series.length;
  for (let i = REQUESTS; i < 2 * REQUESTS; i++) await ask(i);
  const text = metrics.text();
  const { series } = readExposition(text);
  assert.doesNotMatch(text, /canary|made/);
  assert.ok(series.length <= MOST, `${series.length} series`);
  assert.equal(series.length, before, "twice the requests, no more series");
});

test("label values come from the lists, or are routes and providers of the deployment", async (t) => {
  const { app, metrics } = stubServer({ quiet: true });
  t.after(() => app.close());
  for (const url of ["/v1/nearby?lat=1&lon=2", "/v1/nearby", "/nothing", "/health"]) {
    for (const method of ["GET", "POST", "OPTIONS"] as const) await call(app, { url, method });
  }
  // An unlisted value is reported as such, and makes one series.
  metrics.cell("svc_feed_leases_total", { outcome: "surprise" }).count++;
  metrics.watch("svc_feeds", () => [{ labels: { state: "surprise", more: "x" }, value: 1 }]);
  const { series } = await read(metrics);
  const routes = new Set(["any", "unmatched", ...listRoutes().map(({ path }) => path)]);
  let checked = 0;
  for (const { name, labels } of series) {
    const row: MetricRow = METRICS[name.replace(/_(bucket|sum|count)$/, "") as MetricName];
    assert.ok(row, name);
    const { le: _, ...others } = labels;
    assert.deepEqual(Object.keys(others).toSorted(), Object.keys(row.labels).toSorted(), name);
    for (const [label, value] of Object.entries(others)) {
      const listed = row.labels[label]!;
      if (label === "route") assert.ok(routes.has(value), value);
      else if (listed !== "deployment") assert.ok([...listed, "other"].includes(value), value);
      checked++;
    }
  }
  assert.ok(checked > 100, `${checked} labels`);
});

/** Of providers: far from what a scrape is burdened by. */
const FOLDERS_MAX = 100;

test("a provider's name is what its folder is called: no more providers than folders", () => {
  const folders = readdirSync(new URL("../../../src/providers", import.meta.url)).filter(
    (name) => !name.endsWith(".ts"),
  );
  assert.ok(folders.length > PROVIDERS_AT_ONCE, `${folders.length}`);
  assert.ok(
    folders.length < FOLDERS_MAX,
    `${folders.length} folders of ${FOLDERS_MAX}: each is a value of a label; docs/operations.md says how many series there are`,
  );
});
