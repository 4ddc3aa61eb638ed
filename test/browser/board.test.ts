/** The board for screens: it fits, says how many more there are, and survives an outage. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { findBarriers, openPage, skip } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const BOARD = "/board?at=48.8566,2.3522";
const SCREENS = [
  { width: 1920, height: 1080 },
  { width: 1080, height: 1920 },
  { width: 800, height: 480 },
  { width: 390, height: 844 },
];

describe("the board", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite({ cities: "paris", awake: [PARIS_POINT] }, (site) => void ({ url, browser } = site));

  const untilRead = (page: Page) =>
    page.waitForFunction(() => document.querySelectorAll(".rows li > strong").length > 8);

  test("nothing scrolls or is cut at any size, and what is left is counted", async () => {
    const { page, context, assertClean } = await openPage(browser, { theme: "dark" });
    await page.goto(url + BOARD);
    await untilRead(page);
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      await page.waitForFunction((width) => innerWidth === width, size.width);
      const seen = await page.evaluate(() => {
        dispatchEvent(new Event("resize"));
        const { scrollWidth, scrollHeight } = document.documentElement;
        const sections = [...document.querySelectorAll("section")].map((each) => ({
          rows: each.querySelectorAll(".rows li:not([hidden])").length,
          isCut: each.scrollHeight > each.clientHeight + 1,
          more: each.querySelector(".more")?.textContent ?? "",
        }));
        return { isScrolled: scrollWidth > innerWidth || scrollHeight > innerHeight, sections };
      });
      const what = JSON.stringify([size, seen]);
      assert.equal(seen.isScrolled, false, what);
      assert.equal(seen.sections.length, 3, what);
      assert.ok(
        seen.sections.every(({ rows, isCut }) => rows >= 1 && !isCut),
        what,
      );
      assert.match(seen.sections[0]!.more, /^\d+ more$/, what);
    }
    assert.deepEqual(await findBarriers(page), []);
    assertClean();
    await context.close();
  });

  test("an outage leaves what was known, grey with its age, and it comes back; a minute is little", async () => {
    const { page, context } = await openPage(browser, { theme: "light" });
    await page.goto(url + BOARD);
    await untilRead(page);
    const before = await page.locator(".nearby .rows li").allInnerTexts();
    await page.getByText(/^Updated .* ago$/).waitFor();
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => /\/v1\/(departures|nearby|services)/.test(name))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0),
    );
    assert.ok(bytes > 500 && bytes < 12_000, `${bytes} bytes a minute`);
    await page.route("**/v1/**", (route) => route.abort());
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByText(/^No connection: last known .* ago$/).waitFor();
    assert.equal(await page.locator("section.lost").count(), 3);
    assert.deepEqual(await page.locator(".nearby .rows li").allInnerTexts(), before);
    await page.unroute("**/v1/**");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByText(/^Updated .* ago$/).waitFor();
    assert.equal(await page.locator("section.lost").count(), 0);
    await context.close();
  });

  test("sections follow the address, old counts have their age, and Arabic is read from the right", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.route("**/v1/nearby?*", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as {
        results: { stations: { data_class: string; availability: object }[] };
      };
      const [first] = body.results.stations;
      Object.assign(first!, { data_class: "stale" });
      Object.assign(first!.availability, { vehicles: null, last_reported: "2026-11-24T07:00:00Z" });
      await route.fulfill({ json: body });
    });
    await page.goto(`${url}${BOARD}&show=bicycle&lang=ar`);
    await page.waitForSelector(".nearby li.old");
    assert.equal(await page.locator("section").count(), 1);
    assert.equal(await page.getAttribute("html", "dir"), "rtl");
    assert.equal(
      await page.locator("li.old strong").first().innerText(),
      "–",
      "unknown is no zero",
    );
    assert.match(await page.innerText("li.old small >> nth=0"), /قبل/);
    await page.goto(`${url}/board`);
    await page.getByText("names no point").waitFor();
    assertClean();
    await context.close();
  });
});
