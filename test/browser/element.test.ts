/** The element in a page of another origin: what it shows, moves, says, and leaves when it cannot. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { FakeServer, type Host, listen, openPages, toPage } from "./element-hosts.ts";
import {
  ITEMS,
  NOTES,
  policyOf,
  readDrawn,
  scooter,
  station,
  untilDrawn,
  untilText,
} from "./element-page.ts";
import { findBarriers, openBrowser, openPage, skip } from "./support.ts";

declare const shifts: string[];
declare const faults: { code: string; message: string }[];

declare function readAll(): { id: string; x: number }[];

describe("the element in a page of another origin", { skip }, () => {
  const fake = new FakeServer(ITEMS);
  const documents = new Map<string, string>();
  let browser: Browser;
  let server: Host;
  let pages: Host;
  before(async () => {
    [browser, server] = await Promise.all([openBrowser(), listen(fake.answer)]);
    pages = await openPages(documents, policyOf(server.url));
  });
  after(async () => {
    await Promise.all([browser?.close(), server?.close(), pages?.close()]);
  });

  const element = (attributes: string, src = server.url): string =>
    `<vicinity-map at="48.8566,2.3522" radius="300" src="${src}" ${attributes}></vicinity-map>`;

  async function open(path: string, html: string, look = {}) {
    documents.set(path, toPage(html));
    const watched = await openPage(browser, look);
    await watched.page.addInitScript({ content: NOTES });
    await watched.page.goto(`${pages.url}${path}`);
    return watched;
  }

  test("shows things, moves them, goes on after a cut, and keeps its size", async () => {
    const { page, context, assertClean } = await open("/shown", element('key="pk_1"'));
    await untilDrawn(page, ["Hall", "Port", "Shut", "s1", "s2"]);
    const drawn = await readDrawn(page);
    // Each state differs by its text too.
    assert.deepEqual(
      drawn.map(({ id, text }) => `${id} ${text}`),
      ["Hall 7", "Port ?", "Shut ×", "s1 S", "s2 ?"],
    );
    const [{ headers, query } = fake.calls[0]!] = fake.calls;
    assert.equal(headers.authorization, "Bearer pk_1");
    assert.equal(headers["origin"], pages.url);
    const [w = 0, s = 0, e = 0, n = 0] = query.get("bbox")!.split(",").map(Number);
    assert.ok(w < 2.348 && e > 2.3563 && s < 48.854 && n > 48.8592, query.get("bbox")!);
    const text = await untilText(page, "Metro Bikes");
    assert.match(text, /As of \d+ s ago.*Sources and licences · Metro Bikes/s);
    assert.match(text, /Hall, Available: 7, 0 m/);
    assert.match(text, /Port, Available: not known/);
    assert.match(text, /Shut, Out of use/);
    assert.equal(
      await page.getAttribute("vicinity-map a[rel=license]", "href"),
      `${server.url}/v1/sources`,
    );

    const place = drawn.find(({ id }) => id === "s1")!;
    fake.send("delta", {
      ...{ at: "2026-11-28T09:30:50Z", entered: [station("New", 2.3515)] },
      ...{ changed: [scooter("s1", 2.3515)], left: [{ id: "Port", reason: "gone" }] },
    });
    await untilDrawn(page, ["Hall", "New", "Shut", "s1", "s2"]);
    await page.waitForFunction(
      (x) => readAll().some((one) => one.id === "s1" && one.x > x + 20),
      place.x,
    );

    const calls = fake.calls.length;
    for (const response of fake.open) response.destroy();
    await page.waitForFunction(() => faults.length > 0);
    while (fake.calls.length === calls || fake.open.size === 0) await page.waitForTimeout(20);
    assert.equal(fake.calls.at(-1)!.headers["last-event-id"], "a.b.2");
    fake.send("delta", {
      ...{ at: "2026-11-28T09:30:55Z", entered: [], changed: [] },
      left: [{ id: "Shut", reason: "gone" }],
    });
    await untilDrawn(page, ["Hall", "New", "s1", "s2"]);
    assert.deepEqual(await page.evaluate(() => shifts), []);
    assert.equal((await page.locator("vicinity-map").boundingBox())!.height, 320);
    assert.deepEqual(await findBarriers(page), []);

    await page.evaluate(() => document.querySelector("vicinity-map")!.remove());
    while (fake.open.size > 0) await page.waitForTimeout(20);
    assertClean(/net::ERR/);
    await context.close();
  });

  test("what it cannot show it says, with a link", async () => {
    const { page, context } = await open("/away", element("", "http://127.0.0.1:9"));
    const reason = page.locator("vicinity-map .fallback p");
    await reason.waitFor();
    assert.equal(await reason.innerText(), "The server of this map does not answer.");
    const link = page.locator("vicinity-map .fallback a");
    assert.equal(await link.getAttribute("href"), "http://127.0.0.1:9/?at=48.8566,2.3522");
    assert.deepEqual(await findBarriers(page), []);
    const cases: [attributes: Record<string, string>, code: string, reason: string][] = [
      [{ src: "" }, "attribute", "The attribute src is missing or wrong."],
      [{ src: server.url, at: "95,2.3522" }, "attribute", "The attribute at is missing or wrong."],
      [{ at: "1,2", radius: "far" }, "attribute", "The attribute radius is missing or wrong."],
      [{ radius: "", maplibre: "/no.mjs" }, "library", "The map library could not be loaded."],
    ];
    for (const [attributes, code, text] of cases) {
      await page.evaluate((given) => {
        const map = document.querySelector("vicinity-map")!;
        for (const [name, value] of Object.entries(given)) map.setAttribute(name, value);
      }, attributes);
      const fallback = page.locator("vicinity-map .fallback", { hasText: text });
      await fallback.getByRole("link").waitFor();
      assert.equal(await page.evaluate(() => faults.at(-1)!.code), code);
    }
    assert.deepEqual(await page.evaluate(() => shifts), []);
    // Once all is right again the map is there.
    await page.evaluate(() => document.querySelector("vicinity-map")!.removeAttribute("maplibre"));
    await page.evaluate(() =>
      document.querySelector("vicinity-map")!.setAttribute("at", "48.8566,2.3522"),
    );
    // With the radius that is taken where none is named.
    await untilDrawn(page, ["Hall", "Port", "Shut", "s1", "s2"]);
    assert.equal(await link.isVisible(), false);
    await context.close();
  });
});
