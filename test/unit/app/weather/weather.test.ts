/** Weather over scripted sources: the source's word first, what is found out here, failures by table. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { loadTimezones } from "#app/timezone.ts";
import { fromSeries } from "#app/weather/series.ts";
import type { SourceReply } from "#app/one-source.ts";
import { createWeather, type WeatherDeps } from "#app/weather/weather-search.ts";
import {
  ForecastBody,
  type ForecastBodyValue,
  WeatherBody,
  type WeatherBodyValue,
  type WeatherUnits,
} from "#api/weather.ts";
import { getCondition } from "#core/weather/conditions.ts";
import type { Moment, Outlook } from "#core/weather/outlook.ts";
import { NOWHERE, type Current, type Forecast } from "#core/weather/weather-model.ts";
import type { Failure } from "#kit/outcome.ts";
import type { WeatherQuery } from "#providers/weather-lookup.ts";
import type { Ask, LookupReply } from "#upstream/lookup/ask-source.ts";
import { createWatchedClock } from "../../../support/lookup.ts";
import { checkBody } from "../../../support/weather.ts";

const HOUR_S = 3_600;
const NOW_S = Date.UTC(2026, 6, 1, 12) / 1000;
const PARIS = { lat: 48.8566, lon: 2.3522, language: "fr" } as const;
const weatherBody = Compile(WeatherBody);
const forecastBody = Compile(ForecastBody);

const moment = (hour: number, temp_c: number): Moment => ({
  at_s: NOW_S + hour * HOUR_S,
  temp_c,
  feels_like_c: null,
  pressure_hpa: 1016.4,
  sea_level_hpa: null,
  ground_level_hpa: null,
  humidity_percent: 81.3,
  visibility_m: null,
  wind_ms: 4.1,
  gust_ms: null,
  wind_deg: null,
  clouds_percent: 75,
  conditions: [getCondition(801, null)],
});
const OUTLOOK: Outlook = {
  moments: Array.from({ length: 30 }, (_, hour) => moment(hour, 20 + hour / 10)),
  spans: [],
};

type Answer<V> = LookupReply<V> | ((query: WeatherQuery) => LookupReply<V>);
const queryOf =
  <V>(answer: Answer<V>): Ask<WeatherQuery, V> =>
  (query) =>
    Promise.resolve(typeof answer === "function" ? answer(query) : answer);
const storedOf = <V>(value: V, good_s = 600): LookupReply<V> => ({
  status: "ok",
  cache: "hit",
  stored: { value, raw: 1, fetched_at_ms: NOW_S * 1000, good_until_ms: (NOW_S + good_s) * 1000 },
});

function desk(
  ask: (clock: ReturnType<typeof createWatchedClock>) => WeatherDeps["ask"],
  { units = "metric", find = () => ["FR"] }: { units?: WeatherUnits; find?: () => string[] } = {},
) {
  const clock = createWatchedClock(NOW_S * 1000);
  const weather = createWeather({
    source: "MET Norway",
    clock,
    units,
    ask: ask(clock),
    timezones: loadTimezones,
    countries: () => Promise.resolve(find),
  });
  const input = (question: WeatherQuery = PARIS) => ({
    question,
    signal: new AbortController().signal,
    deadline_ms: clock.now() + 3_000,
    now_ms: clock.now(),
  });
  return { clock, weather, input };
}

function bodyOf<T>(reply: SourceReply): T {
  assert.ok(reply.kind === "ok", JSON.stringify(reply));
  return JSON.parse(JSON.stringify(reply.body)) as T;
}

test("a source that knows nothing of the place: country, zone and sun are found out here", async () => {
  const { weather, input } = desk((clock) => fromSeries(queryOf(storedOf(OUTLOOK)), clock));
  const body = bodyOf<WeatherBodyValue>(await weather.weather(input()));
  const { sunrise, sunset, ...sys } = body.sys;
  assert.deepEqual(
    { ...body, sys },
    {
      coord: { lon: 2.3522, lat: 48.8566 },
      weather: [{ id: 801, main: "Clouds", description: "peu nuageux", icon: "02d" }],
      base: "model",
      main: { temp: 20, temp_min: 20, temp_max: 20.1, pressure: 1016, humidity: 81 },
      wind: { speed: 4.1 },
      clouds: { all: 75 },
      dt: NOW_S,
      sys: { country: "FR" },
      // Summer time.
      timezone: 7200,
      cod: 200,
      units: "metric",
    },
  );
  assert.ok(sunrise! < NOW_S && NOW_S < sunset!);
  checkBody(weatherBody, body);
});

test("at sea there is no country, and the zone is a nautical one", async () => {
  const { weather, input } = desk((clock) => fromSeries(queryOf(storedOf(OUTLOOK)), clock), {
    find: () => [],
  });
  const sea = { lat: -30.5, lon: -132.1, language: "en" } as const;
  const body = bodyOf<WeatherBodyValue>(await weather.weather(input(sea)));
  assert.ok(!("country" in body.sys));
  assert.equal(body.timezone, -9 * HOUR_S);
});

test("a forecast of what lies ahead, from the series and from steps that a source publishes", async () => {
  const series = desk((clock) => fromSeries(queryOf(storedOf(OUTLOOK)), clock));
  const body = bodyOf<ForecastBodyValue>(await series.weather.forecast(series.input()));
  checkBody(forecastBody, body);
  assert.deepEqual([body.list[0]!.dt, body.cnt, body.list.length], [NOW_S + 3 * HOUR_S, 9, 9]);
  const steps = [-3, -2, 0, 3].map((hour) => ({
    ...moment(hour, 20),
    temp_min_c: null,
    temp_max_c: null,
    rain: null,
    snow: null,
    pop: null,
    temp_kf: null,
  }));
  const forecast: Forecast = { steps, site: NOWHERE };
  const stepped = desk(() => ({
    current: queryOf(storedOf({} as Current)),
    forecast: queryOf(storedOf(forecast)),
  }));
  const stored = bodyOf<ForecastBodyValue>(await stepped.weather.forecast(stepped.input()));
  assert.deepEqual(
    stored.list.map(({ dt }) => (dt - NOW_S) / HOUR_S),
    [-2, 0, 3],
  );
});

test("the source is asked in the language of the question; the units are the deployment's", async () => {
  const queries: WeatherQuery[] = [];
  const ask = queryOf<Outlook>((query) => {
    queries.push(query);
    return storedOf(OUTLOOK);
  });
  const { weather, input } = desk((clock) => fromSeries(ask, clock), { units: "imperial" });
  const body = bodyOf<WeatherBodyValue>(await weather.weather(input({ ...PARIS, language: "kr" })));
  assert.deepEqual(queries, [{ ...PARIS, language: "kr" }]);
  assert.deepEqual([body.main.temp, body.weather[0]!.description], [68, "구름 조금"]);
});

test("how long it may be cached: thirty seconds at most, and not beyond what it is good for", async () => {
  for (const [good_s, wanted] of [[600, 30] as const, [12, 12] as const, [-5, 0] as const]) {
    const { weather, input } = desk((clock) =>
      fromSeries(queryOf(storedOf(OUTLOOK, good_s)), clock),
    );
    const reply = await weather.weather(input());
    assert.ok(reply.kind === "ok");
    assert.equal(reply.max_age_s, wanted);
  }
});

function withoutMessage(reply: SourceReply): object {
  const { message: _, ...rest } = reply as SourceReply & { message?: string };
  return rest;
}

const CODES: readonly [Failure, code: string, retry_after_s: number | null][] = [
  [{ status: "timeout", reason: "deadline" }, "provider_timeout", null],
  [{ status: "unauthorized", reason: "http_401" }, "provider_bad_response", null],
  [{ status: "error", reason: "not_json" }, "provider_bad_response", 1],
  [{ status: "unavailable", reason: "http_500" }, "provider_bad_response", 1],
  [{ status: "unavailable", reason: "http_429" }, "provider_unavailable", 1],
  [{ status: "unavailable", reason: "circuit_open" }, "provider_unavailable", 1],
  [{ status: "unavailable", reason: "connection_refused" }, "provider_unavailable", 1],
  [{ status: "unavailable", reason: "dns_failed" }, "provider_unavailable", 1],
  [{ status: "unavailable", reason: "not_configured" }, "provider_unavailable", null],
];

test("failures are 502, 503 and 504; an old answer that may replace them is served instead", async () => {
  const rescue = (
    storedOf(OUTLOOK) as {
      stored: NonNullable<Extract<LookupReply<Outlook>, { rescue: unknown }>["rescue"]>;
    }
  ).stored;
  for (const [failure, code, retry_after_s] of CODES)
    for (const fallback of [null, rescue]) {
      const { weather, input } = desk((clock) =>
        fromSeries(queryOf<Outlook>({ ...failure, rescue: fallback }), clock),
      );
      for (const reply of [await weather.weather(input()), await weather.forecast(input())])
        if (fallback)
          assert.deepEqual([reply.kind, "max_age_s" in reply && reply.max_age_s], ["ok", 0]);
        else assert.deepEqual(withoutMessage(reply), { kind: "failed", code, retry_after_s });
    }
});

test("a series of other days is a bad answer; so is an old one that may not be used instead", async () => {
  const past = { moments: [moment(-90, 20)], spans: [] };
  const wanted = { kind: "failed", code: "provider_bad_response", retry_after_s: 1 };
  const { weather, input } = desk((clock) => fromSeries(queryOf(storedOf(past)), clock));
  assert.deepEqual(withoutMessage(await weather.weather(input())), wanted);
  assert.deepEqual(withoutMessage(await weather.forecast(input())), wanted);
});

test("a failure names the source and the cause", async () => {
  const failure = { status: "unavailable", reason: "connection_refused", rescue: null } as const;
  const { weather, input } = desk((clock) => fromSeries(queryOf<Outlook>(failure), clock));
  const reply = await weather.weather(input());
  assert.ok(reply.kind === "failed");
  assert.equal(
    reply.message,
    "MET Norway is unreachable: the connection was refused; ask again in a moment",
  );
});

test("without a source it is unavailable", async () => {
  const { weather, input } = desk(() => null);
  const wanted = { kind: "failed", code: "provider_unavailable", retry_after_s: null };
  assert.deepEqual(withoutMessage(await weather.weather(input())), wanted);
  assert.deepEqual(withoutMessage(await weather.forecast(input())), wanted);
});
