/** Sources of weather in tests: what they are asked and configured with, and what any answer must be. */
import assert from "node:assert/strict";
import { Compile } from "typebox/compile";
import { ForecastBody, WeatherBody } from "#api/weather.ts";
import { type WeatherPlace, toForecastBody, toWeatherBody } from "#core/weather/bodies.ts";
import type { Outlook } from "#core/weather/outlook.ts";
import { UNITS } from "#core/weather/weather-units.ts";
import type { Current, Forecast } from "#core/weather/weather-model.ts";
import type { ReadAnswer } from "#providers/lookup.ts";
import type { WeatherQuery } from "#providers/weather-lookup.ts";

export const QUERY: WeatherQuery = { lat: 48.85661, lon: -0.000001, language: "fr" };
export const SETTINGS = { url: "https://weather.example/base", timeout_ms: 2_500 };
export const OWM_SETTINGS = { ...SETTINGS, api_key: "s3cret&key" };

export const AROUND: WeatherPlace = {
  location: { lat: 48.8566, lon: 2.3522 },
  timezone_s: 3_600,
  country: "FR",
};
export const STYLE = { language: "fr", units: UNITS.metric } as const;

const weatherBody = Compile(WeatherBody);
const forecastBody = Compile(ForecastBody);

/** A failure is typed, and a success keeps to the schema of the contract; true for a success. */
export function checkCurrent(read: ReadAnswer<Current>): boolean {
  if (!read.ok) return checkFailure(read);
  checkBody(weatherBody, toWeatherBody(read.value, AROUND, STYLE));
  return true;
}

export function checkForecast(read: ReadAnswer<Forecast>): boolean {
  if (!read.ok) return checkFailure(read);
  const { steps } = read.value;
  const now_s = steps[0]?.at_s ?? 0;
  assert.ok(steps.length <= 40 && steps.length <= read.raw);
  steps.slice(1).forEach((step, index) => assert.ok(step.at_s > steps[index]!.at_s));
  checkBody(forecastBody, toForecastBody(read.value, AROUND, { ...STYLE, now_s }));
  return true;
}

/** Moments in order and each once, spans that do not overlap, nothing negative. */
export function checkOutlook(read: ReadAnswer<Outlook>): boolean {
  if (!read.ok) return checkFailure(read);
  const { moments, spans } = read.value;
  assert.ok(moments.length > 0 && moments.length <= read.raw);
  moments.slice(1).forEach((each, index) => assert.ok(each.at_s > moments[index]!.at_s));
  spans.forEach(({ from_s, to_s, rain_mm, snow_mm, pop }, index) => {
    assert.ok(to_s > from_s && rain_mm >= 0 && snow_mm >= 0);
    assert.ok(pop === null || (pop >= 0 && pop <= 1));
    if (index > 0) assert.ok(from_s >= spans[index - 1]!.to_s);
  });
  return true;
}

export function checkBody(schema: typeof weatherBody | typeof forecastBody, body: unknown): void {
  const sent: unknown = JSON.parse(JSON.stringify(body));
  assert.ok(schema.Check(sent), JSON.stringify([[...schema.Errors(sent)].slice(0, 3), sent]));
}

function checkFailure(read: Extract<ReadAnswer<unknown>, { ok: false }>): boolean {
  assert.ok(["timeout", "error", "unauthorized", "unavailable"].includes(read.status));
  assert.match(read.reason, /^[a-z][a-z0-9_]{1,30}$/);
  return false;
}
