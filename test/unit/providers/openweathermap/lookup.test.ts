/** OpenWeatherMap: what is asked, recorded answers that pass through, and any JSON at all. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { toForecastBody, toWeatherBody } from "#core/weather/bodies.ts";
import { UNITS } from "#core/weather/weather-units.ts";
import { createTrail } from "#kit/trail.ts";
import { openWeatherMapCurrent, openWeatherMapForecast } from "#providers/openweathermap/index.ts";
import { damaged, oddJson } from "../../../support/odd-json.ts";
import { toWire } from "../../../support/place-fixtures.ts";
import {
  AROUND,
  checkCurrent,
  checkForecast,
  OWM_SETTINGS,
  QUERY,
} from "../../../support/weather.ts";

const settings = OWM_SETTINGS;
const BOTH = [openWeatherMapCurrent, openWeatherMapForecast] as const;
const readCurrent = (text: string, status?: number) =>
  openWeatherMapCurrent.read(toWire(text, status), QUERY, { settings, trail: createTrail() });
const readForecast = (text: string, status?: number) =>
  openWeatherMapForecast.read(toWire(text, status), QUERY, { settings, trail: createTrail() });

test("the point with four decimals, its own code of the language, Kelvin; the key is apart", () => {
  const [weather, forecast] = BOTH.map((lookup) => lookup.request(QUERY, settings));
  const query = "?lat=48.8566&lon=0&lang=fr";
  assert.equal(weather!.url, `https://weather.example/base/data/2.5/weather${query}`);
  assert.equal(forecast!.url, `https://weather.example/base/data/2.5/forecast${query}`);
  assert.deepEqual(weather!.auth, { kind: "query", name: "appid", value: "s3cret&key" });
  assert.ok(!weather!.url.includes("s3cret"));
});

test("neighbours ask the same question, in another language another one", () => {
  for (const { keyOf } of BOTH) {
    assert.equal(keyOf(QUERY), keyOf({ ...QUERY, lat: 48.85663, lon: 0.00001 }));
    for (const other of [{ lat: 48.8568 }, { lon: 0.0002 }, { language: "de" as const }])
      assert.notEqual(keyOf(QUERY), keyOf({ ...QUERY, ...other }));
  }
});

const RECORDED = new URL("../../../../../shared/data/responses/weather/", import.meta.url);
const MISSING = "no recorded answers of OpenWeatherMap in ../shared/data";
const style = { language: "en", units: UNITS.standard } as const;
/** All that is added to what OpenWeatherMap says. */
const withUnits = (body: object) => ({ ...body, units: "standard" });

for (const name of ["owm-current-london-2019.json", "owm-current-london-2024.json"])
  test(`recorded: ${name} passes through, member by member`, (t) => {
    const file = new URL(name, RECORDED);
    if (!existsSync(file)) return t.skip(MISSING);
    const text = readFileSync(file, "utf8");
    const read = readCurrent(text);
    assert.ok(read.ok);
    const sent: unknown = toWeatherBody(read.value, { ...AROUND, country: null }, style);
    assert.deepEqual(JSON.parse(JSON.stringify(sent)), withUnits(JSON.parse(text)));
  });

test("recorded: a forecast passes through; only a population of 0 in Moscow does not", (t) => {
  const file = new URL("owm-forecast-2021.json", RECORDED);
  if (!existsSync(file)) return t.skip(MISSING);
  const text = readFileSync(file, "utf8");
  const read = readForecast(text);
  assert.ok(read.ok);
  const now_s = read.value.steps[0]!.at_s;
  const sent: unknown = toForecastBody(read.value, AROUND, { ...style, now_s });
  const whole = JSON.parse(text) as { city: { population?: number }; list: unknown[] };
  assert.equal(whole.list.length, 40);
  delete whole.city.population;
  assert.deepEqual(JSON.parse(JSON.stringify(sent)), withUnits(whole));
});

test("any JSON is a typed failure or weather that keeps to the contract", () => {
  const members = [
    ...["coord", "lat", "lon", "weather", "id", "main", "description", "icon", "temp", "dt", "cod"],
    ...["wind", "speed", "deg", "rain", "1h", "3h", "clouds", "all", "sys", "country", "sunrise"],
    ...["list", "city", "timezone", "name", "pop", "visibility", "pressure", "temp_kf", "sunset"],
  ];
  const fixture = (name: string): unknown => {
    const file = `../../../fixtures/providers/openweathermap/${name}.wire.json`;
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    return (JSON.parse(text) as { body: unknown }).body;
  };
  const wholes = [fixture("current-whole"), fixture("forecast-whole")].map(damaged);
  const any = fc.oneof(oddJson(members), ...wholes);
  let good = 0;
  fc.assert(
    fc.property(any, fc.constantFrom(200, 200, 200, 200, 401, 500), (json, status) => {
      const text = JSON.stringify(json) ?? "";
      if (checkCurrent(readCurrent(text, status))) good++;
      if (checkForecast(readForecast(text, status))) good++;
    }),
    { numRuns: 1_500 },
  );
  assert.ok(good > 200, `${good} answers`);
});
