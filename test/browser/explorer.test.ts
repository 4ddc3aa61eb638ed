/** The explorer against the sandbox, as a person uses it: by mouse, and by keyboard alone. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { sized } from "../support/size.ts";
import { findBarriers, type Look, MAP_ASIDE, openPage, skip, untilShown } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const PARIS = "/?at=48.8566,2.3522";
/** Of pages that axe judges: the results have both, the others one, and in the trial both. */
const LOOKS: readonly Look[] = [{ theme: "light" }, { theme: "dark", size: "phone" }];

describe("the explorer", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite(
    { cities: sized("paris,london", "all"), awake: [PARIS_POINT] },
    (site) => void ({ url, browser } = site),
  );

  test("what can be used: charge and zones of a vehicle, hours of a place, water not to drink", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
    await page.goto(`${url}${PARIS}&sort=distance`);
    await untilShown(page);
    assert.match((await page.textContent("#summary")) ?? "", /\d+ water points? not potable/);
    const charged = page.locator(".row:has(.mark.vehicle):has(.free)");
    assert.match((await charged.first().textContent()) ?? "", /\d (%|km|m)$/);
    await openWithZones(page, charged);
    const facts = (await page.textContent("#detail .facts")) ?? "";
    assert.match(facts, /Battery (\d+%|not known) · Range (not known|[\d.,]+ k?m)/);
    assert.match(facts, /At the chosen pointYou may start a ride\./);
    await page.click("#detail .back");
    // Which places are open depends on the time of day.
    const timed = page.locator(".row:has(.mark.service)", { hasText: /(open|closed) until/ });
    const state = /(open|closed) until/.exec((await timed.first().textContent()) ?? "")?.[1];
    await timed.first().click();
    const reported = (await page.textContent("#detail .open")) ?? "";
    assert.match(reported, /^(Open|Closed) until .*\d\d:\d\d$/);
    assert.equal(reported.startsWith("Open"), state === "open");
    assert.doesNotMatch((await page.textContent("#detail .facts")) ?? "", /holidays known/i);
    assertClean();
    await context.close();
  });

  test("a station has a board of its next departures", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(url + PARIS);
    await untilShown(page);
    await page.click(".row:has(.mark.transit) >> nth=0");
    await page.waitForSelector("#detail .board .updated:not([hidden])");
    // At night none may leave within the hour, and that is said.
    const rows = await page.locator("#detail .board li").allTextContents();
    const reported = (await page.textContent("#detail .board")) ?? "";
    if (rows.length === 0) assert.match(reported, /No departures within the hour/);
    for (const row of rows)
      assert.match(
        row,
        /\d\d:\d\d(on time|planned|extra|cancelled|live: not known|every|expected \d\d:|does)/,
      );
    await page.click("#detail .back");
    assert.equal(await page.locator("#detail .board").isVisible(), false);
    assertClean();
    await context.close();
  });

  test("rows of stops have the minutes to the next departure, from one request, and an order by it", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/v1/departures/nearby")) sent.push(request.url());
    });
    await page.goto(`${url + PARIS}&show=transit`);
    await page.waitForSelector(".row .next");
    const { results } = (await (await fetch(sent[0]!)).json()) as {
      results: { departures: { station: { id: string } }[] };
    };
    const known = new Set(results.departures.map(({ station }) => station.id));
    const shown = await page.$$eval(".rows > li:has(.next)", (rows) =>
      rows.map((row) => (row as HTMLElement).dataset["id"]!),
    );
    assert.ok(shown.length > 0 && shown.every((id) => known.has(id)));
    for (const title of await page.$$eval(".row .next", (all) =>
      all.map((one) => one.getAttribute("title")),
    ))
      assert.match(title ?? "", /^next departure \d\d:\d\d, (?:live|planned)$/);
    await page.selectOption("#sort", "departure");
    const minutes = await page.$$eval(".row .next [aria-hidden]", (all) =>
      all.map(({ textContent }) => Number(/\d+/.exec(textContent)?.[0] ?? 0)),
    );
    assert.ok(minutes.length > 1);
    assert.deepEqual(
      minutes,
      minutes.toSorted((a, b) => a - b),
    );
    assert.equal(sent.length, 1);
    assertClean();
    await context.close();
  });

  test("a click beyond what is shown searches there", async () => {
    const { page, context, assertClean } = await openPage(browser);
    // Of one kind, so that few things are in the way.
    await page.goto(`${url}${PARIS}&show=car`);
    await untilShown(page);
    await page.waitForFunction(() => performance.getEntriesByName("vicinity-map").length > 0);
    await page.mouse.click(900, 200);
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
    await page.focus("#open-filters");
    await page.keyboard.press("Enter");
    await page.focus(".chip[data-kind='car']");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => location.search.includes("show="));
    await page.keyboard.press("Escape");
    await page.waitForSelector("#filter-panel", { state: "hidden" });
    const was = page.url();
    await page.focus("#point");
    await page.keyboard.press("ArrowUp");
    await page.waitForFunction((url_) => location.href !== url_, was);
    assertClean();
    await context.close();
  });

  test("the request is shown in four languages next to its answer", async () => {
    const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
    await page.goto(url + PARIS);
    await untilShown(page);
    await page.click("#open-request");
    const reportOf = async (language: string): Promise<string> => {
      await page.click(`.languages button:has-text("${language}")`);
      return (await page.textContent(".snippet")) ?? "";
    };
    const target = `${url}/v1/nearby?lat=48.8566&lon=2.3522`;
    assert.ok((await reportOf("URL")).startsWith(target));
    assert.ok((await reportOf("curl")).startsWith(`curl '${target}`));
    assert.match(await reportOf("TypeScript"), /from "@vicinity\/client"[^]*client\.nearby\(\{/);
    assert.match(await reportOf("Python"), /urlencode\(question\)/);
    assert.match((await page.textContent(".json")) ?? "", /status: "(success|partial)"/);
    assertClean();
    await context.close();
  });

  test("results whose terms require another map are only in the list, and the page says so", async () => {
    const { page, context } = await openPage(browser, { map: MAP_ASIDE });
    await page.goto(`${url}${PARIS}&show=charging`);
    await untilShown(page);
    const notes = await page.textContent("#notes");
    assert.match(notes ?? "", /In the list only: Charging from Sandbox Maps\. /);
    assert.ok((await page.locator(".row:has-text('list only')").count()) > 3);
    assert.match((await page.textContent("#credits-list")) ?? "", /Sandbox Maps/);
    await context.close();
  });

  for (const [nth, [name, path, steps]] of (
    [
      ["results", PARIS, []],
      ["details", PARIS, [".row:has(.mark.station) >> nth=0", "#detail .reasons"]],
      ["the answer", PARIS, ["#tab-answer", "#answer table"]],
      ["the request", PARIS, ["#open-request", ".json details"]],
      ["the status page", "/status", []],
    ] as const
  ).entries())
    for (const look of nth === 0 ? LOOKS : sized([LOOKS[nth % 2]!], LOOKS))
      test(`axe finds nothing: ${name}, ${look.theme}`, async () => {
        const { page, context, assertClean } = await openPage(browser, {
          map: nth === 0 ? "drawn" : MAP_ASIDE,
          ...look,
        });
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
});

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

/** Opens the nearest of the rows whose system publishes zones: not every one does. */
async function openWithZones(page: Page, rows: Locator): Promise<void> {
  const count = await rows.count();
  for (let i = 0; i < count; i++) {
    await rows.nth(i).click();
    await page.waitForSelector("#detail:not([hidden]) .facts");
    if ((await page.locator("#detail .zones li").count()) > 0) return;
    await page.click("#detail .back");
    await page.waitForSelector("#detail", { state: "hidden" });
  }
  assert.fail(`none of ${count} vehicles belongs to a system with zones`);
}
