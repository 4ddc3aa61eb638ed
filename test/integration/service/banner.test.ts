/** The tests of the banner printed at the start: its `curl` lines answer 200 `success` on a fresh start. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { OPERATIONS } from "#api/operations.ts";
import { bannerFor, serviceBanner } from "#cli/print/banner.ts";
import { serviceFor } from "./support.ts";

const SMALL = { isTTY: true, rows: 24, columns: 80 };
const PROGRAM = { command: "bin/vicinity", version: "1.1.0" };

describe("the banner", () => {
  const served = serviceFor({ cities: "all" });
  const { client } = served;
  let banner = "";
  before(() => {
    banner = serviceBanner(served.started.service, served.started.config, PROGRAM);
  });

  test("every curl line answers 200 success with results", async () => {
    const urls = [...banner.matchAll(/curl '([^']+)'/g)].map(([, url = ""]) => url);
    assert.ok(urls.length >= 3, banner);
    for (const url of urls) {
      const reply = await client.call(url);
      assert.equal(reply.status, 200, url);
      const { status, total } = summaryOf(reply.text);
      assert.equal(status, "success", url);
      assert.ok(total > 0, url);
    }
  });

  test("what it says of limits and of the command line is so of this service", () => {
    const { config, service } = served.started;
    assert.match(banner, /rates and quotas are measured, not enforced\)/);
    const enforced = serviceBanner(service, { ...config, enforce_limits: true }, PROGRAM);
    assert.match(enforced, /rates and quotas are enforced\)/);
    for (const [, command = ""] of banner.matchAll(/bin\/vicinity ((?:nearby|services|doctor).*)/g))
      assert.ok(command.endsWith(` --url ${service.url}`), command);
    const usual = { ...service, url: "http://127.0.0.1:8080" };
    assert.ok(!serviceBanner(usual, config, PROGRAM).includes("--url"));
  });

  test("on a terminal it is short, and ends with the address to open", () => {
    const { config, service } = served.started;
    const usual = { ...service, url: "http://127.0.0.1:8080" };
    const brief = bannerFor(SMALL, usual, config, PROGRAM).split("\n");
    // Of 24 lines; the cursor needs one.
    assert.ok(brief.length - 1 <= 24 - 2, brief.join("\n"));
    assert.deepEqual(
      brief.filter((line) => line.length > 80),
      [],
    );
    assert.deepEqual(brief.slice(-3), ["  Explorer   http://127.0.0.1:8080/", "", ""]);
    const unseen = { ...config, explorer: { ...config.explorer, enabled: false } };
    const without = bannerFor(SMALL, usual, unseen, PROGRAM);
    assert.match(without, /\n {2}API {8}http:\/\/127\.0\.0\.1:8080\n\n$/);
    assert.ok(!without.includes("/docs"));
    for (const { plan, key } of service.keys)
      assert.ok(
        brief.some((line) => line.includes(plan) && line.endsWith(key)),
        plan,
      );
  });

  test("a terminal with room has all of it, as a pipe has", () => {
    const { config, service } = served.started;
    for (const room of [{}, { isTTY: true, rows: 90, columns: 80 }])
      assert.equal(bannerFor(room, service, config, PROGRAM), banner);
    for (const room of [SMALL, { isTTY: true }, { ...SMALL, rows: 40, columns: 200 }])
      assert.ok(bannerFor(room, service, config, PROGRAM).length < banner.length);
  });

  test("a terminal with some room has a line for as many families as fit, of every one that has one", () => {
    const { config, service } = served.started;
    const usual = { ...service, url: "http://127.0.0.1:8080" };
    const at = (rows: number): string[] =>
      bannerFor({ isTTY: true, rows, columns: 120 }, usual, config, PROGRAM).split("\n");
    const counts = [24, 26, 30, 34, 38].map((rows) => {
      const lines = at(rows);
      assert.ok(lines.length <= rows, lines.join("\n"));
      return lines.filter((line) => line.includes("curl")).length;
    });
    assert.deepEqual(counts, [2, 4, 8, 12, 12]);
    for (const line of at(38).filter((each) => each.includes("curl")))
      assert.ok(banner.replaceAll(service.url, usual.url).includes(line.trim()), line);
  });

  test("there is one for every operation that returns results", () => {
    const printed = [...banner.matchAll(/'(http[^'?]+)/g)].map(([, url = ""]) => url);
    const families = OPERATIONS.filter(({ tag }) => tag !== "System").map(({ path }) => path);
    const missing = families.filter((path) => {
      const pattern = path.replaceAll(/\{\w+\}/g, "[^/]+");
      const full = new RegExp(`^${RegExp.escape(served.started.service.url)}${pattern}$`);
      // The address of one operation is no example of another one that takes an id there.
      const isOther = (url: string): boolean =>
        path.includes("{") && families.some((one) => one === new URL(url).pathname);
      return !printed.some((url) => full.test(url) && !isOther(url));
    });
    // One answers the same query as geocode, four need an id from an earlier reply, and ways on
    // foot need the base that is made after the start. A stream does not end, a tile is bytes, and GBFS
    // is for programs.
    assert.deepEqual(missing, [
      "/v1/nearby/stream",
      "/v1/tiles/{z}/{x}/{y}.mvt",
      "/v1/places/{id}",
      "/v1/places/{id}/history",
      "/gbfs/v3/manifest.json",
      "/gbfs/v3/{system}/{file}.json",
      "/gbfs/v2/{system}/{file}.json",
      "/v1/place-search",
      "/v1/departures/{station_id}",
      "/v1/walk",
      "/v1/reach",
      "/v1/datasets/{id}/{version}",
    ]);
  });

  test("every other address in it answers 200", async () => {
    const urls = [...banner.matchAll(/(?<!')http:\/\/[^\s']+/g)].map(([url]) => url);
    assert.ok(urls.length >= 4, banner);
    for (const url of urls.filter((one) => one !== served.started.service.url))
      assert.equal((await client.call(url)).status, 200, url);
  });

  test("the example of an agent's call is answered with results", async () => {
    const [, type = "", body = "", url = ""] =
      /curl -H '([^']+)' -d '([^']+)' '([^']+)'/.exec(banner) ?? assert.fail(banner);
    const headers = { "content-type": type.split(": ")[1]! };
    const reply = await client.call(url, {
      method: "POST",
      headers,
      body: JSON.parse(body) as object,
    });
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.text, /"observation":\{"dataset_id":"nearby_/);
  });

  test("it names the mode, the address and how to go live", () => {
    assert.match(banner, /sandbox mode/);
    assert.ok(banner.includes(served.started.service.url));
    assert.match(banner, /VICINITY_CONTACT=\S+ npm run live/);
  });
});

type Lists = { weather?: unknown[]; list?: unknown[]; records?: unknown[] };
type Summary = { status: string; total: number };

/** GeoJSON carries under `meta` what JSON has at the top; geocoding has no status, only results. */
function summaryOf(text: string): Summary {
  const body = JSON.parse(text) as Partial<Summary> & Lists & { meta?: Summary; results?: unknown };
  const listed = Array.isArray(body)
    ? (body as unknown[])
    : (body.weather ?? body.list ?? body.records);
  if (listed) return { status: listed.length > 0 ? "success" : "empty", total: listed.length };
  if (body.status !== undefined) return body as Summary;
  if (!Array.isArray(body.results)) return body.meta!;
  const total = body.results.length;
  return { status: total > 0 ? "success" : "empty", total };
}
