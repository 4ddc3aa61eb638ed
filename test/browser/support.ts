/** A real browser against a real service. What the page must never do is noted on every page. */
import assert from "node:assert/strict";
import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Frame,
  type Page,
} from "playwright-core";
import { timeOfTests } from "../integration/service/support.ts";
import { HANG_MS, sized } from "../support/size.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The path of a Chromium: named by CHROMIUM_PATH, or on the path; null: none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const { CHROMIUM_PATH, PATH = "" } = env;
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []), ...candidates].find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const skip =
  findChromium() === null ? "NOT SEEN IN A BROWSER: no Chromium here (set CHROMIUM_PATH)" : false;

/** Software rendering, so that it is the same on every machine; root has no sandbox to offer. */
const ARGUMENTS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  // The simulated graphics card is slow: the map alone needs it.
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    timeout: HANG_MS,
    executablePath: findChromium() as string,
    args: ARGUMENTS,
  });
}

/** Of the simulated graphics card: the map is read back from it. */
const READ_BACK = /^\[\.WebGL-\w+\]GL Driver Message \(OpenGL, Performance,/;

/** Of the browser's driver, where pages may have none. */
const NO_WORKER = /^Service Worker registration blocked/;

export type Watched = {
  page: Page;
  context: BrowserContext;
  /** Errors of scripts, messages of the console, violations of the policy. */
  faults: string[];
  /** The page has behaved. Names of faults that the test itself provoked may be let pass. */
  assertClean(expected?: RegExp): void;
};

export type Look = {
  size?: keyof typeof SIZES;
  theme?: "light" | "dark";
  /** `late`: it is still on its way when the test ends, which spares most of the work of a page. */
  map?: "drawn" | "late";
  /** Whether pages of this visit may have a service worker. */
  worker?: "allow" | "block";
};

/** Of pages whose map is not the matter: other pages draw it from the same results. */
export const MAP_ASIDE = sized<NonNullable<Look["map"]>>("late", "drawn");

export const SIZES = {
  desktop: { width: 1280, height: 720 },
  laptop: { width: 1280, height: 800 },
  wide: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
  narrow: { width: 360, height: 740 },
  landscape: { width: 844, height: 390 },
  /** 1280 pixels wide at 400 %. */
  reflow: { width: 320, height: 256 },
};

const REPORT_VIOLATIONS = `document.addEventListener("securitypolicyviolation", (event) => {
  reportViolation([event.violatedDirective, event.blockedURI, event.sample].join(" "));
});`;

/** Runs in the page: moves its time, not its timers. */
function shiftTime(shift_ms: number): void {
  const { now } = Date;
  globalThis.Date = new Proxy(Date, {
    construct: (date, args) => Reflect.construct(date, args.length === 0 ? [Date.now()] : args),
  });
  Date.now = () => now() + shift_ms;
}

/** Opens an empty page that has the time of the services of tests. */
export async function openPage(browser: Browser, look: Look = {}): Promise<Watched> {
  const { size = "desktop", theme = "light", map = "drawn", worker = "block" } = look;
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: theme,
    reducedMotion: "reduce",
    hasTouch: size === "phone" || size === "landscape",
    locale: "en-GB",
    // What a worker answers goes past the routes of a test.
    serviceWorkers: worker,
  });
  context.setDefaultTimeout(HANG_MS);
  await context.addInitScript(shiftTime, timeOfTests() - Date.now());
  const page = await context.newPage();
  // Neither answered nor failed.
  if (map === "late") await page.route("**/maplibre-gl.mjs", () => {});
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    const isOfDriver = READ_BACK.test(text) || NO_WORKER.test(text);
    if (["error", "warning"].includes(message.type()) && !isOfDriver)
      faults.push(`console: ${text}`);
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction("reportViolation", (text: string) => faults.push(`policy: ${text}`));
  await page.addInitScript({ content: REPORT_VIOLATIONS });
  const assertClean = (expected?: RegExp): void => {
    const left = faults.filter((fault) => expected === undefined || !expected.test(fault));
    assert.deepEqual(left, []);
  };
  return { page, context, faults, assertClean };
}

/** The list is there and nothing is waited for. */
export async function untilShown(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName("vicinity-answer").length > 0);
}

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

type Axe = { run(options: object): Promise<{ violations: AxeViolation[] }> };
type AxeViolation = { id: string; nodes: { html: string; failureSummary: string }[] };

/** The violations that axe finds, one line per place. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Through the debugger: the policy of the page would not let it in.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  const barriers = await runAxe(page);
  await session.detach();
  return barriers;
}

/** The same of a frame whose policy lets it in. */
export async function findBarriersIn(frame: Frame): Promise<string[]> {
  await frame.addScriptTag({ content: AXE });
  return runAxe(frame);
}

async function runAxe(page: Pick<Page, "evaluate">): Promise<string[]> {
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    return (await axe.run({ resultTypes: ["violations"] })).violations;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
