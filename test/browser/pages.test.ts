/** One test of each page in a browser: the explorer from a search to a shared link, the status page, the reference. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { sized } from "../support/size.ts";
import { openPage, skip, untilShown } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

describe("the pages", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite(
    { cities: sized("paris,london", "all"), awake: [PARIS_POINT] },
    (site) => void ({ url, browser } = site),
  );

  test("search, click, list, why, share", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(`${url}/?at=51.5074,-0.1278`);
    await untilShown(page);
    await page.fill("#q", "Rue des Tilleuls");
    await page.click("#found li >> nth=0");
    await page.waitForSelector("#summary h2:has-text('Rue des Tilleuls')");
    assert.match(page.url(), /at=48\.\d+,2\.\d+/);
    await page.goto(`${url}/?at=48.8566,2.3522&sort=distance`);
    await untilShown(page);
    const rows = await readRows(page);
    assert.ok(rows.length >= 40, `${rows.length} rows`);
    assert.deepEqual(
      rows,
      rows.toSorted((a, b) => a.away - b.away),
    );
    await page.click(".row:has(.mark.station) >> nth=0");
    await page.waitForSelector("#detail .reasons li");
    const why = await page.textContent("#detail .why");
    assert.match(why ?? "", /\d sources report this station/);
    assert.match(why ?? "", /The names are equal\./);
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

  test("the status page and the reference keep their policies", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(`${url}/status`);
    await page.waitForSelector("#sources tbody tr");
    assert.ok((await page.locator("#sources tbody tr").count()) > sized(20, 40));
    await page.goto(`${url}/docs`);
    await page.waitForSelector("#getNearby");
    assertClean();
    await context.close();
  });
});

async function readRows(page: Page): Promise<{ away: number }[]> {
  const texts = await page.locator(".row .away small").allTextContents();
  return texts.map((text) => ({
    away: text.endsWith(" km") ? Number.parseFloat(text) * 1000 : Number.parseInt(text, 10),
  }));
}
