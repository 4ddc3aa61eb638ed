/** The legacy routes over the running service and its simulator, in every simulated city (§4.11 to §4.12b). */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { before, describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { LegacyScooters, LegacyVehicles } from "#api/legacy.ts";
import { ForecastBody, WEATHER_LANGUAGES, WeatherBody } from "#api/weather.ts";
import { type Body, serviceFor } from "./support.ts";

const ajv = new Ajv2020({ strict: true, allErrors: true, keywords: ["x-stability"] });
const VALID = {
  vehicles: ajv.compile(LegacyVehicles),
  scooters: ajv.compile(LegacyScooters),
  weather: ajv.compile(WeatherBody),
  forecast: ajv.compile(ForecastBody),
};

type Row = { id: number | string; battery?: number | null; distance: number; lat: number };
type ErrorBody = { error: { code: string; message: string } };

describe("legacy routes of a running service", () => {
  const served = serviceFor({ cities: "all", timetables: false });
  const { client } = served;
  let token: string;
  before(() => {
    token = served.started.service.keys.find(({ plan }) => plan === "unlimited")!.key;
  });

  async function ask<T>(kind: keyof typeof VALID, path: string): Promise<T> {
    const { status, text } = await client.call(
      `${served.started.service.url}${path}?token=${token}`,
    );
    assert.equal(status, 200, `${path} ${text}`);
    const body: unknown = JSON.parse(text);
    assert.ok(VALID[kind](body), `${path} ${JSON.stringify(VALID[kind].errors)}`);
    return body as T;
  }

  // Proves §4.11 vehicles; §4.12 scooters
  test("in every city: valid, nearest first, of the brands that are there", async () => {
    let listed = 0;
    let branded = 0;
    for (const { lat, lon } of served.started.service.sandbox!.cities()) {
      const at = `/api/realtime/${lat},${lon}`;
      const scooters = await ask<(Row & { provider: { name: string } })[]>(
        ...(["scooters", `${at}/freefloat/scooter`] as const),
      );
      const metres = scooters.map(({ distance }) => distance);
      assert.deepEqual(
        metres,
        metres.toSorted((a, b) => a - b),
      );
      listed += scooters.length;
      for (const name of new Set(scooters.map(({ provider }) => provider.name))) {
        const own = await ask<Row[]>("vehicles", `${at}/${encodeURIComponent(name)}`);
        const among = scooters.filter(({ provider }) => provider.name === name);
        assert.ok(own.length >= among.length, name);
        branded += own.length;
      }
    }
    assert.ok(listed > 200 && branded >= listed, `${listed} scooters, ${branded} of brands`);
  });

  test("a brand is found by the name on its vehicles, though its files are read in another language", async () => {
    const cities = new Map(
      served.started.service.sandbox!.cities().map((city) => [city.name, city]),
    );
    for (const [id, names] of [
      ["Paris", ["Trotti’Lune", "trotti-lune", "MoonScoot Paris", "Lune Mobilité"]],
      ["Berlin", ["Spreerad", "spree-bikes"]],
      ["Warszawa", ["wislane-rowery", "Vistula Bikes"]],
    ] as const) {
      const { lat, lon } = cities.get(id)!;
      for (const name of names)
        await untilKnown(() =>
          client.call(
            `${served.started.service.url}/api/realtime/${lat},${lon}/${encodeURIComponent(name)}?token=${token}`,
          ),
        );
    }
  });

  /** Other languages are read behind the first, and the list of brands is kept for 30 s. */
  async function untilKnown(call: () => Promise<{ status: number; text: string }>): Promise<void> {
    const end_ms = Date.now() + 45_000;
    for (;;) {
      const { status, text } = await call();
      if (status === 200) return;
      assert.ok(status === 404 && Date.now() < end_ms, text);
      await sleep(500);
    }
  }

  test("the scooters are those that /v1/nearby lists as free", async () => {
    const { url } = served.started.service;
    const scooters = await ask<Row[]>("scooters", "/api/realtime/48.8566,2.3522/freefloat/scooter");
    const query = "lat=48.8566&lon=2.3522&modes=scooter,moped&include=vehicles&limit=1000";
    const headers = { authorization: `Bearer ${token}` };
    const { text } = await client.call(`${url}/v1/nearby?${query}`, { headers });
    const nearby = (JSON.parse(text) as Body).results.vehicles;
    const ids = new Set(nearby.map(({ source }) => source.id));
    assert.ok(scooters.length > 10);
    for (const { id } of scooters) assert.ok(ids.has(String(id)), String(id));
  });

  // Proves §4.12a weather; §4.12b forecast
  test("weather and forecast in every city and every language, French where none is named", async () => {
    const words = new Set<string>();
    const cities = served.started.service.sandbox!.cities();
    for (const [i, language] of WEATHER_LANGUAGES.entries()) {
      const { lat, lon } = cities[i % cities.length]!;
      const weather = await ask<{ weather: { description: string }[] }>(
        ...(["weather", `/realtime/${lat},${lon}/weather/${language}`] as const),
      );
      words.add(weather.weather[0]!.description);
      await ask("forecast", `/realtime/${lat},${lon}/forecast/${language}`);
    }
    assert.ok(words.size > 25, `${words.size} different descriptions`);
    const french = await ask("weather", "/realtime/48.8566,2.3522/weather/fr");
    assert.deepEqual(await ask("weather", "/realtime/48.8566,2.3522/weather"), french);
    for (const pole of ["89.9,0", "-89.9,0"]) await ask("weather", `/realtime/${pole}/weather/en`);
  });

  const REFUSED: readonly [path: string, status: number, code: string, words: RegExp][] = [
    ["/api/realtime/48.8,2.3/lime", 401, "missing_token", /token/],
    ["/api/realtime/48.8,2.3/freefloat/scooter", 401, "missing_token", /token/],
    ["/api/realtime/48.8,2.3/unknown?token=", 401, "invalid_api_key", /API key/],
    ["/realtime/48.8/weather/fr", 400, "invalid_request", /^coords must be <lat>,<lon>/],
    ["/realtime/91,2/weather/fr", 400, "invalid_request", /^coords/],
    ["/realtime/48.8,2.3,1/forecast/fr", 400, "invalid_request", /^coords/],
    ["/realtime/48.8,2.3/forecast/xx", 400, "invalid_request", /^lang must be one of ar, bg/],
  ];

  test("an invalid parameter is refused by name", async () => {
    for (const [path, status, code, words] of REFUSED) {
      const reply = await client.call(`${served.started.service.url}${path}`);
      const { error } = JSON.parse(reply.text) as ErrorBody;
      assert.deepEqual([reply.status, error.code], [status, code], path);
      assert.match(error.message, words);
    }
    const { url } = served.started.service;
    const unknown = await client.call(`${url}/api/realtime/48.8,2.3/unknown?token=${token}`);
    const { error } = JSON.parse(unknown.text) as ErrorBody;
    assert.deepEqual([unknown.status, error.code], [404, "unknown_provider"]);
    assert.match(error.message, /known are .*velo-seine/);
  });

  // Proves §5 legacy token
  test("vehicles name their successor, weather does not; a header counts as the token", async () => {
    const { url } = served.started.service;
    const headers = { authorization: `Bearer ${token}` };
    const scooters = await client.call(`${url}/api/realtime/48.8,2.3/freefloat/scooter`, {
      headers,
    });
    assert.equal(scooters.status, 200);
    assert.equal(scooters.headers["deprecation"], "@1767225600");
    assert.match(scooters.headers["link"] as string, /<\/v1\/nearby>; rel="successor-version"/);
    assert.doesNotMatch(scooters.headers["link"] as string, /rel="deprecation"/);
    const weather = await client.call(`${url}/realtime/48.8,2.3/weather/fr`);
    assert.equal(weather.headers["deprecation"], undefined);
    assert.doesNotMatch(weather.headers["link"] as string, /successor/);
  });
});
