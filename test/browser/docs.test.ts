/** /docs against the sandbox: every form as offered, themes, sizes, hostile texts, keys alone. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { sized } from "../support/size.ts";
import { findBarriers, openPage, skip } from "./support.ts";
import { PARIS_POINT, type Site, useSite } from "./site.ts";

describe("the API reference", { skip }, () => {
  let started: Site["started"];
  let browser: Browser;
  let url = "";
  useSite(
    { cities: "paris", awake: [PARIS_POINT] },
    (site) => void ({ started, url, browser } = site),
  );

  test("every operation answers 2xx as its form is offered", async () => {
    const { page, context, assertClean } = await openPage(browser, { size: "wide" });
    await openReference(page, url);
    const ids = await listIds(page);
    const spec = await (await fetch(`${url}/openapi.json`)).json();
    assert.deepEqual(ids.toSorted(), listOperationIds(spec).toSorted());
    for (const id of ids) {
      await page.click(`#${id} .trial > summary`);
      await page.waitForSelector(`#${id} .trial :is(form, .refusal)`);
    }
    // The sandbox publishes no changelog, and its form says so instead of offering a 404.
    const refused = await page.locator(".operation:has(.refusal)").evaluateAll(toIds);
    assert.deepEqual(refused, ["getChangelog"]);
    for (const id of ids.filter((one) => !refused.includes(one))) {
      await page.click(`#${id} button.primary`);
      const status = page.locator(`#${id} .result .status`);
      assert.equal(await status.textContent(), "200", id);
      assert.ok((await page.locator(`#${id} .result .json`).textContent())?.trim(), id);
    }
    await page.locator(".trial .fold").evaluateAll(openAll);
    await assertFits(page);
    // A placeholder would do for axe.
    assert.deepEqual(
      await page.locator("main :is(input, select, textarea)").evaluateAll(toNameless),
      [],
    );
    await page.locator(".operation").evaluateAll(keepSome, sized(JUDGED, ids));
    await assertAccessible(page);
    assertClean();
    await context.close();
  });

  test("a shared address leads to its operation, and keys alone try it with a key", async () => {
    const { page, context, assertClean } = await openPage(browser);
    const { keys } = started.service;
    await openReference(page, url, "#getMe");
    assert.ok(await page.locator("#getMe").evaluate((one) => one.matches(":target")));
    const top = await page.locator("#getMe").evaluate((one) => one.getBoundingClientRect().top);
    assert.ok(top >= -1 && top < 200, `${top}`);
    const bytes = await page.evaluate(weigh);
    assert.ok(bytes > 20_000 && bytes <= 60_000, `${bytes} bytes`);
    await page.keyboard.press("/");
    await page.keyboard.type("plan left");
    assert.equal(await page.locator("#contents .group li:visible").count(), 0);
    await page.keyboard.press("Escape");
    await page.keyboard.type("v1/me");
    assert.equal(await page.locator("#contents .group li:visible").count(), 1);
    await page.keyboard.press("Escape");
    await page.locator("#key").focus();
    await page.keyboard.type(keys.find(({ plan }) => plan === "business")?.key ?? "");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#limits:has-text('business')");
    await page.locator("#getMe .anchor").focus();
    await tabTo(page, "#getMe .trial > summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#getMe form");
    await tabTo(page, "#getMe button.primary");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#getMe .result .json:has-text('business')");
    const curl = (await page.locator("#getMe pre").textContent()) ?? "";
    assert.match(curl, /Bearer \$VICINITY_API_KEY"$/);
    await page.click("#key-forget");
    await page.waitForSelector("#limits:has-text('without a key')");
    assertClean();
    await context.close();
  });

  test("hostile texts in a description are read as what they are", async () => {
    const { page, context, assertClean } = await openPage(browser);
    const requests: string[] = [];
    page.on("request", (request) => void requests.push(request.url()));
    await page.route("**/openapi.json", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: poison(await response.json()) });
    });
    await openReference(page, url, "#error-rate_limited");
    assert.equal(await page.locator("dt:target").textContent(), "rate_limited429");
    await page.locator("main details").evaluateAll(openAll);
    await page.locator("main details details").evaluateAll(openAll);
    await page.waitForSelector(".trial form");
    const { shown, elements, links, ran } = await page.evaluate(() => ({
      shown: (document.querySelector("main")?.textContent ?? "").split("<img src=x").length - 1,
      elements: document.querySelectorAll("main :is(img, script, iframe, svg, style, base, meta)")
        .length,
      links: [...document.querySelectorAll("main a")].map(
        (link) => link.getAttribute("href") ?? "",
      ),
      ran: "pwned" in globalThis,
    }));
    assert.ok(shown > 200, `${shown} hostile texts are shown`);
    assert.equal(elements, 0);
    assert.equal(ran, false);
    assert.deepEqual(
      links.filter((href) => !/^(?:[#/]|https:\/\/good\.example\/)/.test(href)),
      [],
    );
    assert.ok(links.includes("https://good.example/x"));
    assert.deepEqual(
      requests.filter((one) => !one.startsWith(url)),
      [],
    );
    assertClean();
    await context.close();
  });
});

async function openReference(page: Page, url: string, hash = ""): Promise<void> {
  await page.goto(`${url}/docs${hash}`);
  await page.waitForFunction(() => performance.getEntriesByName("vicinity-docs").length > 0);
}

const toIds = (sections: Element[]): string[] => sections.map(({ id }) => id);

function listIds(page: Page): Promise<string[]> {
  return page.locator(".operation").evaluateAll(toIds);
}

type Description = { paths: Record<string, Record<string, { operationId: string }>> };

function listOperationIds({ paths }: Description): string[] {
  return Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
}

/** With every form open and answered. */
async function assertFits(page: Page): Promise<void> {
  for (const width of [1440, 820, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(over, 0, `at ${width} pixels`);
  }
}

/** Of those that axe judges: all kinds of fields, bodies, refusals and marks. All are made alike. */
const JUDGED = ["getServicesNearby", "executeCapability", "getLegacyVehicles", "getChangelog"];

function keepSome(sections: Element[], remaining: readonly string[]): void {
  for (const section of sections) if (!remaining.includes(section.id)) section.remove();
}

async function assertAccessible(page: Page): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForSelector(`html[data-theme="${colorScheme}"]`);
      assert.deepEqual(await findBarriers(page), [], `${colorScheme} at ${width} pixels`);
    }
  }
}

const HOSTILE = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
const LINKS =
  "[bad](javascript:globalThis.pwned=1) [bad](data:text/html,x) [good](https://good.example/x) `<img src=x>` **<b>**";

/** Adds markup to every text of a description. */
function poison(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => poison(one));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, poison(one, key)]));
  const isReported = ["description", "summary", "title"].includes(name);
  return typeof value === "string" && isReported ? `${HOSTILE} ${LINKS} ${value}` : value;
}

/** Compressed bytes of all that the page loads, but for the description of the API. */
function weigh(): number {
  const entries = [
    ...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource"),
  ] as PerformanceResourceTiming[];
  const own_entries = entries.filter(({ name }) => !name.endsWith("/openapi.json"));
  return own_entries.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

function toNameless(controls: Element[]): string[] {
  return controls
    .filter((one) => (one as HTMLInputElement).labels?.length !== 1)
    .map((one) => one.outerHTML);
}

/** What is folded is made by the event of the opening. */
function openAll(elements: Element[]): void {
  for (const element of elements) (element as HTMLDetailsElement).open = true;
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    const other = await page.locator(selector).evaluate((one) => one === document.activeElement);
    if (other) return;
  }
  assert.fail(`Tab does not lead to ${selector}`);
}
