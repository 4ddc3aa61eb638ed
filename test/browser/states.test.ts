/** The messages of the page when something is missing: no results, a partial answer, none, no network. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { findBarriers, type Look, MAP_ASIDE, openPage, skip, untilShown } from "./support.ts";
import { useSite } from "./site.ts";

const HERE = "/?at=48.8566,2.3522&show=bicycle,toilets";
const EMPTY = {
  status: "empty",
  message: "Nothing is inside the circle.",
  radius: 400,
  total: 0,
  query_origin: { lat: 48.8566, lon: 2.3522 },
  results: { places: [], lines: [], stations: [], vehicles: [], alerts: [] },
};

const FORECAST_SIZES = [
  [1920, 1080],
  [1366, 768],
  [1280, 720],
  [1024, 768],
  [820, 1180],
  [768, 1024],
  [390, 844],
  [360, 640],
  [320, 568],
  [844, 390],
  [640, 360],
] as const;

/** Runs in the page: controls that the open forecast lies over, and edges of the window that it leaves. */
function listUnder(size: string): string[] {
  const forecast = document.getElementById("forecast")!;
  const { left, top, right, bottom, height } = forecast.getBoundingClientRect();
  const isWide = forecast.scrollWidth > forecast.clientWidth;
  const isOut =
    isWide || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || height < 120;
  const controls = document.querySelectorAll("button, a[href], select, input, summary, textarea");
  const under = [...controls].filter((control) => {
    const box = control.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const over = document.elementsFromPoint(x, y);
    return !forecast.contains(control) && over.includes(control) && forecast.contains(over[0]!);
  });
  return [
    ...(isOut ? [`${size}: ${[left, top, right, bottom].join(" ")}`] : []),
    ...under.map(({ id, textContent }) => `${size}: over ${id} ${textContent.slice(0, 30)}`),
  ];
}

/** Resolves when what moves once has moved. */
async function untilStill(): Promise<void> {
  for (let frame = 0; frame < 3; frame++)
    await new Promise((resolve) => void requestAnimationFrame(resolve));
  const moving = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

type Answer = { results: { stations: { network: { name: string } }[] } };

/** Answers a path of the API in the service's stead. */
async function stub(page: Page, path: string, body: object, status = 200): Promise<void> {
  const headers = status === 429 ? { "retry-after": "7" } : {};
  await page.route(`**${path}?**`, (route) => route.fulfill({ status, headers, json: body }));
}

describe("states of the explorer", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite({}, (site) => void ({ url, browser } = site));

  async function open(...stubs: [string, object, number?][]) {
    return openWith({ map: MAP_ASIDE }, ...stubs);
  }

  async function openWith(seen: Look, ...stubs: [string, object, number?][]) {
    const watched = await openPage(browser, seen);
    for (const [path, body, status] of stubs) await stub(watched.page, path, body, status);
    await watched.page.goto(url + HERE);
    await untilShown(watched.page);
    const notices = (): Promise<string | null> => watched.page.textContent("#notices");
    return { ...watched, notices };
  }

  test("an empty result is not shown as a failure and offers a wider circle", async () => {
    const none = { ...EMPTY, results: [], summary: { toilets: 0 } };
    const { page, context, notices, assertClean } = await openWith(
      {},
      ["/v1/nearby", EMPTY],
      ["/v1/services/nearby", none],
    );
    assert.match((await notices()) ?? "", /^Nothing is inside the circle\./);
    await page.click("text=Look within 800 m");
    await page.waitForFunction(() => location.search.includes("r=800"));
    assertClean();
    await context.close();
  });

  test("a partial result shows the service's message about what is missing", async () => {
    const partial = { ...EMPTY, status: "partial", message: "2 of 7 sources did not answer." };
    const { context, notices, assertClean } = await open(["/v1/nearby", partial]);
    assert.match((await notices()) ?? "", /Shared mobility: 2 of 7 sources did not answer\./);
    assertClean();
    await context.close();
  });

  test("the weather opens its forecast, which fails in the language of the page and is read again", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
    let requests = 0;
    await page.route("**/realtime/*/forecast/*", (route) => {
      requests += 1;
      const failure = { error: { code: "provider_timeout", message: "too slow" } };
      return requests === 1 ? route.fulfill({ status: 504, json: failure }) : route.continue();
    });
    await page.goto(`${url}${HERE}&lang=de`);
    await untilShown(page);
    const opener = page.locator("#weather button");
    await opener.waitFor();
    assert.equal(requests, 0, "nothing is requested before");
    await opener.focus();
    await page.keyboard.press("Enter");
    const forecast = page.locator("#forecast");
    await forecast.locator(".bad", { hasText: "Vorhersage konnte nicht geladen werden" }).waitFor();
    await forecast.getByText("Neu versuchen").click();
    await forecast.getByText("Nächste Tage").waitFor();
    // Whose data it is comes with another answer.
    await forecast.getByText("OpenWeather").waitFor();
    assert.equal(await forecast.locator("table").first().locator("tbody tr").count(), 8);
    assert.match(
      (await forecast.textContent()) ?? "",
      /km\/h.*UTC\+1.*OpenWeather \(CC BY-SA 4\.0\)/s,
    );
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await forecast.waitFor({ state: "hidden" });
    const reached: string[] = [];
    for (const [width, height] of FORECAST_SIZES) {
      await page.setViewportSize({ width, height });
      if (!(await opener.isVisible())) continue;
      await opener.click();
      await forecast.waitFor();
      // On a phone the sheet makes room for it.
      await page.evaluate(untilStill);
      reached.push(...(await page.evaluate(listUnder, `${width}x${height}`)));
      await page.keyboard.press("Escape");
      await forecast.waitFor({ state: "hidden" });
    }
    assert.deepEqual(reached, []);
    await page.setViewportSize({ width: 1280, height: 800 });
    await opener.click();
    await page.mouse.click(700, 700);
    await forecast.waitFor({ state: "hidden" });
    assert.equal(requests, 2, "an answer is kept for a while");
    assertClean(/504/);
    await context.close();
  });

  /** The page as live mode has it without a start, with these sources. */
  async function openLive(sources: object[], look: Look = { map: "late" }) {
    const watched = await openPage(browser, look);
    await watched.page.route(
      (address) => address.pathname === "/",
      async (route) => {
        const html = await (await route.fetch()).text();
        const live = html
          .replace("&quot;mode&quot;:&quot;sandbox&quot;", "&quot;mode&quot;:&quot;live&quot;")
          .replace(/&quot;start&quot;:\{[^}]*\}/, "&quot;start&quot;:null");
        await route.fulfill({ body: live, contentType: "text/html" });
      },
    );
    await watched.page.route("**/v1/sources*", (route) => route.fulfill({ json: { sources } }));
    await watched.page.goto(`${url}/`);
    return watched;
  }

  const toBase = (id: string, south: number) => ({
    ...{ id: `openbase:${id}`, name: `Open base: ${id}`, kind: "feed", state: "ok" },
    ...{ operations: ["getServicesNearby"], problem: null, base: { data_at: null } },
    bbox: { south, west: 2.3, north: south + 0.01, east: 2.4 },
  });

  test("live mode begins at the only base; of several there are chips, to the operator what is missing", async () => {
    const one = await openLive([toBase("paris", 48.85)]);
    await one.page.waitForFunction(() => location.search.includes("at=48.855"));
    await untilShown(one.page);
    one.assertClean();
    await one.context.close();
    const several = await openLive([toBase("paris", 48.85), toBase("lyon", 45.75)]);
    const chips = several.page.locator("#intro .cities button");
    await chips.nth(1).waitFor();
    assert.deepEqual(await chips.allTextContents(), ["paris", "lyon"]);
    assert.equal(new URL(several.page.url()).search, "");
    assert.match(await several.page.innerText("#intro"), /vicinity import gtfs/, "on the loopback");
    await chips.nth(1).click();
    await several.page.waitForFunction(() => location.search.includes("at=45.755"));
    several.assertClean();
    await several.context.close();
  });

  test("without a point it is said which catalogues could not be read", async () => {
    const problem = { word: "unreachable", reason: "dns_failed", message: "It is unreachable." };
    const failing = { kind: "feed", state: "unavailable", operations: [], base: null, bbox: null };
    const sources = ["feed-a", "feed-b", "feed-c", "gbfs_catalogue"].map((id) => ({
      ...{ id, name: `Name of ${id}`, problem },
      ...failing,
    }));
    const { page, context, assertClean } = await openLive(sources);
    await page.waitForSelector("#notices .notice");
    const message = await page.innerText("#notices");
    assert.match(message, /Some sources are missing\s+Name of gbfs_catalogue: It is unreachable/);
    assert.match(message, /Try again/);
    assertClean();
    await context.close();
  });

  test("an address with a point that is none on Earth says so", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: "late" });
    await page.goto(`${url}/?at=999,999`);
    await untilShown(page);
    const message = (): Promise<string> => page.innerText("#notices");
    assert.match(await message(), /names no point on Earth/);
    await page.click("#notices .close");
    assert.doesNotMatch(await message(), /no point/);
    assertClean();
    await context.close();
  });

  test("whether nothing is there is not known where sources are missing", async () => {
    const partial = { ...EMPTY, status: "partial", message: "2 of 7 sources did not answer." };
    const { page, context, notices, assertClean } = await open(
      ["/v1/nearby", partial],
      ["/v1/services/nearby", { ...EMPTY, results: [], summary: {} }],
    );
    assert.match((await notices()) ?? "", /What the others have is not known\..*Look within 800 m/);
    assert.match(await page.innerText("#summary"), /Some sources are missing/);
    const shown = `${await page.innerText("#summary")} ${await notices()}`;
    assert.doesNotMatch(shown, /Nothing within|nothing is here/i);
    assertClean();
    await context.close();
  });

  test("what failed is said in the language of the page", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
    const notice = { source: "Vélo Seine", cause: "too slow", age_s: 1_560, cut: null };
    const notices = [
      { ...notice, message: "Vélo Seine is too slow, its data are 26 minutes old." },
    ];
    await stub(page, "/v1/nearby", {
      ...EMPTY,
      status: "partial",
      message: "Incomplete.",
      notices,
    });
    await page.goto(`${url}${HERE}&lang=de`);
    await untilShown(page);
    assert.match(
      (await page.textContent("#notices")) ?? "",
      /Vélo Seine\W*: zu langsam · 26 Min\. alt/,
    );
    assertClean();
    await context.close();
  });

  test("data that are older than their pace are shown with their age, and as not known to be usable", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
    const isOld = { data_class: "semi_static" };
    await page.route("**/v1/nearby?**", async (route) => {
      const body = (await (await fetch(route.request().url())).json()) as Answer;
      const stations = body.results.stations.map((one) => ({ ...one, ...isOld }));
      const names = [...new Set(stations.map(({ network }) => network.name))];
      const notices = names.map((source) => ({
        ...{ source, cause: "answers with errors", age_s: 1_560, cut: null },
        message: `${source} answers with errors, its data are 26 minutes old.`,
      }));
      const results = { ...body.results, stations };
      await route.fulfill({ json: { ...body, status: "partial", notices, results } });
    });
    await page.goto(`${url}/?at=48.8566,2.3522&show=bicycle`);
    await untilShown(page);
    await page.waitForSelector(".row.stale");
    assert.match(await page.innerText("#summary .updated.old"), /^Data up to 26 min old$/);
    assert.doesNotMatch(await page.innerText("#summary"), /usable now/);
    const stations = page.locator(".row:has(.mark.station)");
    assert.ok((await stations.count()) > 0);
    for (const text of await stations.allInnerTexts()) assert.match(text, /26 min old/);
    await stations.nth(0).click();
    assert.match(await page.innerText("#detail"), /26 min old/);
    assertClean();
    await context.close();
  });

  test("what no attempt can change is a note under the results, without a button", async () => {
    const message = "OpenStreetMap does not cover this point";
    const notice = { source: "OpenStreetMap", cause: "does not cover this point", message };
    const notices = [{ ...notice, age_s: null, cut: null }];
    const partial = { ...EMPTY, status: "partial", results: [], summary: {}, message, notices };
    const { page, context, assertClean } = await open(["/v1/services/nearby", partial]);
    assert.match(await page.innerText("#notes"), /Urban services: OpenStreetMap does not cover/);
    assert.equal(await page.locator("#notices .notice, #notes button").count(), 0);
    assertClean();
    await context.close();
  });

  test("an error of one request leaves the others shown and can be retried", async () => {
    const error = { error: { code: "rate_limited", message: "too many requests", status: 429 } };
    const { page, context, notices, assertClean } = await open(["/v1/nearby", error, 429]);
    assert.match(
      (await notices()) ?? "",
      /Shared mobility: too many requests\.Next attempt in 7 s\./,
    );
    assert.ok((await page.locator(".row").count()) > 0, "the services are there");
    await page.unroute("**/v1/nearby?**");
    await page.click("text=Try again");
    await page.waitForSelector(".row .mark.station");
    assertClean(/429/);
    await context.close();
  });

  test("a later page that fails leaves what came, and comes with the next attempt", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
    const next = "**/v1/nearby?*offset=200*";
    await page.route("**/v1/nearby?**", async (route) => {
      const body = (await (await fetch(route.request().url())).json()) as object;
      await route.fulfill({ json: { ...body, total: 400 } });
    });
    await page.route(next, (route) => route.fulfill({ status: 503 }));
    await page.goto(`${url}/?at=48.8566,2.3522&show=bicycle,scooter`);
    await page.waitForSelector(".notice.error:has-text('the service answered 503')");
    assert.ok((await page.locator(".row").count()) > 0);
    assert.equal(await page.locator(".row.stale").count(), 0, "what came is new");
    await page.unroute(next);
    await page.click("text=Try again");
    await page.waitForSelector(".notice.error", { state: "detached" });
    assertClean(/status of 503/);
    await context.close();
  });

  test("the keys work while the map is still on its way", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: "late" });
    await page.goto(url + HERE);
    await untilShown(page);
    await page.click(".row >> nth=0");
    await page.waitForSelector("#detail .why h3");
    await page.keyboard.press("Escape");
    await page.click(".row >> nth=1");
    await page.waitForSelector("#detail .why h3");
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "q");
    assertClean();
    await context.close();
  });

  test("offline the page says so and keeps its results; online it continues", async () => {
    const { page, context, notices, assertClean } = await open();
    const rows = await page.locator(".row").count();
    assert.ok(rows > 0);
    await context.setOffline(true);
    await page.waitForSelector(".notice.error:has-text('You are offline')");
    assert.equal(await page.locator(".row").count(), rows);
    await context.setOffline(false);
    await page.waitForSelector(".notice.error", { state: "detached" });
    assert.doesNotMatch((await notices()) ?? "", /offline/);
    assertClean(/ERR_INTERNET_DISCONNECTED/);
    await context.close();
  });

  test("a reply that is not JSON is shown as a failure with its status", async () => {
    const watched = await openPage(browser, { map: MAP_ASIDE });
    const { page, context } = watched;
    await page.route("**/v1/nearby?**", (route) => route.fulfill({ status: 502, body: "<b>bad" }));
    await page.goto(url + HERE);
    await untilShown(page);
    assert.match(
      (await page.textContent("#notices")) ?? "",
      /Shared mobility: the service answered 502/,
    );
    await context.close();
  });
});
