/** The page as a whole: everything in the circle, states that agree and heal, links, steps back, sizes. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { findBarriers, type Look, openPage, skip, untilShown } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const PARIS = "/?at=48.8566,2.3522";
/** The map is not the matter: other tests draw it from the same results. */
const LATE = { map: "late" } as const;

type Body = { total: number; results: { stations: unknown[]; vehicles: unknown[] } };

describe("the page", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite({ awake: [PARIS_POINT] }, (site) => void ({ url, browser } = site));

  async function open(path: string, look: Look = LATE) {
    const watched = await openPage(browser, { ...LATE, ...look });
    await watched.page.goto(url + path);
    await untilShown(watched.page);
    return watched;
  }
  const textOf = async (page: Page, selector: string): Promise<string> =>
    (await page.textContent(selector)) ?? "";

  test("everything inside the circle is there at once: further pages come by themselves", async () => {
    const { page, context, assertClean } = await openPage(browser, LATE);
    // Pages of a few, so that there are many of them.
    await page.route("**/v1/nearby?**", async (route) => {
      const request = new URL(route.request().url());
      const offset = Number(request.searchParams.get("offset") ?? 0);
      request.searchParams.set("limit", "200");
      request.searchParams.delete("offset");
      const body = (await (await fetch(request)).json()) as Body;
      const things = [
        ...body.results.stations.map((raw) => ({ raw, is: "stations" as const })),
        ...body.results.vehicles.map((raw) => ({ raw, is: "vehicles" as const })),
      ];
      // The page asks for 200 a page; three pages of it are made of one answer.
      const share = Math.ceil(things.length / 3);
      const listed = things.slice((offset / 200) * share, (offset / 200 + 1) * share);
      const pick = (wanted: string): unknown[] =>
        listed.filter(({ is }) => is === wanted).map(({ raw }) => raw);
      const results = { ...body.results, stations: pick("stations"), vehicles: pick("vehicles") };
      await route.fulfill({ json: { ...body, total: 600, results } });
    });
    await page.goto(`${url}${PARIS}&show=bicycle,scooter&sort=distance`);
    await untilShown(page);
    const whole = (await (
      await fetch(`${url}/v1/nearby?lat=48.8566&lon=2.3522&modes=bicycle,scooter&limit=200`)
    ).json()) as Body;
    const count = whole.results.stations.length + whole.results.vehicles.length;
    assert.match(await textOf(page, "#summary"), new RegExp(` ${count} results within 400 m`));
    assertClean();
    await context.close();
  });

  test("what it is, that it is simulated, and where else to look, in the first view", async () => {
    const { page, context, assertClean } = await open("/");
    assert.match(await textOf(page, "#intro"), /What can I use near here, right now\?/);
    assert.match(await textOf(page, "#intro"), /simulated/);
    assert.equal(await textOf(page, "#mode"), "Simulated world");
    const cities = page.locator("#intro .cities button");
    assert.ok((await cities.count()) >= 2);
    await cities.nth(1).click();
    await page.waitForFunction(() => !location.search.includes("48.8566"));
    await page.click("#intro .close");
    await page.reload();
    await untilShown(page);
    assert.equal(await page.locator("#intro").isVisible(), false);
    assertClean();
    await context.close();
  });

  test("usable things lead each kind, filters leave out what is known not to fit", async () => {
    const { page, context, assertClean } = await open(PARIS);
    const kinds = await page.locator("#results .kind h3").allTextContents();
    assert.ok(kinds.length >= 5, kinds.join());
    for (const section of await page.locator("#results section").all()) {
      const rows = await section
        .locator(".row")
        .evaluateAll((all) => all.map((row) => row.classList.contains("not-now")));
      assert.deepEqual(
        rows,
        rows.toSorted((a, b) => Number(a) - Number(b)),
        "what cannot be used is last",
      );
    }
    const repeated = await page.locator("#results .row").evaluateAll(
      (all) =>
        all.filter((row) => {
          const [title, sub] = [".name", ".sub em bdi"].map(
            (part) => row.querySelector(part)?.textContent ?? "",
          );
          return sub !== "" && title?.startsWith(sub ?? "");
        }).length,
    );
    assert.equal(repeated, 0, "a subtitle is no repeated title");
    // No base has the streets here: the straight line is alone.
    assert.match(await textOf(page, ".row .away small"), /^\d+ m$/);
    const count = async (): Promise<number> =>
      Number(/ (\d+) results/.exec(await textOf(page, "#summary"))?.[1]);
    const all = await count();
    await page.click(".chip[data-wish='usable']");
    await page.waitForFunction(() => location.search.includes("only=usable"));
    const usable = await count();
    assert.ok(usable < all);
    assert.match(await textOf(page, "#summary"), new RegExp(`${all - usable} left out by filters`));
    assert.equal(await page.locator(".row.not-now").count(), 0);
    await page.click("#open-filters");
    await page.selectOption("#operator", { index: 1 });
    const name = await page.locator("#operator option:checked").textContent();
    await page.selectOption("#sort", "distance");
    const subs = await page.locator("#results .row .sub em:first-child bdi").allTextContents();
    assert.deepEqual([...new Set(subs)], [name]);
    assertClean();
    await context.close();
  });

  test("one tap shows one kind, and a second one all; the strongest charger is two taps away", async () => {
    const { page, context, assertClean } = await open(PARIS);
    await page.click("#kinds [data-only='charging']");
    await page.waitForFunction(() => location.search.includes("show=charging"));
    await page.waitForFunction(() => document.querySelectorAll(".rows").length === 1);
    await page.selectOption("#sort", "power");
    await page.waitForFunction(() => location.search.includes("sort=power"));
    const subs = await page.locator("#results .row .sub").allInnerTexts();
    const powers = subs.map((text) => Number(/(\d+) kW/.exec(text)?.[1] ?? 0));
    assert.ok(powers[0]! > 0, subs.join());
    assert.deepEqual(
      powers,
      powers.toSorted((a, b) => b - a),
    );
    await page.click("#kinds [data-only='charging']");
    await page.waitForFunction(() => !location.search.includes("show="));
    assertClean();
    await context.close();
  });

  test("ten rows without scrolling at 1280 × 720, and a list in every window", async () => {
    const rowsIn = (page: Page): Promise<number> =>
      page.evaluate(async () => {
        // The page follows its new size with the next frames.
        for (let frame = 0; frame < 3; frame++)
          await new Promise((done) => requestAnimationFrame(done));
        const rows = [...document.querySelectorAll("#results .row")];
        const boxes = rows.map((row) => row.getBoundingClientRect());
        return boxes.filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length;
      });
    const least = { desktop: 9, wide: 12, tablet: 15, phone: 3, landscape: 2 } as const;
    const { page, context, assertClean } = await open(PARIS);
    for (const [name, wanted] of Object.entries(least)) {
      const sizes = {
        desktop: [1280, 720],
        wide: [1440, 900],
        tablet: [820, 1180],
        phone: [390, 844],
        landscape: [844, 390],
      } as const;
      const [width, height] = sizes[name as keyof typeof sizes];
      await page.setViewportSize({ width, height });
      assert.ok((await rowsIn(page)) >= wanted, `${name}: ${await rowsIn(page)} rows`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${name}: ${wide} pixels wide`);
    }
    // On its side, the whole list can be scrolled to.
    await page.evaluate(() => document.querySelector("#sheet")!.scrollTo(0, 1e6));
    assert.ok((await rowsIn(page)) >= 1);
    await page.setViewportSize({ width: 320, height: 256 });
    await page.locator("#results .row").first().scrollIntoViewIfNeeded();
    assert.ok((await rowsIn(page)) >= 1, "at 400 %");
    assertClean();
    await context.close();
  });

  test("the sheet of a phone follows the finger and stops at three heights", async () => {
    const { page, context, assertClean } = await open(PARIS, { size: "phone" });
    const sheet = page.locator("#sheet");
    const height = async (): Promise<number> => (await sheet.boundingBox())!.height;
    const drag = async (by: number): Promise<void> => {
      const box = (await page.locator("#handle").boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let step = 1; step <= 10; step += 1) await page.mouse.move(x, y + (by * step) / 10);
      const [dragged, grip] = [await height(), (await page.locator("#handle").boundingBox())!];
      assert.ok(Math.abs(grip.y + grip.height / 2 - (y + by)) < 20, `${dragged} follows`);
      await page.mouse.up();
    };
    assert.equal(await sheet.getAttribute("data-size"), "half");
    await drag(-250);
    assert.equal(await sheet.getAttribute("data-size"), "full");
    await drag(300);
    assert.notEqual(await sheet.getAttribute("data-size"), "full");
    await page.click("#handle");
    await page.keyboard.press("Enter");
    assert.ok(["peek", "half", "full"].includes((await sheet.getAttribute("data-size")) ?? ""));
    assertClean();
    await context.close();
  });

  test("a failure of all is one banner; nothing is called empty; what came stays, greyed, and all heals", async () => {
    const { page, context, assertClean } = await open(PARIS);
    const rows = await page.locator(".row").count();
    await context.setOffline(true);
    await page.waitForSelector(".notice.error:has-text('You are offline')");
    await page.evaluate(() => document.querySelector<HTMLElement>(".notice button")!.click());
    await page.waitForFunction(() => document.querySelectorAll(".row.stale").length > 5);
    assert.equal(await page.locator(".row").count(), rows);
    assert.equal(await page.locator("#notices .notice").count(), 1);
    assert.doesNotMatch(await textOf(page, "#sheet"), /nothing/i);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await context.setOffline(false);
    await page.waitForSelector(".notice.error", { state: "detached" });
    await page.waitForFunction(() => document.querySelectorAll(".row.stale").length === 0);
    for (const path of ["/v1/nearby", "/v1/services/nearby", "/v1/transport/nearby", "/v1/sources"])
      assert.ok(requests.includes(path), `${path} is asked again`);
    assertClean(/ERR_INTERNET_DISCONNECTED/);
    await context.close();
  });

  test("a first reading that fails is no empty answer, and weather that fails is said", async () => {
    const { page, context } = await openPage(browser, LATE);
    await page.route("**/v1/*nearby?**", (route) => route.fulfill({ status: 503 }));
    await page.route("**/v1/*/nearby?**", (route) => route.fulfill({ status: 503 }));
    await page.route("**/realtime/**", (route) => route.fulfill({ status: 500 }));
    await page.goto(url + PARIS);
    await untilShown(page);
    assert.match(await textOf(page, "#summary"), /could not be read/);
    assert.equal(await page.locator("#notices .notice").count(), 1);
    assert.match(await textOf(page, "#notices"), /503/);
    assert.doesNotMatch(await textOf(page, "#sheet"), /nothing (found|is here|within)/i);
    await page.waitForSelector("#weather.failed:has-text('Weather could not be read')");
    await page.unroute("**/v1/*nearby?**");
    await page.unroute("**/v1/*/nearby?**");
    await page.click("text=Try again");
    await page.waitForSelector(".row .mark.station");
    assert.equal(await page.locator(".notice.error").count(), 0);
    await context.close();
  });

  test("a link opens its thing wherever it is, and says so when it is gone", async () => {
    const { page, context, assertClean } = await open(`${PARIS}&sort=distance`);
    const last = await page.evaluate(() =>
      [...document.querySelectorAll(".rows li")].at(-1)?.getAttribute("data-id"),
    );
    await page.goto(`${url}${PARIS}&sel=${last}`);
    await page.waitForSelector("#detail:not([hidden]) h2");
    await page.goto(`${url}${PARIS}&sel=svc_vehicle_gone`);
    await page.waitForSelector("#notices:has-text('no longer here')");
    assertClean();
    await context.close();
  });

  test("on a phone: targets of 40 px, a swipe raises the sheet, named dialogs, credits of a simulated map", async () => {
    const { page, context, assertClean } = await open(PARIS, { size: "phone" });
    for (const selector of ["#kinds .chip >> nth=0", ".kind .more >> nth=0", "#sort"]) {
      const box = await page.locator(selector).first().boundingBox();
      assert.ok(box !== null && box.height >= 40, `${selector}: ${JSON.stringify(box)}`);
    }
    const sizeOf = () => page.getAttribute("#sheet", "data-size");
    assert.equal(await sizeOf(), "half");
    await page.evaluate(() => {
      const row = document.querySelector(".row")!;
      const move = (type: string, clientY: number): void => {
        const touch = new Touch({ identifier: 1, target: row, clientX: 100, clientY });
        row.dispatchEvent(new TouchEvent(type, { bubbles: true, touches: [touch] }));
      };
      move("touchstart", 600);
      move("touchmove", 590);
      move("touchmove", 560);
    });
    assert.equal(await sizeOf(), "full");
    await page.click("#tab-answer");
    await page.waitForSelector("#answer table");
    assert.equal(await page.locator("#answer > .note").count(), 1);
    await page.click("#open-menu");
    assert.deepEqual(await findBarriers(page), []);
    assert.equal(await page.getAttribute("#menu", "role"), "dialog");
    assert.doesNotMatch(await textOf(page, "#credits"), /OpenStreetMap/);
    assertClean();
    await context.close();
  });

  test("Back takes a step back and stays on the page", async () => {
    const { page, context, assertClean } = await open(PARIS);
    await page.click(".row >> nth=0");
    await page.waitForSelector("#detail:not([hidden])");
    await page.goBack();
    await page.waitForSelector("#detail", { state: "hidden" });
    await page.selectOption("#radius", "800");
    await page.waitForFunction(() => location.search.includes("r=800"));
    await page.evaluate(() => ((globalThis as { kept?: boolean }).kept = true));
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes("r=800"));
    assert.equal(await page.inputValue("#radius"), "400");
    assert.equal(await page.evaluate(() => (globalThis as { kept?: boolean }).kept), true);
    assertClean();
    await context.close();
  });

  test("credits are one line that opens to all of them", async () => {
    const { page, context, assertClean } = await open(PARIS, { size: "phone" });
    const box = (await page.locator("#credits").boundingBox())!;
    assert.ok(box.height <= 34 && box.width <= 390, JSON.stringify(box));
    const reported = /(\d+) sources/.exec(await textOf(page, "#credits"))?.[1];
    await page.click("#credits button");
    assert.equal(await page.locator("#credits-list li").count(), Number(reported));
    assert.ok(await page.locator("#credits-list li").last().isVisible());
    assertClean();
    await context.close();
  });
});
