/** On foot on the map page: minutes in the list, the way to a thing, what can be reached, the wheelchair. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page, Route } from "playwright-core";
import { addWays, BOARD, change, LINE, noRoute, toLine, toOutline } from "./foot-fakes.ts";
import { countPixels, untilPixels, WAY } from "./pixels.ts";
import { findBarriers, type Look, openPage, skip, untilShown, type Watched } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const PARIS = "/?at=48.8566,2.3522";
describe("on foot", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite({ cities: "paris", awake: [PARIS_POINT] }, (site) => void ({ url, browser } = site));

  /** A page whose answers have ways; `requested`: what it asked for, by path. */
  async function open(
    path: string,
    look: Look = { map: "late" },
    { walk = toLine, known = true }: { walk?: (route: Route) => unknown; known?: boolean } = {},
  ): Promise<Watched & { requested: URL[] }> {
    const watched = await openPage(browser, look);
    const { page } = watched;
    const requested: URL[] = [];
    page.on("request", (request) => requested.push(new URL(request.url())));
    if (known) await page.route(/\/v1\/(\w+\/)?nearby\?/, addWays);
    await page.route("**/v1/walk?**", walk as (route: Route) => Promise<void>);
    await page.route("**/v1/reach?**", (route) => route.fulfill({ json: toOutline(route) }));
    await page.goto(url + path);
    await untilShown(page);
    return { ...watched, requested };
  }

  test("the list has minutes and metres, the nearest on foot first, and the other order for a switch", async () => {
    const { page, context, assertClean } = await open(
      `${PARIS}&show=bicycle,toilets&sort=distance`,
    );
    const rows = await readRows(page);
    assert.ok(rows.length > 10, `${rows.length} rows`);
    for (const { text } of rows) assert.match(text, /^\d+ min · [\d.]+ k?m$/);
    const metres = rows.map((row) => row.meters);
    assert.deepEqual(
      metres,
      metres.toSorted((a, b) => a - b),
    );
    assert.match(await page.innerText(".order"), /Nearest on foot first\./);
    // A screen reader has it in words.
    assert.match((await page.textContent(".row .away .sr")) ?? "", /\d+ min · .* on foot/);
    await tabTo(page, ".order button");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.search.includes("by=line"));
    assert.match(await page.innerText(".order"), /Nearest in a straight line first\./);
    const turned = (await readRows(page)).map((row) => row.meters);
    assert.deepEqual(
      turned,
      turned.toSorted((a, b) => b - a),
    );
    assert.ok(await page.evaluate(() => document.activeElement?.matches(".order button")));
    await page.goBack();
    await page.waitForSelector(".order:has-text('Nearest on foot first')");
    assertClean();
    await context.close();
  });

  test("where no way is known, the straight line is alone and the page says why", async () => {
    const { page, context, assertClean, requested } = await open(
      `${PARIS}&show=toilets`,
      { map: "late" },
      { walk: noRoute },
    );
    await page.unroute(/\/v1\/(\w+\/)?nearby\?/);
    await page.route(/\/v1\/(\w+\/)?nearby\?/, (route) =>
      change(route, { reason: "outside_bases" }),
    );
    await page.reload();
    await untilShown(page);
    for (const { text } of await readRows(page)) assert.match(text, /^[\d.]+ k?m$/);
    const order = await page.innerText(".order span");
    assert.match(order, /^By straight line: no imported base covers this point\.$/);
    assert.equal(await page.locator(".order button").count(), 0);
    await page.click(".row >> nth=0");
    assert.match(await page.innerText("#detail .far"), /No imported base covers this point/);
    assert.match(await page.innerText("#detail .far"), /\d+ m in a straight line/);
    assert.doesNotMatch(await page.innerText("#detail .title"), /\d min/);
    assert.deepEqual(
      requested.filter(({ pathname }) => pathname === "/v1/walk"),
      [],
    );
    assertClean();
    await context.close();
  });

  test("the chosen thing has minutes, steps and its way drawn, which goes with it", async () => {
    const { page, context, assertClean, requested } = await open(
      `${PARIS}&show=toilets,charging`,
      {},
    );
    await page.waitForFunction(() => performance.getEntriesByName("vicinity-map").length > 0);
    assert.equal(await countPixels(page, WAY), 0);
    await page.click(".row:has-text('Toilets') >> nth=0");
    await page.waitForSelector("#detail .far:has-text('No steps')");
    assert.match(await page.innerText("#detail .far"), /^7 min · 500 m on foot\n/);
    await untilPixels(page, WAY, (count) => count > 150);
    const [request] = requested.filter(({ pathname }) => pathname === "/v1/walk");
    assert.equal(request?.searchParams.get("from"), "48.8566,2.3522");
    assert.equal(request?.searchParams.get("profile"), null);
    await page.click("#detail .back");
    await untilPixels(page, WAY, (count) => count === 0);
    // To what may be on no other map than its source's no line leads either.
    await page.click(".row:has-text('list only') >> nth=0");
    await page.waitForSelector("#detail .far:has-text('No steps')");
    await page.waitForTimeout(500);
    assert.equal(await countPixels(page, WAY), 0);
    assertClean();
    await context.close();
  });

  test("choosing another thing ends the question for the first, and each is asked once", async () => {
    const pending: Route[] = [];
    const walk = (route: Route): void => void pending.push(route);
    const { page, context, assertClean } = await open(
      `${PARIS}&show=toilets`,
      { map: "late" },
      { walk },
    );
    const ended: string[] = [];
    page.on("requestfailed", (request) => ended.push(request.url()));
    await page.click(".row >> nth=0");
    await page.waitForSelector("#detail:not([hidden])");
    await page.keyboard.press("Escape");
    const isWalk = (one: string): boolean => one.includes("/v1/walk");
    for (let n = 0; !ended.some(isWalk) && n < 100; n += 1) await page.waitForTimeout(50);
    assert.equal(ended.filter(isWalk).length, 1, "what is closed waits for nothing");
    await page.click(".row >> nth=1");
    await page.waitForFunction(() => document.querySelector("#detail .far")?.textContent !== "");
    await page.evaluate(() => document.querySelector<HTMLElement>(".row")!.click());
    for (let n = 0; pending.length < 3 && n < 100; n += 1) await page.waitForTimeout(50);
    assert.equal(pending.length, 3);
    for (let n = 0; ended.filter(isWalk).length < 2 && n < 100; n += 1)
      await page.waitForTimeout(50);
    const requests = pending.map((route) => route.request().url());
    assert.deepEqual(ended.filter(isWalk), requests.slice(0, 2));
    await pending[2]!.fulfill({ json: LINE });
    await page.waitForSelector("#detail .far:has-text('No steps')");
    assertClean();
    await context.close();
  });

  test("a way that cannot be read is said in a sentence, and asked for again when the line is back", async () => {
    let fails = true;
    const walk = (route: Route): Promise<void> =>
      fails ? route.fulfill({ status: 503, json: {} }) : toLine(route);
    const { page, context } = await open(`${PARIS}&show=toilets`, { map: "late" }, { walk });
    await page.click(".row >> nth=0");
    await page.waitForSelector("#detail .far .bad");
    const reported = await page.innerText("#detail .far");
    assert.match(reported, /The way on foot could not be read: the service answered 503\./);
    // What the list knows stays.
    assert.match(reported, /\d+ min · .* on foot/);
    fails = false;
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.waitForSelector("#detail .far:has-text('No steps')");
    assert.equal(await page.locator("#detail .far .bad").count(), 0);
    await context.close();
  });

  test("minutes and wheelchair: all is asked for so, a link has both, and Back undoes them", async () => {
    const { page, context, assertClean, requested } = await open(
      `${PARIS}&show=bicycle,toilets,transit`,
    );
    await page.selectOption("#radius", { label: "10 min on foot" });
    await page.waitForFunction(() => location.search.includes("min=10"));
    await page.waitForSelector("#summary:has-text('results within 10 min on foot')");
    await page.focus("#wheelchair");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => location.search.includes("only=wheelchair"));
    assert.equal(await page.getAttribute("#wheelchair", "aria-pressed"), "true");
    assert.equal(await page.getAttribute(".chip[data-wish='wheelchair']", "aria-pressed"), "true");
    const shared = page.url();
    requested.length = 0;
    await page.goto("about:blank");
    await page.goto(shared);
    await untilShown(page);
    assert.equal(await page.inputValue("#radius"), "min-10");
    const requestOf = (path: string): Record<string, string> =>
      Object.fromEntries(requested.find(({ pathname }) => pathname === path)?.searchParams ?? []);
    for (const path of ["/v1/nearby", "/v1/services/nearby", "/v1/transport/nearby"]) {
      const { within_minutes, profile, walk } = requestOf(path);
      assert.deepEqual([within_minutes, profile, walk], ["10", "step_free", "true"], path);
    }
    const { minutes, profile, format } = requestOf("/v1/reach");
    assert.deepEqual([minutes, profile, format], ["10", "step_free", "geojson"]);
    await page.click("#open-request");
    assert.match(await page.innerText("#request .head"), /Reach on foot · \/v1\/reach/);
    await page.keyboard.press("Escape");
    await page.click(".row >> nth=0");
    await page.waitForSelector("#detail .far:has-text('No steps')");
    assert.equal(requestOf("/v1/walk")["profile"], "step_free");
    await page.goBack();
    await page.waitForSelector("#detail", { state: "hidden" });
    await page.click("#wheelchair");
    await page.waitForFunction(() => !location.search.includes("wheelchair"));
    await page.goBack();
    await page.waitForFunction(
      () => document.querySelector("#wheelchair")?.getAttribute("aria-pressed") === "true",
    );
    assertClean();
    await context.close();
  });

  test("an outline that cannot be read is said, and the circle stays until it can", async () => {
    const { page, context } = await open(PARIS);
    await page.unroute("**/v1/reach?**");
    await page.route("**/v1/reach?**", (route) => route.fulfill({ status: 500 }));
    await page.selectOption("#radius", "min-5");
    await page.waitForSelector("#notices:has-text('Reach on foot: the service answered 500')");
    await page.unroute("**/v1/reach?**");
    await page.route("**/v1/reach?**", (route) => route.fulfill({ json: toOutline(route) }));
    await page.click("#notices button:has-text('Try again')");
    await page.waitForSelector("#notices .notice", { state: "detached" });
    await page.selectOption("#radius", "400");
    assert.doesNotMatch(page.url(), /min=/);
    await context.close();
  });

  test("departures say when to leave, and what is missed", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: "late" });
    await page.route(/\/v1\/(\w+\/)?nearby\?/, addWays);
    await page.route("**/v1/walk?**", toLine);
    await page.route(/\/v1\/departures\/(?!nearby)/, (route) => route.fulfill({ json: BOARD }));
    await page.goto(`${url}${PARIS}&show=transit`);
    await untilShown(page);
    await page.click(".row >> nth=0");
    await page.waitForSelector("#detail .board .updated:not([hidden])");
    const rows = await page.locator("#detail .board li").allInnerTexts();
    const way = await page.innerText("#detail .far .way");
    assert.match(way, /min/);
    assert.match(rows[0] ?? "", /missed/);
    assert.match(rows[1] ?? "", /leave in \d+ min/);
    assert.doesNotMatch(rows[2] ?? "", /leave|missed/, "what is cancelled is not left for");
    assertClean();
    await context.close();
  });

  for (const look of [
    { size: "phone", theme: "dark" },
    { size: "desktop", theme: "light" },
    { size: "reflow" },
  ] as const)
    test(`it can be used and has no barriers: ${JSON.stringify(look)}`, async () => {
      const { page, context, assertClean } = await open(`${PARIS}&min=10&only=wheelchair`, {
        ...look,
        map: "late",
      });
      if (look.size === "phone") await page.setViewportSize({ width: 360, height: 740 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      for (const control of ["#radius", "#wheelchair", ".order button"]) {
        const box = await page.locator(control).boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.height >= 24, `${control} ${box?.height}`);
        const end = box.x + box.width;
        assert.ok(end <= page.viewportSize()!.width, `${control} ends at ${end}`);
      }
      assert.deepEqual(await findBarriers(page), []);
      await page.locator(".row").first().click();
      await page.waitForSelector("#detail .far:has-text('No steps')");
      assert.deepEqual(await findBarriers(page), []);
      assertClean();
      await context.close();
    });

  test("on paper the whole list is in light colours, with its minutes", async () => {
    const { page, context } = await open(PARIS, { theme: "dark", map: "late" });
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("#bar").isVisible(), false);
    assert.equal(await page.locator("#map").isVisible(), false);
    const { clipped, ink } = await page.evaluate(() => {
      const results = document.querySelector("#results")!;
      const rows = [...results.querySelectorAll(".row")];
      const box = document.querySelector("#sheet")!.getBoundingClientRect();
      return {
        clipped: rows.filter((row) => row.getBoundingClientRect().bottom > box.bottom + 1).length,
        ink: getComputedStyle(rows[0]!.querySelector(".name")!).color,
      };
    });
    assert.equal(clipped, 0);
    assert.equal(ink, "rgb(29, 37, 48)");
    await context.close();
  });
});

/** Minutes and metres as they are seen, of each row. */
async function readRows(page: Page): Promise<{ text: string; meters: number }[]> {
  const texts = await page
    .locator(".row .away > :not(.sr)")
    .evaluateAll((all) =>
      all.filter((one) => one.tagName !== "svg").map((one) => one.textContent ?? ""),
    );
  return texts.map((text) => {
    const [, value = "", unit] = /([\d.]+) (k?m)$/.exec(text) ?? [];
    return { text, meters: Number(value) * (unit === "km" ? 1000 : 1) };
  });
}

async function tabTo(page: Page, selector: string): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    if (await page.evaluate((one) => document.activeElement?.matches(one), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${selector}`);
}
