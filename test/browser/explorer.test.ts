/** The explorer against the sandbox, as a person uses it: by mouse, and by keyboard alone. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createFolder, removeFolder, start, type Started } from "../integration/service/support.ts";
import { findBarriers, openBrowser, openPage, skip, untilShown } from "./support.ts";

const PARIS = "/?at=48.8566,2.3522";

describe("the explorer", { skip }, () => {
  let started: Started;
  let browser: Browser;
  let url = "";
  before(async () => {
    started = await start({ cities: "all", data_dir: await createFolder() });
    ({ url } = started.service);
    // Sleeping systems are woken, so that each test sees a whole answer.
    for (let n = 0; n < 2; n += 1) await fetch(`${url}/v1/nearby?lat=48.8566&lon=2.3522`);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await started?.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  test("search, click, list, why, share", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(`${url}/?at=51.5074,-0.1278`);
    await untilShown(page);
    await page.fill("#q", "Rue des Tilleuls");
    await page.click("#found li >> nth=0");
    await page.waitForSelector("#summary h2:has-text('Rue des Tilleuls')");
    assert.match(page.url(), /at=48\.\d+,2\.\d+/);
    await page.goto(url + PARIS);
    await untilShown(page);
    const shown = await readRows(page);
    assert.ok(shown.length >= 40, `${shown.length} rows`);
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => a.away - b.away),
    );
    await page.click(".row:has(.mark.station) >> nth=0");
    await page.waitForSelector("#detail .observations li >> nth=1");
    const why = await page.textContent("#detail .why");
    assert.match(why ?? "", /observations were found to be one station/);
    assert.match(why ?? "", /name equal \+\d/);
    assert.match(why ?? "", /Who said what/);
    const name = await page.textContent("#detail h2");
    const shared = page.url();
    assert.match(shared, /sel=svc_station_/);
    const other = await context.newPage();
    await other.goto(shared);
    await other.waitForSelector("#detail:not([hidden]) h2");
    assert.equal(await other.textContent("#detail h2"), name);
    assertClean();
    await context.close();
  });

  test("what can be used: charge and zones of a vehicle, hours of a place, water not to drink", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(url + PARIS);
    await untilShown(page);
    assert.match((await page.textContent("#summary")) ?? "", /\d+ water points? not potable/);
    const charged = page.locator(".row:has(.mark.vehicle):has(.free)");
    assert.match((await charged.first().textContent()) ?? "", /\d (%|km|m)$/);
    await charged.first().click();
    await page.waitForSelector("#detail .zones li");
    const facts = (await page.textContent("#detail .facts")) ?? "";
    assert.match(facts, /Battery(\d+ %|–)Range(–|[\d.]+ k?m)/);
    assert.match(facts, /At the point: rides may begin/);
    await page.click("#detail .back");
    const closed = ".row:has(.mark.service):has-text('closed until')";
    await page.click(`${closed} >> nth=0`);
    assert.match((await page.textContent("#detail .open")) ?? "", /^Closed until .*\d\d:\d\d$/);
    assert.doesNotMatch((await page.textContent("#detail .facts")) ?? "", /holidays known/i);
    assertClean();
    await context.close();
  });

  test("a click on the map searches there; a click on a result opens it", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(url + PARIS);
    await untilShown(page);
    await page.waitForFunction(() => performance.getEntriesByName("vicinity-map").length > 0);
    await page.mouse.click(1150, 250);
    await page.waitForFunction(() => !location.search.includes("48.856600,2.352200"));
    assert.match(page.url(), /at=48\.85/);
    await context.close();
    assertClean();
  });

  test("by keyboard alone: search, results, why, back, tabs, filters, the point", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(url + PARIS);
    await untilShown(page);
    await page.keyboard.press("/");
    assert.equal(await focused(page), "q");
    await page.keyboard.type("Quai des Bateliers");
    await page.waitForSelector("#found li[aria-selected='true']");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#summary h2:has-text('Quai des Bateliers')");
    await page.waitForSelector(".rows .row");
    await tabTo(page, ".row");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#detail:not([hidden])");
    assert.ok(await page.evaluate(() => document.activeElement?.matches(".back")));
    await page.keyboard.press("Escape");
    await page.waitForSelector("#detail", { state: "hidden" });
    await page.waitForFunction(() => document.activeElement?.matches(".row"));
    await page.focus("#tab-list");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector("#answer table");
    await page.focus(".chip[data-kind='car']");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => location.search.includes("show="));
    const was = page.url();
    await page.focus("#point");
    await page.keyboard.press("ArrowUp");
    await page.waitForFunction((url_) => location.href !== url_, was);
    assertClean();
    await context.close();
  });

  test("the request is shown in four languages next to its answer", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(url + PARIS);
    await untilShown(page);
    await page.click("#open-request");
    const said = async (language: string): Promise<string> => {
      await page.click(`.languages button:has-text("${language}")`);
      return (await page.textContent(".snippet")) ?? "";
    };
    const target = `${url}/v1/nearby?lat=48.8566&lon=2.3522`;
    assert.ok((await said("URL")).startsWith(target));
    assert.ok((await said("curl")).startsWith(`curl '${target}`));
    assert.match(await said("TypeScript"), /from "vicinity\/client"[^]*client\.nearby\(\{/);
    assert.match(await said("Python"), /urlencode\(question\)/);
    assert.match((await page.textContent(".json")) ?? "", /status: "(success|partial)"/);
    assertClean();
    await context.close();
  });

  test("results whose terms require another map are only in the list, and the page says so", async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${url}${PARIS}&show=charging`);
    await untilShown(page);
    const notices = await page.textContent("#notices");
    assert.match(notices ?? "", /Sandbox Maps: in the list only/);
    assert.ok((await page.locator(".row:has-text('list only')").count()) > 3);
    assert.match((await page.textContent("#credits")) ?? "", /Sandbox Maps/);
    await context.close();
  });

  for (const [name, path, steps] of [
    ["results", PARIS, []],
    ["details", PARIS, [".row:has(.mark.station) >> nth=0", "#detail .observations"]],
    ["the answer", PARIS, ["#tab-answer", "#answer table"]],
    ["the request", PARIS, ["#open-request", ".json details"]],
    ["the status page", "/status", []],
  ] as const)
    for (const look of [{ theme: "light" }, { theme: "dark", size: "phone" }] as const)
      test(`axe finds nothing: ${name}, ${look.theme}`, async () => {
        const { page, context, assertClean } = await openPage(browser, look);
        await page.goto(url + path);
        if (path === "/status") await page.waitForSelector("#sources tbody tr");
        else await untilShown(page);
        const [click, wait] = steps;
        if (click) await page.click(click);
        if (wait) await page.waitForSelector(wait);
        assert.deepEqual(await findBarriers(page), []);
        assertClean();
        await context.close();
      });

  test("the status page and the reference keep their policies", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(`${url}/status`);
    await page.waitForSelector("#sources tbody tr");
    assert.ok((await page.locator("#sources tbody tr").count()) > 40);
    await page.goto(`${url}/docs`);
    await page.click(".opblock-summary-path >> nth=0");
    await page.click(".execute");
    await page.waitForSelector(".live-responses-table .response-col_status:has-text('200')");
    assertClean();
    await context.close();
  });
});

async function readRows(page: Page): Promise<{ away: number }[]> {
  const texts = await page.locator(".row .away").allTextContents();
  return texts.map((text) => ({
    away: text.endsWith("km") ? Number.parseFloat(text) * 1000 : Number.parseInt(text, 10),
  }));
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id);
}

/** Presses Tab until something of the kind has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${selector}`);
}
