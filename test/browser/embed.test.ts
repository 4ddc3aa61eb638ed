/** The map for pages of others: an allowed origin shows it, another does not, and it stores nothing. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createFolder, removeFolder, start, type Started } from "../integration/service/support.ts";
import { findBarriers, openBrowser, openPage, skip } from "./support.ts";

/** A page of another origin, whose frame is the address after `?`. */
async function openHost(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const src = decodeURIComponent((request.url ?? "").split("?")[1] ?? "").replaceAll(
      "&",
      "&amp;",
    );
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>host</title><iframe src="${src}" width="700" height="460" style="border:0"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("/embed", { skip }, () => {
  let browser: Browser;
  let started: Started;
  const hosts: { server: Server; origin: string }[] = [];
  before(async () => {
    hosts.push(await openHost(), await openHost());
    started = await start({
      data_dir: await createFolder(),
      cities: "paris",
      timetables: false,
      settings: { explorer: { embed_origins: [hosts[0]!.origin] } },
    });
    browser = await openBrowser();
    await fetch(`${started.service.url}/v1/nearby?lat=48.8566&lon=2.3522`);
  });
  after(async () => {
    await browser?.close();
    for (const { server } of hosts) server.close();
    await started?.service.close({ delay_ms: 0 });
    await removeFolder(started.data_dir);
  });

  const address = (more = ""): string =>
    encodeURIComponent(`${started.service.url}/embed?at=48.8566,2.3522&show=bicycle${more}`);

  test("an allowed page shows the map and its list, with a way to the whole page, and no storage", async () => {
    const { page, context, faults } = await openPage(browser);
    const storage: string[] = [];
    await page.exposeFunction("reportStorage", (what: string) => storage.push(what));
    await page.addInitScript(() => {
      for (const name of ["getItem", "setItem"] as const)
        Storage.prototype[name] = (key: string) => {
          (globalThis as unknown as { reportStorage(what: string): void }).reportStorage(
            `${name} ${key}`,
          );
          return null;
        };
    });
    await page.goto(`${hosts[0]!.origin}/?${address("&list=1&theme=dark")}`);
    const frame = page.frameLocator("iframe");
    await frame.locator("#rows li").first().waitFor();
    await frame.locator(".maplibregl-canvas").waitFor();
    await frame.locator("#rows button").first().click();
    await frame.locator("#chosen strong").waitFor();
    const whole = frame.getByRole("link", { name: "Open the whole map" });
    assert.match((await whole.getAttribute("href")) ?? "", /^\/\?at=48\.856600,2\.352200&.*&sel=/);
    assert.equal(await whole.getAttribute("target"), "_blank");
    await frame.locator("#state", { hasText: /Updated .* ago/ }).waitFor();
    const inner = page.frames()[1]!;
    assert.equal(await inner.evaluate(() => document.documentElement.dataset["theme"]), "dark");
    assert.deepEqual(storage, []);
    assert.deepEqual(await context.cookies(), []);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("a page of another origin gets none, and no other page is shown by the allowed one", async () => {
    const refused = async (url: string): Promise<void> => {
      const { page, context, faults } = await openPage(browser);
      await page.goto(url);
      const seen = await untilRefused(page, faults);
      assert.match(seen, /frame-ancestors/);
      assert.equal(page.frames()[1]!.url(), "chrome-error://chromewebdata/");
      await context.close();
    };
    await refused(`${hosts[1]!.origin}/?${address()}`);
    await refused(`${hosts[0]!.origin}/?${encodeURIComponent(`${started.service.url}/?at=1,2`)}`);
  });

  test("without a point it says so; alone and narrow it has no barrier", async () => {
    const { page, context, assertClean } = await openPage(browser, { size: "narrow" });
    await page.goto(`${started.service.url}/embed`);
    await page.getByText("names no point").waitFor();
    await page.goto(`${started.service.url}/embed?at=48.8566,2.3522&show=bicycle&list=1`);
    await page.locator("#rows li").first().waitFor();
    await page.locator(".maplibregl-canvas").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assertClean();
    await context.close();
  });
});

async function untilRefused(page: Page, faults: readonly string[]): Promise<string> {
  for (;;) {
    const fault = faults.find((each) => each.includes("frame-ancestors"));
    if (fault !== undefined) return fault;
    await page.waitForEvent("console");
  }
}
