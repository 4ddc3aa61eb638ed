/** The element in a page of another origin: what it shows, moves, says, and leaves when it cannot. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { LiveItemValue, LiveSnapshotValue } from "#api/live.ts";
import type { VicinityMap } from "../../packages/map-element/index.d.ts";
import { FakeServer, type Host, listen, openPages, toPage } from "./element-hosts.ts";
import { PARIS_POINT, type Site, useSite } from "./site.ts";
import { findBarriers, openBrowser, openPage, skip } from "./support.ts";

const station = (id: string, lon: number, more: Partial<LiveItemValue> = {}): LiveItemValue => ({
  ...{ id, kind: "station", location: { lat: 48.8566, lon }, modes: ["bicycle"] },
  ...{ network_id: "metro", name: id, state: "operational", pickup: "available_now" },
  ...{ return: "available_now", vehicles: 7, docks: 12, capacity: 20, ...more },
});
const scooter = (id: string, lon: number, more: Partial<LiveItemValue> = {}): LiveItemValue => ({
  ...{ id, kind: "vehicle", location: { lat: 48.858, lon }, modes: ["scooter"] },
  ...{ network_id: "metro", state: "operational", pickup: "available_now" },
  ...{ battery: 70, form_factor: "scooter_standing", ...more },
});
const ITEMS = [
  station("Hall", 2.3522),
  station("Port", 2.355, { vehicles: null, docks: null }),
  station("Shut", 2.349, { state: "maintenance", pickup: "unavailable_now", vehicles: 3 }),
  scooter("s1", 2.3505),
  scooter("s2", 2.3535, { pickup: "unknown", battery: null }),
];

/** As README.md says it, for a library that the server gives. */
const policyOf = (src: string): string =>
  `default-src 'none'; script-src 'self' ${src}; connect-src ${src}; worker-src blob: ${src}; style-src 'self'`;

type Drawn = { id: string; text: string; x: number; y: number };
declare const shifts: string[];
declare const chosen: string[];
declare const faults: { code: string; message: string }[];

/** Notes what moves in the page and what the element reports. */
const NOTES = `window.shifts = []; window.faults = []; window.chosen = [];
const nameOf = ({ node, previousRect: a, currentRect: b }) => (node?.className || node?.nodeName || "?") + JSON.stringify([a, b]);
new PerformanceObserver((list) => shifts.push(...list.getEntries().flatMap(({ sources }) => sources.map(nameOf))))
  .observe({ type: "layout-shift", buffered: true });
document.addEventListener("vicinity-error", ({ detail }) => faults.push({ code: detail.code, message: detail.message }));
document.addEventListener("vicinity-select", ({ detail }) => chosen.push(detail.id));`;

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

  test("is used with the keyboard, and says so to the page", async () => {
    const { page, context, assertClean } = await open("/keys", element('lang="fr" theme="dark"'));
    await untilDrawn(page, ["Hall", "Port", "Shut", "s1", "s2"]);
    for (const wanted of ["Carte", "Hall, Disponibles: 7, 0 m"]) {
      await page.keyboard.press("Tab");
      await page.waitForFunction((name) => focusOf().startsWith(name), wanted);
    }
    await page.keyboard.press("Enter");
    assert.deepEqual(await page.evaluate(() => chosen), ["Hall"]);
    const card = page.locator("vicinity-map .card");
    assert.match(
      await card.innerText(),
      /Hall\s+Disponibles: 7\s+Places libres: 12\s+État d’il y a/,
    );
    assert.match(
      (await card.locator("a").getAttribute("href")) ?? "",
      /at=48.8566,2.3522&sel=Hall$/,
    );
    fake.send("delta", {
      ...{ at: "2026-11-28T09:31:00Z", entered: [], left: [] },
      changed: [station("Hall", 2.3522, { vehicles: null, docks: null })],
    });
    await page.waitForFunction(() => focusOf() === "Hall, Disponibles: inconnu, 0 m");
    await page.locator("vicinity-map .card", { hasText: "Places libres: inconnu" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    assert.equal(await card.isVisible(), false);
    // By the pointer as well.
    const { x, y } = (await readDrawn(page)).find(({ id }) => id === "s1")!;
    await page.locator("vicinity-map canvas").click({ position: { x, y } });
    assert.match(await card.innerText(), /Trottinette \(metro\)\s+En service\s+Batterie: 70 %/);
    // What is not seen has no stream.
    await page.evaluate(() => document.querySelector("vicinity-map")!.setAttribute("hidden", ""));
    while (fake.open.size > 0) await page.waitForTimeout(20);
    await page.evaluate(() => document.querySelector("vicinity-map")!.removeAttribute("hidden"));
    while (fake.open.size === 0) await page.waitForTimeout(20);
    // Another place is another stream.
    const calls = fake.calls.length;
    await page.evaluate(() =>
      document.querySelector("vicinity-map")!.setAttribute("at", "48.9,2.3522"),
    );
    while (fake.calls.length === calls) await page.waitForTimeout(20);
    assert.match(fake.calls.at(-1)!.query.get("bbox")!, /,48\.89\d+,/);
    assertClean();
    await context.close();
  });

  test("from far it draws counts, without a stream", async () => {
    const calls = fake.calls.length;
    const tiles: string[] = [];
    const { page, context } = await open("/far", `<p>no map yet</p>`);
    page.on("request", (request) => {
      if (request.url().includes("/v1/tiles/"))
        tiles.push(`${request.url()} ${request.headers()["authorization"]}`);
    });
    await page.evaluate((src) => {
      const map = document.createElement("vicinity-map");
      for (const [name, value] of Object.entries({
        at: "48.8566,2.3522",
        radius: "5000",
        src,
        key: "pk_2",
        layers: "stations",
      }))
        map.setAttribute(name, value);
      document.querySelector("main")!.append(map);
    }, server.url);
    while (tiles.length === 0) await page.waitForTimeout(20);
    assert.match(tiles[0]!, /\/v1\/tiles\/1[0-2]\/\d+\/\d+\.mvt\?layers=stations Bearer pk_2$/);
    await untilText(page, "Counts of areas");
    assert.equal(fake.calls.length, calls);
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

  test("a refusal is shown in the words of the server, and ends the attempts; the page's own link stays", async () => {
    fake.refusal = { status: 401, code: "invalid_api_key", message: "this key has ended" };
    const own = element("").replace("></v", '><a href="/own">Our map</a></v');
    const { page, context } = await open("/refused", own);
    await page.locator("vicinity-map .fallback").waitFor();
    assert.equal(
      await page.locator("vicinity-map .fallback p").innerText(),
      "The server of this map refuses: this key has ended.",
    );
    assert.equal(await page.locator("vicinity-map > a").isVisible(), true);
    assert.deepEqual(await page.evaluate(() => faults.map(({ code }) => code)), [
      "invalid_api_key",
    ]);
    fake.refusal = null;
    await context.close();
  });

  test("without WebGL there is the link", async () => {
    documents.set("/flat", toPage(element("")));
    const { page, context } = await openPage(browser);
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto(`${pages.url}/flat`);
    await page.locator("vicinity-map .fallback a").waitFor();
    const reason = await page.locator("vicinity-map .fallback p").innerText();
    assert.equal(reason, "This browser cannot draw the map (WebGL).");
    await context.close();
  });
});

describe("examples of the element, with a running service of another origin", { skip }, () => {
  const documents = new Map<string, string>();
  let site: Site;
  let pages: Host;
  useSite({ cities: "paris", awake: [PARIS_POINT], base: true }, (ready) => void (site = ready));
  before(async () => {
    pages = await openPages(documents, policyOf(site.url));
  });
  after(async () => {
    await pages?.close();
  });

  const read = (path: string): string => {
    const text = readFileSync(
      new URL(`../../packages/map-element/${path}`, import.meta.url),
      "utf8",
    );
    return text.replaceAll("http://localhost:8080", site.url);
  };
  const untilMany = (page: Page): Promise<unknown> =>
    page.waitForFunction(() => document.querySelector("vicinity-map")!.items.length > 50);

  test("that of README.md shows what the service streams, on the ground of its base", async () => {
    const [, html = ""] = /```html\n([^`]*)```/.exec(read("README.md")) ?? [];
    documents.set("/", toPage(html.replace(/<script.*\n/, "")));
    const { page, context, assertClean } = await openPage(site.browser);
    const ground = page.waitForResponse((response) => response.url().includes("/tiles/1"));
    await page.goto(pages.url);
    await untilMany(page);
    assert.equal((await ground).status(), 200);
    const items = await page.evaluate(() => document.querySelector("vicinity-map")!.items);
    const box = "2.30,48.84,2.40,48.87";
    const snapshot = (await (
      await fetch(`${site.url}/v1/nearby/stream?bbox=${box}&once=true`)
    ).json()) as LiveSnapshotValue;
    const known = new Set(snapshot.items.map(({ id }) => id));
    const many = items.filter(({ id }) => known.has(id)).length;
    assert.ok(many > items.length * 0.9, `${many} of ${items.length}`);
    const text = await untilText(page, "Vélo Seine");
    assert.match(text, /As of \d+ (?:s|min) ago.*© OpenStreetMap contributors · .*Vélo Seine/s);
    assert.deepEqual(await findBarriers(page), []);
    assertClean();
    await context.close();
  });

  for (const name of ["plain.html", "events.html"])
    test(`${name} runs as it is`, async () => {
      documents.set(`/examples/${name}`, read(`examples/${name}`));
      const { page, context, assertClean } = await openPage(site.browser);
      await page.goto(`${pages.url}/examples/${name}`);
      await untilMany(page);
      await page.evaluate(() => {
        const map = document.querySelector("vicinity-map")!;
        map.select(map.items.find(({ kind }) => kind === "station")!.id);
      });
      await page.locator("vicinity-map .card").waitFor();
      if (name === "events.html")
        assert.match(await page.innerText("#chosen"), / : (?:\d+|inconnu)$/);
      assertClean();
      await context.close();
    });
});

/** In the page: what has the focus in the element, by its name. */
declare function focusOf(): string;

declare function readAll(): Drawn[];

const READ = `window.focusOf = () => {
  const { activeElement } = document.querySelector("vicinity-map").shadowRoot;
  return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "";
};
window.readAll = () => {
  const { map } = document.querySelector("vicinity-map");
  const found = map?.getLayer("station") ? map.queryRenderedFeatures({ layers: ["station", "vehicle"] }) : [];
  const all = found.map(({ properties: { id, text }, geometry }) => ({ id, text, ...map.project(geometry.coordinates) }));
  return [...new Map(all.map((one) => [one.id, one])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
};`;

async function untilDrawn(page: Page, ids: readonly string[]): Promise<void> {
  await page.evaluate(READ);
  await page.waitForFunction(
    (all) => JSON.stringify(readAll().map(({ id }) => id)) === all,
    JSON.stringify(ids),
  );
}

async function readDrawn(page: Page): Promise<Drawn[]> {
  return await page.evaluate(() => readAll());
}

/** All that the element says, once it says this. */
async function untilText(page: Page, text: string): Promise<string> {
  const all = await page.waitForFunction((wanted) => {
    const { textContent } = document.querySelector("vicinity-map")!.shadowRoot!;
    return textContent.includes(wanted) ? textContent : null;
  }, text);
  return (await all.jsonValue()) ?? "";
}
