/**
 * Tasks with a stopwatch in taps, on a phone from the first sight: what was looked for is in sight, its row
 * says why, and the service's own answer agrees.
 */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import { MAP_ASIDE, openPage, skip, untilShown } from "./support.ts";
import { useSite } from "./site.ts";

type Point = { lat: number; lon: number };
const PARIS: Point = { lat: 48.8566, lon: 2.3522 };
const BERLIN: Point = { lat: 52.52, lon: 13.405 };
/** Metres within which things of a task are looked for. */
const WIDE_M = 3_000;
const FAST_KW = 50;
/** Rows of one kind that are in sight on a phone. */
const IN_SIGHT = 4;

type Connector = { type?: string; max_kw?: number };
type Service = {
  id: string;
  location: Point;
  attributes: {
    wheelchair?: string;
    usable?: { state: string };
    charging?: { connectors?: Connector[]; available_count?: number };
  };
};
type Nearby = {
  vehicles: { source_id: string; source: { battery?: number; location: Point } }[];
  stations: { id: string; availability: { docks: number | null } }[];
};

describe("the stopwatch", { skip }, () => {
  let browser: Browser;
  let url = "";
  useSite(
    { awake: [PARIS, BERLIN].map(({ lat, lon }) => `lat=${lat}&lon=${lon}`) },
    (site) => void ({ url, browser } = site),
  );

  async function open(t: TestContext, { lat, lon }: Point) {
    const look = { size: "phone", map: MAP_ASIDE } as const;
    const { page, context, assertClean } = await openPage(browser, look);
    await page.goto(`${url}/?at=${lat},${lon}`);
    await untilShown(page);
    let taps = 0;
    /** A tap, or the choice of an option, which a phone takes as one. */
    const tap = async (selector: string, option?: string): Promise<void> => {
      taps += 1;
      if (option === undefined) await page.tap(selector);
      else await page.selectOption(selector, option);
    };
    return {
      ...{ page, tap },
      /** A tap that asks the service, until all has been answered. */
      async tapAndWait(selector: string) {
        const before = await countAnswers(page);
        await tap(selector);
        await page.waitForFunction(
          (count) => performance.getEntriesByName("vicinity-answer").length > count,
          before,
        );
      },
      async end(most: number) {
        t.diagnostic(`taps: ${taps} of ${most}`);
        assert.ok(taps <= most, `${taps} taps`);
        assertClean();
        await context.close();
      },
    };
  }
  const ask = async <T>(path: string, { lat, lon }: Point): Promise<T> => {
    const target = `${url}${path}${path.includes("?") ? "&" : "?"}lat=${lat}&lon=${lon}`;
    return ((await (await fetch(target)).json()) as { results: T }).results;
  };
  const rowsOf = (page: Page): Promise<{ id: string; text: string }[]> =>
    page.$$eval(".rows > li", (all) =>
      (all as HTMLElement[]).map((row) => ({ id: row.dataset["id"]!, text: row.innerText })),
    );

  test("a toilet that is open and accessible: 2 taps", async (t) => {
    const all = await ask<Service[]>(`/v1/services/nearby?types=toilets&radius=${WIDE_M}`, PARIS);
    const fits = ({ attributes: { wheelchair, usable } }: Service): boolean =>
      wheelchair === "yes" && usable?.state === "open";
    const wanted = all.find(fits) ?? assert.fail("no toilet is known to be open and accessible");
    const { page, tapAndWait, end } = await open(t, wanted.location);
    await tapAndWait(".chip[data-only='toilets']");
    await tapAndWait("#wheelchair");
    const row = (await rowsOf(page)).slice(0, IN_SIGHT).find(({ id }) => id === wanted.id);
    assert.ok(row, "it is in sight");
    assert.match(row.text, /open/);
    assert.match(row.text, /wheelchair/);
    assert.doesNotMatch(row.text, /not known/);
    await end(2);
  });

  test("the scooter with the most battery: 2 taps", async (t) => {
    const { page, tap, tapAndWait, end } = await open(t, BERLIN);
    await tapAndWait(".chip[data-only='scooter']");
    await tap("#sort", "battery");
    const { vehicles } = await ask<Nearby>("/v1/nearby?modes=scooter&limit=200", BERLIN);
    const most = Math.max(...vehicles.map(({ source: { battery = -1 } }) => battery));
    assert.ok(most > 0, "a battery is known");
    const [first] = await rowsOf(page);
    const found = vehicles.find(({ source_id }) => source_id === first!.id);
    assert.equal(found?.source.battery, most);
    assert.ok(first!.text.includes(`${most}%`), first!.text);
    await end(2);
  });

  test("a free CCS2 of 50 kW and more: 3 taps", async (t) => {
    const all = await ask<Service[]>(`/v1/services/nearby?types=charging&radius=${WIDE_M}`, BERLIN);
    const fits = ({ attributes: { charging } }: Service): boolean =>
      (charging?.available_count ?? 0) > 0 &&
      (charging?.connectors ?? []).some(
        ({ type, max_kw = 0 }) => type === "CCS2" && max_kw >= FAST_KW,
      );
    const wanted = all.find(fits) ?? assert.fail("no such charger is known");
    const { page, tap, tapAndWait, end } = await open(t, wanted.location);
    await tapAndWait(".chip[data-only='charging']");
    await tap(".chip[data-wish='usable']");
    await tap("#sort", "power");
    const row = (await rowsOf(page)).slice(0, IN_SIGHT).find(({ id }) => id === wanted.id);
    assert.ok(row, "it is in sight");
    assert.match(row.text, /CCS2, \d+ kW/);
    assert.match(row.text, /[1-9]\d*\/\d+ free/);
    await end(3);
  });

  test("a free dock: 2 taps", async (t) => {
    const { page, tap, tapAndWait, end } = await open(t, PARIS);
    await tapAndWait(".chip[data-only='bicycle']");
    await tap("#sort", "docks");
    const { stations } = await ask<Nearby>("/v1/nearby?modes=bicycle&limit=200", PARIS);
    const most = Math.max(...stations.map(({ availability }) => availability.docks ?? -1));
    const [first] = await rowsOf(page);
    const found = stations.find(({ id }) => id === first!.id);
    assert.equal(found?.availability.docks, most);
    assert.ok(first!.text.includes(`docks ${most}`), first!.text);
    await end(2);
  });

  test("what a vehicle costs: 1 tap", async (t) => {
    const { page, tap, end } = await open(t, PARIS);
    await tap(".rows > li:has(.mark.vehicle) .row >> nth=0");
    await page.waitForSelector("#detail h2");
    assert.match(await page.innerText("#detail"), /[€$£]\s?\d|\d\s?[€$£]/);
    await end(1);
  });

  test("how old it is: none, and true", async (t) => {
    const { page, end } = await open(t, PARIS);
    const words = await page.innerText("#summary");
    assert.match(words, /Updated (?:now|\d+ sec ago)/);
    const { status } = (await (
      await fetch(`${url}/v1/nearby?lat=${PARIS.lat}&lon=${PARIS.lon}`)
    ).json()) as { status: string };
    assert.equal(status, "success");
    await end(0);
  });
});

function countAnswers(page: Page): Promise<number> {
  return page.evaluate(() => performance.getEntriesByName("vicinity-answer").length);
}
