/** One test of each page in a browser: the explorer from a search to a shared link, the status page, the reference. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { sized } from "../support/size.ts";
import { untilPixels, WAY } from "./pixels.ts";
import { openPage, skip, untilShown } from "./support.ts";
import { loadFirst } from "./first-load.ts";
import { PARIS_POINT, useSite } from "./site.ts";

/** The middle of the simulated Paris; figures are in docs/explorer.md. */
const FIRST = "/?at=48.8566,2.3522";
const FIRST_MOST = { requests: 25, bytes: 440_000 };

describe("the pages", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite(
    { cities: sized("paris,london", "all"), awake: [PARIS_POINT], base: true },
    (site) => void ({ url, browser } = site),
  );

  test("the first sight of the map comes in few requests and few bytes", async (context) => {
    if (!(await (await fetch(url)).text()).includes("data-joined")) {
      context.skip("NOT SEEN IN ONE PIECE: the pages are modules here (npm run bundle)");
      return;
    }
    for (const size of ["laptop", "phone"] as const) {
      const { requests, bytes } = await loadFirst(browser, { url: `${url}${FIRST}`, size });
      assert.ok(requests.length <= FIRST_MOST.requests, `${size}: ${requests.join("\n")}`);
      assert.ok(bytes <= FIRST_MOST.bytes, `${size}: ${bytes} bytes`);
    }
  });

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
    // What has no known way comes last, nearest first as well.
    const known = rows.filter((row) => row.onFoot);
    assert.ok(known.length >= 40, `${known.length} ways`);
    assert.deepEqual(rows, [...byAway(known), ...byAway(rows.filter((row) => !row.onFoot))]);
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

  test("minutes on foot, the way drawn, and what can be reached without steps, by a link", async () => {
    const { page, context, assertClean } = await openPage(browser);
    await page.goto(`${url}/?at=48.8566,2.3522&show=toilets,transit,bicycle`);
    await untilShown(page);
    await page.waitForFunction(() => performance.getEntriesByName("vicinity-map").length > 0);
    assert.match((await page.textContent(".row .away")) ?? "", /\d+ min · \d+ m on foot/);
    // The farthest of its kind, so that the pin does not hide the way.
    await page.click(".row:has(.mark.service) >> nth=-1");
    await page.waitForSelector("#detail .far .way");
    await untilPixels(page, WAY, (count) => count > 150);
    const away = await page.innerText("#detail .far");
    assert.match(
      away,
      /^\d+ min · \d+ m on foot\s+(No steps|Has steps|Steps: not known)\s+\d+ m in a/,
    );
    await page.click("#detail .back");
    await untilPixels(page, WAY, (count) => count === 0);
    const reach = page.waitForResponse((response) => response.url().includes("/v1/reach?"));
    await page.selectOption("#radius", "min-5");
    const { features } = (await (await reach).json()) as { features: { geometry: Geometry }[] };
    assert.equal(features[0]!.geometry.type, "MultiPolygon");
    await page.click("#wheelchair");
    await page.waitForFunction(() => location.search.includes("only=wheelchair"));
    assert.match(page.url(), /[?&]min=5&/);
    const other = await context.newPage();
    await other.goto(page.url());
    await untilShown(other);
    assert.equal(await other.inputValue("#radius"), "min-5");
    const texts = await other.locator(".row .away.foot > [aria-hidden]:not(svg)").allTextContents();
    assert.ok(texts.length > 5, `${texts.length} rows`);
    for (const text of texts) assert.match(text, /^[1-5] min · \d+ m$/);
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

type Geometry = { type: string };
type Row = { away: number; onFoot: boolean };

const byAway = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => a.away - b.away);

async function readRows(page: Page): Promise<Row[]> {
  const texts = await page.locator(".row .away").evaluateAll((all) =>
    all.map((one) => ({
      text: one.querySelector("small")?.textContent ?? "",
      onFoot: one.classList.contains("foot"),
    })),
  );
  return texts.map(({ text, onFoot }) => ({
    onFoot,
    away: text.endsWith(" km") ? Number.parseFloat(text) * 1000 : Number.parseInt(text, 10),
  }));
}
