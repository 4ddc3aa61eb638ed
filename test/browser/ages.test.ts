/**
 * The age of data is the same everywhere and in every language: all publishers fail for 26 minutes; years
 * later the map is old and the timetables have ended. Header, rows, notices, status page, doctor and terminal.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { run } from "../unit/cli/support.ts";
import { eventually } from "../integration/service/support.ts";
import { MAP_ASIDE, openPage, skip, untilShown } from "./support.ts";
import { PARIS_POINT, useSite } from "./site.ts";

const LANGUAGES = ["en", "fr", "de", "es", "it", "nl", "pl", "pt", "ja", "ar"];
const FAILING_S = 1_560;
/** After the last day of the simulated timetables; the clock moves ten years at most. */
const YEARS_S = [316_000_000, 130_000_000];

type Texts = Record<string, string>;
const readTexts = (tag: string): Texts =>
  Object.assign(
    {},
    ...["", "status/"].map((folder) => {
      const path = `../../explorer/texts/${folder}${tag}.json`;
      return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as Texts;
    }),
  ) as Texts;
/** What of a text does not depend on its values. */
const longestOf = (text: string): string =>
  text.split(/\{\w+\}/).reduce((a, b) => (b.trim().length > a.length ? b.trim() : a), "");

describe("how old data are", { skip }, () => {
  let browser: Browser;
  let url = "";
  let sandbox_url = "";
  useSite({ cities: "paris", awake: [PARIS_POINT], base: true }, (site) => {
    ({ url, browser } = site);
    sandbox_url = site.started.service.sandbox!.url;
  });

  async function control<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${sandbox_url}/__sandbox/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${path}: ${response.status}`);
    const text = await response.text();
    return (text === "" ? null : JSON.parse(text)) as T;
  }
  type Answer = { status: string; message?: string; notices?: { age_s: number | null }[] };
  const ask = async (path: string): Promise<Answer> =>
    (await (
      await fetch(`${url}${path}${path.includes("?") ? "&" : "?"}${PARIS_POINT}`)
    ).json()) as Answer;

  /** A page in each language, whose clock is ahead by some seconds. */
  async function eachLanguage(
    { view, ahead_s }: { view: string; ahead_s: number },
    judge: (page: Page, texts: Texts, tag: string) => Promise<void>,
  ): Promise<void> {
    for (const tag of LANGUAGES) {
      const { page, context } = await openPage(browser, { map: MAP_ASIDE });
      await context.addInitScript((ahead_ms) => {
        const { now } = Date;
        Date.now = () => now() + ahead_ms;
      }, ahead_s * 1_000);
      await page.goto(`${url}/?at=48.8566,2.3522&lang=${tag}${view}`);
      await untilShown(page);
      await judge(page, readTexts(tag), tag);
      await context.close();
    }
  }
  async function readStatus(context: BrowserContext, tag: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${url}/status?lang=${tag}`);
    await page.waitForSelector("#sources tbody tr");
    return page;
  }
  const terminal = (...argv: string[]) =>
    run([...argv, "--url", url], { fetch, now: () => Date.now() });

  test("every publisher fails for 26 minutes", async () => {
    const { sources } = await control<{ sources: { id: string }[] }>("GET", "sources");
    for (const { id } of sources)
      await control("PUT", `faults/${id}`, { fault: "http_500", rate: 1 });
    await control("POST", "clock", { advance_s: FAILING_S });
    await eventually(
      async () => {
        const { notices = [] } = await ask("/v1/nearby");
        return notices.some(({ age_s }) => (age_s ?? 0) >= FAILING_S) ? notices : null;
      },
      { within_ms: 60_000, what: "answers that say how old they are" },
    );
    await eachLanguage({ view: "&show=bicycle", ahead_s: 0 }, async (page, texts, tag) => {
      await page.waitForSelector("#summary .old");
      const header = await page.innerText("#summary");
      assert.ok(header.includes(longestOf(texts["summary.old"]!)), `${tag}: ${header}`);
      const rows = await page.locator(".row:has(.mark.station)").count();
      assert.ok(rows > 0);
      assert.equal(await page.locator(".row.stale:has(.mark.station) .age").count(), rows, tag);
      const row = await page.innerText(".row .age >> nth=0");
      assert.ok(row.includes(longestOf(texts["list.old"]!)), `${tag}: ${row}`);
      assert.match(row, /\d/);
      const head = await page.innerText("#results h3 >> nth=0");
      const usable = texts["list.usable"] as unknown as Record<string, string>;
      assert.ok(!head.includes(longestOf(usable["other"]!)), `${tag}: ${head}`);
      const notices = await page.innerText("#notices");
      const wording = tag === "en" ? "answers with errors" : texts["problem.answers_with_errors"]!;
      assert.ok(notices.includes(wording), `${tag}: ${notices}`);
      if (tag !== "en") assert.doesNotMatch(notices, /answers with errors|ask again/, tag);
      const status = await readStatus(page.context(), tag);
      const verdict = await status.innerText("#verdict strong");
      assert.notEqual(verdict, texts["status.verdict.good"], tag);
      assert.ok((await status.innerText("#verdict")).includes("Vélo Seine"), tag);
    });
    const doctor = await terminal("doctor");
    assert.equal(doctor.code, 1);
    assert.match(doctor.out, /^error paris-velo-seine: It answered HTTP 500/m);
    const nearby = await terminal("nearby", "48.8566,2.3522");
    assert.match(nearby.out, /old: .*Vélo Seine answers with errors, its data are 2\d minutes old/);
    assert.match(nearby.out, /vehicle .* 2\d min$/m);
    await control("DELETE", "faults");
  });

  test("a map of years ago, and timetables that have ended", async () => {
    for (const advance_s of YEARS_S) await control("POST", "clock", { advance_s });
    const ahead_s = YEARS_S.reduce((a, b) => a + b, FAILING_S);
    await eventually(
      async () => {
        const { message = "" } = await ask("/v1/departures/nearby");
        return /has ended on 2039-12-31/.test(message) ? message : null;
      },
      { within_ms: 60_000, what: "timetables that have ended" },
    );
    const view = "&show=toilets,drinking_water,transit&r=401";
    await eachLanguage({ view, ahead_s }, async (page, texts, tag) => {
      const map = longestOf(texts["detail.map"]!);
      const header = await page.innerText("#summary");
      assert.ok(header.includes(map) && header.includes("2026"), `${tag}: ${header}`);
      const row = await page.innerText(".row .age >> nth=0");
      assert.ok(row.includes(map) && row.includes("2026"), `${tag}: ${row}`);
      await page.click(".row:has(.mark.transit) >> nth=0");
      const notices = await page.innerText("#detail .board .notice");
      const wording = tag === "en" ? "has ended on 2039-12-31" : texts["problem.has_ended"]!;
      assert.ok(notices.includes(wording), `${tag}: ${notices}`);
      if (tag !== "en") assert.doesNotMatch(notices, /asking again|may be incomplete/, tag);
      const status = await readStatus(page.context(), tag);
      await status.fill("#find", "gtfs:paris");
      const timetable = await status.innerText("#sources tbody");
      assert.ok(!timetable.includes(texts["status.health.good"]!), `${tag}: ${timetable}`);
      await status.fill("#find", "openbase");
      const base = await status.innerText("#sources tbody");
      assert.match(base.replaceAll(/[.,\u00a0\u202f  ٬]/g, ""), /51\d\d/, `${tag}: ${base}`);
    });
    const doctor = await terminal("doctor", "--all");
    assert.match(doctor.out, /gtfs:paris: Its last day was 2039-12-31\./);
    assert.match(doctor.out, /openbase:simulated-\w+: data of 2026-11-24/);
    const departures = await terminal("departures", "48.8566,2.3522");
    assert.match(departures.out, /the timetable paris has ended on 2039-12-31/);
    assert.match(departures.out, /asking again changes nothing/);
  });
});
