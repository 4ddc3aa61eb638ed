/**
 * Weather over real sockets, from each of the simulated sources: one weather whatever the source,
 * anywhere on Earth; their terms are kept; failures are those of decisions, Errors.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Compile } from "typebox/compile";
import { loadCountries } from "#app/country.ts";
import { loadTimezones } from "#app/timezone.ts";
import type { SourceReply } from "#app/one-source.ts";
import { createClock } from "#process/clock.ts";
import { readEnv } from "#config/env.ts";
import { type Config, loadConfig } from "#config/load.ts";
import {
  ForecastBody,
  type ForecastBodyValue,
  WEATHER_LANGUAGES,
  WeatherBody,
  type WeatherBodyValue,
  type WeatherLanguage,
} from "#api/weather.ts";
import { createEgress } from "#upstream/egress.ts";
import { createHttpClient } from "#upstream/http.ts";
import { createLookupCache } from "#upstream/lookup/ask-source.ts";
import { createRun } from "#upstream/run.ts";
import { type Sandbox, startSandbox } from "../../../sandbox/main.ts";
import { createLookupHealth } from "#app/source-items.ts";
import { simulated } from "#config/simulated.ts";
import { openWeather, type OpenWeather } from "#app/weather/open-weather.ts";
import { checkBody } from "../../support/weather.ts";
import { eventually, LONG_MS, withLongTimeouts } from "./support.ts";
import { HANG_MS } from "../../support/size.ts";
import { noFault } from "../../support/faults.ts";

const SOURCES = ["openweathermap", "met_norway", "open_meteo"] as const;
type SourceName = (typeof SOURCES)[number];
const weatherBody = Compile(WeatherBody);
const forecastBody = Compile(ForecastBody);
const PARIS = { lat: 48.8566, lon: 2.3522 };
const MINUTE_S = 60;
const HOUR_S = 3_600;

type Point = { lat: number; lon: number };
type Bench = {
  sandbox: Sandbox;
  open(name: SourceName, change?: (config: Config) => Config): OpenWeather;
  ask(
    weather: OpenWeather,
    what: "weather" | "forecast",
    at?: Point & { language?: WeatherLanguage },
  ): Promise<SourceReply>;
  advance(s: number): Promise<void>;
  fault(source: string, body: object): Promise<void>;
  requested(source: string): Promise<number>;
  close(): Promise<void>;
};

async function createBench(): Promise<Bench> {
  const clock = createClock();
  const onAdvance = (s: number): Promise<void> => clock.advance(s * 1000);
  const sandbox = await startSandbox({ seed: 1, port: 0, onAdvance });
  const egress = createEgress({ allow_private: true, http_hosts: [new URL(sandbox.url).host] });
  const client = createHttpClient({
    egress,
    user_agent: "vicinity-test (+t@example.org)",
    now: clock.now,
  });
  const run = createRun({ client, clock, onFault: noFault });
  const health = createLookupHealth(clock.now);
  const control = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`${sandbox.url}/__sandbox/${path}`, init);
  return {
    sandbox,
    open(name, change = (config) => config) {
      const config = change(configured(name));
      const cache = createLookupCache(clock);
      const onAttempt: Parameters<typeof openWeather>[1]["onAttempt"] = (attempt) =>
        health.note(attempt);
      const sources = simulated(config.sources, sandbox);
      return openWeather(
        { ...config, sources },
        {
          run,
          clock,
          random: () => 0.5,
          cache,
          onAttempt,
          onFault: noFault,
          health,
          countries: loadCountries,
          timezones: loadTimezones,
        },
      );
    },
    ask: (weather, what, { language = "en", ...at } = PARIS) =>
      weather[what]({
        question: { ...at, language },
        signal: new AbortController().signal,
        deadline_ms: clock.now() + LONG_MS,
        now_ms: clock.now(),
      }),
    advance: async (advance_s) =>
      void (await control("clock", { method: "POST", body: JSON.stringify({ advance_s }) })),
    fault: async (source, body) =>
      void (await control(`faults/${source}`, { method: "PUT", body: JSON.stringify(body) })),
    async requested(source) {
      const answer = await (await control("requests", {})).json();
      return (answer as { counts: Record<string, number> }).counts[source]!;
    },
    async close() {
      await egress.close();
      await sandbox.close();
    },
  };
}

function configured(source: SourceName): Config {
  const env = readEnv({});
  assert.ok(env.ok);
  const config = loadConfig({ mode: "sandbox", env: env.value });
  assert.ok(config.ok);
  return withLongTimeouts({ ...config.value, weather: { ...config.value.weather, source } });
}

function bodyOf<T extends WeatherBodyValue | ForecastBodyValue>(reply: SourceReply): T {
  assert.ok(reply.kind === "ok", JSON.stringify(reply));
  const body = JSON.parse(JSON.stringify(reply.body)) as T;
  checkBody("list" in body ? forecastBody : weatherBody, body);
  return body;
}

describe("weather of the simulated sources", () => {
  let bench: Bench;
  before(async () => (bench = await createBench()));
  after(() => bench.close());

  test("one weather, whatever the source: the same steps, temperatures, winds and conditions", async () => {
    const forecasts: ForecastBodyValue[] = [];
    for (const name of SOURCES)
      forecasts.push(bodyOf<ForecastBodyValue>(await bench.ask(bench.open(name), "forecast")));
    const [owm, ...others] = forecasts as [ForecastBodyValue, ...ForecastBodyValue[]];
    assert.equal(owm.cnt, 40);
    let compared = 0;
    for (const other of others) {
      assert.deepEqual(
        other.list.map(({ dt }) => dt),
        owm.list.map(({ dt }) => dt),
      );
      other.list.forEach((step, index) => {
        const reference = owm.list[index]!;
        // The six-hourly end of a series is on a line between its moments.
        const ahead_s = step.dt - owm.list[0]!.dt;
        if (other === forecasts[1] && ahead_s > 48 * HOUR_S && step.dt % (6 * HOUR_S) !== 0) return;
        assert.equal(step.main.temp, reference.main.temp);
        const groupsOf = ({ weather }: typeof step) => weather[0]!.icon.slice(0, 2);
        assert.equal(groupsOf(step), groupsOf(reference), step.dt_txt);
        assert.deepEqual(
          [step.wind.speed, step.clouds, step.sys],
          [reference.wind.speed, reference.clouds, reference.sys],
        );
        compared++;
      });
    }
    assert.ok(compared > 55, `${compared} steps`);
    const [sunrise, sunset] = [owm.city.sunrise!, owm.city.sunset!];
    for (const { city } of others) {
      assert.ok(Math.abs(city.sunrise! - sunrise) < 240 && Math.abs(city.sunset! - sunset) < 240);
      assert.deepEqual([city.timezone, city.country], [owm.city.timezone, owm.city.country]);
    }
  });

  test("anywhere on Earth: seas, poles, both sides of the antimeridian", async () => {
    let answers = 0;
    for (const name of SOURCES) {
      const weather = bench.open(name);
      for (const lat of [-90, -66.6, 0, 40.123456789, 90])
        for (const lon of [-180, -0.00001, 0, 179.99999, 180]) {
          const now = bodyOf<WeatherBodyValue>(await bench.ask(weather, "weather", { lat, lon }));
          const next = bodyOf<ForecastBodyValue>(
            await bench.ask(weather, "forecast", { lat, lon }),
          );
          assert.ok(next.cnt >= 38 && now.weather.length === 1, `${name} ${lat} ${lon}`);
          answers += 2;
        }
    }
    assert.equal(answers, 150);
  });

  test("every language, in words that are not English; one answer of a series serves all", async () => {
    for (const name of SOURCES) {
      const weather = bench.open(name);
      const before_it = await bench.requested(name);
      const words = new Set<string>();
      for (const language of WEATHER_LANGUAGES) {
        const body = bodyOf<WeatherBodyValue>(
          await bench.ask(weather, "weather", { ...PARIS, language }),
        );
        words.add(body.weather[0]!.description);
      }
      assert.ok(words.size > 25, `${name}: ${words.size}`);
      const calls = (await bench.requested(name)) - before_it;
      assert.equal(calls, name === "openweathermap" ? 33 : 1);
    }
  });
});

test("MET Norway: not requested before its answer expires, and then conditionally", async (t) => {
  const bench = await createBench();
  t.after(() => bench.close());
  const weather = bench.open("met_norway");
  const first = bodyOf<ForecastBodyValue>(await bench.ask(weather, "forecast"));
  for (let round = 0; round < 5; round++) await bench.ask(weather, "weather");
  assert.equal(await bench.requested("met_norway"), 1);
  // A run every half hour, and a minute and a half until it is out.
  await bench.advance(32 * MINUTE_S);
  const body = bodyOf<WeatherBodyValue>(await bench.ask(weather, "weather"));
  assert.ok(body.dt >= first.list[0]!.dt - 3 * HOUR_S);
  // The old answer is shown while it is renewed.
  await eventually(async () => ((await bench.requested("met_norway")) === 2 ? true : null), {
    within_ms: HANG_MS,
    what: "renewed",
  });
  await bench.advance(4 * HOUR_S);
  const later = bodyOf<ForecastBodyValue>(await bench.ask(weather, "forecast"));
  assert.ok(later.list[0]!.dt > first.list[0]!.dt);
  assert.equal(await bench.requested("met_norway"), 3);
});

test("the source is the named one, else OpenWeatherMap with a key, else MET Norway, else none", async (t) => {
  const bench = await createBench();
  t.after(() => bench.close());
  const without =
    (...names: SourceName[]) =>
    (config: Config): Config => {
      const off = Object.fromEntries(
        names.map((name) => [name, { ...config.sources[name], enabled: false }]),
      );
      const weather = { ...config.weather, source: null };
      return { ...config, weather, sources: { ...config.sources, ...off } };
    };
  const listed = (weather: OpenWeather) =>
    weather.listSources(0).map(({ id, state }) => [id, state]);
  assert.deepEqual(listed(bench.open("open_meteo")), [["open_meteo", "idle"]]);
  assert.deepEqual(listed(bench.open("open_meteo", without())), [["openweathermap", "idle"]]);
  const keyless = bench.open("open_meteo", without("openweathermap"));
  assert.deepEqual(listed(keyless), [["met_norway", "idle"]]);
  assert.equal(bodyOf<WeatherBodyValue>(await bench.ask(keyless, "weather")).base, "model");
  const none = bench.open("open_meteo", without("openweathermap", "met_norway"));
  assert.deepEqual(listed(none), []);
  const wanted = {
    kind: "failed",
    code: "provider_unavailable",
    retry_after_s: null,
    message:
      "The source of weather is not configured: its address or its key is missing in the configuration; asking again changes nothing until the operator acts",
  };
  assert.deepEqual(await bench.ask(none, "forecast"), wanted);
  const off = (config: Config): Config => {
    const switched = without("met_norway")(config);
    return { ...switched, weather: { ...switched.weather, source: "met_norway" } };
  };
  const match = bench.open("met_norway", off);
  assert.deepEqual(listed(match), [["met_norway", "unavailable"]]);
  const message = wanted.message.replace("The source of weather", "MET Norway");
  assert.deepEqual(await bench.ask(match, "weather"), { ...wanted, message });
});
