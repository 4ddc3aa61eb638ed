/** The search box while someone types: kinds, classes, places, coordinates; the keyboard; a slow service. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { findBarriers, MAP_ASIDE, openPage, skip, untilShown } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const PARIS = "/?at=48.8566,2.3522";
/** Of the times that a browser reports. */
const ROUNDED_MS = 2;
/** From one request to the next while someone types. */
const GAP_MS = 250 - ROUNDED_MS;

/** A later request has been answered, and what came before it is drawn. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await fetch("/health")).text();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}

describe("the search box", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite({ awake: [PARIS_POINT], base: true }, (site) => void ({ url, browser } = site));

  async function open(path = PARIS) {
    const watched = await openPage(browser, { map: MAP_ASIDE });
    await watched.page.goto(url + path);
    await untilShown(watched.page);
    return watched;
  }
  const optionsOf = (page: Page): Promise<string[]> => page.locator("#found li").allInnerTexts();
  const untilWhole = (page: Page) => page.waitForSelector("#q:not([aria-busy])");

  test("a word for a kind shows that kind alone, in any language, and its nearest below", async () => {
    const { page, context, assertClean } = await open();
    const words = {
      toilets: "Toiletten",
      charging: "ladesäu",
      bicycle: "自転車",
      transit: "métro",
    };
    for (const [kind, word] of Object.entries(words)) {
      await page.fill("#q", word);
      await page.waitForSelector(`#found li[data-key='kind ${kind}'][aria-selected='true']`);
      await untilWhole(page);
      await page.keyboard.press("Enter");
      await page.waitForFunction((id) => location.search.includes(`show=${id}`), kind);
      assert.equal(await page.inputValue("#q"), "");
      assert.ok(await page.isHidden("#found-box"));
    }
    for (const word of ["トイレ", "مراحيض"]) {
      await page.fill("#q", word);
      await untilWhole(page);
      const options = await optionsOf(page);
      assert.match(options[0]!, /Show only these/, word);
      assert.ok(options.length > 1, word);
      assert.match(options[1]!, /\d (?:m|min)/, word);
    }
    assertClean();
    await context.close();
  });

  test("the beginning of a class is offered, and the class leads to its nearest", async () => {
    const { page, context, assertClean } = await open();
    await page.fill("#q", "restau");
    await page.click("#found li[data-key='class restaurant']");
    assert.equal(await page.inputValue("#q"), "Restaurant");
    await untilWhole(page);
    assertClean();
    await context.close();
  });

  test("it says that it looks, that nothing is called so, and what a place is and where", async () => {
    const { page, context, assertClean } = await open();
    await page.fill("#q", "Berl");
    await page.waitForSelector("#found-note:has-text('Looking')");
    await page.waitForSelector("#found li:has-text('Berlin')");
    await untilWhole(page);
    assert.match((await optionsOf(page)).join("\n"), /city/);
    const options = await optionsOf(page);
    assert.equal(new Set(options).size, options.length, "no two read alike");
    assert.match((await page.textContent("#live")) ?? "", /\d suggestion/);
    await page.fill("#q", "xqzzy");
    await page.waitForSelector("#found-note:has-text('No place of that name')");
    assert.deepEqual(await optionsOf(page), []);
    assert.match((await page.textContent("#live")) ?? "", /No place of that name/);
    assert.deepEqual(await findBarriers(page), []);
    assertClean();
    await context.close();
  });

  test("coordinates in their usual forms are offered at once, and one that is nowhere is refused", async () => {
    const { page, context, assertClean } = await open();
    for (const text of [
      ...["51.5, -0.12", "geo:51.5,-0.12;u=9", "51°30′N 0°7′12″W", "0.12W 51.5N"],
      "https://www.openstreetmap.org/#map=15/51.5/-0.12",
      "https://www.google.com/maps/@51.5,-0.12,15z",
    ]) {
      await page.fill("#q", text);
      assert.deepEqual(await optionsOf(page), ["51.50000, -0.12000\nCoordinates"], text);
    }
    await page.fill("#q", "999, 999");
    await page.waitForSelector("#found-note:has-text('no point on Earth')");
    await page.keyboard.press("Enter");
    assert.match(page.url(), /48\.85/);
    await page.fill("#q", "51.5, -0.12");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.search.includes("at=51.5"));
    assertClean();
    await context.close();
  });

  test("by keyboard as a combobox: arrows mark, Escape closes, an arrow opens again, Enter takes", async () => {
    const { page, context, assertClean } = await open();
    const marked = (): Promise<string | null> =>
      page.evaluate(() => {
        const id = document.querySelector("#q")?.getAttribute("aria-activedescendant");
        return id === null || id === undefined
          ? null
          : (document.getElementById(id)?.textContent ?? "");
      });
    await page.fill("#q", "Rue de");
    await untilWhole(page);
    const options = await page.locator("#found li").allTextContents();
    assert.ok(options.length > 2);
    assert.equal(await page.getAttribute("#q", "aria-expanded"), "true");
    assert.equal(await marked(), options[0]);
    await page.focus("#q");
    await page.keyboard.press("ArrowDown");
    assert.equal(await marked(), options[1]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await marked(), options.at(-1));
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    assert.ok(await page.isHidden("#found-box"));
    assert.equal(await page.getAttribute("#q", "aria-expanded"), "false");
    assert.equal(await marked(), null);
    assert.equal(await page.inputValue("#q"), "Rue de");
    await page.keyboard.press("ArrowDown");
    await page.waitForSelector("#found li");
    await untilWhole(page);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !location.search.includes("at=48.856600,2.352200"));
    assertClean();
    await context.close();
  });

  test("one request at a time, never two within 250 ms, and an older answer never replaces a newer", async () => {
    const { page, context, assertClean } = await open();
    const blocked: PromiseWithResolvers<void> = Promise.withResolvers();
    await page.route(/\/v1\/place-search\?q=Rom&/, async (route) => {
      await blocked.promise;
      await route.continue().catch(() => {});
    });
    const begun = page.waitForRequest(/\/v1\/place-search\?q=Rom&/);
    await page.locator("#q").pressSequentially("Rom", { delay: 90 });
    await begun;
    await page.fill("#q", "");
    await page.locator("#q").pressSequentially("Berlin", { delay: 90 });
    await page.waitForSelector("#found li:has-text('Berlin')");
    await untilWhole(page);
    // The answer to what was typed first would come now.
    blocked.resolve();
    await settle(page);
    assert.match((await optionsOf(page)).join("\n"), /Berlin/);
    assert.doesNotMatch((await optionsOf(page)).join("\n"), /\bRom/);
    const times = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => /\/v1\/(?:place-search|places\/nearby|geocode)/.test(name))
        .map(({ startTime, duration }) => [startTime, startTime + duration] as const),
    );
    assert.ok(times.length >= 2 && times.length <= 9, `${times.length} requests`);
    for (let n = 1; n < times.length; n += 1) {
      const gap_ms = times[n]![0] - times[n - 1]![0];
      assert.ok(gap_ms >= GAP_MS, `${gap_ms} ms`);
      assert.ok(times[n]![0] >= times[n - 1]![1] - ROUNDED_MS, "one at a time");
    }
    // What is on its way when the list is closed does not open it again.
    const late: PromiseWithResolvers<void> = Promise.withResolvers();
    await page.route(/\/v1\/place-search\?q=Lon&/, async (route) => {
      await late.promise;
      await route.continue().catch(() => {});
    });
    const next = page.waitForRequest(/\/v1\/place-search\?q=Lon&/);
    await page.fill("#q", "Lon");
    await next;
    await page.keyboard.press("Escape");
    late.resolve();
    await settle(page);
    assert.ok(await page.isHidden("#found-box"));
    assertClean();
    await context.close();
  });
});
