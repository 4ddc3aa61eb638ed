/** The map of the explorer, with things that the test names: what is drawn, and what a pointer does. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openPage, skip, type Look, type Watched } from "./support.ts";
import { useSite } from "./site.ts";

type Point = { lat: number; lon: number };
type Pixel = { x: number; y: number };
type Events = { picked: Point[]; chosen: string[]; hovered: (string | null)[] };
type Layer = { id: string };
/** Of the page: the map as openMap() returns it, and what it reported. */
type Opened = {
  map: {
    getZoom(): number;
    getCenter(): { lat: number; lng: number };
    jumpTo(to: object): void;
    loaded(): boolean;
    areTilesLoaded(): boolean;
    project(at: [number, number]): Pixel;
    queryRenderedFeatures(at: unknown, options: { layers: string[] }): unknown[];
    getStyle(): { layers: Layer[] };
  };
  setOutline(outline: object | null): void;
  showWay(line: object | null): void;
  setTheme(theme: "light" | "dark"): void;
  things: {
    show(items: object[]): void;
    select(id: string | null): void;
    hover(id: string | null): void;
  };
  move(at: Point, how?: object): void;
  showSystems(sources: object[]): void;
  events: Events;
};

const PARIS = { lat: 48.8566, lon: 2.3522 };
const OCEAN = { lat: 20, lon: -40 };
/** Of the palette: what no outline knows, and the sea. */
const LAND = [0xf4, 0xf2, 0xec];
const SEA = [0xcf, 0xe4, 0xee];
const SCOOTER = [0x6d, 0x3f, 0xd1];

describe("the map of the explorer", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite({ cities: "paris" }, (site) => void ({ url, browser } = site));

  test("vehicles that would overlap are one mark, named when pointed at, that a click takes apart", async () => {
    const { page, assertClean, context } = await openMap(browser, url, { at: PARIS });
    await page.mouse.move(500, 20);
    await show(page, [
      ...heap("a", 40, { north_m: 150 }),
      vehicle("far", { north_m: -150, badge: { text: "LI", color: "#00dd00" } }),
      vehicle("stale", { north_m: -150, east_m: 120, stale: true }),
      station("full", { east_m: 200, free: 9, total: 12 }),
    ]);
    const heaped = await pixelOf(page, 150, 0);
    await page.mouse.move(heaped.x, heaped.y);
    await untilLabel(page, "Scooters: 40");
    // Its colour is the kind's: at the left of its number and over its pictogram.
    assertColor(await colorAt(page, { x: heaped.x, y: heaped.y - 8 }), SCOOTER, "cluster");
    const before_zoom = await zoomOf(page);
    await page.mouse.click(heaped.x, heaped.y);
    await page.waitForFunction((from) => opened().map.getZoom() > from + 0.5, before_zoom);
    await page.mouse.move(500, 20);
    const events = await eventsOf(page);
    assert.deepEqual([events.picked, events.chosen], [[], []]);
    await jump(page, PARIS, before_zoom);
    await page.mouse.move(...at(await pixelOf(page, 0, 200)));
    await untilLabel(page, "<b>full</b>|203 m · 9 of 12 available");
    assert.equal(await page.locator(".map-label strong").last().getAttribute("dir"), "auto");
    // A single one is in its own colour, one that is last known is grey.
    const single = await pixelOf(page, -150, 0);
    const stale = await pixelOf(page, -150, 120);
    assertColor(await colorAt(page, { x: single.x - 8, y: single.y }), SCOOTER, "vehicle");
    const [r = 0, g = 0, b = 0] = await colorAt(page, { x: stale.x - 8, y: stale.y });
    assert.ok(Math.max(r, g, b) - Math.min(r, g, b) < 40, `${r},${g},${b} is no grey`);
    const letter = { x: single.x + 3, y: single.y + 9 };
    assertColor(await colorAt(page, letter), [0, 0xdd, 0], "letter");
    await page.evaluate(() => {
      opened().things.hover("far");
    });
    await page.mouse.move(500, 20);
    await untilLabel(page, "far|150 m");
    assertClean();
    await context.close();
  });

  test("the chosen thing has a pin and a name: before it comes, in a heap, under the point", async () => {
    const { page, assertClean, context } = await openMap(browser, url, {
      at: PARIS,
      theme: "dark",
    });
    await page.evaluate(() => {
      opened().things.select("a7");
    });
    assert.equal(await labels(page), "");
    const things = [...heap("a", 30, {}), station("other", { east_m: 200, free: 9, total: 9 })];
    const other = await pixelOf(page, 0, 200);
    await show(page, things);
    await untilLabel(page, "a7|0 m");
    const point = await pixelOf(page, 0, 0);
    const dimmed = await colorAt(page, { x: other.x, y: other.y - 13 });
    // The pin rises over the point, which would hide what is under it.
    const ring = await colorAt(page, { x: point.x - 24, y: point.y - 37 });
    assert.ok(Math.max(...ring) > 110, `no ring at ${String(ring)}`);
    await show(page, things);
    await untilLabel(page, "a7|0 m");
    await page.mouse.click(point.x, point.y - 40);
    assert.deepEqual((await eventsOf(page)).chosen, ["a7"]);
    // The point lets a click through to what it hides.
    await page.evaluate(() => {
      opened().things.select(null);
    });
    assert.equal(await labels(page), "");
    const plain = await colorAt(page, { x: other.x, y: other.y - 13 });
    assert.ok(sum(plain) > sum(dimmed) + 60, `${String(plain)} and ${String(dimmed)}`);
    await show(page, [vehicle("below", {})]);
    await page.mouse.click(point.x, point.y);
    assert.deepEqual((await eventsOf(page)).chosen, ["a7", "below"]);
    assertClean();
    await context.close();
  });

  test("the circle follows the dragged point, stays whole in sight, and there is a way back", async () => {
    const { page, assertClean, context } = await openMap(browser, url, { at: PARIS });
    const from = await pixelOf(page, 0, 0);
    const inside = (x: number, y: number): Promise<number> =>
      page.evaluate(
        (spot) => opened().map.queryRenderedFeatures(spot, { layers: ["circle-fill"] }).length,
        [x, y],
      );
    await untilRested(page);
    const radius = (await pixelOf(page, 0, 400)).x - from.x;
    const beyond: [number, number] = [from.x + radius + 25, from.y];
    assert.equal(await inside(...beyond), 0);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y, { steps: 4 });
    await page.waitForFunction(
      (spot) => opened().map.queryRenderedFeatures(spot, { layers: ["circle-fill"] }).length > 0,
      beyond,
    );
    assert.deepEqual((await eventsOf(page)).picked, []);
    await page.mouse.up();
    assert.equal((await eventsOf(page)).picked.length, 1);
    const back = page.locator(".way-back");
    assert.equal(await back.isVisible(), false);
    // A click near the edge, which the page answers with move().
    const width = await page.evaluate(() => innerWidth);
    await page.mouse.click(width - 40, from.y + 30);
    const [, picked] = (await eventsOf(page)).picked as [Point, Point];
    await page.evaluate((to) => {
      opened().move(to);
    }, picked);
    await untilRested(page);
    const right = await pixelOf(page, 0, 400, picked);
    assert.ok(right.x < width, `${right.x} of ${width} is out of sight`);
    await jump(page, { lat: PARIS.lat + 0.05, lon: PARIS.lon }, await zoomOf(page));
    assert.equal(await back.textContent(), "Back to the point");
    await back.click();
    await back.waitFor({ state: "hidden" });
    assertClean();
    await context.close();
  });

  test("from afar: sea, land, names and dots of systems; a dot leads to its place", async () => {
    const watched = await openMap(browser, url, { at: OCEAN, zoom: 4, hold: "**/world/*.json" });
    const { page, assertClean, context, release } = watched;
    await page.waitForTimeout(300);
    assert.deepEqual(await colorAt(page, { x: 700, y: 200 }), LAND, "no sea before land is known");
    release();
    await page.waitForFunction(
      () =>
        opened().map.queryRenderedFeatures(undefined, { layers: ["world-countries"] }).length > 0,
    );
    await untilColor(page, { x: 700, y: 200 }, SEA);
    await page.evaluate(() => {
      const area = { south: 20.8, north: 21.2, west: -39.2, east: -38.8 };
      opened().showSystems([
        { id: "one", name: "Isle Bikes", areas: [area] },
        { id: "world", name: "World", areas: [{ south: -80, north: 80, west: -170, east: 170 }] },
      ]);
      // Sources of the point alone do not take the others away.
      opened().showSystems([{ id: "two", name: "Two", areas: null }]);
    });
    await untilRested(page);
    const dot = await page.evaluate(() => opened().map.project([-39, 21]));
    await page.waitForFunction(
      ({ x, y }) =>
        opened().map.queryRenderedFeatures([x, y], { layers: ["box-dots"] }).length === 1,
      dot,
    );
    await page.mouse.move(dot.x + 1, dot.y);
    await untilLabel(page, "Isle Bikes");
    await page.mouse.click(dot.x + 1, dot.y);
    const { picked } = await eventsOf(page);
    assert.deepEqual(
      picked.map(({ lat, lon }) => [lat.toFixed(3), lon.toFixed(3)]),
      [["21.000", "-39.000"]],
    );
    await page.waitForFunction(() => opened().map.getZoom() > 12);
    for (const zoom of [9.6, 17]) {
      await jump(page, OCEAN, zoom);
      await untilColor(page, { x: 700, y: 200 }, SEA);
    }
    await jump(page, { lat: -76, lon: 100 }, 2.5);
    await untilColor(page, { x: 700, y: 400 }, LAND);
    assertClean();
    await context.close();
  });

  test("the outline takes the place of the circle, the way has dashed ends; both outlive a change of colours", async () => {
    const { page, assertClean, context } = await openMap(browser, url, { at: PARIS });
    const count = (...layers: string[]): Promise<number[]> =>
      page.evaluate(async (ids) => {
        await new Promise((resolve) => void setTimeout(resolve, 300));
        return ids.map(
          (id) => opened().map.queryRenderedFeatures(undefined, { layers: [id] }).length,
        );
      }, layers);
    const LAYERS = ["circle-line", "outline", "way", "way-ends"];
    const untilDrawn = async (wanted: number[]): Promise<void> => {
      for (let n = 0; n < 40; n += 1) {
        const seen = (await count(...LAYERS)).map((found) => Math.min(1, found));
        if (String(seen) === String(wanted)) return;
      }
      assert.deepEqual(await count(...LAYERS), wanted);
    };
    await untilDrawn([1, 0, 0, 0]);
    await page.evaluate(({ lat, lon }) => {
      const to = (east: number, north: number): number[] => [lon + east / 1000, lat + north / 1000];
      const ring = [to(-3, -2), to(3, -2), to(3, 2), to(-3, 2), to(-3, -2)];
      const geometry = { type: "MultiPolygon", coordinates: [[ring]] };
      opened().setOutline({ type: "FeatureCollection", features: [{ type: "Feature", geometry }] });
      const coordinates = [to(0, 0), to(0.3, 0), to(2, 0), to(2, 1), to(2, 1.3)];
      opened().showWay({ type: "LineString", coordinates });
    }, PARIS);
    await untilDrawn([0, 1, 1, 1]);
    await page.evaluate(() => {
      opened().setTheme("dark");
    });
    await untilDrawn([0, 1, 1, 1]);
    await page.evaluate(() => {
      opened().setOutline(null);
      opened().showWay(null);
    });
    await untilDrawn([1, 0, 0, 0]);
    assertClean();
    await context.close();
  });

  test("a street view asks for no names of countries, and has lines of transit under its names", async () => {
    const { page, assertClean, context, requested } = await openMap(browser, url, { at: PARIS });
    await untilRested(page);
    assert.deepEqual(
      requested.filter((path) => /labels\.json|\/world\//.test(path)),
      [],
    );
    const count = (layer: string): Promise<number> =>
      page.evaluate(
        (id) => opened().map.queryRenderedFeatures(undefined, { layers: [id] }).length,
        layer,
      );
    await page.waitForFunction(
      () => opened().map.queryRenderedFeatures(undefined, { layers: ["rail"] }).length > 1,
    );
    await untilRested(page);
    assert.ok((await count("rail-names")) > 0, "lines have names");
    const layers = await page.evaluate(() =>
      opened()
        .map.getStyle()
        .layers.map(({ id }) => id),
    );
    assert.ok(layers.indexOf("rail") < layers.indexOf("street-names"));
    await jump(page, PARIS, 10.8);
    assert.equal(await count("rail"), 0);
    assert.equal(requested.filter((path) => path.includes("labels.json")).length, 1);
    assertClean();
    await context.close();
  });
});

/** In the page; the function itself is given to it by openMap(). */
declare function opened(): Opened;

type Wish = { at: Point; zoom?: number; theme?: Look["theme"]; hold?: string };

/** The page without what asks the service: the map alone, that this test hands things to. */
async function openMap(
  browser: Browser,
  url: string,
  { at: middle, zoom, theme = "light", hold }: Wish,
): Promise<Watched & { requested: string[]; release(): void }> {
  const watched = await openPage(browser, { theme });
  const { page } = watched;
  const requested: string[] = [];
  let release = (): void => {};
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page.route("**/app.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "" }),
  );
  if (hold !== undefined) {
    const promise = new Promise<void>((resolve) => (release = resolve));
    await page.route(hold, async (route) => {
      await promise;
      await route.continue();
    });
  }
  await page.goto(url);
  const wish = { at: middle, zoom: zoom ?? null, theme };
  await page.evaluate(async (input) => {
    const settings = JSON.parse(document.documentElement.dataset["settings"] ?? "") as {
      assets: string;
    };
    type Texts = { loadTexts(assets: string): Promise<void> };
    const { loadTexts } = (await import(`${settings.assets}/page/texts.js`)) as Texts;
    await loadTexts(settings.assets);
    type Module = { openMap(source: object): Promise<Opened> };
    const { openMap: open } = (await import(`${settings.assets}/map/map.js`)) as Module;
    const events: Events = { picked: [], chosen: [], hovered: [] };
    const handlers = {
      pick: (point: Point) => events.picked.push(point),
      select: ({ id }: { id: string }) => events.chosen.push(id),
      hover: (item: { id: string } | null) => events.hovered.push(item?.id ?? null),
      zoomed: () => undefined,
    };
    const container = document.querySelector("#map");
    const made = await open({ container, settings, radius: 400, handlers, ...input });
    Object.assign(globalThis, { opened: () => Object.assign(made, { events }) });
  }, wish);
  await page.waitForFunction(() => opened().map.loaded());
  return { ...watched, requested, release };
}

const METRE = 1 / 111_195;

type Input = {
  north_m?: number;
  east_m?: number;
  free?: number;
  total?: number;
  stale?: boolean;
  badge?: { text: string; color: string };
};

function placed({ north_m = 0, east_m = 0 }: Input, middle = PARIS): Point {
  const lon = middle.lon + (east_m * METRE) / Math.cos((middle.lat * Math.PI) / 180);
  return { lat: middle.lat + north_m * METRE, lon };
}

function vehicle(id: string, input: Input): object {
  const { north_m = 0, east_m = 0 } = input;
  const looks = { layer: "vehicle", kind: "scooter", icon: "scooter", color: "#6d3fd1" };
  const distance = Math.hypot(north_m, east_m);
  const rest = { name: id, sub: "", free: null, total: null, state: "operational", onMap: true };
  return { id, ...looks, ...rest, ...input, ...placed(input), distance, source: null, raw: {} };
}

function station(id: string, input: Input): object {
  const looks = { layer: "station", kind: "bicycle", icon: "bicycle", color: "#0f7b55" };
  return { ...vehicle(id, input), ...looks, name: `<b>${id}</b>`, distance: 203 };
}

/** Scooters within a metre of one another. */
function heap(name: string, count: number, input: Input): object[] {
  const { north_m = 0 } = input;
  return Array.from({ length: count }, (_, n) => ({
    ...vehicle(`${name}${n}`, { ...input, north_m: north_m + n * 0.02 }),
    distance: 0,
  }));
}

/** Colours at the edge of a mark are mixed with its rim. */
function assertColor(matches: readonly number[], wanted: readonly number[], what = ""): void {
  const apart = Math.max(...matches.map((part, n) => Math.abs(part - (wanted[n] ?? 0))));
  assert.ok(apart < 16, `${what} is ${matches.join()}, not ${wanted.join()}`);
}

const at = ({ x, y }: Pixel): [number, number] => [x, y];
const sum = (parts: readonly number[]): number => parts.reduce((a, b) => a + b, 0);

const show = (page: Page, things: object[]): Promise<void> =>
  page.evaluate((items) => {
    opened().things.show(items);
  }, things);
const zoomOf = (page: Page): Promise<number> => page.evaluate(() => opened().map.getZoom());
const eventsOf = (page: Page): Promise<Events> => page.evaluate(() => opened().events);

/** Where a place is on the screen. */
function pixelOf(page: Page, north_m: number, east_m: number, middle = PARIS): Promise<Pixel> {
  return page.evaluate(
    ({ lat, lon }) => opened().map.project([lon, lat]),
    placed({ north_m, east_m }, middle),
  );
}

async function jump(page: Page, { lat, lon }: Point, zoom: number): Promise<void> {
  const view = { center: [lon, lat], zoom };
  // Nothing is returned: the map itself would be sent to this process.
  await page.evaluate((to) => {
    opened().map.jumpTo(to);
  }, view);
  await untilRested(page);
}

async function untilRested(page: Page): Promise<void> {
  await page.waitForFunction(() => opened().map.loaded() && opened().map.areTilesLoaded());
}

/** Names over the map, a line of each after a bar. */
function labels(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".map-label:not([hidden])")]
      .map(({ children }) => [...children].map(({ textContent }) => textContent).join("|"))
      .join("; "),
  );
}

async function untilLabel(page: Page, text: string): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    if ((await labels(page)) === text) return;
    await page.waitForTimeout(100);
  }
  assert.equal(await labels(page), text);
}

/** Red, green and blue of a pixel as it is seen. */
async function colorAt(page: Page, { x, y }: Pixel): Promise<number[]> {
  const clip = { x: Math.round(x), y: Math.round(y), width: 1, height: 1 };
  const picture = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.codePointAt(0) ?? 0);
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(1, 1).getContext("2d")!;
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  }, picture);
}

async function untilColor(page: Page, spot: Pixel, color: readonly number[]): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    if (String(await colorAt(page, spot)) === String(color)) return;
    await page.waitForTimeout(100);
  }
  assert.deepEqual(await colorAt(page, spot), color);
}
