/** The element in use: keys and pointer, from far, refused, without a graphics card; its examples with the service. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { LiveSnapshotValue } from "#api/live.ts";
import { FakeServer, type Host, listen, openPages, toPage } from "./element-hosts.ts";
import {
  ITEMS,
  NOTES,
  policyOf,
  readDrawn,
  station,
  untilDrawn,
  untilText,
} from "./element-page.ts";
import { PARIS_POINT, type Site, useSite } from "./site.ts";
import { findBarriers, openBrowser, openPage, skip } from "./support.ts";

declare const chosen: string[];
declare const faults: { code: string; message: string }[];

/** As far as tests need it (packages/map-element/index.d.ts). */
type MapElement = HTMLElement & {
  items: { id: string; kind: string }[];
  select(id: string | null): void;
};
declare function focusOf(): string;

describe("the element in use", { skip }, () => {
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
    page.waitForFunction(
      () => document.querySelector<MapElement>("vicinity-map")!.items.length > 50,
    );

  test("that of README.md shows what the service streams, on the ground of its base", async () => {
    const [, html = ""] = /```html\n([^`]*)```/.exec(read("README.md")) ?? [];
    documents.set("/", toPage(html.replace(/<script.*\n/, "")));
    const { page, context, assertClean } = await openPage(site.browser);
    const ground = page.waitForResponse((response) => response.url().includes("/tiles/1"));
    await page.goto(pages.url);
    await untilMany(page);
    assert.equal((await ground).status(), 200);
    const items = await page.evaluate(
      () => document.querySelector<MapElement>("vicinity-map")!.items,
    );
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
        const map = document.querySelector<MapElement>("vicinity-map")!;
        map.select(map.items.find(({ kind }) => kind === "station")!.id);
      });
      await page.locator("vicinity-map .card").waitFor();
      if (name === "events.html")
        assert.match(await page.innerText("#chosen"), / : (?:\d+|inconnu)$/);
      assertClean();
      await context.close();
    });
});
