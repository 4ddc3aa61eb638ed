/** npm run reports -- screenshots: the main states of the explorer at phone and desktop size, as pictures, and a film. */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import {
  findChromium,
  type Look,
  openBrowser,
  openPage,
  untilShown,
} from "../test/browser/support.ts";
import { makeFilm } from "./film.ts";
import { createFolder, removeFolder, start } from "../test/integration/service/support.ts";

type Shot = { name: string; path: string; look: Look; prepare?: (page: Page) => Promise<void> };

const FOLDER = fileURLToPath(new URL("../docs/screenshots/", import.meta.url));
const PARIS = "/?at=48.8566,2.3522";
const STATION = ".row:has(.mark.station) >> nth=0";

/** What is pressed, and what is waited for. */
function press(...steps: [click: string, wait: string][]): (page: Page) => Promise<void> {
  return async (page) => {
    for (const [click, wait] of steps) {
      await page.click(click);
      await page.waitForSelector(wait);
    }
  };
}

const why = async (page: Page): Promise<void> => {
  await press([STATION, "#detail .why h3"])(page);
  await page.locator("#detail .why").scrollIntoViewIfNeeded();
  await page.locator("#detail").evaluate((box) => (box.scrollTop += 260));
};
const SHOTS: readonly Shot[] = [
  { name: "map-desktop", path: PARIS, look: { theme: "light" } },
  { name: "why-desktop-dark", path: PARIS, look: { theme: "dark" }, prepare: why },
  {
    name: "request-desktop",
    path: PARIS,
    look: { theme: "light" },
    prepare: press(["#open-request", ".json details"], ['text="TypeScript"', ".snippet"]),
  },
  { name: "reach-desktop", path: `${PARIS}&min=10`, look: { theme: "light" } },
  {
    name: "way-phone-dark",
    path: `${PARIS}&show=toilets,transit`,
    look: { size: "phone", theme: "dark" },
    prepare: press([".row:has(.mark.service) >> nth=-1", "#detail .far .way"]),
  },
  { name: "status-desktop", path: "/status", look: { theme: "light" } },
  {
    name: "docs-desktop",
    path: "/docs#getNearby",
    look: { theme: "light" },
    prepare: press(
      ["#getNearby .trial > summary", "#getNearby form"],
      ["#getNearby button.primary", "#getNearby .json"],
    ),
  },
  { name: "map-phone", path: PARIS, look: { size: "phone" } },
  { name: "map-phone-dark", path: PARIS, look: { size: "phone", theme: "dark" } },
  { name: "why-phone", path: PARIS, look: { size: "phone" }, prepare: why },
  {
    name: "offline-phone",
    path: PARIS,
    look: { size: "phone" },
    prepare: async (page) => {
      await page.context().setOffline(true);
      await page.waitForSelector(".notice.error");
    },
  },
];

if (findChromium() === null) {
  console.error("no Chromium here: set CHROMIUM_PATH");
  process.exit(1);
}
await mkdir(FOLDER, { recursive: true });
const started = await start({ data_dir: await createFolder(), base: true });
const { url } = started.service;
for (let n = 0; n < 3; n += 1) {
  await fetch(`${url}/v1/nearby?lat=48.8566&lon=2.3522`);
  await pause(700);
}
const browser = await openBrowser();
for (const { name, path, look, prepare } of SHOTS) {
  const { page, context } = await openPage(browser, look);
  await page.goto(url + path);
  if (path.startsWith("/?")) await untilShown(page);
  await pause(2500);
  await prepare?.(page);
  await pause(1200);
  await page.screenshot({ path: `${FOLDER}${name}.jpg`, type: "jpeg", quality: 78 });
  await context.close();
  console.log(`docs/screenshots/${name}.jpg`);
}
const problem = await makeFilm(browser, url, `${FOLDER}film.webp`);
if (problem !== null) {
  console.error(`no film: ${problem}`);
  process.exitCode = 1;
}
await browser.close();
await started.service.close({ delay_ms: 0 });
await removeFolder(started.data_dir);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
