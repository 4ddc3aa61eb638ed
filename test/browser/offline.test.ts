/** The page without a network: what was seen is shown with its age, and nothing of it as fresh. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { eventually } from "../integration/service/support.ts";
import { HANG_MS } from "../support/size.ts";
import { Front } from "./front.ts";
import { type Look, openPage, skip, untilShown } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const HERE = "/?at=48.8566,2.3522";
/** What a browser writes of a service that is gone. */
const GONE = /net::ERR_/;
const MINUTES_MS = 60_000;

/** Runs in the page: its time is later. */
function moveOn(ms: number): void {
  const { now } = Date;
  Date.now = () => now() + ms;
}

describe("the page without a network", { skip }, () => {
  let browser: Browser;
  let front: Front;
  let behind = "";
  useSite({ base: true, awake: [PARIS_POINT] }, (site) => {
    ({ browser } = site);
    behind = site.url;
  });
  before(async () => {
    front = new Front(behind);
    await front.start();
  });
  after(() => front.close());

  /** A first visit, after which the browser has kept the page. */
  async function visit(look: Look = {}) {
    front.isDown = false;
    front.changes.clear();
    const watched = await openPage(browser, { ...look, worker: "allow" });
    await watched.page.goto(front.url + HERE);
    await untilShown(watched.page);
    await untilKept(watched.page);
    return watched;
  }

  /** The worker has the page and what it had loaded. */
  const untilKept = (page: Page): Promise<unknown> =>
    untilIn(page, async () => {
      const { assets } = JSON.parse(document.documentElement.dataset["settings"]!) as {
        assets: string;
      };
      const texts = await caches.match(`${assets}/texts/en.json`);
      const answers = await (await caches.open("vicinity-answers")).keys();
      const tiles = await (await caches.open("vicinity-tiles")).keys();
      const isControlled = navigator.serviceWorker.controller !== null;
      return isControlled && texts !== undefined && answers.length >= 5 && tiles.length > 0;
    });

  const untilIn = (page: Page, isSo: () => Promise<boolean>): Promise<unknown> =>
    eventually(async () => ((await page.evaluate(isSo)) ? true : null), {
      within_ms: HANG_MS,
      what: isSo.toString(),
    });

  const listCaches = (page: Page): Promise<string[]> =>
    page.evaluate(async () => (await caches.keys()).toSorted());

  test("a reload shows the last answer with its age, grey, and none of it as usable now", async () => {
    const { page, context, assertClean } = await visit({ size: "phone" });
    const before_rows = await page.locator(".row .name").allTextContents();
    assert.ok(before_rows.length > 5);
    const urls = await page.evaluate(async () => {
      const all = await Promise.all(
        (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
      );
      return all.flat().map(({ url }) => new URL(url).pathname);
    });
    assert.ok(urls.length > 10);
    assert.deepEqual(
      urls.filter((path) => !/^\/(?:$|assets\/|tiles\/|kept\/)/.test(path)),
      [],
      "nothing else is kept",
    );
    front.isDown = true;
    await context.setOffline(true);
    await page.addInitScript(moveOn, 12 * MINUTES_MS);
    await page.reload();
    await untilShown(page);
    assert.match(await page.innerText("#summary .updated"), /Updated 12 min ago/);
    assert.match((await page.getAttribute("#summary .updated", "class")) ?? "", /\bold\b/);
    const rows = page.locator(".row");
    assert.deepEqual(await page.locator(".row .name").allTextContents(), before_rows);
    assert.equal(await page.locator(".row:not(.stale)").count(), 0);
    assert.doesNotMatch(await page.innerText("#summary"), /usable now/);
    assert.match(await page.innerText("#notices"), /You are offline[\s\S]*is 12 min old/);
    await page.waitForSelector(".maplibregl-canvas");
    await rows.first().click();
    assert.match(await page.innerText("#detail .facts"), /12 min/);
    await context.setOffline(false);
    front.isDown = false;
    await page.click("#detail .back");
    await page.click("#notices .notice button");
    await page.waitForFunction(() => document.querySelectorAll(".row.stale").length === 0);
    assertClean(GONE);
    await context.close();
  });

  test("the browser finds nothing that is in the way of installing it", async () => {
    const { page, context, assertClean } = await visit();
    const session = await context.newCDPSession(page);
    const { errors, data = "" } = await session.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    assert.equal((JSON.parse(data) as { id: string }).id, "/");
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // The pages of a test are private ones, in which a browser installs nothing.
    const ids = installabilityErrors.map(({ errorId }) => errorId);
    assert.deepEqual(
      ids.filter((id) => id !== "in-incognito"),
      [],
    );
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    assert.equal(scope, `${front.url}/`);
    assertClean();
    await context.close();
  });

  test("without the network another place has nothing, which is said, and the page has a base", async () => {
    const { page, context, assertClean } = await visit();
    front.isDown = true;
    await page.goto(`${front.url}/?at=48.8600,2.3400`);
    await untilShown(page);
    assert.equal(await page.locator(".row").count(), 0);
    assert.match(await page.innerText("#summary"), /could not|failed|missing/i);
    await page.waitForSelector(".maplibregl-canvas");
    assertClean(GONE);
    await context.close();
  });

  test("a new version replaces the old one, and the page is not stuck in between", async () => {
    const { page, context, assertClean } = await visit();
    const [old] = (await listCaches(page)).filter((name) => name.startsWith("vicinity-page-"));
    front.changes.set("/", (html) => html.replace("</body>", "<!-- next --></body>"));
    front.changes.set("/service-worker.js", (text) =>
      text.replace(/(\\"version\\":\\")[0-9a-f]{12}/, "$1aaaaaaaaaaaa"),
    );
    await page.reload();
    await untilShown(page);
    await untilIn(page, async () => {
      const kept = await caches.open("vicinity-page-aaaaaaaaaaaa");
      const { installing, waiting, active } = await navigator.serviceWorker.ready;
      const isTaken = !installing && !waiting && active?.state === "activated";
      return isTaken && /next/.test((await (await kept.match("/"))?.text()) ?? "");
    });
    const names = await listCaches(page);
    assert.ok(names.includes(old!), "its pages may still be open");
    front.isDown = true;
    await page.reload();
    await untilShown(page);
    assert.ok((await page.content()).includes("<!-- next -->"));
    assertClean(GONE);
    await context.close();
  });

  test("switched off, the worker removes itself and what was kept", async () => {
    const { page, context, assertClean } = await visit();
    front.changes.set("/", (html) =>
      html.replace("&quot;offline&quot;:true", "&quot;offline&quot;:false"),
    );
    front.changes.set("/service-worker.js", (text) =>
      text.replace(String.raw`\"isOn\":true`, String.raw`\"isOn\":false`),
    );
    await page.reload();
    await untilShown(page);
    await untilIn(
      page,
      async () =>
        (await navigator.serviceWorker.getRegistrations()).length === 0 &&
        (await caches.keys()).every((name) => !name.startsWith("vicinity-")),
    );
    await page.reload();
    await untilShown(page);
    assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
    assertClean();
    await context.close();
  });
});
