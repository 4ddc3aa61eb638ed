/** Places that a visitor has saved, and notices of what becomes free. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { LiveItemValue } from "#api/live.ts";
import { FakeLive, type FakeStream } from "./live-fakes.ts";
import { findBarriers, type Look, openPage, skip, untilShown } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const HERE = "/?at=48.8566,2.3522";
const KEY = "vicinity-own";
const STATION = ".row:has(.mark.station) >> nth=0";

/** Runs in the page: notices that it shows are counted. */
function countNotices(answer: string): void {
  const shown: string[] = [];
  const given = { requests: 0, shown };
  Object.assign(globalThis, { noted: given });
  globalThis.Notification = class extends EventTarget {
    static requestPermission(): Promise<string> {
      given.requests += 1;
      return Promise.resolve(answer);
    }
    constructor(_: string, { body }: { body: string }) {
      super();
      shown.push(body);
    }
  } as unknown as typeof Notification;
}

type Noted = { noted: { requests: number; shown: string[] } };

describe("what a visitor has of their own", { skip }, () => {
  let browser: Browser;
  let live: FakeLive;
  let behind = "";
  let opened: (stream: FakeStream) => void = () => {};
  useSite({ awake: [PARIS_POINT] }, (site) => {
    ({ browser } = site);
    behind = site.url;
  });
  before(async () => {
    live = new FakeLive(behind, (stream) => opened(stream));
    await live.start();
  });
  after(() => live.close());

  async function open(look: Look = { map: "late" }, stored: string | null = null) {
    const watched = await openPage(browser, look);
    if (stored !== null)
      await watched.page.addInitScript(
        ([key, text]) => {
          if (localStorage.getItem(key!) === null) localStorage.setItem(key!, text!);
        },
        [KEY, stored],
      );
    await watched.page.goto(behind + HERE);
    await untilShown(watched.page);
    await watched.page.waitForSelector("#save-place");
    return watched;
  }

  const chips = (page: Page) => page.locator("#own li");

  for (const size of ["phone", "desktop"] as const)
    test(`saved, renamed, removed, there after a reload, at ${size} size`, async () => {
      const { page, context, assertClean } = await open({ size, map: "late" });
      assert.equal(await page.locator("#own li").count(), 0);
      if (size === "phone") {
        // There the name of the point is a grip of the sheet, too.
        await page.click("#save-place");
        await page.click("#own-menu button >> nth=0");
      } else {
        await page.focus("#save-place");
        await page.keyboard.press("Enter");
        await page.locator("#own-menu button").first().focus();
        await page.keyboard.press("Enter");
      }
      await chips(page)
        .filter({ hasText: /Home · \d+ bikes? · \d+ docks?/ })
        .waitFor();
      const name = (await page.textContent(`${STATION} >> .name`)) ?? "";
      await page.click(STATION);
      const save = page.locator("#detail .own button").first();
      await save.click();
      assert.equal(await save.getAttribute("aria-pressed"), "true");
      assert.deepEqual(await findBarriers(page), []);
      await page.reload();
      await untilShown(page);
      const station = chips(page).filter({ hasText: name });
      await station.filter({ hasText: /\d+ bikes?/ }).waitFor();
      await station.locator("button").focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        (text) => document.querySelector("#detail h2")?.textContent === text,
        name,
      );
      assert.match(new URL(page.url()).search, /sel=/);
      await page.click("#open-own");
      const field = page.locator("#own-list input").nth(1);
      await field.fill("The one at the corner");
      await field.press("Tab");
      await chips(page).filter({ hasText: "The one at the corner" }).waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await page.locator("#own-list li button").nth(1).press("Enter");
      await station.waitFor({ state: "detached" });
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), "BUTTON");
      await page.locator("#own-list li button").first().press("Enter");
      await page.waitForSelector("#own", { state: "hidden" });
      assert.equal(await page.evaluate((key) => localStorage.getItem(key), KEY), null);
      assertClean();
      await context.close();
    });

  test("a thing that is gone says so, also where it is chosen", async () => {
    const thing = { id: "svc_station_aaaaaaaaaaaaaaaaaaaa", layer: "station", kind: "bicycle" };
    const gone = { id: "1", role: null, name: "Gone", lat: 48.8566, lon: 2.3522, thing };
    const { page, context, assertClean } = await open({}, JSON.stringify({ list: [gone] }));
    const chip = chips(page).filter({ hasText: "Gone · no longer there" });
    await chip.waitFor();
    await chip.locator("button").click();
    await page.locator("#notices .notice").first().waitFor();
    assertClean(/404/);
    await context.close();
  });

  test("a damaged store, and one that cannot be read, are harmless", async () => {
    for (const stored of ["{", '{"list":[{"id":"<img src=x>","name":7}]}', "x".repeat(50_000)]) {
      const { page, context, assertClean } = await open({ map: "late" }, stored);
      assert.equal(await chips(page).count(), 0);
      assert.ok(await page.locator(".row").first().isVisible());
      await page.click("#save-place");
      await page.click("#own-menu button >> nth=0");
      await chips(page).filter({ hasText: "Home" }).waitFor();
      assertClean();
      await context.close();
    }
    const { page, context, assertClean } = await openPage(browser, { map: "late" });
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("no", "SecurityError");
        },
      });
    });
    await page.goto(behind + HERE);
    await untilShown(page);
    await page.click("#save-place");
    await page.click("#own-menu button >> nth=0");
    await chips(page).filter({ hasText: "Home" }).waitFor();
    assert.match((await page.textContent("#toast")) ?? "", /does not keep/);
    assertClean();
    await context.close();
  });

  /** The details of a station without free docks, whose stream the test writes. */
  async function openFull(permission: string) {
    const streams: FakeStream[] = [];
    opened = (stream) => void streams.push(stream);
    const watched = await openPage(browser, { map: "late" });
    await watched.page.addInitScript(countNotices, permission);
    await watched.page.route("**/v1/nearby?**", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as {
        results: { stations: { availability: { docks: number | null } }[] };
      };
      for (const { availability } of body.results.stations) availability.docks = 0;
      await route.fulfill({ response, json: body });
    });
    await watched.page.goto(live.url + HERE);
    await untilShown(watched.page);
    await watched.page.click(STATION);
    const bell = watched.page.locator("#detail .own button", { hasText: "a dock is free" });
    await bell.waitFor();
    const noted = () => watched.page.evaluate(() => (globalThis as unknown as Noted).noted);
    return { ...watched, bell, streams, noted };
  }

  test("a dock that becomes free is said once, and only who pressed is asked", async () => {
    const { page, context, bell, streams, noted, assertClean } = await openFull("granted");
    assert.equal((await noted()).requests, 0);
    assert.match(await page.innerText("#detail .own"), /As long as this page is open/);
    const first = page.waitForRequest(/nearby\/stream\?bbox/);
    await bell.click();
    await first;
    await page.waitForFunction(() => document.querySelector('#detail .own [aria-pressed="true"]'));
    assert.equal((await noted()).requests, 1);
    while (streams.length === 0) await page.waitForTimeout(20);
    const stream = streams[0]!;
    const id = new URL(page.url()).searchParams.get("sel")!;
    const network = { id: "n", name: "N" };
    const at = new Date().toISOString();
    const source = { ...{ source_id: "x", network, color: null }, state: "fresh", as_of: at };
    const item: Partial<LiveItemValue> = {
      ...{ id, kind: "station", location: { lat: 48.85, lon: 2.35 }, modes: ["bicycle"] },
      ...{ network_id: "n", state: "operational", pickup: "available_now" },
      ...{ return: "available_now", vehicles: 5, docks: 0 },
    };
    stream.send("snapshot", { at, items: [item], sources: [source] }, "1");
    const change = { at, entered: [], left: [] };
    stream.send("delta", { ...change, changed: [{ ...item, vehicles: 6 }] }, "2");
    stream.send("delta", { ...change, changed: [{ ...item, docks: 1 }] }, "3");
    await page.waitForFunction(() => (globalThis as unknown as Noted).noted.shown.length > 0);
    stream.send("delta", { ...change, changed: [{ ...item, docks: 2 }] }, "4");
    while (stream.isOpen()) await page.waitForTimeout(20);
    const { shown } = await noted();
    assert.equal(shown.length, 1);
    assert.match(shown[0]!, /: a dock is free$/);
    assert.match((await page.textContent("#toast")) ?? "", /a dock is free/);
    assertClean();
    await context.close();
  });

  test("a refused permission is said, and nothing is opened", async () => {
    const { page, context, bell, streams, noted, assertClean } = await openFull("denied");
    await bell.click();
    await page.waitForFunction(() =>
      /does not allow/.test(document.querySelector("#toast")?.textContent ?? ""),
    );
    assert.equal(await bell.getAttribute("aria-pressed"), "false");
    assert.deepEqual([streams.length, (await noted()).shown.length], [0, 0]);
    assertClean();
    await context.close();
  });
});
