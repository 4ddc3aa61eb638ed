// The three simulated sources of weather as they speak, and that they speak of one weather.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { startSandbox } from "../../../sandbox/main.ts";

const NOW_MS = Date.UTC(2026, 8, 21, 12, 10, 30);
const AGENT = { "user-agent": "vicinity-test (+tests@example.org)" };
const KEY = "appid=sandbox-openweathermap-key";
const start = (seed = 1): Promise<Sandbox> => startSandbox({ seed, port: 0, now: () => NOW_MS });

type Json = Record<string, any>;

describe("weather", () => {
  let sandbox: Sandbox;
  before(async () => (sandbox = await start()));
  after(() => sandbox.close());

  const ask = (path: string, headers: Record<string, string> = AGENT): Promise<Response> =>
    fetch(`${sandbox.url}/upstreams/${path}`, { headers });
  const read = async (path: string, status = 200): Promise<Json> => {
    const response = await ask(path);
    assert.equal(response.status, status, path);
    return (await response.json()) as Json;
  };
  const owm = (rest: string, status?: number) =>
    read(`openweathermap/data/2.5/${rest}&${KEY}`, status);
  const met = (rest: string) => read(`met_norway/locationforecast/2.0/${rest}`);
  const meteo = (rest: string, status?: number) => read(`open_meteo/v1/forecast?${rest}`, status);

  test("OpenWeatherMap: now, by units and language", async () => {
    const here = "weather?lat=48.8566&lon=2.3522";
    const [kelvin, metric, imperial] = await Promise.all(
      ["&lang=fr", "&units=metric", "&units=imperial"].map((rest) => owm(here + rest)),
    );
    const celsius = metric!["main"].temp as number;
    assert.ok(Math.abs(kelvin!["main"].temp - celsius - 273.15) < 0.01);
    assert.ok(Math.abs(imperial!["main"].temp - celsius * 1.8 - 32) < 0.01);
    assert.deepEqual(
      [kelvin!["cod"], kelvin!["name"], kelvin!["sys"].country, kelvin!["timezone"]],
      [200, "Paris", "FR", 7200],
    );
    assert.notEqual(kelvin!["weather"][0].description, metric!["weather"][0].description);
    assert.equal(kelvin!["weather"][0].id, metric!["weather"][0].id);
    assert.match(kelvin!["weather"][0].icon, /^\d\dd$/);
  });

  test("MET Norway: hours, then six of them; gusts and chances in the complete form alone", async () => {
    const [complete, compact] = [
      await met("complete?lat=48.8566&lon=2.3522"),
      await met("compact?lat=48.8566&lon=2.3522"),
    ];
    const series = complete["properties"].timeseries as Json[];
    const times = series.map(({ time }) => Date.parse(time));
    const steps = times.slice(1).map((ms, index) => (ms - times[index]!) / 3_600_000);
    assert.deepEqual(new Set(steps), new Set([1, 6]));
    assert.ok(steps.lastIndexOf(1) < steps.indexOf(6) && steps.length > 80);
    series
      .slice(0, -1)
      .forEach((entry, index) => assert.equal("next_1_hours" in entry["data"], steps[index] === 1));
    const first = (body: Json) => body["properties"].timeseries[0].data;
    assert.ok("wind_speed_of_gust" in first(complete).instant.details);
    assert.ok(!("wind_speed_of_gust" in first(compact).instant.details));
    assert.ok("probability_of_precipitation" in first(complete).next_1_hours.details);
  });

  test("Open-Meteo: the columns that were asked for, in the units that were", async () => {
    const here = "latitude=48.8566&longitude=2.3522";
    const body = await meteo(
      `${here}&hourly=temperature_2m,wind_speed_10m,visibility&forecast_days=2`,
    );
    assert.deepEqual(Object.keys(body["hourly"]), [
      "time",
      "temperature_2m",
      "wind_speed_10m",
      "visibility",
    ]);
    assert.equal(body["hourly"].time.length, 48);
    assert.match(body["hourly"].time[0], /^2026-09-21T00:00$/);
    assert.equal(body["hourly_units"].wind_speed_10m, "km/h");
    assert.ok(!("current" in body));
    const ms = await meteo(`${here}&hourly=wind_speed_10m&wind_speed_unit=ms&timeformat=unixtime`);
    assert.equal(ms["hourly"].time[0], Date.UTC(2026, 8, 21) / 1000);
    const ratio = body["hourly"].wind_speed_10m[9] / ms["hourly"].wind_speed_10m[9];
    assert.ok(Math.abs(ratio - 3.6) < 0.05, String(ratio));
    const odd = await meteo(`${here}&hourly=moonshine`, 400);
    assert.deepEqual(odd["error"], true);
    assert.match(odd["reason"], /moonshine/);
    for (const wrong of ["latitude=1", "latitude=91&longitude=1", `${here}&forecast_days=99`])
      await meteo(wrong, 400);
  });

  test("one weather: what one source says of a place and an hour the others say, too", async () => {
    let checked = 0;
    for (const [lat, lon] of [
      [48.8566, 2.3522],
      [-33.87, 151.21],
      [0.5, -30.5],
      [71, 25],
    ] as const) {
      const forecast = await owm(`forecast?lat=${lat}&lon=${lon}&units=metric`);
      const { properties } = await met(`complete?lat=${lat}&lon=${lon}`);
      const names = "temperature_2m,pressure_msl,cloud_cover,wind_speed_10m";
      const { hourly } = await meteo(
        `latitude=${lat}&longitude=${lon}&hourly=${names}&wind_speed_unit=ms&timeformat=unixtime`,
      );
      for (const { dt, main, clouds, wind } of forecast["list"] as Json[]) {
        const entry = (properties.timeseries as Json[]).find(
          ({ time }) => Date.parse(time) === dt * 1000,
        );
        const index = (hourly.time as number[]).indexOf(dt);
        if (!entry || index < 0) continue;
        const { details } = entry["data"].instant;
        assert.deepEqual(
          [main.temp, clouds.all, wind.speed],
          [details.air_temperature, details.cloud_area_fraction, details.wind_speed],
        );
        assert.deepEqual(
          [hourly.temperature_2m[index], hourly.cloud_cover[index], hourly.wind_speed_10m[index]],
          [main.temp, clouds.all, wind.speed],
        );
        checked++;
      }
    }
    assert.ok(checked > 100, String(checked));
  });
});

test("same seed, same weather; another seed, another", async (t) => {
  const [one, two, other] = [await start(7), await start(7), await start(8)];
  t.after(() => Promise.all([one.close(), two.close(), other.close()]));
  const path = `/upstreams/openweathermap/data/2.5/forecast?lat=48&lon=2&${KEY}`;
  const [a, b, c] = await Promise.all(
    [one, two, other].map(async ({ url }) => (await fetch(url + path)).text()),
  );
  assert.equal(a, b);
  assert.notEqual(a, c);
});
