/** A film of the explorer in use, for the README: pictures of a browser, joined by `img2webp`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";

/** Two thirds of the desktop's size are readable and small. */
const SIZE = { width: 1120, height: 630 };
const QUALITY = 48;
const MOST_BYTES = 3_000_000;

type Frame = { path: string; ms: number };

/** Writes the film; null: done, else why not. */
export async function makeFilm(browser: Browser, url: string, out: string): Promise<string | null> {
  if (spawnSync("img2webp", ["-version"]).error) return "img2webp is not here (Debian: webp)";
  const folder = mkdtempSync(join(tmpdir(), "vicinity-film-"));
  try {
    const frames = await shoot(browser, url, folder);
    const files = frames.flatMap(({ path, ms }) => ["-d", String(ms), path]);
    const options = ["-loop", "0", "-lossy", "-q", String(QUALITY), "-m", "6", "-mixed"];
    const made = spawnSync("img2webp", [...options, ...files, "-o", out], { encoding: "utf8" });
    if (made.status !== 0) return `img2webp: ${made.stderr}`;
    const { size } = statSync(out);
    const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    console.log(`${out}: ${frames.length} pictures, ${seconds.toFixed(0)} s, ${size} bytes`);
    return size <= MOST_BYTES ? null : `the film has more than ${MOST_BYTES} bytes`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function shoot(browser: Browser, url: string, folder: string): Promise<Frame[]> {
  const context = await browser.newContext({ viewport: SIZE, locale: "en-GB" });
  const page = await context.newPage();
  const frames: Frame[] = [];
  /** Holds the picture as long as it takes to see it; several show what moves. */
  const hold = async (ms: number, pictures = 1): Promise<void> => {
    for (let n = 0; n < pictures; n += 1) {
      const path = join(folder, `${String(frames.length).padStart(4, "0")}.png`);
      await page.screenshot({ path });
      frames.push({ path, ms: Math.round(ms / pictures) });
    }
  };
  await page.goto(`${url}/?at=48.8566,2.3522`);
  await page.waitForFunction(() => performance.getEntriesByName("vicinity-map").length > 0);
  await page.click("#intro .close");
  await hold(2_400, 4);
  await play(page, hold);
  await context.close();
  return frames;
}

async function play(page: Page, hold: (ms: number, pictures?: number) => Promise<void>) {
  await page.hover(".row:has(.mark.station) >> nth=1");
  await hold(900);
  await page.click(".row:has(.mark.station) >> nth=1");
  await page.waitForSelector("#detail:not([hidden]) h2");
  await hold(2_200, 3);
  const scroll = async (by: number): Promise<void> => {
    await page.locator("#detail").evaluate((box, step) => void (box.scrollTop += step), by);
  };
  for (let n = 0; n < 6; n += 1) {
    await scroll(60);
    await hold(220);
  }
  await hold(1_800);
  await page.click("#detail .back");
  await page.click(".chip[data-wish='usable']");
  await hold(1_600, 2);
  await page.click("#q");
  for (const letter of "Berlin") {
    await page.keyboard.type(letter);
    await hold(180);
  }
  await page.waitForSelector("#found li:has-text('Berlin')");
  await hold(900);
  await page.keyboard.press("Enter");
  await hold(1_500, 8);
  await page.waitForSelector(".row:has(.mark.transit)");
  await hold(1_200, 2);
  await page.click(".row:has(.mark.transit) >> nth=0");
  await page.waitForSelector("#detail .board li");
  await hold(1_200);
  for (let n = 0; n < 4; n += 1) {
    await page.locator("#detail").evaluate((box) => void (box.scrollTop += 70));
    await hold(200);
  }
  await hold(1_800);
  await page.click("#open-menu");
  await page.click("#theme");
  await page.keyboard.press("Escape");
  await hold(2_600, 4);
}
