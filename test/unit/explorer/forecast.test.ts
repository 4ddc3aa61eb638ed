/** Hours and days of the forecast: by the clocks of the place, and what is not known is not dry. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { ForecastBodyValue } from "#api/weather.ts";
import { FORECAST_EXAMPLE } from "#api/weather.ts";

type Fall = { chance: number | null; mm: number | null; isLeast: boolean };
type Part = { local_ms: number; fall: Fall; wind: { speed?: number } };
type Steps = {
  toHours(body: ForecastBodyValue): (Part & { temp: number; words: string })[];
  toDays(
    body: ForecastBodyValue,
  ): (Part & { until_ms: number | null; least: number; most: number })[];
};
type Words = {
  degrees(value: unknown, units: string): string;
  windSpeed(wind: object | undefined, units: string): string | null;
  fallWords(fall: Fall): string | null;
};

const page = (path: string): string =>
  new URL(`../../../explorer/panel/${path}`, import.meta.url).href;
const { toHours, toDays } = (await import(page("forecast-steps.js"))) as Steps;
const { degrees, windSpeed, fallWords } = (await import(page("weather-words.js"))) as Words;

const [EXAMPLE] = FORECAST_EXAMPLE.list;
type Step = ForecastBodyValue["list"][number];

/** Forty steps from 15:00 UTC on. */
function toBody(timezone: number, change: (n: number) => Partial<Step> = () => ({})) {
  const { pop: _pop, rain: _rain, ...plain } = EXAMPLE!;
  const start_s = Date.parse("2026-11-28T15:00:00Z") / 1_000;
  const list = Array.from({ length: 40 }, (_, n) => ({
    ...plain,
    dt: start_s + n * 10_800,
    main: { temp: n % 8, temp_min: n % 8, temp_max: n % 8 },
    ...change(n),
  }));
  return { ...FORECAST_EXAMPLE, list, city: { ...FORECAST_EXAMPLE.city, timezone } };
}
const textOf = (local_ms: number): string => new Date(local_ms).toISOString().slice(5, 16);

before(() => {
  (globalThis as unknown as Record<string, unknown>)["document"] ??= { documentElement: {} };
});

test("hours and days are those of the place; a day that is not whole says until when", () => {
  const hours = toHours(toBody(5.5 * 3_600));
  assert.equal(hours.length, 8);
  assert.deepEqual(
    [hours[0]!, hours[7]!].map(({ local_ms }) => textOf(local_ms)),
    ["11-28T20:30", "11-29T17:30"],
  );
  const days = toDays(toBody(0));
  assert.deepEqual(
    days.map(({ local_ms, until_ms }) => [
      textOf(local_ms),
      until_ms === null ? null : textOf(until_ms),
    ]),
    [
      ["11-29T00:00", null],
      ["11-30T00:00", null],
      ["12-01T00:00", null],
      ["12-02T00:00", null],
      ["12-03T00:00", "12-03T15:00"],
    ],
  );
  assert.deepEqual([days[0]!.least, days[0]!.most], [0, 7]);
  assert.equal(textOf(toDays(toBody(-8 * 3_600))[0]!.local_ms), "11-29T01:00");
  assert.deepEqual(
    [toHours({ ...toBody(0), list: [] }), toDays({ ...toBody(0), list: [] })],
    [[], []],
  );
});

test("an amount that is not stated is not known; a day with gaps has at least what is known", () => {
  const none = { chance: null, mm: null, isLeast: true };
  assert.deepEqual(toHours(toBody(0))[0]!.fall, none);
  assert.equal(fallWords(none), null);
  const dry = toHours(toBody(0, () => ({ pop: 0 })))[0]!.fall;
  assert.deepEqual(dry, { chance: 0, mm: null, isLeast: true });
  assert.equal(fallWords(dry), "0%");
  const wet = toBody(0, (n) => ({ pop: n / 100, rain: { "3h": 0.5 }, snow: { "3h": 0.25 } }));
  assert.deepEqual(toDays(wet)[0]!.fall, { chance: 0.1, mm: 6, isLeast: false });
  assert.equal(fallWords(toDays(wet)[0]!.fall), "10% · 6 mm");
  const gaps = toBody(0, (n) => (n === 4 ? { rain: { "3h": 1.2 } } : {}));
  assert.equal(fallWords(toDays(gaps)[0]!.fall), "≥ 1.2 mm");
});

test("units are those of the deployment; a wind that is not known has no words", () => {
  assert.equal(degrees(-0.4, "metric"), "0 °C");
  assert.equal(degrees(undefined, "metric"), "–");
  assert.equal(degrees(280.6, "standard"), "281 K");
  assert.equal(windSpeed({ speed: 5 }, "metric"), "18 km/h");
  assert.equal(windSpeed({ speed: 5 }, "imperial"), "5 mph");
  assert.equal(windSpeed({}, "metric"), null);
  const still = toBody(0, () => ({ wind: {} }));
  assert.deepEqual(toDays(still)[0]!.wind, {});
});
