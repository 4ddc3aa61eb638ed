/** What moves on the map: a stream that the test writes, and what the page makes of it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { LiveItemValue } from "#api/live.ts";
import type { Body } from "../integration/service/support.ts";
import { timeOfTests } from "../integration/service/support.ts";
import { FakeLive, toDelta, toSnapshot, type FakeStream } from "./live-fakes.ts";
import { openPage, skip, untilShown } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const ZOOM = 15;
const METRE = 1 / 111_195;
const ADDRESS = `/?at=${PARIS.lat},${PARIS.lon}&z=${ZOOM}&show=bicycle`;

describe("what moves on the map", { skip }, () => {
  let browser: Browser;
  let url = "";
  let items: LiveItemValue[] = [];
  let fake: FakeLive;
  let sent = 0;
  useSite({ cities: "paris", awake: [PARIS_POINT] }, (site) => void ({ url, browser } = site));
  const now = (): number => timeOfTests();
  const begin = (stream: FakeStream): void => {
    // One that goes on where it was gets no snapshot.
    if (stream.last_id === undefined)
      stream.send(
        "snapshot",
        toSnapshot(items, { now_ms: now(), age_s: 40 }),
        `i.s.${(sent += 1)}`,
      );
    else stream.send("status", { at: new Date(now()).toISOString(), sources: [] });
  };
  before(async () => {
    fake = new FakeLive(url, begin);
    await fake.start();
  });
  after(() => fake.close());

  const deliver = (some: Parameters<typeof toDelta>[1]): void => {
    const [stream] = fake.open();
    assert.ok(stream, "a stream is open");
    stream.send("delta", toDelta(now(), some), `i.s.${(sent += 1)}`);
  };
  const open = async (address = ADDRESS) => {
    fake.streams.length = 0;
    fake.tiles = 0;
    const watched = await openPage(browser);
    await watched.page.goto(fake.url + address);
    await untilShown(watched.page);
    return watched;
  };

  test("things enter, move and leave; one that the list has is one thing; the chosen one stays chosen", async () => {
    const listed = await firstStation(url);
    items = [
      station("live:a", "Alpha", { east_m: 550, vehicles: 3 }),
      { ...station(listed.id, listed.name, { vehicles: 77 }), location: listed.location },
    ];
    const { page, context, assertClean } = await open();
    await untilPulse(page, /^Live, at most 4\d sec old$/);
    const shifts = await shiftOf(page);
    await page.locator(`[data-id="${listed.id}"] .free`, { hasText: "77" }).waitFor();
    await untilLabel(page, { east_m: 550 }, /^Alpha\|\d+ m · 3 of 10 available$/);
    assert.equal(
      await page.locator(".row", { hasText: "Alpha" }).count(),
      0,
      "the list is the circle",
    );
    const beta = station("live:b", "Beta", { north_m: 250, east_m: 500, vehicles: 4 });
    deliver({
      entered: [beta],
      changed: [station("live:a", "Alpha", { north_m: -250, east_m: 550, vehicles: 9 })],
    });
    await untilLabel(page, { north_m: -250, east_m: 550 }, /^Alpha\|\d+ m · 9 of 10 available$/);
    await untilLabel(page, { north_m: 250, east_m: 500 }, /^Beta\|/);
    await untilLabel(page, { east_m: 550 }, /^$/);
    assert.ok((await shiftOf(page)) - shifts < 0.001, "nothing is pushed about");
    await page.mouse.click(...(await pixelOf(page, { north_m: 250, east_m: 500 })));
    await page.locator("#detail h2", { hasText: "Beta" }).waitFor();
    deliver({
      changed: [{ ...beta, vehicles: 8, docks: 2 }],
      left: [{ id: "live:a", reason: "gone" }],
    });
    await page.locator("#detail .numbers strong", { hasText: "8" }).waitFor();
    await untilLabel(page, { north_m: -250, east_m: 550 }, /^Beta\|[^;]*$/);
    assert.match(page.url(), /sel=live%3Ab/);
    assert.equal(fake.streams.length, 1);
    assertClean();
    await context.close();
  });

  test("a stream goes on where it broke, and is not read while the page is out of sight", async () => {
    items = [station("live:a", "Alpha", { east_m: 550, vehicles: 3 })];
    const { page, context, assertClean } = await open();
    await untilPulse(page, /^Live, /);
    fake.open()[0]!.cut();
    await untilPulse(page, /^Reconnecting, 4\d sec old$/);
    await untilLabel(page, { east_m: 550 }, /^Alpha/);
    await untilPulse(page, /^Live, /);
    assert.equal(fake.streams.at(-1)!.last_id, `i.s.${sent}`);
    deliver({ changed: [station("live:a", "Alpha", { east_m: 550, vehicles: 5 })] });
    await untilLabel(page, { east_m: 550 }, /5 of 10/);
    await setHidden(page, true);
    await until(() => fake.open().length === 0);
    const before_count = fake.streams.length;
    await setHidden(page, false);
    await until(() => fake.streams.length > before_count);
    assert.equal(fake.streams.at(-1)!.last_id, `i.s.${sent}`);
    await untilPulse(page, /^Live, /);
    assertClean(/ERR_|net::/);
    await context.close();
  });

  test("another view is another stream, a small pan none; far views and ended streams have tiles", async () => {
    items = [station("live:a", "Alpha", { east_m: 550, vehicles: 3 })];
    const { page, context, assertClean } = await open();
    await untilPulse(page, /^Live, /);
    const [first] = fake.streams;
    await drag(page, 60);
    await page.waitForTimeout(600);
    assert.equal(fake.streams.length, 1);
    await drag(page, 500);
    await until(() => fake.streams.length === 2 && fake.open().length === 1);
    assert.equal(first!.isOpen(), false);
    assert.notDeepEqual(first!.bbox, fake.streams[1]!.bbox);
    assert.equal(fake.tiles, 0);
    fake
      .open()[0]!
      .send("bye", { reason: "units", message: "no units are left", retry_after_s: 600 });
    await untilPulse(page, /^No live updates now$/);
    await page.click("#pulse button");
    await page.locator("#pulse-list li", { hasText: /no units are left$/ }).waitFor();
    await page.keyboard.press("Escape");
    await until(() => fake.tiles > 0);
    assert.equal(fake.streams.length, 2);
    await page.click("#zoom button >> nth=1");
    await page.waitForTimeout(400);
    await page.click("#zoom button >> nth=1");
    await untilPulse(page, /^Number of vehicles and stations$|^No live updates now$/);
    assertClean();
    await context.close();
  });
});

type Place = { north_m?: number; east_m?: number };

function placed({ north_m = 0, east_m = 0 }: Place): { lat: number; lon: number } {
  const lon = PARIS.lon + (east_m * METRE) / Math.cos((PARIS.lat * Math.PI) / 180);
  return { lat: PARIS.lat + north_m * METRE, lon };
}

function station(
  id: string,
  name: string,
  { vehicles, ...place }: Place & { vehicles: number },
): LiveItemValue {
  return {
    ...{ id, kind: "station", location: placed(place), modes: ["bicycle"], name },
    ...{ network_id: "live-test", state: "operational" },
    ...{ pickup: "available_now", return: "available_now" },
    ...{ vehicles, docks: 10 - vehicles, capacity: 10 },
  };
}

/** A station that the list has. */
async function firstStation(url: string): Promise<Body["results"]["stations"][number]> {
  const response = await fetch(`${url}/v1/nearby?${PARIS_POINT}&modes=bicycle&include=stations`);
  const { results } = (await response.json()) as Body;
  return results.stations[0]!;
}

/** Where a place is on the screen, by where the point is. */
async function pixelOf(page: Page, { north_m = 0, east_m = 0 }: Place): Promise<[number, number]> {
  const box = (await page.locator("#point").boundingBox())!;
  const per_metre = (512 * 2 ** ZOOM) / (40_075_016 * Math.cos((PARIS.lat * Math.PI) / 180));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return [x + east_m * per_metre, y - north_m * per_metre];
}

const DEADLINE_MS = 15_000;

async function until(is: () => boolean): Promise<void> {
  const began = performance.now();
  while (!is()) {
    assert.ok(performance.now() - began < DEADLINE_MS, "in time");
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
}

/** Points there repeatedly, since what is there may be on its way. */
async function untilLabel(page: Page, place: Place, wanted: RegExp): Promise<void> {
  let label = "";
  for (let n = 0; n < 60; n += 1) {
    const [x, y] = await pixelOf(page, place);
    await page.mouse.move(x + (n % 2), y);
    await page.waitForTimeout(100);
    label = await page.evaluate(() =>
      [...document.querySelectorAll(".map-label:not([hidden])")]
        .map(({ children }) => [...children].map(({ textContent }) => textContent).join("|"))
        .join("; "),
    );
    if (wanted.test(label)) return;
  }
  assert.match(label, wanted);
}

async function untilPulse(page: Page, wanted: RegExp): Promise<void> {
  await page.locator("#pulse button", { hasText: wanted }).waitFor();
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((is) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => is });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

async function drag(page: Page, by: number): Promise<void> {
  await page.mouse.move(1150, 600);
  await page.mouse.down();
  await page.mouse.move(1150 - by, 600, { steps: 5 });
  await page.mouse.up();
}

/** Sum of the shifts of the layout so far. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type Shift = { value: number; hadRecentInput: boolean };
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as unknown as Shift[];
          resolve(shifts.reduce((sum, one) => sum + (one.hadRecentInput ? 0 : one.value), 0));
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => {
          resolve(0);
        }, 300);
      }),
  );
}
