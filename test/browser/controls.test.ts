/** Every control that is seen can be pressed: at all sizes, in languages of both directions, first sight included. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { MAP_ASIDE, openPage, skip, untilShown } from "./support.ts";
import { useSite } from "./site.ts";

const SIZES = [
  [1920, 1080],
  [1440, 900],
  [1366, 768],
  [1280, 800],
  [1280, 720],
  [1100, 800],
  [1024, 768],
  [900, 700],
  [820, 1180],
  [768, 1024],
  [390, 844],
  [360, 640],
  [844, 390],
  [640, 360],
] as const;
const LANGUAGES = ["en", "de", "ar"];

/** Saved places, whose chips are on the first sight. */
const SPOT = { lat: 48.8566, lon: 2.3522, thing: null };
const OWN = JSON.stringify({
  list: [
    { ...SPOT, id: "1", role: "home", name: "" },
    { ...SPOT, id: "2", role: null, name: "The second corner behind the old town hall" },
  ],
});

/** Runs in the page: controls of which at least half is in sight, and whose middle is covered by another element. */
function listCovered(): string[] {
  const inSight = (element: Element): DOMRect => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const sight = { left: Math.max(0, left), top: Math.max(0, top), right, bottom };
    sight.right = Math.min(innerWidth, right);
    sight.bottom = Math.min(innerHeight, bottom);
    for (let up = element.parentElement; up !== null; up = up.parentElement) {
      if (getComputedStyle(up).overflow === "visible") continue;
      const box = up.getBoundingClientRect();
      sight.left = Math.max(sight.left, box.left);
      sight.top = Math.max(sight.top, box.top);
      sight.right = Math.min(sight.right, box.right);
      sight.bottom = Math.min(sight.bottom, box.bottom);
    }
    const { left: x, top: y } = sight;
    return new DOMRect(x, y, Math.max(0, sight.right - x), Math.max(0, sight.bottom - y));
  };
  const controls = document.querySelectorAll("button, a[href], select, input, summary, textarea");
  return [...controls].flatMap((control) => {
    const isSeen = control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const box = control.getBoundingClientRect();
    const sight = inSight(control);
    const share = (sight.width * sight.height) / (box.width * box.height);
    if (!isSeen || box.width < 2 || !(share >= 0.5)) return [];
    const [x, y] = [sight.left + sight.width / 2, sight.top + sight.height / 2];
    const top = document.elementFromPoint(x, y);
    const isHit =
      top !== null &&
      (control.contains(top) || top.contains(control) || top.closest("label")?.control === control);
    if (isHit && !top.contains(control)) return [];
    if (isHit && top === control) return [];
    const nameOf = (element: Element | null): string =>
      element === null
        ? "nothing"
        : `${element.tagName.toLowerCase()}#${element.closest("[id]")?.id}.${element.className}`;
    return [
      `${nameOf(control)} "${control.textContent.trim().slice(0, 30)}" is under ${nameOf(top)}`,
    ];
  });
}

describe("controls of the explorer", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite({}, (site) => void ({ url, browser } = site));

  async function pressAll(page: Page, language: string, sight: string): Promise<string[]> {
    const covered: string[] = [];
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const found = await page.evaluate(listCovered);
      covered.push(...found.map((text) => `${width}x${height} ${language}, ${sight}: ${text}`));
    }
    return covered;
  }

  for (const language of LANGUAGES)
    test(`none is covered by another: ${language}`, async () => {
      const { page, context, assertClean } = await openPage(browser, { map: MAP_ASIDE });
      await page.addInitScript((text) => localStorage.setItem("vicinity-own", text), OWN);
      await page.goto(`${url}/?at=48.8566,2.3522&lang=${language}`);
      await untilShown(page);
      await page.waitForSelector("#own li .now");
      const covered = await pressAll(page, language, "first sight");
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.click("#intro .close");
      covered.push(...(await pressAll(page, language, "closed introduction")));
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.click(".row >> nth=0");
      await page.waitForSelector("#detail .why h3");
      covered.push(...(await pressAll(page, language, "a thing")));
      assert.deepEqual(covered, []);
      assertClean();
      await context.close();
    });
});
