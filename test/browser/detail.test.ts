/** The detail of a thing: what can be done with it, its facts, and why, as a person reads them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { timeOfTests } from "../integration/service/support.ts";
import { findBarriers, openPage, skip, untilShown, type Watched } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const PARIS = "/?at=48.8566,2.3522";
const TOKYO = "/?at=35.6812,139.7671";
/** What only machines read: ids of maps, tokens, times as the API writes them. */
const MACHINE = /ChIJ|[a-z]_[a-z]|\d{4}-\d\d-\d\dT|svc_|:Station:|undefined|\[object/;
/** A key of a text that is missing. */
const KEY = /\b(detail|action|attr|conn|zones|board|why|answer|request)\.[a-z]/;

type Body = { results: { stations: Station[] }; debug?: { entities: Entity[] } };
type Station = {
  rental_uris?: unknown;
  conflicts?: object[];
  provenance?: { source_id: string }[];
};
type Entity = { near_misses: object[] };

/** A station that was not merged, and counts that differ, neither of which every city has. */
const NEAR = {
  source_id: "citybikes:elsewhere:A:1",
  entity_id: "A:1",
  location: { lat: 35.6815, lon: 139.767 },
  score: 0.4,
  reasons: ["distance +1.2", "name_different -3", "brand_new -1"],
};

describe("details", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite(
    { cities: "paris,tokyo", awake: [PARIS_POINT, "lat=35.6812&lon=139.7671"] },
    (site) => void ({ url, browser } = site),
  );

  /** A page of which the map is not drawn. */
  const open = async (
    path: string,
    look: Parameters<typeof openPage>[1] = {},
  ): Promise<Watched> => {
    const watched = await openPage(browser, { map: "late", ...look });
    await watched.page.goto(url + path);
    await untilShown(watched.page);
    return watched;
  };

  test("the last 24 hours: a zero is seen, a gap is nothing, and a table has the numbers", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: "late" });
    const hour = (n: number, count: number) => ({
      at: new Date(timeOfTests() - n * 3_600_000).toISOString(),
      vehicles: count,
      docks: null,
    });
    const [from, until] = [hour(24, 0).at, hour(0, 0).at];
    let samples = [hour(20, 4), hour(19, 0), hour(2, 9)];
    const answer = { status: "success", known_since: from, from, until, step_s: 600 };
    await page.route("**/v1/places/*/history", (route) =>
      route.fulfill({ json: { ...answer, samples } }),
    );
    await page.goto(`${url}${PARIS}&show=bicycle`);
    await untilShown(page);
    await page.click(".row:has(.mark.station) >> nth=0");
    await page.waitForSelector("#detail .history svg");
    assert.equal(
      await page.getAttribute(".history svg", "aria-label"),
      "Available: 3 reports, 0 to 9",
    );
    assert.equal(
      await page.locator(".history svg").count(),
      1,
      "docks are not known: no plot of them",
    );
    const [some, none] = await page
      .locator(".history svg path")
      .evaluateAll((all) => all.map((one) => one.getAttribute("d") ?? ""));
    assert.deepEqual(some?.match(/M\d+/g), ["M24", "M132"]);
    assert.match(none ?? "", /^M30 100v-4h1v4z$/);
    assert.match(await page.innerText(".history"), /A gap is a time without a report, not zero\./);
    await page.click(".history summary");
    // It is drawn again where the station has become one of two sources meanwhile.
    await page.locator(".history td").nth(2).waitFor({ state: "attached" });
    const cells = await page.locator(".history td").allTextContents();
    assert.deepEqual(cells, ["9", "0", "4"]);
    assert.deepEqual(await findBarriers(page), []);
    samples = [];
    await page.click("#detail .back");
    await page.click(".row:has(.mark.station) >> nth=1");
    await page.getByText("Nothing was reported of it since").waitFor();
    assertClean();
    await context.close();
  });

  test("a station: actions first, counts, and reasons in sentences", async () => {
    const { page, context, assertClean } = await open(`${PARIS}&show=bicycle`);
    await page.click(".row:has(.mark.station) >> nth=0");
    await page.waitForSelector("#detail .reasons li");
    const actions = await page.locator("#detail .do :is(a, button)").evaluateAll((all) =>
      all.map((one) => ({
        text: one.textContent ?? "",
        href: one.getAttribute("href"),
        height: one.getBoundingClientRect().height,
        top: one.getBoundingClientRect().top,
      })),
    );
    assert.deepEqual(
      actions.map(({ text }) => text),
      ["Directions", "Rent", "Copy coordinates", "Share"],
    );
    for (const { height, text } of actions) assert.ok(height >= 40, `${text}: ${height} px`);
    assert.match(actions[0]?.href ?? "", /^https:\/\/www\.openstreetmap\.org\/directions\?to=48\./);
    assert.match(actions[1]?.href ?? "", /^https:\/\/www\./);
    const facts = await page.locator("#detail .facts").boundingBox();
    assert.ok(
      actions.every(({ top }) => top < (facts?.y ?? 0)),
      "above the facts",
    );
    const reported = await page.innerText("#detail");
    assert.match(reported, /ways on foot are not known\.[^]*\d+ m in a straight line/);
    await page.waitForSelector("#detail .history svg");
    assert.match(reported, /\d+\nAvailable\n\d+\nFree docks\n\d+\nElectric\n\d+\nCapacity/);
    assert.match(plain(reported), /Reported .+ ago by (Vélo Seine|CityBikes)/);
    const why = plain(await page.innerText("#detail .why"));
    assert.match(why, /[23] sources report this station: Vélo Seine \(.+ ago\)(,| and) CityBikes/);
    assert.match(why, /CityBikes means the same station:/);
    assert.match(why, /Its position is \d+ m from the one shown\./);
    assert.match(why, /It is (certain|very likely|likely) that they mean the same one\./);
    assertReadable(reported);
    assert.deepEqual(await findBarriers(page), []);
    await page.click("#detail .machine summary");
    assert.match(await page.innerText("#detail .machine"), /_equal \+\d/);
    assertClean();
    await context.close();
  });

  test("ids with colons: sources by name, and where they differ in sentences", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: "late", theme: "dark" });
    await changeNearby(page, ({ results, debug }) => {
      for (const station of results.stations) {
        const [first, second] = station.provenance ?? [];
        if (second === undefined) continue;
        const differ = (field: string, value: unknown, other: unknown): object => ({
          ...{ field, source_id: first?.source_id, value },
          others: [{ source_id: second.source_id, value: other }],
        });
        station.conflicts = [
          differ("name", "月見", "Tsukimi"),
          differ("availability", { vehicles: 7, docks: 3 }, { vehicles: 8, docks: null }),
        ];
      }
      for (const entity of debug?.entities ?? []) entity.near_misses = [NEAR];
    });
    await page.goto(`${url}${TOKYO}&show=bicycle`);
    await untilShown(page);
    await page.click(".row:has(.mark.station) >> nth=0");
    await page.waitForSelector("#detail .reasons li");
    const why = plain(await page.innerText("#detail .why"));
    assert.match(why, /2 sources report this station: さくらサイクル \(.+ ago\) and CityBikes \(/);
    assert.match(why, /Name: さくらサイクル reports 月見, CityBikes reports Tsukimi\./);
    assert.match(why, /The source closest to the operator comes first\./);
    assert.match(why, /Available: さくらサイクル reports 7, CityBikes reports 8\. The newest/);
    assert.doesNotMatch(why, /Free docks/, "what one of them does not state is no difference");
    assert.match(why, /Nearby, but not the same\s+CityBikes reports another one:/);
    assert.match(why, /The names differ\.\s+Brand new\./);
    assertReadable(await page.innerText("#detail"));
    assertClean();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });

  test("hostile links of a feed lead nowhere; those of an app only on its platform", async () => {
    const watched = await openPage(browser, { map: "late" });
    const { page, context, assertClean } = watched;
    const uris = [
      {
        web: "javascript:alert(1)",
        ios: "javascript://%0aalert(1)",
        android: "intent://x#Intent;end",
      },
      { web: "data:text/html,x", android: "velo://stations/1", ios: "velo://stations/1" },
    ];
    await changeNearby(page, ({ results }) => {
      for (const [n, station] of results.stations.entries()) station.rental_uris = uris[n % 2];
    });
    await page.goto(`${url}${PARIS}&show=bicycle`);
    await untilShown(page);
    assert.deepEqual(await schemesOf(page), ["https:"]);
    // The next page is that of a telephone.
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "userAgentData", { value: { platform: "Android" } }),
    );
    await page.reload();
    await untilShown(page);
    assert.deepEqual(await schemesOf(page), ["geo:", "velo:"]);
    assertClean();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  });

  test("charging, parking and a vehicle are laid out; machine tokens are folded", async () => {
    const { page, context, assertClean } = await open(`${PARIS}&show=charging,parking,scooter`);
    await page.click(".row:has-text('Borne') >> nth=0");
    const charging = plain(await page.innerText("#detail"));
    assert.match(charging, /Type 2, \d+ kW: \d+ of \d+ free/);
    assert.match(charging, /Price\s+not known/);
    const to = await page.locator("#detail .do a").first().getAttribute("href");
    assert.match(to ?? "", /^https:\/\/www\.google\.com\/maps\/dir\/\?api=1&destination=48\./);
    assertReadable(charging);
    assert.deepEqual(await findBarriers(page), []);
    await page.click("#detail .all summary");
    await page.waitForSelector("#detail .all .json");
    assert.match(await page.innerText("#detail .all"), /svc_place_/);
    await page.click("#detail .back");
    await page.click(".row:has-text('Parking') >> nth=0");
    const parking = plain(await page.innerText("#detail"));
    assert.match(parking, /Kind of car park\s+\w+[^]+Capacity\s+not known[^]+Price\s+\w+/);
    assertReadable(parking);
    await page.click("#detail .back");
    await page.click(".row:has(.mark.vehicle) >> nth=0");
    const vehicle = plain(await page.innerText("#detail"));
    assert.match(vehicle, /Battery (\d+%|not known) · Range ([\d.,]+ k?m|not known)/);
    assert.match(vehicle, /One source reports this vehicle: .+\./);
    assertReadable(vehicle);
    assertClean();
    await context.close();
  });

  test("a stop: each mode once, and a board that renews itself while it is open", async () => {
    const { page, context, assertClean } = await open(`${PARIS}&show=transit`);
    const requests: string[] = [];
    page.on("request", (one) => {
      if (one.url().includes("/v1/departures/")) requests.push(one.url());
    });
    await page.clock.install({ time: timeOfTests() });
    await page.click(".row:has(.mark.transit) >> nth=0");
    await page.waitForSelector("#detail .board .updated:not([hidden])");
    const reported = await page.innerText("#detail");
    assert.equal(reported.match(/\btram\b/gi)?.length, 1);
    assert.match(reported, /Wheelchair\s+(not known|accessible|not accessible)/);
    assert.match(reported, /Updated \d+ (?:sec|min) ago/);
    assertReadable(reported);
    assert.deepEqual(await findBarriers(page), []);
    assert.equal(requests.length, 1);
    await page.clock.runFor(20_000);
    assert.equal(requests.length, 1);
    const again = page.waitForRequest(/\/v1\/departures\/(?!nearby)/);
    await page.clock.runFor(15_000);
    await again;
    await page.click("#detail .back");
    await page.clock.runFor(60_000);
    assert.equal(requests.length, 2, "a closed board asks nothing");
    assertClean();
    await context.close();
  });

  test("the sources of an answer: by name, within 400 px, failures with their cause", async () => {
    const { page, context, assertClean } = await openPage(browser, {
      map: "late",
      size: "phone",
      theme: "dark",
    });
    await page.route("**/v1/services/nearby?**debug=true", (route) =>
      route.fulfill({
        json: {
          status: "partial",
          message: "x",
          total: 3,
          results: [],
          notices: [
            {
              source: "Refuge Restrooms",
              cause: "too slow",
              cut: null,
              message: "Refuge Restrooms is too slow.",
            },
            { source: null, cause: null, cut: { shown: 3 }, message: "offset=3 continues." },
          ],
          debug: {
            cache: "miss",
            providers: {
              refuge_restrooms: {
                status: "timeout",
                raw_count: 0,
                returned_count: 0,
                reason: "deadline",
              },
              openstreetmap: {
                status: "error",
                raw_count: 3,
                returned_count: 3,
                reason: "x:http_503",
              },
            },
          },
        },
      }),
    );
    await page.goto(`${url}${PARIS}&show=bicycle,toilets`);
    await untilShown(page);
    await page.locator("#tab-answer").evaluate((tab: HTMLElement) => tab.click());
    await page.waitForSelector("#answer table >> nth=1");
    const reported = plain(await page.innerText("#answer"));
    assert.match(reported, /Refuge Restrooms\s+too slow\s+It did not answer in time\./);
    assert.match(reported, /OpenStreetMap\s+answers with errors\s+It answered HTTP 503\./);
    assert.match(reported, /incomplete 3 results\s+Refuge Restrooms is too slow\./);
    assert.match(reported, /Vélo Seine\s+answered/);
    assert.doesNotMatch(reported, /paris-velo|refuge_restrooms|offset=/);
    assertReadable(reported);
    const wide = await page
      .locator("#answer, #answer *")
      .evaluateAll((all) =>
        all
          .filter((one) => one.getBoundingClientRect().right > innerWidth)
          .map((one) => one.tagName),
      );
    assert.deepEqual(wide, []);
    assert.deepEqual(await findBarriers(page), []);
    assertClean();
    await context.close();
  });

  test("what could not be read again says how old it is", async () => {
    const { page, context, assertClean } = await open(`${PARIS}&show=bicycle`);
    await page.click(".row:has(.mark.station) >> nth=0");
    assert.doesNotMatch(await page.innerText("#detail"), /Newer data/);
    await page.route("**/v1/nearby?**", (route) => route.fulfill({ status: 503, json: {} }));
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.waitForSelector("#detail .notice >> text=Newer data could not be read");
    assert.match(await page.innerText("#detail"), /What is shown is \d+ (sec|min) old\./);
    assertClean(/status of 503/);
    await context.close();
  });
});

/** Passes answers of /v1/nearby on with changes. */
async function changeNearby(page: Page, change: (body: Body) => void): Promise<void> {
  await page.route("**/v1/nearby?**", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Body;
    change(body);
    await route.fulfill({ response, json: body });
  });
}

/** Text without the marks that keep names in their own direction. */
function plain(text: string): string {
  return text.replaceAll(/[\u2068\u2069]/g, "");
}

/** Nothing that only a machine reads, and no text without words. */
function assertReadable(text: string): void {
  assert.doesNotMatch(text, MACHINE);
  assert.doesNotMatch(text, KEY);
}

/** Schemes of all links of the first stations. */
async function schemesOf(page: Page): Promise<string[]> {
  const matches = new Set<string>();
  for (const nth of [0, 1, 2, 3]) {
    await page.click(`.row:has(.mark.station) >> nth=${nth}`);
    await page.waitForSelector("#detail .do a");
    const schemes = await page
      .locator("#detail a")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
    for (const scheme of schemes) matches.add(scheme);
    await page.click("#detail .back");
  }
  return [...matches].toSorted();
}
