/** The bodies of the contract: every member where it is known, none where it is not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import {
  FORECAST_EXAMPLE,
  ForecastBody,
  WEATHER_EXAMPLE,
  WEATHER_LANGUAGE,
  WEATHER_LANGUAGES,
  WeatherBody,
} from "#api/weather.ts";
import { toForecastBody, toWeatherBody } from "#core/weather/bodies.ts";
import { CONDITIONS, getCondition } from "#core/weather/conditions.ts";
import { TEXTS } from "#core/weather/texts.ts";
import { UNITS } from "#core/weather/weather-units.ts";
import {
  NOWHERE,
  type Current,
  type WeatherReading,
  type ForecastStep,
} from "#core/weather/weather-model.ts";
import { AROUND, checkBody, STYLE } from "../../../support/weather.ts";

const CONDITION_IDS = [...CONDITIONS.keys()];

const weatherBody = Compile(WeatherBody);
const forecastBody = Compile(ForecastBody);
/** 11:00 in Paris. */
const AT = Date.UTC(2026, 10, 21, 10) / 1000;

/** Nothing but a time and a temperature. */
const BARE: WeatherReading = {
  at_s: AT,
  temp_c: 8.94,
  feels_like_c: null,
  temp_min_c: null,
  temp_max_c: null,
  pressure_hpa: null,
  sea_level_hpa: null,
  ground_level_hpa: null,
  humidity_percent: null,
  visibility_m: null,
  wind_ms: null,
  gust_ms: null,
  wind_deg: null,
  clouds_percent: null,
  conditions: [],
  rain: null,
  snow: null,
};
const current = (change: Partial<WeatherReading> = {}): Current => ({
  reading: { ...BARE, ...change },
  site: NOWHERE,
  base: "model",
});
const step = (change: Partial<ForecastStep> = {}): ForecastStep => ({
  ...BARE,
  pop: null,
  temp_kf: null,
  ...change,
});

test("the examples keep to the schemas, and the language to its 33 codes", () => {
  assert.ok(weatherBody.Check(WEATHER_EXAMPLE) && forecastBody.Check(FORECAST_EXAMPLE));
  assert.deepEqual(WEATHER_LANGUAGE.choices, WEATHER_LANGUAGES);
  assert.deepEqual((WEATHER_LANGUAGE.schema as { default?: unknown }).default, "fr");
});

test("unknown values are left out: no 0, no empty text, no constant", () => {
  const body = toWeatherBody(current(), { ...AROUND, country: null }, STYLE);
  assert.deepEqual(body, {
    coord: { lon: 2.3522, lat: 48.8566 },
    weather: [],
    base: "model",
    main: { temp: 8.94 },
    wind: {},
    clouds: {},
    dt: AT,
    sys: { sunrise: body.sys.sunrise, sunset: body.sys.sunset },
    timezone: 3600,
    cod: 200,
    units: "metric",
  });
  checkBody(weatherBody, body);
  const forecast = toForecastBody({ steps: [step()], site: NOWHERE }, AROUND, {
    ...STYLE,
    now_s: AT,
  });
  assert.deepEqual(forecast.list, [
    {
      dt: AT,
      main: { temp: 8.94 },
      weather: [],
      clouds: {},
      wind: {},
      sys: { pod: "d" },
      dt_txt: "2026-11-21 10:00:00",
    },
  ]);
  assert.deepEqual([forecast.cod, forecast.cnt, forecast.city.country], ["200", 1, "FR"]);
  checkBody(forecastBody, forecast);
});

test("zeros that are measured stay: 0°, calm, north, no clouds, Greenwich; what did not fall is left out", () => {
  const zeros = {
    temp_c: -0.001,
    feels_like_c: 0,
    humidity_percent: 0,
    visibility_m: 0,
    clouds_percent: 0,
    wind_ms: 0,
    wind_deg: 0,
    rain: { "1h": 0 },
    snow: { "1h": 0.004 },
  };
  const site = { ...NOWHERE, timezone_s: 0 };
  const body = toWeatherBody({ ...current(zeros), site }, AROUND, STYLE);
  assert.deepEqual(body.main, { temp: 0, feels_like: 0, humidity: 0 });
  assert.deepEqual(
    [body.wind, body.clouds, body.visibility],
    [{ speed: 0, deg: 0 }, { all: 0 }, 0],
  );
  assert.deepEqual([body.timezone, "rain" in body, "snow" in body], [0, false, false]);
});

test("day or night: as the source says, else by the sun; never at odds with pod", () => {
  const night_s = AT + 10 * 3600;
  const iconAt = (at_s: number, night: boolean | null) => {
    const forecast = {
      steps: [step({ at_s, conditions: [getCondition(800, night)] })],
      site: NOWHERE,
    };
    const [only] = toForecastBody(forecast, AROUND, { ...STYLE, now_s: AT }).list;
    assert.equal(only!.weather[0]!.icon.at(-1), only!.sys.pod);
    return only!.weather[0]!.icon;
  };
  assert.deepEqual([iconAt(AT, null), iconAt(night_s, null)], ["01d", "01n"]);
  assert.deepEqual([iconAt(AT, true), iconAt(night_s, false)], ["01n", "01d"]);
});

test("polar day and night: the members of the sun are left out, the letter is right", () => {
  const location = { lat: 78.22, lon: 15.65 };
  const around = { location, timezone_s: 3600, country: "SJ" };
  const conditions = [getCondition(800, null)];
  const dark = toWeatherBody(current({ conditions }), around, STYLE);
  assert.deepEqual([dark.sys, dark.weather[0]!.icon], [{ country: "SJ" }, "01n"]);
  const midnight_s = Date.UTC(2026, 5, 21, 23) / 1000;
  const light = toWeatherBody(current({ conditions, at_s: midnight_s }), around, STYLE);
  assert.deepEqual([light.sys, light.weather[0]!.icon], [{ country: "SJ" }, "01d"]);
  // One of the two alone is not believed.
  const half = { ...NOWHERE, sunrise_s: AT };
  assert.deepEqual(toWeatherBody({ ...current(), site: half }, around, STYLE).sys, {
    country: "SJ",
  });
});

test("the source's facts about the place take precedence over our own", () => {
  const site = {
    location: { lat: 1.5, lon: 2.5 },
    id: 7,
    name: "Lutèce",
    country: "XX",
    population: 9,
    timezone_s: -1800,
    sunrise_s: AT - 100,
    sunset_s: AT + 100,
    station: { type: 2, id: 0, message: 0.5 },
  };
  const body = toWeatherBody({ ...current(), site }, AROUND, STYLE);
  const { coord, sys, timezone, id, name } = body;
  assert.deepEqual([coord, timezone, id, name], [{ lon: 2.5, lat: 1.5 }, -1800, 7, "Lutèce"]);
  const sun = { sunrise: AT - 100, sunset: AT + 100 };
  assert.deepEqual(sys, { type: 2, id: 0, message: 0.5, country: "XX", ...sun });
});

test("every code in every language, in the words of the source where it has some", () => {
  let phrases = 0;
  for (const language of WEATHER_LANGUAGES)
    for (const id of CONDITION_IDS) {
      const conditions = [getCondition(id, false)];
      const { weather } = toWeatherBody(current({ conditions }), AROUND, { ...STYLE, language });
      assert.equal(weather[0]!.description, TEXTS[language][id]);
      phrases++;
    }
  assert.equal(phrases, 1815);
  const spoken = [{ ...getCondition(500, false), description: "bruine de mots" }];
  const { weather } = toWeatherBody(current({ conditions: spoken }), AROUND, STYLE);
  assert.equal(weather[0]!.description, "bruine de mots");
});

test("the units of the deployment", () => {
  const reading = { temp_c: 10, temp_min_c: 9, feels_like_c: 8, wind_ms: 10, gust_ms: 20 };
  const readingIn = (units: keyof typeof UNITS) => {
    const { main, wind } = toWeatherBody(current(reading), AROUND, {
      ...STYLE,
      units: UNITS[units],
    });
    return [main.temp, main.temp_min, main.feels_like, wind.speed, wind.gust];
  };
  assert.deepEqual(readingIn("metric"), [10, 9, 8, 10, 20]);
  assert.deepEqual(readingIn("standard"), [283.15, 282.15, 281.15, 10, 20]);
  assert.deepEqual(readingIn("imperial"), [50, 48.2, 46.4, 22.37, 44.74]);
});
