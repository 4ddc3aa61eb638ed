/** The status page: the headline, the table, 24 hours of history, and what it shows when it cannot read. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { timeOfTests } from "../integration/service/support.ts";
import { findBarriers, type Look, openPage, skip } from "./support.ts";
import { useSite } from "./site.ts";

/** The map is not the matter. */
const LATE = { map: "late" } as const;
const UNREAD = {
  word: "unreachable",
  reason: "dns_failed",
  message: "Its host name could not be resolved.",
};
const REFUSED = {
  word: "refused our key",
  reason: "http_401",
  message: "It refused our credentials.",
};
const NOT_SET_UP = {
  word: "not configured",
  reason: "not_configured",
  message: "Its key is missing.",
};

function toSource(id: string, more: object = {}) {
  return {
    id,
    name: id,
    kind: "feed",
    operations: ["getNearby"],
    state: "ok",
    licence: null,
    licence_url: null,
    attribution: null,
    attribution_url: null,
    terms: { map: "any" },
    entity_count: 5,
    bbox: null,
    areas: null,
    problem: null,
    last_success_at: "2026-11-14T12:00:00Z",
    age_s: 12,
    error_rate_5m: 0,
    ...more,
  };
}
const inLyon = { areas: [{ south: 45.7, west: 4.8, north: 45.8, east: 4.9 }] };
const inOslo = { areas: [{ south: 59.9, west: 10.7, north: 60, east: 10.8 }] };
const failing = { state: "unavailable", error_rate_5m: 1, problem: REFUSED };
const LYON_FAILS = [
  toSource("lyon-bikes", { ...inLyon, ...failing }),
  toSource("lyon-cars", { ...inLyon, ...failing }),
  toSource("oslo-bikes", { ...inOslo, age_s: 30 }),
  toSource("oslo-cars", { ...inOslo, error_rate_5m: 0.25, age_s: null }),
  toSource("gbfs_catalogue", {
    name: "GBFS catalogue",
    state: "unavailable",
    problem: UNREAD,
    error_rate_5m: null,
    age_s: null,
    entity_count: null,
  }),
  toSource("paid", { kind: "lookup", state: "unavailable", problem: NOT_SET_UP, age_s: 3 }),
  toSource("asleep", { state: "idle", error_rate_5m: null }),
];

/** Two slots that are known: one of three failed, and then all of four. */
const HISTORY = {
  step_s: 900,
  from: "2026-11-13T12:15:00Z",
  slots: [
    ...Array.from({ length: 94 }, () => null),
    { attempts: 3, failures: 1, state: "timeout", age_s: 40 },
    { attempts: 4, failures: 4, state: "error", age_s: 900 },
  ],
};

describe("the status page", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite({}, (site) => void ({ url, browser } = site));

  async function open(look: Look = {}, sources?: object[]) {
    const watched = await openPage(browser, { ...LATE, ...look });
    if (sources) await stub(watched.page, sources);
    await watched.page.goto(`${url}/status`);
    await watched.page.waitForSelector("#sources tbody tr");
    return watched;
  }
  const stub = (page: Page, sources: object[]): Promise<unknown> =>
    page.route("**/v1/sources*", (route) => route.fulfill({ json: { sources } }));
  const names = (page: Page): Promise<string[]> => page.locator("#sources .who").allTextContents();
  const classOf = (page: Page, selector: string): Promise<string | null> =>
    page.locator(selector).first().getAttribute("class");

  test("rows are sorted by a column, filtered by text and state, and open to their details", async () => {
    const { page, context, assertClean } = await open();
    const all = await names(page);
    assert.ok(all.includes("CityBikes list of networks") && all.includes("paris"), all.join(", "));
    assert.equal(await page.locator("[aria-sort]").count(), 1);
    assert.ok((await page.locator(".strip .good").count()) > 5, "systems were surveyed");
    await page.click("thead .c-name button");
    const sorted = await names(page);
    assert.deepEqual(
      sorted,
      sorted.toSorted((a, b) => a.localeCompare(b)),
    );
    assert.equal(await page.getAttribute("thead .c-name", "aria-sort"), "ascending");
    await page.click("thead .c-name button");
    assert.deepEqual(await names(page), sorted.toReversed());
    assert.equal(await page.getAttribute("thead .c-name", "aria-sort"), "descending");

    await page.fill("#find", "timetable");
    await page.waitForFunction(() => document.querySelectorAll("#sources .who").length < 10);
    await page.click("#sources .opener button >> nth=0");
    assert.match((await page.textContent(".details")) ?? "", /trips with .* calls, from/);
    assert.equal(await page.getAttribute(".opener button >> nth=0", "aria-expanded"), "true");
    await page.fill("#find", "no such source");
    assert.ok(await page.isVisible("#none"));

    await page.fill("#find", "velo-seine");
    const address = await page.getAttribute("#sources .to-map >> nth=0", "href");
    assert.match(address ?? "", /^\/\?at=48\.8\d+,2\.3\d+$/);
    assertClean();
    await context.close();
  });

  test("dark and light are switched as on the other pages, and kept", async () => {
    const { page, context, assertClean } = await open({ theme: "light" });
    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
    assert.equal(await theme(), "light");
    assert.equal(await page.getAttribute("#theme", "aria-label"), "Dark or light");
    await page.click("#theme");
    assert.equal(await theme(), "dark");
    await page.reload();
    await page.waitForSelector("#sources tbody tr");
    assert.equal(await theme(), "dark");
    await page.goto(`${url}/quality`);
    await page.click("#theme");
    assert.equal(await theme(), "light");
    assertClean();
    await context.close();
  });

  test("when all of a city fails the headline is red and names it; idle and unset sources are no failures", async () => {
    const { page, context, assertClean } = await open({}, LYON_FAILS);
    assert.equal(await classOf(page, "#verdict"), "bad");
    const verdict = (await page.innerText("#verdict")).replaceAll("\n", " ");
    assert.match(verdict, /^Many sources fail 3 of 7 sources give nothing: /);
    // What a catalogue names are sources, and nothing else is known of it.
    assert.equal(await page.innerText("#figures div:nth-child(3) dd"), "30");
    assert.match(verdict, /All 2 sources around lyon-bikes fail\./);
    assert.equal(await page.getAttribute("#verdict a", "href"), "/?at=45.75000,4.85000");
    const pillOf = async (id: string): Promise<string> =>
      `${await page.innerText(`[data-id="${id}"] .pill`)}: ${(await classOf(page, `[data-id="${id}"] .pill`))?.split(" ").at(-1)}`;
    assert.deepEqual(
      await Promise.all(
        ["lyon-bikes", "gbfs_catalogue", "oslo-bikes", "oslo-cars", "paid", "asleep"].map(pillOf),
      ),
      [
        "unavailable: bad",
        "unavailable: bad",
        "works: good",
        "Fails in part: poor",
        "not set up: quiet",
        "idle: quiet",
      ],
    );
    // A catalogue that could not be read is there, with its reason.
    assert.match(await page.innerText(`[data-id="gbfs_catalogue"]`), /unreachable/);
    await page.selectOption("#state", "quiet");
    assert.deepEqual((await names(page)).toSorted(), ["asleep", "paid"]);
    await page.selectOption("#state", "");
    // What is unknown is last, in either direction.
    for (const order of ["descending", "ascending"]) {
      await page.click("thead .c-age button");
      assert.equal(await page.getAttribute("thead .c-age", "aria-sort"), order);
      assert.deepEqual((await names(page)).slice(-2).toSorted(), ["GBFS catalogue", "oslo-cars"]);
    }
    assertClean();
    await context.close();
  });

  test("a strip shows 24 hours in bars, words and a tip; the availability is that of its attempts", async () => {
    const { page, context, assertClean } = await open({}, [toSource("a", { history: HISTORY })]);
    const text = await page.getAttribute(".strip", "aria-label");
    assert.match(text ?? "", /^28\.6% of the readings of 24 hours succeeded\. Failures: .+\.$/);
    assert.equal(await page.innerText("td.c-available"), "28.6%");
    assert.deepEqual(
      await page
        .locator(".strip path")
        .evaluateAll((all) => all.map((one) => one.getAttribute("class"))),
      ["unknown", "poor", "bad"],
    );
    // Scrolling hides the tip.
    await page.locator(".strip").scrollIntoViewIfNeeded();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))),
    );
    const { width, height } = (await page.locator(".strip").boundingBox())!;
    await page.locator(".strip").hover({ position: { x: width * (94.5 / 96), y: height / 2 } });
    await page.waitForSelector("#tip:not([hidden])");
    assert.match(await page.innerText("#tip"), /3 readings, 1 failed\ndata up to 40 sec old$/);
    await page.locator(".strip").hover({ position: { x: 3, y: height / 2 } });
    assert.match(await page.innerText("#tip"), /nothing known$/);
    await page.keyboard.press("Escape");
    assert.ok(await page.isHidden("#tip"));
    assertClean();
    await context.close();
  });

  test("it reads itself again and keeps the focus; a failure leaves the last state, greyed, with its age", async () => {
    const watched = await openPage(browser, LATE);
    const { page, context, assertClean } = watched;
    await page.clock.install({ time: timeOfTests() });
    await stub(page, LYON_FAILS);
    await page.goto(`${url}/status`);
    await page.waitForSelector("#sources tbody tr");
    await page.focus(`[data-id="oslo-bikes"] .opener button`);
    await page.keyboard.press("Enter");
    await page.unroute("**/v1/sources*");
    await stub(page, [toSource("oslo-bikes", { ...inOslo, entity_count: 77 })]);
    await page.clock.runFor(16_000);
    await page.waitForFunction(
      () => document.querySelectorAll("#sources tr[data-id]").length === 1,
    );
    assert.equal(await page.innerText(`[data-id="oslo-bikes"] .c-things`), "77");
    assert.equal(
      await page.evaluate(() => document.activeElement?.closest("tr")?.dataset["id"]),
      "oslo-bikes",
    );
    assert.ok(await page.isVisible(".details"));
    assert.equal(await classOf(page, "#verdict"), "good");

    await page.unroute("**/v1/sources*");
    await page.route("**/v1/sources*", (route) => route.fulfill({ status: 503, json: {} }));
    await page.clock.runFor(16_000);
    await page.waitForSelector("main.stale");
    assert.match(
      await page.innerText("#unread"),
      /cannot be read\s*the service answered 503\. What is shown is \d+ sec old\./,
    );
    assert.equal(await page.innerText(`[data-id="oslo-bikes"] .c-things`), "77");
    await page.unroute("**/v1/sources*");
    await page.clock.runFor(16_000);
    await page.waitForSelector("main:not(.stale)");
    assert.ok(await page.isHidden("#unread"));
    assertClean(/status of 503/);
    await context.close();
  });

  test("texts and addresses of a source are shown as text, and lead to https alone", async () => {
    const text = `"><img src=x onerror="pwned=1"><script>pwned=1</script>\u202E' id=x y`;
    const address = "javascript:pwned=1";
    const { page, context, assertClean } = await open({}, [
      toSource(text, {
        state: "error",
        error_rate_5m: 1,
        licence: text,
        licence_url: address,
        attribution: text,
        attribution_url: address,
        problem: { word: text, reason: "x", message: text },
        operations: [text],
        areas: [{ south: 0, west: 0, north: 1, east: 1 }],
      }),
    ]);
    await page.click(".opener button");
    assert.ok(await page.isVisible(".details"));
    assert.equal(await page.innerText("#sources .who"), text);
    assert.equal(await page.evaluate(() => "pwned" in globalThis), false);
    const links = await page
      .locator("main a")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    const quality = links.filter((href) => href?.startsWith("/quality?source="));
    assert.equal(quality.length, 1);
    assert.match(quality[0]!, /^\/quality\?source=[\w.!~*'()%-]+$/);
    assert.deepEqual(
      new Set(links.filter((href) => href !== quality[0])),
      new Set(["/?at=0.50000,0.50000", "/v1/sources?history=24h"]),
    );
    assert.deepEqual(await findBarriers(page), []);
    assertClean();
    await context.close();
  });

  test("narrow it has cards and no sideways scroll, and axe finds nothing in either theme", async () => {
    const looks: Look[] = [
      { size: "phone", theme: "dark" },
      { size: "reflow", theme: "light" },
      { size: "wide", theme: "light" },
    ];
    for (const look of looks) {
      const { page, context, assertClean } = await open(look, [
        ...LYON_FAILS,
        toSource("a", { history: HISTORY }),
      ]);
      await page.locator("#sources .opener button >> nth=0").click();
      const { wide, inner } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        inner: innerWidth,
      }));
      assert.ok(wide <= inner, `${look.size}: ${wide} of ${inner}`);
      assert.equal(await page.isVisible("#order"), look.size !== "wide");
      assert.deepEqual([look.size, await findBarriers(page)], [look.size, []]);
      assertClean();
      await context.close();
    }
  });

  test("narrow no number of a card is broken, or wider than its card, in languages that group differently", async () => {
    const sources = Array.from({ length: 3 }, (_, i) =>
      toSource(`s${i}`, { entity_count: 45_678_901 + i, age_s: 172_799, history: HISTORY }),
    );
    const { page, context, assertClean } = await open({ size: "narrow" }, sources);
    for (const lang of ["en", "fr"]) {
      await page.goto(`${url}/status?lang=${lang}`);
      await page.waitForSelector("#sources tbody tr");
      assert.deepEqual(await page.evaluate(findBrokenNumbers), [], lang);
    }
    assertClean();
    await context.close();
  });

  test("a row leads to the quality of its source: plots, tables behind them, reasons and advice; axe finds nothing", async () => {
    const { page, context, assertClean } = await open({ size: "reflow", theme: "dark" });
    await page.fill("#find", "openaedmap");
    await page.waitForFunction(() => document.querySelectorAll("#sources .who").length === 1);
    assert.equal(await page.getAttribute(".to-quality", "href"), "/quality?source=openaedmap");
    await page.goto(`${url}/quality?source=openaedmap&lang=fr`);
    await page.waitForSelector("#report:not([hidden])");
    assert.match(await page.innerText("#name"), /^Qualité : /);
    assert.equal(await page.locator(".bars[role=img][aria-label]").count(), 4);
    assert.ok((await page.locator("#month .bars .good").count()) > 0, "it was read today");
    await page.click("#month summary");
    assert.equal(await page.locator("#month tbody tr").count(), 1);
    const dropped = await page.innerText("#dropped");
    assert.match(dropped, /out_of_order/);
    assert.match(dropped, /node\/\d+/);
    assert.equal(await page.locator("#dropped li dd strong").first().getAttribute("lang"), "en");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await findBarriers(page), []);
    await page.goto(`${url}/quality?source=%3Cb%3E`);
    await page.waitForSelector("#unread:not([hidden])");
    assertClean(/404/);
    await context.close();
  });
});

/** Runs in the page: numbers that are on two lines, or reach out of their card. */
function findBrokenNumbers(): string[] {
  const cells = document.querySelectorAll(
    "#figures dd, #sources tbody td:is(.c-available, .c-failed, .c-age, .c-things)",
  );
  return [...cells].flatMap((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    const card = cell.closest("#figures div, tr")!.getBoundingClientRect();
    const { left, right } = range.getBoundingClientRect();
    const isInside = left >= card.left && right <= card.right;
    return lines.size <= 1 && isInside ? [] : [cell.textContent];
  });
}
